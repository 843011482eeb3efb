package campaign

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/registry"
	"github.com/rocelab/rocelab/plugins/shipped"
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
		t.Run(name, func(t *testing.T) {
			if value != valueText(got[name]) {
				t.Errorf("%s is %s, want %s", name, valueText(got[name]), value)
			}
		})
	}
	if len(got) != len(want) {
		t.Errorf("%d values", len(got))
	}
}

// An algorithm with another file of weights is another one, under the same name of the file, and so is each run with
// it. Red if the name of the file counts in place of its content.
func TestWeightsCountByContent(t *testing.T) {
	text, err := os.ReadFile(filepath.FromSlash("../../../plugins/pidnn/weights/shipped.txt"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "weights.txt")
	algorithms := registry.New(registry.Config{Builtin: shipped.All()})
	idOf := func(more string) ID {
		t.Helper()
		if err := os.WriteFile(file, append(text, more...), 0o666); err != nil {
			t.Fatal(err)
		}
		a := &plan.Algorithm{Name: "pidnn", Params: map[string]string{"weights": file}}
		one, err := AlgorithmOf(a, algorithms)
		if err != nil {
			t.Fatal(err)
		}
		if a.Params["weights"] != file {
			t.Error("the plan was changed")
		}
		id, err := IDOf("run", one)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	if first, other, again := idOf(""), idOf("\n"), idOf(""); first == other || first != again {
		t.Errorf("%s, %s, %s", first, other, again)
	}
}
