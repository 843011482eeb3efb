package textfile

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/specs/tier"
)

// Root reads for the caller of sudo only files that he may read himself, and afterwards its own again. Tier: -short, as
// root.
func TestReadForTheCallerOfSudo(t *testing.T) {
	tier.Root(t, "reads as another user")
	dir := t.TempDir()
	for _, folder := range []string{filepath.Dir(dir), dir} {
		if err := os.Chmod(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	const nobody = 65534
	for _, c := range []struct {
		name       string
		mode       os.FileMode
		owner, gid int
		allowed    bool
	}{
		{"root's", 0o600, 0, 0, false},
		{"of root's group", 0o640, 0, 0, false},
		{"everybody's", 0o604, 0, 0, true},
		{"his own", 0o400, nobody, 0, true},
		{"of his group", 0o040, 0, nobody, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(dir, c.name)
			err := errors.Join(os.WriteFile(path, []byte("secret"), 0o600), os.Chown(path, c.owner, c.gid),
				os.Chmod(path, c.mode))
			if err != nil {
				t.Fatal(err)
			}
			t.Setenv("SUDO_UID", "65534")
			t.Setenv("SUDO_GID", "65534")
			for _, read := range []func() ([]byte, error){
				func() ([]byte, error) { return Read(context.Background(), path, 100) },
				func() ([]byte, error) { return Regular(path, 100) },
			} {
				text, err := read()
				switch {
				case c.allowed && (err != nil || string(text) != "secret"):
					t.Errorf("%s: %q, %v", c.name, text, err)
				case !c.allowed && (len(text) > 0 || !errors.Is(err, fs.ErrPermission) ||
					!strings.Contains(err.Error(), "user 65534, who called sudo, may not read it")):
					t.Errorf("%s: %q, %v", c.name, text, err)
				}
			}
			for _, root := range []string{"", "0"} {
				t.Setenv("SUDO_UID", root)
				for range 20 { // on whatever thread
					if text, err := Read(context.Background(), path, 100); err != nil || string(text) != "secret" {
						t.Errorf("%s: root reads %q, %v", c.name, text, err)
					}
				}
			}
		})
	}
	t.Setenv("SUDO_UID", "x")
	if text, err := Regular(filepath.Join(dir, "everybody's"), 100); err == nil || len(text) > 0 {
		t.Errorf("%q, %v", text, err)
	}
}
