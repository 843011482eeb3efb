package comparison

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReference(t *testing.T) {
	r, err := ParseReference([]byte(`
source: a paper, Table 1
note: with care
values:
  dcqcn: {rtt_mean_us: 4.5, drops: 0}
  dcqcn:set=paper: {rtt_mean_us: 5}
`))
	if err != nil || r.Source != "a paper, Table 1" || r.Note != "with care" {
		t.Fatal(r, err)
	}
	for _, c := range []struct {
		text, name string
		want       float64
	}{{"dcqcn", "dcqcn", 4.5}, {"dcqcn:g=0.1", "dcqcn", 4.5}, {"dcqcn:set=paper", "dcqcn", 5}, {"./mine", "dcqcn", 4.5}} {
		if got := r.of(c.text, c.name)["rtt_mean_us"]; got != c.want {
			t.Errorf("%s: %v, want %v", c.text, got, c.want)
		}
	}
	if r.of("pc4", "pc4") != nil || (*Reference)(nil).of("pc4", "pc4") != nil {
		t.Error("values of an algorithm that has none")
	}
}

func TestReferenceErrors(t *testing.T) {
	for _, c := range []struct{ text, says string }{
		{"values: {pc4: {drops: 0}}", "no source"},
		{"source: x", "no values"},
		{"source: x\nvalues: {pc4: {drop: 0}}", `values: pc4: there is no metric "drop"`},
		{"source: x\nvalue: {pc4: {drops: 0}}", `unknown field "value"`},
		{"source: x\nvalues: {pc4: {drops: none}}", "cannot unmarshal"},
		{"source: [", "[1:"},
	} {
		if _, err := ParseReference([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, want %q", c.text, err, c.says)
		}
	}
	if _, err := LoadReference("nowhere.yaml"); err == nil || !strings.Contains(err.Error(),
		"read reference: open nowhere.yaml") {
		t.Error(err)
	}
}

// The shipped references are sound.
func TestShippedReferences(t *testing.T) {
	files, err := filepath.Glob("../../specs/scenarios/*.reference.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		if _, err := LoadReference(file); err != nil {
			t.Error(err)
		}
		scenario := strings.TrimSuffix(file, ".reference.yaml") + ".yaml"
		if _, err := os.Stat(scenario); err != nil {
			t.Error(err)
		}
	}
}
