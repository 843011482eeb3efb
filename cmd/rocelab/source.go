package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/internal/spelling"
	"github.com/rocelab/rocelab/internal/textfile"
)

// source is where a scenario comes from: a file, or what comes in on stdin. It is read
// once, as a pipe can be.
type source struct {
	command *cobra.Command
	// known are the texts that were read, by their paths.
	known map[string][]byte
}

// stdinName is the name of stdin in messages.
const stdinName = "<stdin>"

// text returns a scenario's text, and the name that messages give it.
func (s *source) text(path string) (name string, text []byte, err error) {
	name = path
	if path == "-" {
		name = stdinName
	}
	if text, read := s.known[path]; read {
		return name, text, nil
	}
	ctx := s.command.Context()
	if path == "-" {
		text, err = textfile.From(ctx, s.command.InOrStdin(), name, scenario.MaxSource)
		if err = interrupted(ctx, err); !errors.Is(err, errInterrupted) && !isTooLong(err) {
			err = host(err)
		}
	} else if text, err = textfile.Read(ctx, path, scenario.MaxSource); err != nil {
		if info, lost := os.Stat(path); lost == nil && info.IsDir() {
			return path, nil, inFolder(path)
		}
		err = interrupted(ctx, fmt.Errorf("read scenario: %w", err))
		if errors.Is(err, fs.ErrNotExist) {
			err = nearFile(path, err)
		}
	}
	if err != nil {
		return name, nil, err
	}
	if s.known == nil {
		s.known = map[string][]byte{}
	}
	s.known[path] = text
	return name, text, nil
}

func isTooLong(err error) bool {
	var long *textfile.TooLong
	return errors.As(err, &long)
}

// interrupted returns err, or errInterrupted if Ctrl-C ended the reading.
func interrupted(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return errInterrupted
	}
	return err
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

// inFolder names the file of a folder that is a scenario to run: in a run folder the one with all changes of its flags,
// else the given one.
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
		return fmt.Errorf("%s is %s without a scenario in it", folder, what)
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
