// Package links makes and removes symbolic links in a folder that give programs further names.
package links

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/internal/terminal"
)

// Link is a name and the program that answers to it.
type Link struct{ Name, Program string }

// Destination returns the folder that links of dir lead to: "" for their own, if that has the first program, and
// otherwise the running program's. It is an error if a program is missing there.
func Destination(dir string, programs ...string) (string, error) {
	folder, bare := dir, ""
	if _, err := os.Stat(filepath.Join(dir, programs[0])); err != nil {
		self, err := os.Executable()
		if err != nil {
			return "", exit.Host(err)
		}
		folder, bare = filepath.Dir(self), filepath.Dir(self)
	}
	for _, program := range programs {
		if _, err := os.Stat(filepath.Join(folder, program)); err != nil {
			return "", exit.Host(fmt.Errorf("%s is not in %s, so there is nothing to link to: go install ./cmd/... "+
				"puts both programs, %s, into one folder", program, folder, strings.Join(programs, " and ")))
		}
	}
	return bare, nil
}

// Make makes links in a folder to programs in another, "" for the same: all or, if a file of another kind is in the
// way, none. It prints the ones it made.
func Make(stdout io.Writer, programs, dir string, list []Link) error {
	var problems []error
	for _, l := range list {
		path := filepath.Join(dir, l.Name)
		if _, err := os.Lstat(path); err == nil && !leadsTo(path, l.Program) {
			problems = append(problems, fmt.Errorf("%s exists and is not a link to %s: remove it, or choose "+
				"another folder", path, l.Program))
		}
	}
	if problems != nil {
		return exit.Usage(errors.Join(problems...))
	}
	for _, l := range list {
		path, target := filepath.Join(dir, l.Name), filepath.Join(programs, l.Program)
		if was, err := os.Readlink(path); err == nil && was == target {
			continue
		} else if err == nil {
			if err := os.Remove(path); err != nil {
				return exit.Host(err)
			}
		}
		if err := os.Symlink(target, path); err != nil {
			return exit.Host(err)
		}
		if _, err := fmt.Fprintf(stdout, "%s -> %s\n", terminal.Line(path), terminal.Line(target)); err != nil {
			return exit.Host(err)
		}
	}
	return nil
}

// Remove removes the links of Make, and prints them.
func Remove(stdout io.Writer, dir string, list []Link) error {
	for _, l := range list {
		path := filepath.Join(dir, l.Name)
		if !leadsTo(path, l.Program) {
			continue
		}
		if err := os.Remove(path); err != nil {
			return exit.Host(err)
		}
		if _, err := fmt.Fprintf(stdout, "removed %s\n", terminal.Line(path)); err != nil {
			return exit.Host(err)
		}
	}
	return nil
}

// leadsTo reports whether a path is a link to a program of that name, wherever it
// lies: an older rocelab may have made it.
func leadsTo(path, program string) bool {
	target, err := os.Readlink(path)
	return err == nil && filepath.Base(target) == program
}
