package sweep

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A folder is begun, gone on with and added to; another sweep's is refused.
func TestFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	small, large := planOf(t, swept+section), planOf(t, swept+strings.Replace(section, "seeds: 2", "seeds: 3", 1))
	about := About{Scenario: "swept", Models: 1}
	for _, p := range []*Plan{small, small, large} {
		if _, err := Begin(dir, []byte("x"), p, about); err != nil {
			t.Fatal(err)
		}
		f, err := Open(dir)
		if err != nil || len(f.Plan.Runs) != len(p.Runs) || f.About.Models != 1 || string(f.Source) != "x" {
			t.Fatalf("%+v, %v", f, err)
		}
	}
	refused := func(want string, err error) {
		t.Helper()
		var wrong *FolderError
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	_, err := Begin(dir, []byte("x"), small, about)
	refused("lacks its run 2", err)
	_, err = Begin(dir, []byte("x"), large, About{Models: 2})
	refused("version 1 of the models, and this is version 2", err)
	_, err = Open(t.TempDir())
	refused("is not a folder of a sweep", err)
	for name, want := range map[string]string{planName: "line 36", ScenarioName: "was changed", aboutName: "sweep.json"} {
		copied := t.TempDir()
		if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(copied, name)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(text[:max(0, len(text)-9)], '!'), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err = Open(copied)
		refused(want, err)
	}
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "thesis.tex"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	_, err = Begin(other, []byte("x"), small, about)
	refused("it has thesis.tex", err)
}

// A folder whose files another process replaces is opened whole all the same.
func TestFolderThatIsReplaced(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	p := planOf(t, swept+section)
	const times = 100
	ended := make(chan error)
	begin := func(source string) error {
		_, err := Begin(dir, []byte(source), p, About{Scenario: "swept", Models: 1})
		return err
	}
	if err := begin("0"); err != nil {
		t.Fatal(err)
	}
	go func() {
		for i := range times {
			if err := begin(fmt.Sprint(i)); err != nil {
				ended <- err
				return
			}
		}
		ended <- nil
	}()
	for {
		if _, err := Open(dir); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-ended:
			if err != nil {
				t.Error(err)
			}
			return
		default:
		}
	}
}
