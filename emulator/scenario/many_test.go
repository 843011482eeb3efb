package scenario

import (
	"fmt"
	"strings"
	"testing"
)

// The work of reading entries grows with their number and no faster, and an algorithm that all share is asked about
// once. Allocations stand for the work, since clocks do not.
func TestManyEntriesOfTraffic(t *testing.T) {
	asked := 0
	read := func(entries int, named bool) float64 {
		var text strings.Builder
		text.WriteString("name: many\ntopology: {kind: star, hosts: 9}\nalgorithm: dcqcn\ntraffic:\n")
		for i := range entries {
			name := ""
			if named {
				name = fmt.Sprintf("name: t%d, ", i)
			}
			fmt.Fprintf(&text, "  - {%skind: flow, from: h%d, to: h8, size: 1KB}\n", name, i%8)
		}
		return testing.AllocsPerRun(1, func() {
			asked = 0
			s, err := Parse("many.yaml", []byte(text.String()), func(string, map[string]string) error { asked++; return nil })
			if err != nil {
				t.Fatal(err)
			}
			plans, err := s.Plans()
			if err != nil || len(plans[0].Flows) != entries {
				t.Fatal(err)
			}
			if last := plans[0].Flows[entries-1].Group; !named && last != fmt.Sprintf("flow-%d", entries) {
				t.Errorf("the last entry is called %q", last)
			}
		})
	}
	for _, named := range []bool{false, true} {
		some, many := read(500, named), read(2000, named)
		if many > 5*some {
			t.Errorf("named %v: 4 times the entries take %.1f times the work", named, many/some)
		}
		if asked > 3 {
			t.Errorf("named %v: the algorithm is asked about %d times", named, asked)
		}
	}
}
