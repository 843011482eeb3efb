package program

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rocelab/rocelab/specs/tier"
)

// small is a package that takes little to build.
const small = "specs/program/testdata/small"

// built returns the output of the program small built with flags.
func built(t *testing.T, flags ...string) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "bin")
	if err := Build(folder, []string{small}, flags...); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(filepath.Join(folder, "small")).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// stored is the one program in the store that has the name small.
func stored(t *testing.T, cache string) (inode uint64) {
	t.Helper()
	found, _ := filepath.Glob(filepath.Join(cache, "*", "small"))
	if len(found) != 1 {
		t.Fatalf("stored: %q", found)
	}
	info, err := os.Stat(found[0])
	if err != nil {
		t.Fatal(err)
	}
	return info.Sys().(*syscall.Stat_t).Ino
}

// A program is linked once, for simultaneous requests too; a changed source or flag gives another, and changes to a
// copy have no effect.
func TestBuiltOnce(t *testing.T) {
	tier.Everyday(t) // it links
	cache := t.TempDir()
	t.Setenv("ROCELAB_PROGRAMS", cache)
	source, err := filepath.Abs("testdata/small/main.go")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	changed, list := filepath.Join(cache, "main.go"), filepath.Join(cache, "overlay.json")
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{source: changed}})
	if err != nil {
		t.Fatal(err)
	}
	write := func(name string, text []byte) {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(list, replace)
	write(changed, text)

	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			if got := built(t, "-overlay="+list); got != "small words" {
				t.Errorf("printed %q", got)
			}
		})
	}
	all.Wait()
	first := stored(t, cache)
	if got := built(t, "-overlay="+list); got != "small words" || stored(t, cache) != first {
		t.Errorf("printed %q, or was linked again", got)
	}
	write(changed, []byte(strings.Replace(string(text), `"small"`, `"changed"`, 1)))
	if got := built(t, "-overlay="+list); got != "changed words" || stored(t, cache) == first {
		t.Errorf("with a changed source: printed %q, or was not linked again", got)
	}
	if got := built(t, "-overlay="+list, "-ldflags=-X main.word=flag"); got != "flag words" {
		t.Errorf("with another flag: printed %q", got)
	}
}

// Programs that were not requested for days are removed.
func TestUnusedAreRemoved(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("ROCELAB_PROGRAMS", cache)
	mine, err := storeOf("/a", nil)
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := storeOf("/a", []string{"-tags=mem"})
	if err != nil || theirs == mine {
		t.Fatalf("%s, %v", theirs, err)
	}
	before := time.Now().Add(-unused - time.Hour)
	for _, folder := range []string{mine, theirs} {
		if err := os.Chtimes(folder, before, before); err != nil {
			t.Fatal(err)
		}
	}
	if again, err := storeOf("/a", nil); again != mine || err != nil {
		t.Errorf("%s, %v", again, err)
	}
	if left, _ := filepath.Glob(filepath.Join(cache, "*")); !slices.Equal(left, []string{mine}) {
		t.Errorf("left: %q", left)
	}
}

// What a program is built from is each folder of the module that has a source or an embedded
// file of it.
func TestSources(t *testing.T) {
	root, folders, err := sources([]string{module + small}, nil)
	want := []string{filepath.Join(root, small), filepath.Join(root, small, "words")}
	if err != nil || root != filepath.Dir(filepath.Dir(home)) || !slices.Equal(folders, want) {
		t.Errorf("%s, %q, %v; want %q", root, folders, err, want)
	}
	if _, _, err := sources([]string{module + "no/such"}, nil); err == nil || !strings.Contains(err.Error(), "no/such") {
		t.Errorf("of none: %v", err)
	}
}

// Go test keeps the result of a suite that runs a program until a source of the program changes.
func TestResultsDependOnSources(t *testing.T) {
	tier.Everyday(t) // it runs go test
	run := func() string {
		t.Helper()
		out, err := exec.Command("go", "test", "./testdata/suite").CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return string(out)
	}
	run()
	if again := run(); !strings.Contains(again, "(cached)") {
		t.Errorf("nothing has changed: %s", again)
	}
	for _, name := range []string{"testdata/small/main.go", "testdata/small/words/embedded.txt"} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		// Its text stays: go test looks at the time, which no run of this test has had before.
		other := time.Now().Add(-time.Hour)
		if err := os.Chtimes(name, other, other); err != nil {
			t.Fatal(err)
		}
		if after := run(); strings.Contains(after, "(cached)") {
			t.Errorf("%s has changed: %s", name, after)
		}
		if err := os.Chtimes(name, info.ModTime(), info.ModTime()); err != nil {
			t.Fatal(err)
		}
	}
}
