package comparison

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
)

func parse(text string) (*Reference, error) {
	r, err := scenario.ParseReference("f", []byte(text), result.MetricNames())
	return (*Reference)(r), err
}

func TestReference(t *testing.T) {
	r, err := parse(`
source: a paper, Table 1
note: with care
values:
  dcqcn: {rtt_mean_us: 4.5, drops: 0}
  dcqcn:set=paper: {rtt_mean_us: 5}
`)
	if err != nil || r.Source != "a paper, Table 1" || r.Note != "with care" {
		t.Fatal(r, err)
	}
	for _, c := range []struct {
		text, name string
		want       float64
	}{{"dcqcn", "dcqcn", 4.5}, {"dcqcn:g=0.1", "dcqcn", 4.5}, {"dcqcn:set=paper", "dcqcn", 5}, {"./mine", "dcqcn", 4.5}} {
		t.Run(c.text, func(t *testing.T) {
			if got := r.of(c.text, c.name)["rtt_mean_us"]; got != c.want {
				t.Errorf("%s: %v, want %v", c.text, got, c.want)
			}
		})
	}
	if r.of("pc4", "pc4") != nil || (*Reference)(nil).of("pc4", "pc4") != nil {
		t.Error("values of an algorithm that has none")
	}
}

func TestReferenceErrors(t *testing.T) {
	for _, c := range []struct{ text, says string }{
		{"values: {pc4: {drops: 0}}", "f:1:1: reference lacks source: where the values are printed"},
		{"source: x", "f:1:1: reference lacks values: algorithms, and under each its metrics"},
		{"source: x\nvalues: {}", "f:2:9: values is a mapping: it must be a mapping of algorithms to their metrics"},
		{"source: x\nvalues: {pc4: {drop: 0}}", `f:2:16: there is no metric "drop": did you mean drops?`},
		{"source: x\nvalues: {pc4: 3}", "f:2:10: values of pc4 is a single value: it must be a mapping of metrics"},
		{"source: x\nvalue: {pc4: {drops: 0}}", `f:2:1: unknown key of reference "value": did you mean "values"?`},
		{"source: x\nvalues: {pc4: {drops: none}}", `f:2:23: drops: "none" is not a number`},
		{"source: x\nvalues: {pc4: {drops: .inf}}", `f:2:23: drops: ".inf" is not a number`},
		{"source: [", "f:1:9: not YAML"},
		{"source: x\na: &a {b: 1}\nvalues: {pc4: {<<: *a}}", "anchors, aliases, merge keys and tags are not part"},
		{strings.Repeat("[", 100_000), "f:1:41: nested too deep: allowed are up to 40 levels"},
		{"source: x\nsource: y", `key "source" is written twice`},
		{"\xff\xfes", "f:1:1: the file is UTF-16"},
	} {
		t.Run(c.says, func(t *testing.T) {
			if _, err := parse(c.text); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%q: %v, want %q", c.text, err, c.says)
			}
		})
	}
	if _, err := LoadReference(t.Context(), "nowhere.yaml"); err == nil || !strings.Contains(err.Error(),
		"read reference: open nowhere.yaml") {
		t.Error(err)
	}
}

// The shipped references are sound.
func TestShippedReferences(t *testing.T) {
	files, err := filepath.Glob("../../../specs/scenarios/*.reference.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		if _, err := LoadReference(t.Context(), file); err != nil {
			t.Error(err)
		}
		scenario := strings.TrimSuffix(file, ".reference.yaml") + ".yaml"
		if _, err := os.Stat(scenario); err != nil {
			t.Error(err)
		}
	}
}
