package scenario

import (
	"reflect"
	"strings"
	"testing"
)

const pinnedTraffic = `
algorithm: dcqcn
topology: {kind: leaf-spine, leaves: 2, spines: 3, hosts_per_leaf: 4}
traffic:
  - {from: [h0, h1, h2, h3], to: h4, size: 1MB, path: PATH}
  - {name: free, from: h0, to: h5, size: 1MB}
`

// Flows take the paths of a list in turn, and validate shows them.
func TestPathsOfFlows(t *testing.T) {
	for text, want := range map[string][]int{"1": {1, 1, 1, 1}, "[2, 0]": {2, 0, 2, 0}} {
		t.Run(text, func(t *testing.T) {
			p := plansOf(t, strings.Replace(pinnedTraffic, "PATH", text, 1))[0]
			var got []int
			for i := range p.Flows[:4] {
				f := &p.Flows[i]
				got = append(got, f.Pin.Number)
				if f.Pin.Of != 3 {
					t.Errorf("%s: %d paths, want 3", f.Name, f.Pin.Of)
				}
				var names []string
				for _, i := range p.SwitchesOf(f) {
					names = append(names, p.Switches[i].Name)
				}
				if spine := []string{"spine0", "spine1", "spine2"}[f.Pin.Number]; len(names) != 3 || names[1] != spine {
					t.Errorf("%s: path %d is by %v", f.Name, f.Pin.Number, names)
				}
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("path %s: flows take %v, want %v", text, got, want)
			}
			if p.Flows[4].Pin != nil {
				t.Error("a flow without a path is pinned")
			}
			report := Analyse(p, nil)
			if len(report.Pinned) == 0 || report.Pinned[0].Number != want[0] || report.Pinned[0].Of != 3 ||
				report.Pinned[0].Flows+4*(len(report.Pinned)-1) != 4 && report.Pinned[0].Flows != 2 {
				t.Errorf("path %s: the report has %+v", text, report.Pinned)
			}
		})
	}
}

// A path that is not there is refused with how many there are, and so is one where
// switches do not hash.
func TestPathsThatAreNotThere(t *testing.T) {
	src := pinnedTraffic
	for _, c := range []struct{ path, more, want string }{
		{"3", "", "path is 3, and from h0 to h4 there are 3: allowed is 0 to 2"},
		{"[0, 7]", "", "path is 7, and from h1 to h4 there are 3: allowed is 0 to 2"},
		{"1", "switch: {forwarding: spray}\n", "path pins flows, and leaf0 forwards by spray: allowed is ecmp"},
		{"[]", "", "path is empty"},
		{"-1", "", "path is -1: allowed is 0 to"},
	} {
		t.Run(c.path, func(t *testing.T) {
			s, err := Parse("test.yaml", []byte(strings.Replace(src, "PATH", c.path, 1)+c.more), known)
			if err == nil {
				_, err = s.Plans()
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("path %s: %v, want %q", c.path, err, c.want)
			}
		})
	}
}
