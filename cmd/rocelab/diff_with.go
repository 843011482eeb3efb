package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/internal/build"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/look/diff"
)

// diffHalfCommand is the command that diff calls in another program, with --with: it makes one run again, and reports
// its course on stdout as it is asked on stdin.
func diffHalfCommand() *cobra.Command {
	f := &diffFlags{}
	var from, to, width int64
	c := &cobra.Command{
		Use:    "diff-half FOLDER/RUN --from PS --to PS --width PS",
		Short:  "Make a run again and answer questions about it, as diff --with asks them",
		Hidden: true,
		Args:   usageArgs(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) (err error) {
			f.command = c
			side, err := diff.Open(args[0])
			if err == nil && len(side.Runs) > 1 {
				err = fmt.Errorf("%s has %s: name one of them", args[0], unit.Count(len(side.Runs), "run"))
			}
			if err != nil {
				return usage(err)
			}
			again, err := f.remake(side, side.Runs[0])
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, again.Close()) }()
			span := diff.Span{From: unit.Time(from), To: unit.Time(to), Width: unit.Duration(width)}
			return diff.Serve(c.Context(), again.Plan, again.Options, span, c.InOrStdin(), c.OutOrStdout())
		},
	}
	f.plugins.addSearch(c)
	c.Flags().Int64Var(&from, "from", 0, "start of the span, in picoseconds")
	c.Flags().Int64Var(&to, "to", 0, "end of the span, in picoseconds")
	c.Flags().Int64Var(&width, "width", 0, "length of its chunks, in picoseconds")
	return c
}

// programFor is the program of --with that made a side's runs, "" if this one makes them again: because it made them,
// or because no better one is known, and then the hashes of the folder show whether it can.
func (f *diffFlags) programFor(side *diff.Side) string {
	if side.Manifest.Build.ID == build.Read().ID {
		return ""
	}
	for _, program := range f.with {
		if info, isGo := build.Of(program); isGo && info.ID == side.Manifest.Build.ID {
			return program
		}
	}
	return ""
}

// checkWith refuses a program of --with that made neither side.
func (f *diffFlags) checkWith(sides ...*diff.Side) error {
	for _, program := range f.with {
		for _, side := range sides {
			if side.Packed() {
				return fmt.Errorf("--with takes only run folders, and %s is a pack", side.Name)
			}
		}
		info, isGo := build.Of(program)
		if !isGo {
			return fmt.Errorf("--with %s: it is not a rocelab, or cannot be read", program)
		}
		made := ""
		for _, side := range sides {
			if side.Manifest.Build.ID == info.ID {
				made = side.Dir
			}
		}
		if made == "" {
			return fmt.Errorf("--with %s: it made neither run: its build is %s, that of %s is %s, and that of %s "+
				"is %s", program,
				info.ID, sides[0].Name, sides[0].Manifest.Build.ID, sides[1].Name, sides[1].Manifest.Build.ID)
		}
	}
	return nil
}

// halfFlags are the flags of diff that the program of --with is told.
func (f *diffFlags) halfFlags() (flags []string) {
	for _, folder := range f.plugins.folders {
		flags = append(flags, "--plugin-dir", folder)
	}
	if f.command.Flags().Changed("run-as") {
		flags = append(flags, "--run-as", f.plugins.mode)
	}
	return flags
}
