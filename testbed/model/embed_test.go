package model

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc"
)

type filed struct{ cc.Algorithm }

func (filed) Describe() cc.Description {
	return cc.Description{Params: []cc.Param{{Name: "table", Default: "builtin", File: true}, {Name: "word"}}}
}

// A path becomes the file's text where the parameter is for files; all else
// stays as it was given.
func TestEmbed(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a.txt", "builtin"} {
		if err := os.WriteFile(name, []byte("text of "+name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for given, want := range map[string]string{"a.txt": "text of a.txt", "builtin": "builtin",
		"a line\nand more": "a line\nand more", "nowhere": "nowhere", ".": "."} {
		t.Run(fmt.Sprintf("%q", given), func(t *testing.T) {
			a := &plan.Algorithm{Name: "filed", Params: map[string]string{"table": given, "word": "a.txt"}}
			p := &plan.Plan{Flows: []plan.Flow{{Algorithm: a}, {Algorithm: a}, {}}}
			if err := Embed([]*plan.Plan{p}, func(string) (cc.Algorithm, bool) { return filed{}, true }); err != nil {
				t.Fatal(err)
			}
			if a.Params["table"] != want || a.Params["word"] != "a.txt" {
				t.Errorf("%q became %q", given, a.Params)
			}
		})
	}
	if os.Getuid() != 0 {
		os.Chmod("a.txt", 0)
		a := &plan.Algorithm{Params: map[string]string{"table": filepath.Join(".", "a.txt")}}
		if err := EmbedFiles("a", a.Params, filed{}.Describe().Params); err == nil {
			t.Error("a file that cannot be read passes")
		}
	}
}
