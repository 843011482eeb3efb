package profile

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

var rewrite = flag.Bool("rewrite", false, "write the table of chips to docs/silicon.md")

// page is where people read of the chips.
const page = "../../docs/silicon.md"

// chipTable is the table of the page.
func chipTable() string {
	var b strings.Builder
	for i := range chips {
		c := &chips[i]
		fmt.Fprintf(&b, "### `%s`: %s\n\n| figure | value | evidence | source |\n|---|---|---|---|\n", c.Name, c.Title)
		for _, f := range c.Figures() {
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", f.Key, f.Value, f.Evidence, f.Source)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// The page agrees with the code.
func TestPageOfChips(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- chips -->\n\n", "<!-- end of chips -->"
	before, rest, ok := strings.Cut(string(text), begin)
	table, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the chips", page)
	}
	if *rewrite {
		if err := os.WriteFile(page, []byte(before+begin+chipTable()+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if table != chipTable() {
		t.Errorf("%s has other chips than chips.go: go test ./emulator/profile -rewrite writes them", page)
	}
}

// A chip's figures fit together: its ports have rates that there are, and a name is one chip's.
func TestFiguresFitTogether(t *testing.T) {
	seen := map[string]bool{}
	for i := range chips {
		c := &chips[i]
		each := c.Capacity.Value / unit.BitRate(c.Ports.Value)
		if !slices.Contains([]unit.BitRate{50 * unit.Gbps, 100 * unit.Gbps, 200 * unit.Gbps}, each) {
			t.Errorf("%s: each of %d ports of %v has %v", c.Name, c.Ports.Value, c.Capacity.Value, each)
		}
		if c.Fastest.Value < each || c.Capacity.Value%c.Fastest.Value != 0 {
			t.Errorf("%s: the fastest port has %v of %v", c.Name, c.Fastest.Value, c.Capacity.Value)
		}
		if m := c.Marking.Value; m.Kmin > m.Kmax || m.Kmax > c.Buffer.Value || m.Pmax > 1 || c.Alpha.Value <= 0 {
			t.Errorf("%s: it marks from %v to %v of %v, alpha %g", c.Name, m.Kmin, m.Kmax, c.Buffer.Value, c.Alpha.Value)
		}
		if seen[c.Name] {
			t.Errorf("two chips are called %s", c.Name)
		}
		seen[c.Name] = true
	}
}

// Every figure has its source, and only estimated ones lack a source of others.
func TestFiguresHaveSources(t *testing.T) {
	for i := range chips {
		for _, f := range chips[i].Figures() {
			if f.Source == "" || f.Value == "" {
				t.Errorf("%s: %s has no value or no source", chips[i].Name, f.Key)
			}
			own := strings.Contains(f.Source, "no figure found") || strings.Contains(f.Source, "rocelab's default")
			if !slices.Contains([]Evidence{Vendor, Quoted, Fitted, Estimated}, f.Evidence) {
				t.Errorf("%s: the evidence of %s is %q", chips[i].Name, f.Key, f.Evidence)
			}
			if own != (f.Evidence == Estimated) {
				t.Errorf("%s: %s is %s, and its source says %q", chips[i].Name, f.Key, f.Evidence, f.Source)
			}
		}
	}
}
