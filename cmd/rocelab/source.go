package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/spelling"
)

// source is where a scenario comes from: a file, or what comes in on stdin, which
// is read once.
type source struct {
	command *cobra.Command
	stdin   []byte
	read    bool
}

// stdinName is how messages call stdin.
const stdinName = "<stdin>"

// text returns a scenario's text, and the name that messages give it.
func (s *source) text(path string) (name string, text []byte, err error) {
	if path == "-" {
		if !s.read {
			s.stdin, err = readAll(s.command.Context(), s.command.InOrStdin())
			s.read = err == nil
		}
		return stdinName, s.stdin, err
	}
	text, err = os.ReadFile(path)
	if err != nil {
		if info, lost := os.Stat(path); lost == nil && info.IsDir() {
			return path, nil, inFolder(path)
		}
		err = fmt.Errorf("read scenario: %w", err)
		if errors.Is(err, fs.ErrNotExist) {
			err = nearFile(path, err)
		}
	}
	return path, text, err
}

// readAll reads what comes, until Ctrl-C at most.
func readAll(ctx context.Context, from io.Reader) (text []byte, err error) {
	done := make(chan struct{})
	go func() {
		text, err = io.ReadAll(from)
		close(done)
	}()
	select {
	case <-done:
		return text, host(err)
	case <-ctx.Done():
		return nil, errInterrupted
	}
}

// scenarioFiles are names of files in a folder that may be scenarios.
func scenarioFiles(folder string) (names []string) {
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		if extension := filepath.Ext(e.Name()); !e.IsDir() && (extension == ".yaml" || extension == ".yml") {
			names = append(names, e.Name())
		}
	}
	return names
}

// inFolder says which file of a folder is a scenario to run: in a run folder the
// one with all that its flags changed, else the one that was given.
func inFolder(folder string) error {
	names := scenarioFiles(folder)
	what := "a folder"
	if _, err := os.Stat(filepath.Join(folder, "manifest.json")); err == nil {
		what = "a run folder"
	}
	for _, name := range []string{"resolved.yaml", "scenario.yaml"} {
		if slices.Contains(names, name) {
			return fmt.Errorf("%s is %s: did you mean %s?", folder, what, filepath.Join(folder, name))
		}
	}
	if len(names) == 0 {
		return fmt.Errorf("%s is %s, and no scenario is in it", folder, what)
	}
	return fmt.Errorf("%s is %s: name a scenario in it, such as %s", folder, what, filepath.Join(folder, names[0]))
}

// stem is a file's name without its folder and its ending.
func stem(path string) string { return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)) }

// nearFile adds to err which file may have been meant: of the same name with
// another ending, or of a near name.
func nearFile(path string, err error) error {
	files := map[string]string{} // by their names without the ending
	for _, file := range scenarioFiles(filepath.Dir(path)) {
		files[stem(file)] = file
	}
	near, same := files[stem(path)]
	if !same {
		near = files[spelling.Nearest(stem(path), slices.Sorted(maps.Keys(files)))]
	}
	if near == "" {
		return err
	}
	return fmt.Errorf("%w (did you mean %s?)", err, filepath.Join(filepath.Dir(path), near))
}
