package sonic

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/conversion"
)

// treeOf is the content of a configuration.
func treeOf(t *testing.T, text []byte) (tree map[string]map[string]map[string]any) {
	t.Helper()
	if err := json.Unmarshal(text, &tree); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return tree
}

// onto changes words of the scenario of a configuration, and writes it onto that.
func onto(t *testing.T, text []byte, changes ...string) ([]byte, []conversion.Line) {
	t.Helper()
	imported, err := Import("leaf.json", text)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.NewReplacer(changes...).Replace(string(imported.Scenario))
	if len(changes) > 0 && changed == string(imported.Scenario) {
		t.Fatalf("%q is not in\n%s", changes, changed)
	}
	p, err := planOf([]byte(changed))
	if err != nil {
		t.Fatal(err)
	}
	out, lines, err := Onto("leaf.json", text, p, 0)
	if err != nil {
		t.Fatal(err)
	}
	return out, lines
}

// A scenario with the same settings as the configuration does not change it, whatever could not be taken.
func TestOntoChangesNothing(t *testing.T) {
	texts := [][]byte{leaf(t)}
	for seed := range uint64(4) {
		texts = append(texts, randomConfig(rand.New(rand.NewPCG(seed, 1))))
	}
	for i, text := range texts {
		out, lines := onto(t, text)
		if !reflect.DeepEqual(treeOf(t, out), treeOf(t, text)) {
			t.Errorf("configuration %d\n%s\nbecame\n%s", i, text, out)
		}
		if slices.ContainsFunc(lines, func(l conversion.Line) bool { return l.Verdict == conversion.Changed }) {
			t.Errorf("configuration %d: %v", i, lines)
		}
	}
	once, _ := onto(t, leaf(t))
	if twice, _ := onto(t, once); string(twice) != string(once) {
		t.Errorf("once\n%s\ntwice\n%s", once, twice)
	}
}

// Settings that differ in the scenario are changed, and nothing else: one field of a profile; one queue of a span of
// queues of many ports, which get places of their own; a profile by the name of the old form keeps it; a missing table
// is added; a table left empty goes.
func TestOntoChangesWhatIsOtherwise(t *testing.T) {
	old := []byte(strings.ReplaceAll(string(leaf(t)), `"wred_profile": "AZURE_LOSSLESS"`,
		`"wred_profile": "[WRED_PROFILE|AZURE_LOSSLESS]"`))
	for _, c := range []struct {
		what    string
		changes []string
		// want are the fields that differ then, by path: before and after.
		want map[string][2]string
	}{
		{"kmin", []string{"kmin: 250000B", "kmin: 200000B"}, map[string][2]string{
			"/WRED_PROFILE/AZURE_LOSSLESS/green_min_threshold":  {"250000", "200000"},
			"/WRED_PROFILE/AZURE_LOSSLESS/yellow_min_threshold": {"250000", "200000"}, // it was green's too
		}},
		{"the watchdog of four ports in one entry", []string{"detect: 200ms", "detect: 300ms"}, map[string][2]string{
			"/PFC_WD/Ethernet0/detection_time":  {"200", "300"},
			"/PFC_WD/Ethernet4/detection_time":  {"200", "300"},
			"/PFC_WD/Ethernet8/detection_time":  {"200", "300"},
			"/PFC_WD/Ethernet16/detection_time": {"200", "300"},
		}},
	} {
		t.Run(c.what, func(t *testing.T) {
			out, lines := onto(t, old, c.changes...)
			got := map[string][2]string{}
			for _, l := range lines {
				if l.Verdict != conversion.Changed {
					t.Errorf("%s: %+v", c.what, l)
				}
				got[l.Path] = [2]string{l.Was, l.Is}
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("%s: changed are %v, want %v\n%s", c.what, got, c.want, out)
			}
			if !strings.Contains(string(out), `"wred_profile": "[WRED_PROFILE|AZURE_LOSSLESS]"`) ||
				!strings.Contains(string(out), `"lanes": "0,1,2,3"`) {
				t.Errorf("%s:\n%s", c.what, out)
			}
		})
	}
}

