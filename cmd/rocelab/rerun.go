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

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scratch"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/look/rerun"
	"github.com/rocelab/rocelab/testbed/many/experiment"
)

// rerunFlags are the flags of rerun.
type rerunFlags struct {
	// runs has the flags shared with run, and then all settings of the folder.
	runs    runFlags
	format  page.Format
	command *cobra.Command
	// trust lets programs start that are in a pack.
	trust bool
	// signers is a file of allowed signers, "" for none; signer is the one of them who has signed the pack.
	signers, signer string
	// given is the folder or pack as the command line has it.
	given string
	// digest is the scenario's and resolved its text with flags, as this build reads it.
	digest   string
	resolved []byte
}

func rerunCommand(code *int) *cobra.Command {
	options := &rerunFlags{runs: runFlags{on: "mem"}}
	c := &cobra.Command{
		Use:   "rerun FOLDER|PACK",
		Short: "Repeat the runs of a run folder and compare them to the byte",
		Long: `Make the runs of a run folder again, from the scenario, flags and seeds in it, and
compare each file with the recorded one. A pack, made by rocelab pack, is unpacked into
a temporary folder. The runs are made in memory, also if the original ones were not:
the same scenario and seed give the same files on every runner. For a live run, the
frames that came in at the edges are replayed.

All files are compared except host.json and the files that it lists. The page,
report.html, and a pack's README.md are made again and compared, too, if this build
wrote them; files that were not compared are listed. The result reports that all are
the same, or else the runs and files that differ, and which inputs that decide a run
differ: the build, the models, parameters, programs of algorithms. If another build
gives the same bytes, the result is "the same, by another build".

A folder that was changed since its run is refused, and so is a folder if its algorithm
cannot be found; --plugin-dir gives its folder. An algorithm whose program has changed
runs, and is named. A program that came in a pack was written by someone else and may
do whatever you may: it only starts with --trust. With a pack, no files of this
machine are read.

Exit codes: 0 the same, 1 a difference, 5 an algorithm is missing or not trusted.`,
		Example: `  rocelab rerun rocelab-runs/incast-1
  rocelab rerun incast-1.rocelab.zip
  rocelab rerun rocelab-runs/incast-1 --plugin-dir build --out again`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) (err error) {
			defer func() { err = errors.Join(err, options.close()) }()
			options.command, options.given = c, args[0]
			*code, err = options.run(c.Context(), args[0], c.OutOrStdout(), c.ErrOrStderr())
			return err
		},
	}
	options.runs.scenario.plugins.add(c)
	flags := c.Flags()
	flags.StringVar(&options.runs.out, "out", "", "folder to keep the new runs in; must not exist (default: they "+
		"are not kept)")
	flags.BoolVar(&options.trust, "trust", false, "start the programs in a pack: they may do whatever you may")
	flags.StringVar(&options.signers, "signers", "",
		"file of allowed signers (ssh-keygen(1)): PACK.sig must be a signature by one of them")
	flags.IntVar(&options.runs.workers, "workers", 0, "goroutines that share the nodes; 0 chooses automatically")
	flags.StringVar(&options.runs.progress, "progress", "auto",
		"on stderr: auto (a line on a terminal), plain (a line every 2 s), none")
	formatFlag(c, &options.format)
	return c
}

// run carries the command out and returns its exit code.
func (f *rerunFlags) run(ctx context.Context, dir string, stdout, stderr io.Writer) (int, error) {
	dir, err := f.unpack(ctx, dir, stdout)
	if err != nil {
		return 0, err
	}
	before, err := f.open(dir)
	if err != nil {
		return 0, err
	}
	if f.runs.out == "" {
		around, err := scratch.New("rerun")
		if err != nil {
			return 0, host(err)
		}
		defer around.Close()
		f.runs.out = filepath.Join(around.Path, "again")
	}
	report, err := f.again(ctx, dir, before, stderr)
	if err != nil {
		return 0, err
	}
	if report.Interrupted() {
		return 0, errInterrupted
	}
	after, err := result.ReadManifest(os.DirFS(f.runs.out))
	if err != nil {
		return 0, host(err)
	}
	made := rerun.Compare(before, after)
	if err := f.comparePages(dir, before, made); err != nil {
		return 0, err
	}
	if err := f.print(stdout, made); err != nil {
		return 0, host(err)
	}
	if !made.Same() {
		return exit.CodeFailed, nil
	}
	return exit.CodePass, nil
}

// open reads the manifest of a folder that is as its runs left it, and finds its algorithms.
func (f *rerunFlags) open(dir string) (*result.Manifest, error) {
	before, err := result.ReadManifest(os.DirFS(dir))
	if errors.Is(err, result.ErrNoManifest) {
		return nil, usage(fmt.Errorf("%s %w", f.given, err))
	}
	if err == nil && f.runs.scenario.pack == nil { // of a pack it was checked already
		err = result.Check(os.DirFS(dir))
	}
	if err != nil {
		return nil, usage(fmt.Errorf("%s: %w", f.given, err))
	}
	if len(before.Runs) == 0 {
		return nil, usage(fmt.Errorf("%s has no run to make again: its status is %s", f.given, before.Status))
	}
	if f.runs.workers < 0 {
		return nil, usage(fmt.Errorf("--workers %d: allowed are 0 and above", f.runs.workers))
	}
	return before, f.findAlgorithms(before)
}

