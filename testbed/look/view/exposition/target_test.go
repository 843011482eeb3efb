package exposition_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/rocelab/rocelab/testbed/look/view/exposition"
)

// The file has the address while the server is there, and is for its owner unless it was there
// with other rights.
func TestTarget(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rocelab.json")
	for _, rights := range []os.FileMode{0o600, 0o640} {
		t.Run(fmt.Sprintf("rights=%v", rights), func(t *testing.T) {
			target, err := exposition.NewTarget(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := target.Say("http://127.0.0.1:8080/to%20ken/metrics"); err != nil {
				t.Fatal(err)
			}
			want := `[{"targets":["127.0.0.1:8080"],` +
				`"labels":{"__metrics_path__":"/to%20ken/metrics","__scheme__":"http"}}]` + "\n"
			if got, _ := os.ReadFile(path); string(got) != want {
				t.Errorf("written is %s", got)
			}
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != rights && runtime.GOOS != "windows" {
				t.Errorf("rights %v, %v; expected %v", info.Mode(), err, rights)
			}
			if err := target.Close(); err != nil {
				t.Fatal(err)
			}
			if got, _ := os.ReadFile(path); string(got) != "[]\n" {
				t.Errorf("left is %s", got)
			}
			if err := os.Chmod(path, 0o640); err != nil {
				t.Fatal(err)
			}
		})
	}
	if _, err := exposition.NewTarget(t.TempDir()); err == nil {
		t.Error("a folder is taken for a file")
	}
}
