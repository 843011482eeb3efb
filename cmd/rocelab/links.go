//go:build linux && !mem

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/nodes/daemon"
)

// The two programs that answer to several names.
const (
	mainProgram      = "rocelab"
	algorithmProgram = "rocelab-cc"
)

func linksCommand() *cobra.Command {
	var remove bool
	c := &cobra.Command{
		Use:   "links DIR",
		Short: "Make links with the names of daemons and algorithms to the programs",
		Long: `Make links in the existing folder DIR: switchd, nicd and wand to rocelab, and cc-NAME
for each shipped algorithm to rocelab-cc. They are optional: without a link rocelab is
its own daemon, and asks rocelab-cc for an algorithm by its name. A link makes an
algorithm a program with a path, to put into a plugin folder or to check.

Programs in DIR are linked to by their bare names, so that the folder can be
moved; otherwise links lead to this program and to the one beside it. If a file of
that name exists and is not such a link, nothing is made and the file is kept.`,
		Example: `  rocelab links ~/.local/bin
  rocelab links ~/.local/bin --remove`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			if info, err := os.Stat(args[0]); err != nil || !info.IsDir() {
				return usage(fmt.Errorf("%s: there is no such folder", args[0]))
			}
			if remove {
				return removeLinks(c.OutOrStdout(), args[0])
			}
			programs, err := programFolder(args[0])
			if err != nil {
				return err
			}
			return makeLinks(c.OutOrStdout(), programs, args[0])
		},
	}
	c.Flags().BoolVar(&remove, "remove", false, "remove only such links from DIR")
	return c
}

// linkName is a name and the program that answers to it.
type linkName struct{ name, program string }

// linkNames are the names of daemons and of the programs of algorithms.
func linkNames() (list []linkName) {
	for _, a := range shipped.Served() {
		list = append(list, linkName{"cc-" + a.Describe().Name, algorithmProgram})
	}
	for _, name := range daemon.Names {
		if name != daemon.Any { // no name for people: only the pool has it, in its container
			list = append(list, linkName{name, mainProgram})
		}
	}
	return list
}

// programFolder is the destination of links: "" for their own folder, if that has the programs, and otherwise the
// running program's.
func programFolder(dir string) (string, error) {
	folder, bare := dir, ""
	if _, err := os.Stat(filepath.Join(dir, mainProgram)); err != nil {
		self, err := os.Executable()
		if err != nil {
			return "", host(err)
		}
		folder, bare = filepath.Dir(self), filepath.Dir(self)
	}
	for _, program := range []string{mainProgram, algorithmProgram} {
		if _, err := os.Stat(filepath.Join(folder, program)); err != nil {
			return "", host(fmt.Errorf("%s is not in %s, so there is nothing to link to: go install ./cmd/... "+
				"puts both programs, rocelab and rocelab-cc, into one folder", program, folder))
		}
	}
	return bare, nil
}

// makeLinks makes the links to the programs in a folder: all or, if a file of another kind is in the way, none. It
// reports the ones it made.
func makeLinks(stdout io.Writer, programs, dir string) error {
	var problems []error
	for _, l := range linkNames() {
		path := filepath.Join(dir, l.name)
		if _, err := os.Lstat(path); err == nil && !leadsTo(path, l.program) {
			problems = append(problems, fmt.Errorf("%s exists and is not a link to %s: remove it, or choose "+
				"another folder", path,
				l.program))
		}
	}
	if problems != nil {
		return usage(errors.Join(problems...))
	}
	for _, l := range linkNames() {
		path, target := filepath.Join(dir, l.name), filepath.Join(programs, l.program)
		if was, err := os.Readlink(path); err == nil && was == target {
			continue
		} else if err == nil {
			if err := os.Remove(path); err != nil {
				return host(err)
			}
		}
		if err := os.Symlink(target, path); err != nil {
			return host(err)
		}
		if _, err := fmt.Fprintf(stdout, "%s -> %s\n", terminal.Line(path), terminal.Line(target)); err != nil {
			return host(err)
		}
	}
	return nil
}

// removeLinks removes the links of makeLinks, and reports them.
func removeLinks(stdout io.Writer, dir string) error {
	for _, l := range linkNames() {
		path := filepath.Join(dir, l.name)
		if !leadsTo(path, l.program) {
			continue
		}
		if err := os.Remove(path); err != nil {
			return host(err)
		}
		if _, err := fmt.Fprintf(stdout, "removed %s\n", terminal.Line(path)); err != nil {
			return host(err)
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
