package diff

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/result"
)

// sideOf is a side with that many runs, whose only metric is the number of drops.
func sideOf(t *testing.T, runs, drops int) *Side {
	t.Helper()
	side := &Side{Dir: t.TempDir(), Manifest: &result.Manifest{}}
	side.Origin = side.Dir
	for seed := range runs {
		id := result.RunID{Folder: fmt.Sprintf("pc4/seed-%d", seed), Seed: uint64(seed)}
		side.Runs = append(side.Runs, id)
		if err := os.MkdirAll(side.Path(id), 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, side, id, "summary.json", fmt.Sprintf(`{"metrics":{"drops":%d}}`, drops))
		write(t, side, id, traceName, sheet)
	}
	return side
}

// write writes a file of a run.
func write(t *testing.T, side *Side, run result.RunID, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(side.Path(run), name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// handles counts the open files of this process.
func handles(t *testing.T) int {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("this system does not list the open files of a process")
	}
	return len(list)
}

// A comparison leaves no file of its runs open. Red if a run keeps its folder open.
func TestNoHandleIsKept(t *testing.T) {
	const runs = 200
	a, b := sideOf(t, runs, 0), sideOf(t, runs, 1)
	pairs, _ := match(a, b)
	before := handles(t)
	figures, all, err := Figures(a, b, pairs)
	if err != nil || len(pairs) != runs || all != 1 || len(figures) != 1 {
		t.Fatal(figures, all, err)
	}
	for _, run := range a.Runs {
		if _, err := instantsOf(a, run); err != nil {
			t.Fatal(err)
		}
	}
	if after := handles(t); after > before+runs/10 {
		t.Errorf("%d open files before, %d after", before, after)
	}
}

// A damaged file is named with its run folder, its line and its column. Red if an error has only the file's name.
func TestTheDamagedRunIsNamed(t *testing.T) {
	a, b := sideOf(t, 2, 0), sideOf(t, 2, 1)
	write(t, b, b.Runs[1], "summary.json", "{\n  \"metrics\": {")
	pairs, _ := match(a, b)
	_, _, err := Figures(a, b, pairs)
	want := b.Title(b.Runs[1]) + ": summary.json:2:14 is damaged: unexpected end of JSON input"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	write(t, b, b.Runs[1], traceName, strings.Replace(sheet, "00ff", "00fg", 1))
	if _, err = instantsOf(b, b.Runs[1]); err == nil ||
		!strings.HasPrefix(err.Error(), b.Title(b.Runs[1])+": trace.csv:2:5 is damaged: ") {
		t.Error(err)
	}
}
