package result

import (
	"os"
	"path/filepath"
	"testing"
)

// A run that was kept is not taken over if its description is incomplete, if a name leads out of the folder, if a file
// is a link, or if a name is taken; and nothing of it stays in the folder then. Red without check, regular or forget.
func TestRefusedAdoptions(t *testing.T) {
	for what, change := range map[string]func(t *testing.T, w *Written, kept, part string) *Written{
		"nil":            func(*testing.T, *Written, string, string) *Written { return nil },
		"folder outside": func(_ *testing.T, w *Written, _, _ string) *Written { w.Run.Folder = "../b"; return w },
		"file outside":   func(_ *testing.T, w *Written, _, _ string) *Written { w.Files[0].Name = "../a"; return w },
		"link": func(t *testing.T, w *Written, kept, _ string) *Written {
			place := filepath.Join(kept, w.Files[1].Name)
			if err := os.Rename(place, kept+".moved"); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(kept+".moved", place); err != nil {
				t.Fatal(err)
			}
			return w
		},
		"taken": func(t *testing.T, w *Written, _, part string) *Written {
			name := filepath.Join(part, w.Run.Folder, w.Files[1].Name)
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, nil, 0o666); err != nil {
				t.Fatal(err)
			}
			return w
		},
	} {
		t.Run(what, func(t *testing.T) {
			kept := t.TempDir()
			folder, err := Create(filepath.Join(t.TempDir(), "run"))
			if err != nil {
				t.Fatal(err)
			}
			defer folder.Discard()
			w := &Written{Run: RunID{Folder: "a"}}
			for _, name := range []string{"flows.csv", "ports.csv"} {
				if err := os.WriteFile(filepath.Join(kept, name), nil, 0o666); err != nil {
					t.Fatal(err)
				}
				_, sum, err := readHeader(filepath.Join(kept, name))
				if err != nil {
					t.Fatal(err)
				}
				w.Files = append(w.Files, FileSum{name, sum})
			}
			before := len(folder.sums)
			m := NewManifest("test", "", 1)
			if err := folder.Adopt(change(t, w, kept, folder.part), kept, &Summary{}, m, nil); err == nil {
				t.Error("it was taken over")
			}
			if _, err := os.Lstat(filepath.Join(folder.part, "a", "flows.csv")); err == nil {
				t.Error("a file stays")
			}
			if len(folder.sums) != before || len(m.Runs) > 0 {
				t.Errorf("sums %v, runs %v", folder.sums, m.Runs)
			}
		})
	}
}
