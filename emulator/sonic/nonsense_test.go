package sonic

import (
	"errors"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/specs/tier"
)

// Nonsense is named with its place: line, column and path.
func TestNonsense(t *testing.T) {
	const ports = `"PORT": {"Ethernet0": {"speed": "100000"}, "Ethernet4": {"speed": "100000"}}`
	for _, c := range []struct{ name, text, want string }{
		{"thresholds reversed", `{"WRED_PROFILE": {"A": {"ecn": "ecn_all",
 "green_min_threshold": "300", "green_max_threshold": "200"}}}`,
			`2:25: /WRED_PROFILE/A/green_min_threshold: 300 is above green_max_threshold of 200: allowed is min <= max`},
		{"percent", `{"WRED_PROFILE": {"A": {"green_drop_probability": "101"}}}`,
			`1:51: /WRED_PROFILE/A/green_drop_probability: "101" is not allowed: it must be a whole number from 0 to ` +
				`100 percent`},
		{"no speed", `{"PORT": {"Ethernet0": {"lanes": "1"}}}`,
			`1:24: /PORT/Ethernet0: the port has no speed: it must say one in Mb/s`},
		{"speed with a unit", `{"PORT": {"Ethernet0": {"speed": "100G"}}}`,
			`"100G" is not allowed: it must be a whole number`},
		{"dangling", `{` + ports + `, "QUEUE": {"Ethernet0|3": {"wred_profile": "AZURE_LOSLESS"}},
 "WRED_PROFILE": {"AZURE_LOSSLESS": {}}}`,
			`/QUEUE/Ethernet0|3/wred_profile: WRED_PROFILE has no entry "AZURE_LOSLESS": did you mean AZURE_LOSSLESS?`},
		{"dangling, old form", `{` + ports + `, "QUEUE": {"Ethernet0|3": {"scheduler": "[SCHEDULER|x]"}}}`,
			`/QUEUE/Ethernet0|3/scheduler: SCHEDULER has no entry "x"`},
		{"another table", `{` + ports + `, "QUEUE": {"Ethernet0|3": {"scheduler": "[WRED_PROFILE|x]"}}}`,
			`it must refer to an entry of SCHEDULER, as NAME or as [SCHEDULER|NAME]`},
		{"no such port", `{` + ports + `, "QUEUE": {"Ethernet5|3": {}}}`, `/QUEUE/Ethernet5|3: PORT has no port "Ethernet5"`},
		{"index reversed", `{` + ports + `, "QUEUE": {"Ethernet0|4-3": {}}}`, `index "4-3" begins above its end`},
		{"no index", `{` + ports + `, "QUEUE": {"Ethernet0": {}}}`, `/QUEUE/Ethernet0: index "" is not allowed`},
		{"a list", `{"WRED_PROFILE": {"A": {"ecn": ["ecn_all"]}}}`,
			`/WRED_PROFILE/A/ecn: must be a text such as "ecn_all", not a list`},
		{"null", `{"WRED_PROFILE": {"A": {"green_min_threshold": null}}}`, `must be a text such as "1048576", not null`},
		{"an entry that is a text", `{"PORT": {"Ethernet0": "100000"}}`, `must be an object of fields, not a text`},
		{"a table that is a list", `{"PORT": []}`, `/PORT: must be an object of entries, not a list`},
		{"a word", `{"WRED_PROFILE": {"A": {"ecn": "ecn_some"}}}`, `"ecn_some" is not allowed: it must be one of ecn_none,`},
		{"keys twice", "{\"PORT\": {},\n\"PORT\": {}}", `2:1: key "PORT" is written twice: line 1 has it already`},
		{"NaN", `{"WRED_PROFILE": {"A": {"green_min_threshold": NaN}}}`, `1:48: not JSON: invalid character 'N'`},
		{"NaN as a text", `{"WRED_PROFILE": {"A": {"green_min_threshold": "NaN"}}}`, `"NaN" is not allowed`},
		{"a fraction", `{"WRED_PROFILE": {"A": {"green_min_threshold": 1.5}}}`, `"1.5" is not allowed`},
		{"a huge number", `{"WRED_PROFILE": {"A": {"green_min_threshold": 1e400}}}`, `"1e400" is not allowed`},
		{"a huge whole number", `{"WRED_PROFILE": {"A": {"green_min_threshold": "99999999999999999999"}}}`,
			`it must be a whole number from 0 to 100000000000 bytes`},
		{"cut off", `{"PORT": {"Ethernet0": {"spe`, `not JSON: the file ends before its value does; is it cut off?`},
		{"cut off after a key", "{\"PORT\":\n{\"Ethernet0\": {", `2:16: not JSON: the file ends before its value does`},
		{"nothing", ``, `1:1: not JSON: the file ends`},
		{"two", `{} {}`, `1:4: something follows the configuration`},
		{"a list of tables", `[]`, `a configuration is an object of tables, not a list`},
		{"brackets", strings.Repeat("[", 100_000), `nested too deep: allowed are up to 16 levels`},
		{"braces", strings.Repeat(`{"a":`, 100_000), `nested too deep`},
		{"Latin-1", "{\"PORT\xfc\": {}}", `is not UTF-8`},
		{"UTF-16", "\xff\xfe{\x00", `the file is UTF-16`},
		{"nothing that is read", `{"VLAN": {}}`, `none of the tables that are read is there`},
		{"several chips", `{"localhost": {"DEVICE_METADATA": {}}, "asic0": {"PORT": {}}}`,
			`/localhost: a file of several chips`},
		{"one of several chips", `{"DEVICE_METADATA": {"localhost": {"asic_name": "ASIC0"}}, ` + ports + `}`,
			`/DEVICE_METADATA/localhost/asic_name: "ASIC0": the file is of one chip of a switch with several`},
		{"a chassis", `{"DEVICE_METADATA": {"localhost": {"switch_type": "voq"}}, ` + ports + `}`,
			`a chassis with virtual output queues`},
		{"one port", `{"PORT": {"Ethernet0": {"speed": "100000"}}}`, `/PORT: 1 ports are up: two are the least`},
		{"a cable in km", `{` + ports + `, "CABLE_LENGTH": {"AZURE": {"Ethernet0": "3km"}}}`,
			`/CABLE_LENGTH/AZURE/Ethernet0: "3km" is not allowed: it must be a length in metres`},
		{"a class", `{` + ports + `, "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3,8"}}}`,
			`/PORT_QOS_MAP/Ethernet0/pfc_enable: priority "8" is not allowed`},
		{"a DSCP", `{"DSCP_TO_TC_MAP": {"AZURE": {"64": "3"}}, ` + ports + `}`, `DSCP "64" is not allowed`},
		{"a class of a DSCP", `{"DSCP_TO_TC_MAP": {"AZURE": {"3": "8"}}, ` + ports + `}`,
			`traffic class "8" is not allowed`},
		{"a watchdog without a time", `{` + ports + `, "PFC_WD": {"Ethernet0": {"action": "drop"}}}`,
			`/PFC_WD/Ethernet0: the watchdog has no detection_time`},
		{"a pool", `{"BUFFER_POOL": {"p": {"size": "-1", "type": "ingress"}}}`, `/BUFFER_POOL/p/size: "-1" is not allowed`},
		{"alpha", `{"BUFFER_PROFILE": {"p": {"dynamic_th": "99"}}}`, `/BUFFER_PROFILE/p/dynamic_th: "99" is not allowed`},
		{"a slash", `{"PORT": {"Eth1/1": {}}}`, `/PORT/Eth1~11: the port has no speed`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Import("config_db.json", []byte(c.text))
			var problems scenario.Errors
			if !errors.As(err, &problems) || !strings.HasPrefix(err.Error(), "config_db.json:") ||
				!strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v", c.name, err)
			}
		})
	}
}

