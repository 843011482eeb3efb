package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/testbed/look/diff"
	"github.com/rocelab/rocelab/testbed/look/pack"
	"github.com/rocelab/rocelab/testbed/look/page"
)

// diffFlags are the flags of diff.
type diffFlags struct {
	plugins  pluginFlags
	with     []string // other programs
	noSearch bool
	trust    bool // lets programs start that are in a pack
	format   page.Format
	command  *cobra.Command
	// packs are the given packs, by their names.
	packs map[string]*pack.Opened
}

func diffCommand(code *int) *cobra.Command {
	options := &diffFlags{packs: map[string]*pack.Opened{}}
	c := &cobra.Command{
		Use:   "diff A B",
		Short: "Compare the runs of two run folders or packs, down to the first frame that differs",
		Long: `Compare the runs of two run folders: the inputs that decide a run and differ, key by
key; build, models and algorithms; the metrics that differ by more than chance, as
their seeds show it; and the first frame that differs. A and B are run folders, or
packs made by rocelab pack, or FOLDER/RUN for one variant or seed. Runs with the same
variant and seed are compared. If each side has only one variant, its name may differ,
and if each has only one run, its seed too.

Each run folder contains the run's hash at up to 512 instants, so the span of the first
difference is known at once. To find the frame, both runs are made again in memory,
at the same time, up to the end of that span. The first frame by time, node and port is
printed decoded, with five frames before and five after. If several runs differ, the
first is searched. Runs that differ in seed, traffic or fabric differ from the start
and are not searched.

A run that is made again is checked against the hashes in its folder. If a run was
recorded on veth, or by another build, and cannot be made again here, the report names
the instant from which the two differ. --with PROGRAM is the rocelab of that build:
it makes its run again, and this one compares. It takes folders, not packs. A program
that came in a pack is only started with --trust.

Exit codes: 0 the same traces, metrics and rows of flows, 1 a difference, or a run
without a counterpart.`,
		Example: `  rocelab diff rocelab-runs/incast-1 rocelab-runs/incast-2
  rocelab diff rocelab-runs/incast-1/pc4 rocelab-runs/incast-1/dcqcn
  rocelab diff before after --with ./rocelab-before
  rocelab diff mine theirs.rocelab.zip
  rocelab diff before after --format markdown >> "$GITHUB_STEP_SUMMARY"`,
		Args: usageArgs(cobra.ExactArgs(2)),
		RunE: func(c *cobra.Command, args []string) (err error) {
			defer func() { err = errors.Join(err, options.close()) }()
			options.command = c
			*code, err = options.run(c.Context(), args[0], args[1], c.OutOrStdout())
			return err
		},
	}
	options.plugins.addSearch(c)
	c.Flags().StringArrayVar(&options.with, "with", nil,
		"another build's rocelab, which repeats the runs that it made (repeatable)")
	c.Flags().BoolVar(&options.noSearch, "no-search", false, "compare the folders as they are, without making "+
		"runs again")
	c.Flags().BoolVar(&options.trust, "trust", false,
		"start the programs in a pack: they may do whatever you may")
	formatFlag(c, &options.format)
	return c
}

// run carries the command out and returns its exit code.
func (f *diffFlags) run(ctx context.Context, first, second string, stdout io.Writer) (int, error) {
	a, err := f.open(ctx, first)
	if err != nil {
		return 0, err
	}
	b, err := f.open(ctx, second)
	if err != nil {
		return 0, err
	}
	if f.trust && len(f.packs) == 0 {
		return 0, usage(errTrustsNoPack)
	}
	if err := f.checkWith(a, b); err != nil {
		return 0, usage(err)
	}
	report, err := diff.Compare(a, b)
	if err != nil {
		return 0, usage(err)
	}
	if !f.noSearch {
		if err := f.search(ctx, report); err != nil {
			return 0, err
		}
	}
	if err := f.print(stdout, report); err != nil {
		return 0, host(err)
	}
	if !report.Same() {
		return exit.CodeFailed, nil
	}
	return exit.CodePass, nil
}

// open reads a side, and takes it out of its pack first if it is one.
func (f *diffFlags) open(ctx context.Context, name string) (*diff.Side, error) {
	file, run := diff.PackOf(name)
	if file == "" {
		side, err := diff.Open(name)
		return side, usage(err)
	}
	if f.packs[file] == nil {
		opened, err := openPack(ctx, file)
		if err != nil {
			return nil, err
		}
		f.packs[file] = opened
	}
	side, err := diff.OpenPacked(file, f.packs[file].Folder(), run)
	return side, usage(err)
}

// close removes the unpacked files.
func (f *diffFlags) close() (err error) {
	for _, opened := range f.packs {
		err = errors.Join(err, host(opened.Close()))
	}
	return err
}

// print prints a report.
func (f *diffFlags) print(w io.Writer, report *diff.Report) error {
	return report.Page().Print(w, f.format, pageOf(w))
}
