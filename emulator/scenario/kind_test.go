package scenario

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// everywhere are keys that the page of scenarios lists as common to all kinds, or to all with leaves.
var everywhere = []string{"rate", "latency", "uplink_rate", "uplink_latency", "nics_per_server"}

// tableRow is a kind's line of the table in docs/scenarios.md.
func tableRow(k *kind) string {
	var keys []string
	for i := range k.keys {
		if key := k.keys[i].field.key; !slices.Contains(everywhere, key) {
			keys = append(keys, "`"+key+"`")
		}
	}
	return fmt.Sprintf("| `%s` | %s | %s | %s |", k.name, k.doc, k.nodes, strings.Join(keys, ", "))
}

// The page of scenarios has a line for each kind of topology, from its value.
func TestThePageListsTheKinds(t *testing.T) {
	const path = "../../docs/scenarios.md"
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "| `kind` | what |")
	table, _, _ = strings.Cut(table, "\n\n")
	got := strings.Split(table, "\n")[2:] // below the head
	var want []string
	for _, k := range kinds {
		want = append(want, tableRow(k))
	}
	if !slices.Equal(got, want) {
		t.Errorf("the table of topologies in %s should read:\n%s", path, strings.Join(want, "\n"))
	}
}

// Each kind makes a fabric from its defaults only, and its defaults are the ones of its keys.
func TestKindsByDefault(t *testing.T) {
	type size struct{ switches, nics, links, servers int }
	want := map[string]size{
		"star":          {1, 2, 2, 2},
		"dumbbell":      {2, 4, 5, 4},
		"leaf-spine":    {6, 16, 24, 16},
		"fat-tree":      {20, 16, 48, 16},
		"rail":          {12, 32, 64, 4},
		"two-dc":        {36, 1024, 1152, 128},
		"pc4-testbed":   {22, 256, 512, 32},
		"hpcc-fat-tree": {56, 320, 480, 320},
	}
	for _, k := range kinds {
		if k == &explicit {
			continue
		}
		r := Analyse(centre(t, "{kind: "+k.name+"}"), nil)
		if got := (size{r.Switches, r.NICs, r.Links, r.Servers}); got != want[k.name] {
			t.Errorf("%s by default has %+v, want %+v", k.name, got, want[k.name])
		}
	}
}

// A key in common that a kind gives no default has that of its table, and one
// that is written holds over either.
func TestDefaultsOfAKind(t *testing.T) {
	read := func(src string) fabricDraft {
		p := newProblems()
		n := parseTree("test", []byte(src), p)
		f := newFabricDraft(n)
		fabricKeys.read(&reader{problems: p}, n, &f)
		if len(p.list) > 0 {
			t.Fatalf("%s: %v", src, p.list)
		}
		return f
	}
	for _, c := range []struct {
		src                         string
		leaves, uplinks, nicsPerSrv int
	}{
		{"{kind: leaf-spine}", 4, 1, 1},
		{"{kind: two-dc}", 16, 1, 8},
		{"{kind: two-dc, scale: 1/8}", 16, 1, 1},
		{"{scale: 1/64, kind: two-dc}", 4, 1, 1},
		{"{nics_per_server: 2, leaves: 3, kind: two-dc, scale: 1/64}", 3, 1, 2},
	} {
		f := read(c.src)
		got, want := []int{f.leaves, f.uplinks, f.nicsPerServer}, []int{c.leaves, c.uplinks, c.nicsPerSrv}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: leaves, uplinks and NICs of a server are %v, want %v", c.src, got, want)
		}
	}
}

// The docs of keys describe the differences of a kind, and leave no place open.
func TestDocsOfKeys(t *testing.T) {
	for _, f := range fabricKeys.fields {
		if strings.ContainsAny(f.doc, "{}") && f.key != "dci_wan" {
			t.Errorf("%s has a place left in its doc: %s", f.key, f.doc)
		}
		if kinds := slices.Compact(slices.Sorted(slices.Values(f.kinds))); len(kinds) != len(f.kinds) {
			t.Errorf("%s is twice of a kind: %v", f.key, f.kinds)
		}
		for _, k := range kinds {
			if key := k.key(f.key); key != nil && commonKey(f.key) != nil && !strings.Contains(f.doc, key.field.def) {
				t.Errorf("%s of %s has default %s, which its doc does not tell: %s",
					f.key, k.name, key.field.def, f.doc)
			}
		}
	}
	keys := map[string]bool{}
	for _, f := range fabricKeys.fields {
		if keys[f.key] {
			t.Errorf("two kinds have a key %s of their own: make it one in common", f.key)
		}
		keys[f.key] = true
	}
	if got, want := documented("Links.", "spines"), "Links. In two-dc those of each "+
		"cluster."; !strings.HasPrefix(got, "Links. In ") ||
		!strings.HasSuffix(got, "two-dc those of each cluster.") {
		t.Errorf("a doc without a place says %q, want %q", got, want)
	}
}
