package sonic

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/conversion"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// damped is a port of 400 Gb/s with the damping of the example of SONiC's design, which has numbers in part, and more.
func damped(more string) string {
	return `{"speed": "400000", "link_event_damping_algorithm": "aied", "max_suppress_time": "40000",
		"flap_penalty": "1000", "decay_half_life": "30000", "suppress_threshold": 1500, "reuse_threshold": 1300` + more + `}`
}

// rerouted is a switch of three ports that has all that CONFIG_DB has of links that go down.
func rerouted() string {
	return `{
	"PORT": {"Ethernet0": ` + damped("") + `, "Ethernet8": ` + damped("") + `, "Ethernet16": {"speed": "400000"}},
	"FG_NHG": {"ours": {"bucket_size": "120", "match_mode": "route-based"}},
	"FG_NHG_PREFIX": {"10.0.0.0/8": {"FG_NHG": "ours"}},
	"BGP_DEVICE_GLOBAL": {"STATE": {"wcmp_enabled": "true", "tsa_enabled": "false", "idf_isolation_state": "unisolated"}}
}`
}

// said are the verdicts on the keys of a configuration, by their paths.
func said(lines []conversion.Line) map[string]string {
	all := map[string]string{}
	for _, l := range lines {
		all[l.Path] = strings.TrimSpace(fmt.Sprint(l.Verdict, " ", l.Is))
	}
	return all
}

// fabricPlan is the plan of a fabric.
func fabricPlan(t testing.TB, imported *Imported) *plan.Plan {
	t.Helper()
	read, err := scenario.Parse("fabric.yaml", imported.Scenario, nil)
	if err != nil {
		t.Fatalf("%v in\n%s", err, imported.Scenario)
	}
	plans, err := read.Plans()
	if err != nil {
		t.Fatal(err)
	}
	return plans[0]
}

