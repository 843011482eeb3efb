package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/rocelab/rocelab/testbed/look/page"
)

// A page has the width of $COLUMNS, and without one the same width everywhere.
func TestPageOf(t *testing.T) {
	for columns, want := range map[string]int{"": page.FixedWidth, "80": 80, "x": page.FixedWidth, "-3": page.FixedWidth} {
		t.Run(fmt.Sprintf("%q", columns), func(t *testing.T) {
			t.Setenv("COLUMNS", columns)
			if got := pageOf(&bytes.Buffer{}); got.Width != want || got.Colour {
				t.Errorf("COLUMNS=%s: %+v, want width %d", columns, got, want)
			}
		})
	}
}

// On a terminal of 80 columns no line is wider.
func TestOutputFitsEightyColumns(t *testing.T) {
	scenarios, err := filepath.Abs("../../specs/scenarios")
	if err != nil {
		t.Fatal(err)
	}
	s := newShell(t)
	t.Setenv("COLUMNS", "80")
	for _, args := range []string{
		"run incast.yaml --no-folder --seeds 1-3",
		"run incast.yaml --no-folder --wide --algorithm pc4,dcqcn,swift,timely,hpcc,dctcp",
		"run incast.yaml --no-folder --metrics jain,drops",
		"compare incast.yaml --algorithm pc4,dcqcn:set=paper,swift --seeds 5",
		"compare incast.yaml --algorithm pc4,dcqcn --seeds 1 --wide",
		"validate " + filepath.Join(scenarios, "two-dc.yaml"),
		"validate " + filepath.Join(scenarios, "wan-120km.yaml"),
		"validate " + filepath.Join(scenarios, "fairness.yaml"),
		"validate " + filepath.Join(scenarios, "live", "live-120km.yaml"),
		"test --list",
		"metrics",
		"algorithm list",
	} {
		t.Run(fmt.Sprintf("%.50q", args), func(t *testing.T) {
			s.run(0, strings.Fields(args)...)
			for line := range strings.Lines(s.stdout) {
				if w := text.StringWidthWithoutEscSequences(strings.TrimSuffix(line, "\n")); w > 80 {
					t.Errorf("rocelab %s: %d columns: %s", args, w, line)
				}
			}
		})
	}
	s.run(2, "run", "incast.yaml", "--metrics", "jan")
	s.says(s.stderr, `--metrics: there is no metric "jan": did you mean jain?`)
}

// A terminal shows only ASCII if its environment says so.
func TestPlainTerminals(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want bool
	}{
		{nil, false},
		{map[string]string{"LANG": "de_DE.UTF-8"}, false},
		{map[string]string{"LANG": "C"}, true},
		{map[string]string{"LC_ALL": "C.utf8", "LANG": "C"}, false},
		{map[string]string{"LC_ALL": "C", "LC_CTYPE": "en_US.UTF-8"}, true},
		{map[string]string{"LC_CTYPE": "POSIX", "LANG": "en_US.UTF-8"}, true},
		{map[string]string{"TERM": "dumb", "LANG": "en_US.UTF-8"}, true},
	} {
		if got := plainTerminal(func(name string) string { return c.env[name] }); got != c.want {
			t.Errorf("%v: %v", c.env, got)
		}
	}
}
