package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// leafConfig is a configuration of a SONiC switch.
func leafConfig(t *testing.T) string {
	t.Helper()
	const path = "emulator/sonic/testdata/leaf.json"
	return pages(t, path)[path]
}

// A configuration becomes a scenario that runs as it is, each key is accounted for, and the way back gives the changes.
func TestImportSonic(t *testing.T) {
	config := leafConfig(t)
	s := newShell(t)
	s.write("config_db.json", config)
	s.run(0, "import", "sonic", "config_db.json", "-o", "leaf.yaml")
	s.says(s.stdout, "taken          /WRED_PROFILE/AZURE_LOSSLESS/green_min_threshold: 250000\n")
	s.says(s.stdout, "losses that change results, the largest first:\n1 memory that is shared\n")
	s.says(s.stdout, "taken          /BUFFER_PROFILE/pg_lossless_100000_40m_profile/xoff: 71000\n")
	s.says(s.stdout, "no counterpart /BGP_NEIGHBOR: 2 entries\n")
	s.says(s.stdout, "148 keys: 101 taken, 7 approximated, 40 without a counterpart\n")
	s.run(0, "run", "leaf.yaml", "--out", "leaf")
	s.says(s.stdout, "PASS")
	s.run(2, "export", "sonic", "leaf.yaml", "-o", "leaf/x.json")
	s.says(s.stderr, "leaf/x.json would be in a run folder")
	s.run(2, "import", "sonic", "config_db.json", "-o", "leaf/x.yaml")
	s.run(0, "export", "sonic", "leaf.yaml", "-o", "changes.json", "--set", "switch.ecn.kmin=200KB")
	s.says(s.stdout, "every setting has its counterpart\n")
	var changes map[string]map[string]map[string]string
	text, err := os.ReadFile("changes.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &changes); err != nil {
		t.Fatal(err)
	}
	if is := changes["WRED_PROFILE"]["AZURE_LOSSLESS"]["green_min_threshold"]; is != "200000" {
		t.Errorf("Kmin of 200KB is exported as %q", is)
	}
	scheduler := changes["QUEUE"]["Ethernet0|3"]["scheduler"]
	xoff := changes["BUFFER_PROFILE"]["pg_lossless_100000_40m_profile"]["xoff"]
	if scheduler != "scheduler.1" || xoff != "71000" {
		t.Errorf("what was imported is not remembered: %s, %s", scheduler, xoff)
	}
	s.run(0, "export", "sonic", "leaf.yaml", "--set", "switch.ecn.kmin=200KB",
		"--onto", "config_db.json", "-o", "new.json")
	s.says(s.stdout, "changed        /WRED_PROFILE/AZURE_LOSSLESS/green_min_threshold: 250000 -> 200000\n")
	s.says(s.stdout, "2 keys: 2 changed, 0 taken, 0 approximated, 0 without a counterpart\n")
	if text, err = os.ReadFile("new.json"); err != nil || !strings.Contains(string(text), `"lanes": "0,1,2,3"`) {
		t.Errorf("%v\n%s", err, text)
	}
	s.run(0, "import", "sonic", "new.json", "-o", "new.yaml")
	s.run(0, "export", "sonic", "leaf.yaml", "--onto", "config_db.json", "-o", "same.json")
	s.says(s.stdout, "config_db.json has the same values already: nothing was changed\n")
	s.run(2, "export", "sonic", "leaf.yaml", "--onto", "nowhere.json")
	s.says(s.stderr, "open nowhere.json: no such file")
	s.run(2, "export", "sonic", "leaf.yaml", "--onto", "leaf.yaml")
	s.says(s.stderr, "leaf.yaml:1:1: ")
	s.run(0, "import", "sonic", "config_db.json", "--format", "json") // the scenario, and the lines beside it
	s.says(s.stdout, "\nswitch:\n")
	want := s.stdout
	file, err := os.Open("config_db.json")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	before := os.Stdin
	os.Stdin = file
	defer func() { os.Stdin = before }()
	s.run(0, "import", "sonic", "-", "--format", "json")
	if s.stdout != want {
		t.Error("from stdin another scenario comes than from the file")
	}
	var lines []struct{ Path, Verdict, Was string }
	if err := json.Unmarshal([]byte(s.stderr), &lines); err != nil || len(lines) != 148 ||
		lines[0].Path != "/DEVICE_METADATA/localhost/hostname" || lines[0].Verdict != "taken" || lines[0].Was != "leaf-12" {
		t.Errorf("%v, %+v", err, lines)
	}
}