// imports imports a configuration, with the failover of its plan.
func imports(t testing.TB, text string) (*Imported, *plan.Failover) {
	t.Helper()
	imported, err := Import("x.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	p, err := planOf(imported.Scenario)
	if err != nil {
		t.Fatal(err)
	}
	return imported, p.Failover
}

// What CONFIG_DB has of links that go down is taken, comes back, and changes nothing in its file.
func TestFailoverThereAndBack(t *testing.T) {
	imported, f := imports(t, rerouted())
	want := &plan.Dampening{
		Penalty:     1000,
		Suppress:    1500,
		Reuse:       1300,
		HalfLife:    30 * unit.Second,
		MaxSuppress: 40 * unit.Second,
	}
	if f == nil || f.Buckets != 120 || !f.Weighted || !reflect.DeepEqual(f.Written.Dampening, want) {
		t.Fatalf("%+v in\n%s", f, imported.Scenario)
	}
	lines := said(imported.Lines)
	for path, want := range map[string]string{
		"/PORT/Ethernet0/link_event_damping_algorithm": "taken",
		"/PORT/Ethernet8/max_suppress_time":            "taken",
		"/FG_NHG/ours/bucket_size":                     "approximated 120",
		"/FG_NHG/ours/match_mode":                      "no counterpart",
		"/FG_NHG_PREFIX":                               "no counterpart",
		"/BGP_DEVICE_GLOBAL/STATE/wcmp_enabled":        "taken",
		"/BGP_DEVICE_GLOBAL/STATE/tsa_enabled":         "taken",
		"/BGP_DEVICE_GLOBAL/STATE/idf_isolation_state": "no counterpart",
	} {
		t.Run(path, func(t *testing.T) {
			if lines[path] != want {
				t.Errorf("%s: %q, want %q", path, lines[path], want)
			}
		})
	}
	exported := back(t, imported)
	givesBack(t, imported, exported)
	stable(t, imported, exported)
	if got := exported.Config["FG_NHG"]["ours"]["bucket_size"]; got != "120" {
		t.Errorf("the table has %q", got)
	}
	text, changed := onto(t, []byte(rerouted()))
	for _, l := range changed {
		if l.Verdict == conversion.Changed {
			t.Errorf("changed: %+v in\n%s", l, text)
		}
	}
	_, changed = onto(t, []byte(rerouted()), "weighted: true, ", "", "half_life: 30000ms", "half_life: 20000ms",
		"buckets: 120", "buckets: 64")
	got := said(changed)
	for path, want := range map[string]string{
		"/BGP_DEVICE_GLOBAL/STATE/wcmp_enabled": "changed false",
		"/PORT/Ethernet0/decay_half_life":       "changed 20000",
		"/FG_NHG/ours/bucket_size":              "changed 64",
	} {
		t.Run(path, func(t *testing.T) {
			if got[path] != want {
				t.Errorf("%s: %q, want %q", path, got[path], want)
			}
		})
	}
}

// A configuration with all of it off leaves failover out, and gives the reason.
func TestNoFailover(t *testing.T) {
	const (
		port  = "/PORT/Ethernet0/"
		state = "/BGP_DEVICE_GLOBAL/STATE/"
		none  = "no counterpart"
	)
	global := func(entry string) string { return `, "BGP_DEVICE_GLOBAL": {` + entry + `}` }
	for name, x := range map[string]struct{ port, rest, path, want string }{
		"nothing":       {"", "", port + "speed", "taken 400Gbps"},
		"invalid":       {`, "max_suppress_time": "0", "reuse_threshold": "0"`, "", port + "reuse_threshold", none},
		"disabled":      {`, "link_event_damping_algorithm": "disabled"`, "", port + dampingFields[0], none},
		"not weighted":  {"", global(`"STATE": {"wcmp_enabled": "false"}`), state + "wcmp_enabled", "taken"},
		"shifted away":  {"", global(`"STATE": {"tsa_enabled": "true"}`), state + "tsa_enabled", none},
		"another entry": {"", global(`"CONFED": {"asn": "65000"}`), "/BGP_DEVICE_GLOBAL/CONFED/asn", none},
	} {
		t.Run(name, func(t *testing.T) {
			imported, f := imports(t, `{"PORT": {"Ethernet0": {"speed": "400000"`+x.port+`}, "Ethernet8": {"speed": "400000"}}`+
				x.rest+`}`)
			if f != nil {
				t.Errorf("there is a failover:\n%s", imported.Scenario)
			}
			if got := said(imported.Lines)[x.path]; got != x.want {
				t.Errorf("%q, want %q", got, x.want)
			}
			exported := back(t, imported)
			givesBack(t, imported, exported)
			stable(t, imported, exported)
		})
	}
}

// Damping that SONiC takes for disabled, or that a scenario has no room for, is reported and not taken; a ceiling out
// of reach counts as none.
func TestDampingAtItsBounds(t *testing.T) {
	for name, x := range map[string]struct{ from, to, taken string }{
		"reuse above suppress":     {`"reuse_threshold": 1300`, `"reuse_threshold": 1501`, ""},
		"reuse at suppress":        {`"reuse_threshold": 1300`, `"reuse_threshold": 1500`, ""},
		"half life above the most": {`"max_suppress_time": "40000"`, `"max_suppress_time": "29999"`, ""},
		"without a penalty":        {`"flap_penalty": "1000",`, ``, ""},
		"never held":               {`"suppress_threshold": 1500`, `"suppress_threshold": 3300`, ""},
		"the largest penalty":      {`"flap_penalty": "1000"`, `"flap_penalty": "1000000"`, "penalty: 1000000"},
		"a larger penalty":         {`"flap_penalty": "1000"`, `"flap_penalty": "1000001"`, ""},
		"the longest":              {`"40000"`, `"1000000"`, "max_suppress: 1000000ms}"},
		"longer":                   {`"40000"`, `"1000001"`, ""},
		"out of reach":             {`"40000"`, `"600000"`, "half_life: 30000ms}"},
	} {
		t.Run(name, func(t *testing.T) {
			port := strings.Replace(damped(""), x.from, x.to, 1)
			imported, f := imports(t, `{"PORT": {"Ethernet0": `+port+`, "Ethernet8": `+port+`}}`)
			if (f != nil) != (x.taken != "") || !strings.Contains(string(imported.Scenario), x.taken) {
				t.Errorf("want %q in\n%s", x.taken, imported.Scenario)
			}
			exported := back(t, imported)
			givesBack(t, imported, exported)
			stable(t, imported, exported)
		})
	}
	bad := func(from, to string) string {
		return `{"PORT": {"Ethernet0": ` + strings.Replace(damped(""), from, to, 1) + `, "Ethernet8": {"speed": "1000"}}}`
	}
	for text, want := range map[string]string{
		bad("aied", "on"): `one of disabled, aied`,
		bad("1500", "-1"): `a whole number from 0 to 4294967295`,
		`{"PORT": {}, "FG_NHG": {"a": {"bucket_size": "0"}}}`:                     `a whole number from 1 to 65535`,
		`{"PORT": {}, "FG_NHG": {"a": {"match_mode": "route-based"}}}`:            `the group has no bucket_size`,
		`{"PORT": {}, "BGP_DEVICE_GLOBAL": {"STATE": {"wcmp_enabled": "1"}}}`:     `one of true, false`,
		`{"PORT": {}, "BGP_DEVICE_GLOBAL": {"STATE": {"tsa_enabled": ["true"]}}}`: `not a list`,
	} {
		t.Run(fmt.Sprintf("%.50q", text), func(t *testing.T) {
			if _, err := Import("x.json", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("not %q: %v", want, err)
			}
		})
	}
}

// Ports and groups that differ are reported with their substitutes; a table that is too large becomes the largest of a
// scenario.
func TestFailoverOfPortsThatDiffer(t *testing.T) {
	other := strings.Replace(damped(""), "30000", "20000", 1)
	usual := damped("")
	imported, f := imports(t, `{"PORT": {"Ethernet0": `+other+`, "Ethernet8": `+usual+`, "Ethernet16": `+usual+`},
		"FG_NHG": {"a": {"bucket_size": "65535"}, "b": {"bucket_size": "60000"}, "c": {"bucket_size": "8"}}}`)
	if f == nil || f.Written.Dampening.HalfLife != 30*unit.Second || f.Buckets != mostBuckets {
		t.Fatalf("%+v", f)
	}
	lines := said(imported.Lines)
	for path, want := range map[string]string{
		"/PORT/Ethernet0/decay_half_life": "approximated 30000",
		"/PORT/Ethernet8/decay_half_life": "taken",
		"/FG_NHG/a/bucket_size":           "approximated 4096",
		"/FG_NHG/c/bucket_size":           "approximated 4096",
	} {
		t.Run(path, func(t *testing.T) {
			if lines[path] != want {
				t.Errorf("%s: %q, want %q", path, lines[path], want)
			}
		})
	}
	of := slices.DeleteFunc(imported.Lines, func(l conversion.Line) bool { return !strings.HasPrefix(l.Path, "/FG_NHG/") })
	if losses := Losses(of); len(losses) != 1 || losses[0].What != "routes" || len(losses[0].Lines) != 3 {
		t.Errorf("%+v", losses)
	}
}

// In a fabric the ports between switches count, a spine that traffic is shifted away from is drained, and between the
// switches of a ring nothing of it is taken.
func TestFailoverOfAFabric(t *testing.T) {
	const plain = `{"speed": "400000"}`
	config := func(name, ports, more string) Text {
		text := `{"DEVICE_METADATA": {"localhost": {"hostname": "` + name + `"}}, "PORT": {` + ports + `}` + more + `}`
		return Text{name + ".json", []byte(text)}
	}
	hosts := ""
	for port := 24; port < 64; port += 8 { // more ports than those between switches, with another damping
		hosts += fmt.Sprintf(`"Ethernet%d": %s, `, port, strings.Replace(damped(""), "30000", "20000", 1))
	}
	leaf := func(name string) Text {
		return config(name, hosts+`"Ethernet0": `+damped("")+`, "Ethernet8": `+damped("")+`, "Ethernet16": `+damped(""), "")
	}
	spine := func(name, more string) Text {
		return config(name, `"Ethernet0": `+damped("")+`, "Ethernet8": `+plain, more)
	}
	const clos = "leaf0,Ethernet0,h0,\nleaf1,Ethernet0,h1,\nleaf0,Ethernet8,spine0,Ethernet0\n" +
		"leaf1,Ethernet8,spine0,Ethernet8\nleaf0,Ethernet16,spine1,Ethernet0\nleaf1,Ethernet16,spine1,Ethernet8\n"
	away := `, "BGP_DEVICE_GLOBAL": {"STATE": {"tsa_enabled": "true", "wcmp_enabled": "true"}}`
	from := &Sources{
		Configs: []Text{leaf("leaf0"), leaf("leaf1"), spine("spine0", ""), spine("spine1", away)},
		Links:   Text{"links.csv", []byte(clos)},
	}
	imported, err := ImportFabric(from)
	if err != nil {
		t.Fatal(err)
	}
	lines := said(imported.Lines)
	for path, want := range map[string]string{
		"leaf0/PORT/Ethernet0/flap_penalty":           "no counterpart",
		"leaf0/PORT/Ethernet8/flap_penalty":           "taken",
		"spine0/PORT":                                 "approximated damping",
		"spine1/BGP_DEVICE_GLOBAL/STATE/tsa_enabled":  "taken",
		"spine1/BGP_DEVICE_GLOBAL/STATE/wcmp_enabled": "approximated false",
	} {
		t.Run(path, func(t *testing.T) {
			if lines[path] != want {
				t.Errorf("%s: %q, want %q", path, lines[path], want)
			}
		})
	}
	if !strings.Contains(string(imported.Scenario), "  - {kind: drain, switch: spine1, from: 0s}\n") {
		t.Errorf("%s", imported.Scenario)
	}
	p := fabricPlan(t, imported)
	for number, want := range []string{"", "", "", "true"} {
		memory, err := RecallOf(imported.Scenario, p.Switches[number].Name)
		if err != nil {
			t.Fatal(err)
		}
		c := Export(p, number, memory).Config
		if got := c["BGP_DEVICE_GLOBAL"]["STATE"]["tsa_enabled"]; got != want {
			t.Errorf("switch %d is shifted away: %q, want %q", number, got, want)
		}
		if host := c["PORT"]["Ethernet0"]["flap_penalty"]; (host == "") != (number < 2) {
			t.Errorf("switch %d: Ethernet0 has a penalty of %q", number, host)
		}
	}
	_, changed, err := Onto("leaf0.json", from.Configs[0].Text, p, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range changed {
		if strings.Contains(l.Path, "damping") || strings.Contains(l.Path, "penalty") {
			t.Errorf("changed: %+v", l)
		}
	}

	const ring = "leaf0,Ethernet0,h0,\nleaf1,Ethernet0,h1,\nleaf2,Ethernet0,h2,\nleaf0,Ethernet8,leaf1,Ethernet16\n" +
		"leaf1,Ethernet8,leaf2,Ethernet16\nleaf2,Ethernet8,leaf0,Ethernet16\n"
	from.Configs, from.Links.Text = []Text{leaf("leaf0"), leaf("leaf1"), leaf("leaf2")}, []byte(ring)
	if imported, err = ImportFabric(from); err != nil {
		t.Fatal(err)
	}
	for _, l := range imported.Lines {
		if l.Path == "leaf0/PORT/Ethernet8/flap_penalty" &&
			(l.Verdict != conversion.Absent || !strings.Contains(l.Note, "failover does not apply to a ring")) {
			t.Errorf("%+v", l)
		}
	}
	if fabricPlan(t, imported).Failover != nil {
		t.Errorf("the ring has a failover:\n%s", imported.Scenario)
	}
}

// Settings of a scenario that SONiC cannot have are reported.
func TestExportOfFailover(t *testing.T) {
	imported, _ := imports(t, `{"PORT": {"Ethernet0": {"speed": "400000"}, "Ethernet8": {"speed": "400000"}}}`)
	text := strings.Replace(string(imported.Scenario), "nic:", "failover: {detect: 50us, buckets: 8, "+
		"dampening: {penalty: 10.4, suppress: 20.6, reuse: 7, half_life: 1500us}}\nnic:", 1)
	exported := back(t, &Imported{Scenario: []byte(text)})
	lines := said(exported.Lines)
	for path, want := range map[string]string{
		"failover.detect":                 "no counterpart",
		"failover.dampening.penalty":      "approximated 10",
		"failover.dampening.suppress":     "approximated 21",
		"failover.dampening.half_life":    "approximated 2",
		"failover.dampening.max_suppress": "approximated 40",
		"/FG_NHG/ROCELAB/bucket_size":     "approximated 8",
	} {
		t.Run(path, func(t *testing.T) {
			if lines[path] != want {
				t.Errorf("%s: %q, want %q", path, lines[path], want)
			}
		})
	}
	for _, path := range []string{"failover.restore", "failover.dampening.reuse"} {
		t.Run(path, func(t *testing.T) {
			if lines[path] != "" {
				t.Errorf("%s: %q", path, lines[path])
			}
		})
	}
	want := map[string]string{"bucket_size": "8", "match_mode": "prefix-based", "max_next_hops": "1"}
	if got := exported.Config["FG_NHG"]["ROCELAB"]; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// SONiC has no ceiling below the half life: the half life takes its place, which is reported.
func TestExportOfALowCeiling(t *testing.T) {
	imported, _ := imports(t, `{"PORT": {"Ethernet0": {"speed": "400000"}, "Ethernet8": {"speed": "400000"}}}`)
	for most, want := range map[string]string{"20ms": "approximated 30", "30ms": "", "40ms": ""} {
		t.Run(most, func(t *testing.T) {
			text := strings.Replace(string(imported.Scenario), "nic:", "failover: {dampening: {suppress: 1500, reuse: 1300, "+
				"half_life: 30ms, max_suppress: "+most+"}}\nnic:", 1)
			exported := back(t, &Imported{Scenario: []byte(text)})
			if got := said(exported.Lines)["failover.dampening.max_suppress"]; got != want {
				t.Errorf("%s: %q, want %q", most, got, want)
			}
		})
	}
}
