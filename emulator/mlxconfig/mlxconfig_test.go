package mlxconfig

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/conversion"
	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/emulator/scenario"
)

func query(t testing.TB) []byte {
	t.Helper()
	text, err := os.ReadFile("testdata/query.txt")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// params are the parameters of dcqcn in a scenario that an import wrote, and cnpDSCP is the DSCP of its CNPs.
func params(t testing.TB, text []byte) (given map[string]string, cnpDSCP int) {
	t.Helper()
	read, err := scenario.Parse("x.yaml", text, nil)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	plans, err := read.Plans()
	if err != nil {
		t.Fatal(err)
	}
	a := plans[0].Flows[0].Algorithm
	if a.Name != "dcqcn" {
		t.Errorf("the algorithm is %s", a.Name)
	}
	return a.Params, int(plans[0].NICs[0].Profile.CNPDSCP)
}

// givesBack checks that every setting that was taken comes back with its value.
func givesBack(t testing.TB, imported *Imported) {
	t.Helper()
	given, dscp := params(t, imported.Scenario)
	have := map[string]string{}
	for line := range strings.Lines(string(Export(given, given, dscp, 1).Text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		have[name] = value
	}
	for _, line := range imported.Lines {
		if line.Verdict != conversion.Taken {
			continue
		}
		name := strings.TrimSuffix(strings.TrimSuffix(line.Path, "_P1"), "_P2")
		if s := find(name); s != nil {
			name = s.name
		} else {
			name = special[name]
		}
		value := line.Was
		if m := named.FindStringSubmatch(value); m != nil {
			value = m[1]
		}
		var was int64
		if _, err := fmt.Sscan(value, &was); err != nil || have[name+"_P1"] != fmt.Sprint(was) {
			t.Errorf("%s was taken as %s and is given back as %q", line.Path, line.Was, have[name+"_P1"])
		}
	}
}

// A query becomes the parameters of dcqcn, in their units, and comes back.
func TestQuery(t *testing.T) {
	imported, err := Import("query.txt", query(t), 1)
	if err != nil {
		t.Fatal(err)
	}
	given, dscp := params(t, imported.Scenario)
	for name, want := range map[string]string{
		"rpg_time_reset":                "300us",
		"rpg_byte_reset":                "2097088B",
		"rpg_ai_rate":                   "5Mbps",
		"g":                             "0.0048828125", // 5/1024
		"initial_alpha":                 "0.9990234375", // 1023/1024
		"clamp_tgt_rate":                "false",
		"clamp_tgt_rate_after_time_inc": "true",
		"min_time_between_cnps":         "2us",
	} {
		t.Run(name, func(t *testing.T) {
			if given[name] != want {
				t.Errorf("%s is %q, want %q", name, given[name], want)
			}
		})
	}
	if len(given) != len(settings) || dscp != 48 {
		t.Errorf("%d parameters, DSCP %d", len(given), dscp)
	}
	givesBack(t, imported)
	verdicts := map[string]conversion.Verdict{}
	for _, line := range imported.Lines {
		verdicts[line.Path] = line.Verdict
	}
	if verdicts["RPG_TIME_RESET_P2"] != conversion.Absent || verdicts["SRIOV_EN"] != conversion.Absent ||
		len(verdicts) != 24 {
		t.Errorf("%v", verdicts)
	}
	other, err := Import("query.txt", query(t), 2)
	if err != nil {
		t.Fatal(err)
	}
	if given, _ := params(t, other.Scenario); given["rpg_time_reset"] != "20us" || len(given) != 1 {
		t.Errorf("the other port has %v", given)
	}
}

// The forms that tools print for a setting mean the same.
func TestForms(t *testing.T) {
	for _, text := range []string{
		"RPG_GD_P1 10",
		"RPG_GD 0xa",
		"RPG_GD_P1=10",
		"mlxconfig -d /dev/mst/mt4129_pciconf0 set RPG_AI_RATE_P1=5 RPG_GD_P1=10",
		"/sys/class/net/ens1f0/ecn/roce_rp/rpg_gd:10",
		"/sys/kernel/debug/mlx5/0000:03:00.0/cc_params/rp_gd:10",
		"rpg_gd: 10\r",
		"# a comment\n\n*        RPG_GD_P1      10",
		"Configurations:       Default         Current         Next Boot\n*        RPG_GD_P1       11     10    12",
		"\ufeffRPG_GD_P1=10\nRPG_GD_P1=10",
	} {
		t.Run(fmt.Sprintf("%.50q", text), func(t *testing.T) {
			imported, err := Import("x", []byte(text), 1)
			if err != nil {
				t.Errorf("%q: %v", text, err)
				return
			}
			if given, _ := params(t, imported.Scenario); given["rpg_gd"] != "10" {
				t.Errorf("%q: %v", text, given)
			}
			givesBack(t, imported)
		})
	}
}

// What mlnx_qos prints becomes the classes of pauses.
func TestQoS(t *testing.T) {
	text := "DCBX mode: OS controlled\nPriority trust state: dscp\ndscp2prio mapping:\n" +
		"        prio:0 dscp:07,06,\n        prio:3 dscp:26,24,\nCable len: 7\nPFC configuration:\n" +
		"        priority    0   1   2   3   4   5   6   7\n        enabled     0   0   0   1   0   0   0   0\n" +
		"tc: 0 ratelimit: unlimited, tsa: ets, bw: 10%\n         priority:  1\ncnp_dscp: 46\n"
	imported, err := Import("qos.txt", []byte(text), 1)
	if err != nil {
		t.Fatal(err)
	}
	read, err := scenario.Parse("x.yaml", imported.Scenario, nil)
	if err != nil {
		t.Fatal(err)
	}
	plans, err := read.Plans()
	if err != nil {
		t.Fatal(err)
	}
	nic := plans[0].NICs[0].Profile
	if nic.ClassOf[26] != 3 || nic.ClassOf[24] != 3 || nic.ClassOf[48] != 0 || !nic.PFC || nic.CNPDSCP != 46 {
		t.Errorf("%+v", nic)
	}
	if len(imported.Lines) != 6 {
		t.Errorf("%v", imported.Lines)
	}
	off := regexp.MustCompile(`1   0   0   0   0\n`).ReplaceAllString(text, "0   0   0   0   0\n")
	imported, err = Import("qos.txt", []byte(off), 1)
	if err != nil || !strings.Contains(string(imported.Scenario), "pfc: false") {
		t.Errorf("%v", err)
	}
}

// Nonsense is named with its place.
func TestNonsense(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"\n  RPG_GD_P1=99", `x:2:3: RPG_GD_P1: "99" is not allowed: it must be a whole number from 0 to 15`},
		{"RPG_MIN_DEC_FAC_P1 101", `a whole number from 0 to 100 percent`},
		{"RPG_TIME_RESET_P1=NaN", `"NaN" is not allowed: it must be a whole number from 0 to 1000000 us`},
		{"RPG_TIME_RESET_P1=99999999999999999999", `is not allowed`},
		{"RPG_TIME_RESET_P1=-1", `"-1" is not allowed`},
		{"RPG_TIME_RESET_P1=1.5", `"1.5" is not allowed`},
		{"CLAMP_TGT_RATE_P1=True", `"True" is not allowed`},
		{"RPG_GD_P1=1\nRPG_GD_P1=2", `x:2:1: RPG_GD_P1 is "2", and "1" in line 1: a NIC has one value`},
		{"RPG_GD_P1=1\nrpg_gd: 2", `rpg_gd is "2", and "1" in line 1`},
		{"CNP_DSCP_P1=64", `from 0 to 63`},
		{"SRIOV_EN=1", `no setting of congestion control: RPG_TIME_RESET_P1=300 is one`},
		{"", `no setting of congestion control`},
		{"RPG_GD_P2=1", `no setting of congestion control`},
		{"{\"PORT\": {}}", `no setting of congestion control`},
		{"RPG_GD_P1=1\xff", `not UTF-8`},
		{strings.Repeat("\n", 20_001), `20001 lines: allowed are up to 20000`},
		{"prio:9 dscp:1,", `priority "9" is not allowed`},
		{"prio:3 dscp:64,", `DSCP "64" is not allowed`},
		{"PFC configuration:\nenabled 0 1", `2 priorities with or without PFC: there must be 8`},
	} {
		t.Run(fmt.Sprintf("%.50q", c.text), func(t *testing.T) {
			_, err := Import("x", []byte(c.text), 1)
			var problems scenario.Errors
			if !errors.As(err, &problems) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%q: %v", document.Shorten(c.text), err)
			}
		})
	}
}

