package scenario

import (
	"strings"
	"testing"
)

// A step of --set that is neither an item's name nor a key is taken for an item.
func TestSetNamesTheMissingItem(t *testing.T) {
	const source = "topology: {kind: star}\nalgorithm: pc4\ntraffic: [{name: burst, kind: incast, size: 1MB}]\n"
	for path, want := range map[string]string{
		"traffic.burst.size": "",
		"traffic.0.size":     "",
		"traffic.size":       "",
		"traffic.brst.size":  `--set traffic.brst.size: unknown traffic entry "brst": did you mean "burst"?`,
		"traffic.7.size":     `--set traffic.7.size: unknown traffic entry "7": allowed are 0, burst`,
		"traffic.siz.size":   `unknown key of traffic entry "siz": did you mean "size"?`,
		"traffic.brst":       `unknown key of traffic entry "brst": allowed are`,
	} {
		t.Run(path, func(t *testing.T) {
			_, err := Parse("f", []byte(source), known, WithOverrides(map[string]string{path: "2MB"}))
			if err == nil && want != "" || err != nil && (want == "" || !strings.Contains(err.Error(), want)) {
				t.Errorf("%s: %v, want %q", path, err, want)
			}
		})
	}
}