// More values than a switch can have are refused. Tier: everyday.
func TestTooManyValues(t *testing.T) {
	tier.Everyday(t)
	_, err := Import("config_db.json", []byte(`{"a": [`+strings.Repeat("1,", 1<<20)+`1]}`))
	if err == nil || !strings.Contains(err.Error(), "too many values: allowed are up to 1048576") {
		t.Error(err)
	}
}

// An unknown table or field close to a missing one is reported with the name of that.
func TestMisspelled(t *testing.T) {
	imported, err := Import("x", []byte(`{"PORT": {"Ethernet0": {"speed": "100000"},
"Ethernet4": {"speed": "100000", "admin_stat": "down", "mtu": "9100"}}, "BUFFER_POOLS": {}}`))
	if err != nil {
		t.Fatal(err)
	}
	notes := map[string]string{}
	for _, line := range imported.Lines {
		notes[line.Path] = line.Note
	}
	if notes["/PORT/Ethernet4/admin_stat"] != "did you mean admin_status?" || notes["/PORT/Ethernet4/mtu"] != "" ||
		notes["/BUFFER_POOLS"] != "did you mean BUFFER_POOL?" {
		t.Errorf("%v", notes)
	}
}

// All problems of a file are reported, in its order.
func TestAllProblemsAreSaid(t *testing.T) {
	_, err := Import("x", []byte(`{"SCHEDULER": {"s": {"weight": "0"}},
"WRED_PROFILE": {"A": {"green_max_threshold": "y",
"green_min_threshold": "x"}}}`))
	var problems scenario.Errors
	if !errors.As(err, &problems) || len(problems) != 3 || problems[0].Line != 1 || problems[1].Line != 2 ||
		problems[2].Line != 3 {
		t.Error(err)
	}
}

// Cut anywhere, a configuration is refused, and nothing panics.
func TestEveryTruncation(t *testing.T) {
	text := leaf(t)
	end := len(strings.TrimRight(string(text), "\n"))
	for i := 0; i < end; i += 7 {
		if _, err := Import("x", text[:i]); err == nil {
			t.Errorf("%d bytes were read", i)
		}
	}
}

// FuzzImport holds that no input panics, and that accepted settings come back. Tier: -short for its seeds.
func FuzzImport(f *testing.F) {
	f.Add(leaf(f))
	f.Add([]byte(`{"PORT": {"Ethernet0": {"speed": "1"}}}`))
	f.Add([]byte(`{"QUEUE": {"Ethernet0,Ethernet4|3-4": {"scheduler": "[SCHEDULER|s]"}}, "SCHEDULER": {"s": {}}}`))
	f.Add([]byte(`{"BUFFER_PG": {"Eth1/1|3": {"profile": "NULL"}}, "PORT_QOS_MAP": {"Eth1/1": {"pfc_enable": "3"}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		imported, err := Import("x", text)
		if err != nil {
			return
		}
		exported := back(t, imported)
		stable(t, imported, exported)
	})
}