// findAlgorithms looks for the algorithms of a folder's runs, and runs them in the form that they had then, unless a
// flag asks for another.
func (f *rerunFlags) findAlgorithms(before *result.Manifest) error {
	if !f.command.Flags().Changed("run-as") && f.runs.scenario.pack == nil && ranAsProcesses(before) {
		f.runs.scenario.plugins.mode = result.FormProcess
	}
	algorithms, err := f.runs.scenario.plugins.registry()
	if err != nil {
		return usage(err)
	}
	if err := f.startPacked(algorithms); err != nil {
		return err
	}
	for _, run := range before.Runs {
		for _, a := range run.Algorithms {
			if _, err := algorithms.Lookup(a.Name); err != nil {
				return exit.Plugin(f.runs.scenario.plugins.withCause(fmt.Errorf("%s: %s ran as %s: %w",
					filepath.Join(f.given, run.Folder), a.Name, asRan(a), err)))
			}
		}
	}
	return nil
}

// asRan is the form in which an algorithm ran, with its program's digest.
func asRan(a result.Algorithm) string {
	if a.Program == nil {
		return "version " + a.Version + ", " + a.Form
	}
	return fmt.Sprintf("version %s, the program with the SHA-256 %s", a.Version, a.Program.SHA256)
}

// ranAsProcesses reports whether all algorithms of all runs were processes.
func ranAsProcesses(before *result.Manifest) bool {
	for _, run := range before.Runs {
		for _, a := range run.Algorithms {
			if a.Form != result.FormProcess {
				return false
			}
		}
	}
	return true
}

// again makes the runs of a folder, into another folder.
func (f *rerunFlags) again(ctx context.Context, dir string, before *result.Manifest,
	stderr io.Writer) (*experiment.Report, error) {
	run := &f.runs
	meter, err := meterFor(run.progress, stderr)
	if err != nil {
		return nil, usage(err)
	}
	for path, value := range before.Overrides {
		run.scenario.sets = append(run.scenario.sets, path+"="+value)
	}
	slices.Sort(run.scenario.sets)
	if journals, err := cameIn(dir); err != nil {
		return nil, usage(err)
	} else if journals {
		run.edges = dir
	}
	texts := map[string][]byte{}
	for _, name := range []string{"scenario.yaml", "resolved.yaml"} {
		if texts[name], err = os.ReadFile(filepath.Join(dir, name)); err != nil {
			return nil, host(err)
		}
	}
	path := before.Scenario + ".yaml" // the name of a scenario is that of its file, unless it has one
	run.scenario.source = source{command: f.command, known: map[string][]byte{path: texts["scenario.yaml"]}}
	for _, made := range before.Runs {
		if !slices.Contains(run.variants, made.Variant) {
			run.variants = append(run.variants, made.Variant)
		}
	}
	if run.scenario.usesPrograms() {
		defer process.TakeTurns(0)()
	}
	planned, err := run.experiment(path)
	if err != nil {
		return nil, usage(err)
	}
	f.digest, f.resolved = planned.Digest, planned.Resolved
	planned.Name, planned.Digest = before.Scenario, before.Digest
	planned.Source, planned.Resolved = texts["scenario.yaml"], texts["resolved.yaml"]
	planned.Overrides = maps.Clone(before.Overrides)
	planned.Seeds = seedsOf(before)
	planned.Meter = meter
	planned.Printed = run.scenario.plugins.printed
	planned.Folder = func() (*result.Folder, error) { return run.folder(planned.Name, stderr) }
	planned.Algorithms = run.whatRan
	if err := f.announce(planned, stderr); err != nil {
		return nil, err
	}
	done, err := run.chooseRunner(planned, io.Discard) // its warnings were said by the first run
	if err != nil {
		return nil, err
	}
	report, err := planned.Do(ctx)
	return report, errors.Join(run.withPlace(err, report), done())
}

// cameIn reports whether a folder has journals of what came in at the edges of a live run.
func cameIn(dir string) (bool, error) {
	ran, err := result.ReadHost(os.DirFS(dir))
	if errors.Is(err, fs.ErrNotExist) { // it was not packed, and where there are journals it is
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return ran.CameIn(), nil
}

// seedsOf are the seeds of a folder's runs.
func seedsOf(before *result.Manifest) (seeds []uint64) {
	for _, run := range before.Runs {
		if !slices.Contains(seeds, run.Seed) {
			seeds = append(seeds, run.Seed)
		}
	}
	return seeds
}

// print prints the outcome.
func (f *rerunFlags) print(w io.Writer, made *rerun.Comparison) error {
	document := made.Document(f.given)
	if pack := f.runs.scenario.pack; pack != nil {
		document.Pack, document.Signer = pack.Digest, f.signer
	}
	d := &page.Document{Title: f.given, Kind: "rerun", Record: document}
	d.Add(page.Listing(terminal.Text(made.String(f.given))))
	return d.Print(w, f.format, pageOf(w))
}