// A switch of any scenario is exported, and the settings that SONiC cannot have are reported.
func TestExportSonic(t *testing.T) {
	s := newShell(t)
	s.write("x.yaml", "topology: {kind: leaf-spine}\nalgorithm: pc4\ntraffic: [{kind: incast, size: 1KB}]\n"+
		"switch: {forwarding: spray, alpha: 0.1}\nvariants: [{name: a}, {name: b, switch: {ecn: {pmax: 0.015}}}]\n")
	s.run(0, "export", "sonic", "x.yaml", "--switch", "leaf0", "--variant", "b", "-o", "leaf0.json")
	s.says(s.stdout, "no counterpart switch.forwarding: spray\n")
	s.says(s.stdout, "green_drop_probability: 1.5 % -> 2 % (SONiC has whole\n")
	s.says(s.stdout, "dynamic_th: alpha 0.1 -> alpha 0.125\n")
	for _, c := range []struct{ args, want string }{
		{"x.yaml", "the scenario has several switches: choose one with --switch; they are leaf0, leaf1,"},
		{"x.yaml --switch leaf9", `--switch "leaf9": there is no switch of that name: did you mean leaf0?`},
		{"x.yaml --switch leaf0 --variant c", `--variant "c": the scenario has a, b`},
		{"", "export sonic needs one scenario file"},
		{"nowhere.yaml", "no such file"},
	} {
		s.run(2, append([]string{"export", "sonic"}, strings.Fields(c.args)...)...)
		s.says(s.stderr, c.want)
	}
	s.write("y.yaml", "# sonic-names: {\ntopology: {kind: star, hosts: 3}\nalgorithm: pc4\n"+
		"traffic: [{kind: incast, size: 1KB}]\n")
	s.run(2, "export", "sonic", "y.yaml")
	s.says(s.stderr, `the comment that begins with "# sonic-names:" is not as rocelab import writes it`)
}

// A text that is not a configuration is refused with its place, and nothing is written.
func TestImportRefuses(t *testing.T) {
	config := leafConfig(t)
	s := newShell(t)
	s.write("bad.json", strings.Replace(config, `"green_max_threshold": "1000000"`, `"green_max_threshold": "1000"`,
		1))
	s.run(2, "import", "sonic", "bad.json", "-o", "bad.yaml")
	s.says(s.stderr, "bad.json:46:36: /WRED_PROFILE/AZURE_LOSSLESS/green_min_threshold: 250000 is above "+
		"green_max_threshold of 1000: allowed is min <= max\n")
	s.write("escape.json", "{\"PORT\": {\"\\u001b[2J\": [], \"Ethernet0\": {\"speed\": \"\\u202e\"}}}")
	s.run(2, "import", "sonic", "escape.json")
	if strings.ContainsFunc(s.stderr, obeyed) {
		t.Errorf("a terminal would obey %q", s.stderr)
	}
	for _, c := range []struct{ args, want string }{
		{"import sonic", "import sonic needs CONFIG_DB and got nothing"},
		{"import sonic nowhere.json", "read configuration: open nowhere.json: no such file"},
		{"import sonics", `there is no command "sonics"`},
		{"export what", `there is no command "what"`},
	} {
		s.run(2, strings.Fields(c.args)...)
		s.says(s.stderr, c.want)
	}
	if exists("bad.yaml") {
		t.Error("a scenario was written nevertheless")
	}
}

// Settings of a NIC become parameters of dcqcn, in a scenario that runs, and come back. Tier: -short, some 0.2 s.
func TestImportMLXConfig(t *testing.T) {
	const path = "emulator/mlxconfig/testdata/query.txt"
	query := pages(t, path)[path]
	s := newShell(t)
	s.write("nic.txt", query)
	s.run(0, "import", "mlxconfig", "nic.txt", "-o", "nic.yaml")
	s.says(s.stdout, "taken          RPG_TIME_RESET_P1: 300 = rpg_time_reset 300us\n")
	s.says(s.stdout, "no counterpart not of congestion control: NUM_OF_VFS, SRIOV_EN\n")
	s.says(s.stdout, "24 keys: 19 taken, 0 approximated, 5 without a counterpart\n")
	s.run(0, "run", "nic.yaml", "--out", "nic")
	s.says(s.stdout, "PASS")
	s.run(0, "export", "mlxconfig", "nic.yaml")
	for line := range strings.Lines(s.stdout) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		if name != "ROCE_CC_ALGORITHM_P1" && !strings.Contains(strings.NewReplacer("True(1)", "1", "False(0)", "0").
			Replace(strings.Join(strings.Fields(query), " ")), name+" "+value+" ") {
			t.Errorf("%s is exported as %s", name, value)
		}
	}
	s.says(s.stderr, "every setting has its counterpart\n")
	s.run(0, "export", "mlxconfig", "nic.yaml", "--set", "algorithm.params={set: paper, recovery: rtt}", "--port", "2")
	s.says(s.stdout, "DCE_TCP_G_P2=1020\n")
	s.says(s.stderr, "no counterpart params.recovery: rtt\n")
	s.write("mixed.yaml", fits+"variants: [{name: a, algorithm: dcqcn}, {name: b}]\n")
	s.run(0, "export", "mlxconfig", "mixed.yaml")
	s.says(s.stdout, "RPG_TIME_RESET_P1=300\n")
	for _, c := range []struct{ args, want string }{
		{"export mlxconfig mixed.yaml --variant b", "runs pc4: mlxconfig only has the settings of dcqcn"},
		{"export mlxconfig nic.yaml --port 3", "--port 3: a NIC has ports 1 and 2"},
		{"import mlxconfig nic.txt --port 0", "--port 0: a NIC has ports 1 and 2"},
		{"import mlxconfig mixed.yaml", "mixed.yaml:1:1: no setting of congestion control"},
	} {
		s.run(2, strings.Fields(c.args)...)
		s.says(s.stderr, c.want)
	}
}