// A value below what dcqcn takes, and one that a NIC cannot have, are approximated.
func TestApproximations(t *testing.T) {
	text := "RPG_MIN_RATE_P1=0\nRPG_MAX_RATE_P1=40000\nROCE_CC_PRIO_MASK_P1=247\nRPG_GDD_P1=1"
	imported, err := Import("x", []byte(text), 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"rpg_min_rate 1bps", "0", "255", ""} {
		t.Run(fmt.Sprintf("%q", want), func(t *testing.T) {
			if line := imported.Lines[i]; line.Is != want || (line.Verdict == conversion.Approximated) != (want != "") {
				t.Errorf("%+v", line)
			}
		})
	}
	if note := imported.Lines[3].Note; note != "did you mean RPG_GD?" {
		t.Error(note)
	}
	values := map[string]string{"rpg_ai_rate": "1500Kbps", "rpg_byte_reset": "10MB", "recovery": "rtt", "g": "0.00390625"}
	exported := Export(values, map[string]string{"recovery": "rtt"}, 48, 2)
	for _, want := range []string{"RPG_AI_RATE_P2=2\n", "RPG_BYTE_RESET_P2=32767\n", "DCE_TCP_G_P2=1020\n",
		"CNP_DSCP_P2=48\n"} {
		t.Run(fmt.Sprintf("%q", want), func(t *testing.T) {
			if !strings.Contains(string(exported.Text), want) {
				t.Errorf("no %q in\n%s", want, exported.Text)
			}
		})
	}
	if len(exported.Lines) != 3 || exported.Lines[0].Was != "10MB" || exported.Lines[1].Is != "2Mbps" ||
		exported.Lines[2].Path != "params.recovery" {
		t.Errorf("%+v", exported.Lines)
	}
}

// FuzzImport holds that no input panics, and that accepted settings come back. Tier: -short for its seeds.
func FuzzImport(f *testing.F) {
	f.Add(query(f))
	f.Add([]byte("Priority trust state: dscp\nprio:3 dscp:26,\nPFC configuration:\nenabled 0 0 0 1 0 0 0 0"))
	f.Add([]byte("CNP_DSCP_P1 \u00a0#")) // a space that only Unicode knows
	f.Add([]byte("CNP_DSCP_P1 \u0085\u00a0\n"))
	f.Add([]byte("/sys/class/net/a/ecn/roce_rp/rpg_gd:0x0b\nROCE_CC_ALGORITHM_P1 ECN(0)"))
	f.Fuzz(func(t *testing.T, text []byte) {
		imported, err := Import("x", text, 1)
		if err != nil {
			return
		}
		givesBack(t, imported)
	})
}
