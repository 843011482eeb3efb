package campaign

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc"
)

func valueText(value *string) string {
	if value == nil {
		return "null"
	}
	return *value
}

// Of the text of a file there is a digest, and of what an algorithm decides itself null.
func TestResolvedParameters(t *testing.T) {
	params := []cc.Param{
		{Name: "given", Default: "1"},
		{Name: "default", Default: "2"},
		{Name: "own"},
		{Name: "decided"},
		{Name: "long"},
		{Name: "word", Default: "shipped", File: true},
		{Name: "file", Default: "shipped", File: true},
	}
	got := resolved(params, map[string]string{"given": "3", "word": "other", "file": "a\nb\n"}, map[string]string{
		"decided": "4", "given": "not this", "default": "nor this", "none of its": "5", "long": strings.Repeat("x", 300),
	})
	sum := sha256.Sum256([]byte("a\nb\n"))
	want := map[string]string{
		"given":   "3",
		"default": "2",
		"own":     "null",
		"decided": "4",
		"long":    strings.Repeat("x", 256),
		"word":    "other",
		"file":    "sha256:" + hex.EncodeToString(sum[:]),
	}
	for name, value := range want {
		if value != valueText(got[name]) {
			t.Errorf("%s is %s, want %s", name, valueText(got[name]), value)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d values", len(got))
	}
}