// A queue of a span of queues gets a place of its own, with all that it had; its neighbour keeps its settings. A queue
// that is not marked any more loses its profile, which stays in the file.
func TestOntoSetsQueuesApart(t *testing.T) {
	old := []byte(strings.ReplaceAll(string(leaf(t)), `"scheduler": "scheduler.1"`,
		`"scheduler": "[SCHEDULER|scheduler.1]"`))
	out, _ := onto(t, old, "4: 15", "4: 20", "classes: [3, 4]", "classes: [3]")
	tree := treeOf(t, out)
	for _, port := range []string{"Ethernet0", "Ethernet4", "Ethernet8", "Ethernet16"} {
		t.Run(port, func(t *testing.T) {
			three, four := tree["QUEUE"][port+"|3"], tree["QUEUE"][port+"|4"]
			if three["scheduler"] != "[SCHEDULER|scheduler.1]" || three["wred_profile"] != "AZURE_LOSSLESS" {
				t.Errorf("queue 3 of %s has %v", port, three)
			}
			name, _ := four["scheduler"].(string)
			name, ok := strings.CutPrefix(strings.TrimSuffix(name, "]"), "[SCHEDULER|")
			if _, marked := four["wred_profile"]; marked || !ok || tree["SCHEDULER"][name]["weight"] != "20" {
				t.Errorf("queue 4 of %s has %v, and its scheduler %v", port, four, tree["SCHEDULER"][name])
			}
		})
	}
	for entry := range tree["QUEUE"] {
		if strings.Contains(entry, "3-4") {
			t.Errorf("%s is still there", entry)
		}
	}
	if tree["WRED_PROFILE"]["AZURE_LOSSLESS"] == nil ||
		tree["QUEUE"]["Ethernet0,Ethernet4,Ethernet8,Ethernet16|0-2"] == nil {
		t.Errorf("%s", out)
	}
	again, err := Import("again.json", out)
	if err != nil || !strings.Contains(string(again.Scenario), "4: 20") ||
		!strings.Contains(string(again.Scenario), "classes: [3],") {
		t.Errorf("%v\n%s", err, again.Scenario)
	}
}

// A profile that the switch does not use any more stays: what has no counterpart may refer to it.
func TestOntoKeepsProfiles(t *testing.T) {
	out, _ := onto(t, leaf(t), "    - {classes: [3, 4], kmin: 250000B, kmax: 1000000B, pmax: 0.05, scale_rate: 0bps}",
		"    - {enabled: false}")
	tree := treeOf(t, out)
	if tree["WRED_PROFILE"]["AZURE_LOSSLESS"]["green_min_threshold"] != "250000" ||
		tree["QUEUE"]["Ethernet0|3"]["scheduler"] != "scheduler.1" || tree["QUEUE"]["Ethernet0|3"]["wred_profile"] != nil {
		t.Errorf("%s", out)
	}
}

// If the file has none of the changed settings, whole entries are added, with the entries that refer to them and the
// entries that they refer to, and an import finds the scenario's settings.
func TestOntoBringsWholeEntries(t *testing.T) {
	const bare = `{"PORT": {"Ethernet0": {"speed": "100000"}, "Ethernet4": {"speed": "100000"}},
		"CABLE_LENGTH": {"AZURE": {"Ethernet0": "5m", "Ethernet4": "5m"}}}`
	for _, c := range []struct {
		changes []string
		want    []string // of the scenario that is imported again
		tables  []string
	}{
		{[]string{"alpha: 0.125", "alpha: 0.5"}, []string{"alpha: 0.5"}, []string{"BUFFER_PG", "BUFFER_POOL",
			"BUFFER_PROFILE", "CABLE_LENGTH", "PORT"}},
		{[]string{"weights: {}", "weights: {3: 30}"}, []string{"weights: {3: 30}"},
			[]string{"CABLE_LENGTH", "PORT", "QUEUE", "SCHEDULER"}},
		{[]string{"lossless: [3]", "lossless: [3, 4]"}, []string{"lossless: [3, 4]"}, nil},
	} {
		out, _ := onto(t, []byte(bare), c.changes...)
		again, err := Import("again.json", out)
		if err != nil {
			t.Fatalf("%v in\n%s", err, out)
		}
		for _, want := range c.want {
			if !strings.Contains(string(again.Scenario), want) {
				t.Errorf("%q is not in\n%s\nof\n%s", want, again.Scenario, out)
			}
		}
		if tables := slices.Sorted(maps.Keys(treeOf(t, out))); c.tables != nil && !slices.Equal(tables, c.tables) {
			t.Errorf("%q brings %v, want %v", c.changes, tables, c.tables)
		}
	}
}

// A scenario with other ports is refused, and so is a text that is not a configuration.
func TestOntoRefuses(t *testing.T) {
	imported, err := Import("leaf.json", leaf(t))
	if err != nil {
		t.Fatal(err)
	}
	p, err := planOf(imported.Scenario)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ was, is, says string }{
		{`"admin_status": "down"`, `"admin_status": "up"`, "x.json has a port Ethernet12 that is up, and the switch"},
		{`"Ethernet8": {"admin_status": "up"`, `"Ethernet8": {"admin_status": "down"`,
			"the switch of the scenario has a port Ethernet8"},
		{`"5"`, `"500"`, "x.json:"},
	} {
		t.Run(c.is, func(t *testing.T) {
			text := []byte(strings.ReplaceAll(string(leaf(t)), c.was, c.is))
			if _, _, err := Onto("x.json", text, p, 0); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want %q", err, c.says)
			}
		})
	}
}
