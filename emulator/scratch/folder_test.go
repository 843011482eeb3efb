package scratch

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/rocelab/rocelab/emulator/result"
)

// The folder of a process that is there stays, and the one of a process that is gone goes with all that is in it.
func TestSweep(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	f, err := New("rerun")
	if err != nil {
		t.Fatal(err)
	}
	if gone := sweep(); len(gone) > 0 {
		t.Errorf("the folder of a process that is there is taken away: %v", gone)
	}
	if err := os.MkdirAll(filepath.Join(f.Path, "again.part", "a"), 0o700); err != nil {
		t.Fatal(err)
	}
	if errors.Is(result.TryLock(f.lock), errors.ErrUnsupported) {
		t.Skip("no locks on this system")
	}
	f.lock.Close() // as the end of its process does
	if err := os.Symlink(t.TempDir(), filepath.Join(os.TempDir(), "rocelab-pack-link")); err != nil {
		t.Fatal(err)
	}
	if gone := sweep(); !slices.Equal(gone, []string{f.Path}) {
		t.Errorf("taken away: %v", gone)
	}
	if _, err := os.Lstat(f.Path); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if _, err := New("other"); err == nil {
		t.Error("a kind that Sweep does not know")
	}
}

// Of many at once none takes the folder of another.
func TestManyAtOnce(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			f, err := New("pack")
			if err == nil {
				err = os.WriteFile(filepath.Join(f.Path, "x"), nil, 0o600)
			}
			if err == nil {
				err = f.Close()
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}
