package reproduce

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A fault is read from a patch, and refused if it is not one of a row.
func TestFaults(t *testing.T) {
	const head, diff = "Row: A1\nFault: it errs\n", "\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n"
	for name, c := range map[string]struct{ text, says string }{
		"of the scenario": {head + "Set: a.b={c: d=e}\nMends: yes\n", ""},
		"of the source":   {head + "Criterion: c\n" + diff, ""},
		"of nothing":      {head, "either Set or changes of files"},
		"of both":         {head + "Set: a=b\n" + diff, "either Set or changes of files"},
		"without a row":   {"Fault: it errs\nSet: a=b\n", "it must have a Row"},
		"no value":        {head + "Set: a\n", `"a": allowed is KEY=VALUE`},
		"not mended":      {head + "Set: a=b\nMends: no\n", `"no": allowed is yes`},
		"another key":     {head + "Rule: a\n", `"Rule": allowed are Criterion once, Fault once`},
	} {
		t.Run(name, func(t *testing.T) {
			top := t.TempDir()
			folder := filepath.Join(top, "specs/mutant/rows")
			if err := os.MkdirAll(folder, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(folder, "one.patch"), []byte(c.text), 0o644); err != nil {
				t.Fatal(err)
			}
			faults, err := Faults(top)
			switch {
			case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)):
				t.Errorf("%v, want %s", err, c.says)
			case c.says == "" && (err != nil || len(faults) != 1 || faults[0].Row != "A1" || faults[0].Name != "it errs"):
				t.Error(faults, err)
			case c.says == "" && len(faults[0].Change.Files) == 0 && (faults[0].Set["a.b"] != "{c: d=e}" || !faults[0].Mends):
				t.Error(faults[0])
			}
		})
	}
	if _, err := Faults(t.TempDir()); err == nil || !strings.Contains(err.Error(), "there is no *.patch") {
		t.Error(err)
	}
}
