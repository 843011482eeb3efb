package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/plugins/registry"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/conformance"
)

// checkFlags are the flags of algorithm check.
type checkFlags struct {
	plugins pluginFlags
	sets    []string
	checks  []string
	seeds   string
	format  string
}

func checkAlgorithmCommand(code *int) *cobra.Command {
	f := &checkFlags{}
	c := &cobra.Command{
		Use:   "check BINARY|NAME",
		Short: "Check whether an algorithm keeps the contract and controls congestion",
		Long: `Check an algorithm: a program by its path, with a slash in it, or one of those
that rocelab algorithms lists by its name. The checks are

` + checkList() + `

What needs the algorithm's source is carried out where that is at hand, with a go
command: for a shipped algorithm in a checkout of rocelab, for a program in the
module that it says it was built from, here or beside it. The exit code is 0 if
nothing was missed and 1 if something was; misses of shipped algorithms that are
documented do not count. The handshake always takes place: a program that fails
it is no plugin, nothing else is checked, and the exit code is 5. Ctrl-C ends the
checks, prints what there is by then, and the exit code is 130. An algorithm that declares itself uncontrolled is exempt
from reaction and fairness. A program that answers slowly, as in Python, takes
minutes; --check and --seeds spare some of them.`,
		Example: `  rocelab algorithm check dcqcn
  rocelab algorithm check ./build/cc-mine
  rocelab algorithm check dcqcn --set set=paper --check fairness --check recovery
  rocelab algorithm check ./build/cc-mine --format json | jq '.checks[] | select(.result == "miss")'`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) (err error) {
			defer func() { err = errors.Join(err, f.plugins.close()) }()
			*code, err = f.run(c.Context(), args[0], c.OutOrStdout(), c.ErrOrStderr())
			return err
		},
	}
	flags := c.Flags()
	flags.StringArrayVar(&f.sets, "set", nil, "give the algorithm a parameter: name=value (repeatable)")
	flags.StringArrayVar(&f.checks, "check", nil, "carry out this check only (repeatable)")
	flags.StringVar(&f.seeds, "seeds", "1-3", `seeds of the scenarios of reaction, recovery and fairness, of which the worst counts`)
	f.plugins.addSearch(c)
	formatFlag(c, &f.format, "table, json")
	return c
}

// checkList lists the checks, one a line.
func checkList() string {
	names, docs := conformance.Checks()
	var lines []string
	for i, name := range names {
		lines = append(lines, fmt.Sprintf("  %-14s %s", name, docs[i]))
	}
	return strings.Join(lines, "\n")
}

// run carries the command out and returns its exit code.
func (f *checkFlags) run(ctx context.Context, which string, stdout, stderr io.Writer) (int, error) {
	if f.format != "table" && f.format != "json" {
		return 0, usage(fmt.Errorf("%q is no format: allowed are table, json", f.format))
	}
	seeds, err := parseSeeds(f.seeds)
	if err != nil {
		return 0, usage(err)
	}
	s, err := f.subject(ctx, which)
	if err != nil {
		return 0, err
	}
	r, err := f.plugins.registry()
	if err != nil {
		return 0, usage(err)
	}
	o := conformance.Options{Companions: r.Find, Checks: f.checks, Seeds: seeds}
	if isTerminal(stderr) {
		defer fmt.Fprint(stderr, "\r\033[K")
		o.Progress = func(check string, number, total int) {
			fmt.Fprintf(stderr, "\r\033[K%d of %d: %s", number, total, check)
		}
	}
	if err := takes(s); err != nil {
		return 0, err
	}
	report, err := conformance.Run(ctx, s, o)
	if report == nil {
		return 0, usage(err)
	}
	code := result.ExitPass
	if !report.Passed() {
		code = result.ExitFailed
	}
	if ctx.Err() != nil {
		err = errInterrupted
	}
	if f.format == "json" {
		return code, cmp.Or(err, writeJSON(stdout, report))
	}
	return code, cmp.Or(err, printConformance(stdout, report, ctx.Err() != nil))
}

// subject finds what to check in all its forms.
func (f *checkFlags) subject(ctx context.Context, which string) (s conformance.Subject, err error) {
	if s.Given, err = params(f.sets); err != nil {
		return s, usage(err)
	}
	here, err := os.Getwd()
	if err != nil {
		return s, host(err)
	}
	r, err := f.plugins.registry()
	if err != nil {
		return s, usage(err)
	}
	if strings.ContainsRune(which, filepath.Separator) {
		if _, err := os.Stat(which); err != nil {
			return s, usage(fmt.Errorf("algorithm check: %w", err))
		}
		s.Program = which
	} else if s.Program, err = r.Path(which); err != nil {
		return s, usage(err)
	}
	if _, s.Shipped = shipped.Find(which); s.Shipped && s.Program == "" {
		s.Builtin, _ = shipped.Find(which)
		programs := registry.New(registry.Config{Mode: registry.Process})
		s.Program, _ = programs.Path(which) // "" if it is not beside rocelab
	}
	if s.Shipped {
		s.Source, err = conformance.SourceOfShipped(ctx, which, here)
	} else {
		s.Source, err = conformance.SourceOfProgram(ctx, s.Program, here)
	}
	if err != nil {
		s.NoSource = err.Error()
	}
	return s, nil
}

// takes refuses parameters that the algorithm does not have or refuses. A
// program that is no plugin is the kit's to tell.
func takes(s conformance.Subject) error {
	if len(s.Given) == 0 {
		return nil
	}
	a := s.Builtin
	if a == nil {
		program, end, err := process.Run(s.Program, "")
		if err != nil {
			return nil
		}
		defer end.Close()
		a = program
	}
	p, err := cc.ParseParams(a.Describe(), s.Given)
	if err == nil {
		_, err = a.New(p)
	}
	if err != nil {
		return usage(fmt.Errorf("--set: algorithm %s: %w", a.Describe().Name, err))
	}
	return nil
}

// params reads --set of commands that give an algorithm parameters.
func params(sets []string) (map[string]string, error) {
	given := map[string]string{}
	for _, s := range sets {
		name, value, ok := strings.Cut(s, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("--set %q: write name=value, such as rate=40Gbps", s)
		}
		if _, twice := given[name]; twice {
			return nil, fmt.Errorf("--set %s is given twice", name)
		}
		given[name] = value
	}
	return given, nil
}

func printConformance(w io.Writer, r *conformance.Report, interrupted bool) error {
	t := newTable("check", "result", "figure", "allowed", "remark")
	t.SetColumnConfigs([]table.ColumnConfig{{Number: 5, WidthMax: 44, WidthMaxEnforcer: text.WrapSoft}})
	for _, row := range r.Checks {
		t.AppendRow(table.Row{row.Check, row.Result, row.Figure, row.Allowed, row.Remark})
	}
	who := r.Form
	if r.Algorithm != "" {
		who = fmt.Sprintf("%s %s, %s", r.Algorithm, r.Version, r.Form)
	}
	if r.Uncontrolled {
		who += ", uncontrolled by its own word"
	}
	verdict := "PASS"
	switch {
	case !r.Passed():
		verdict = "FAILED"
	case interrupted:
		verdict = "INTERRUPTED"
	}
	_, err := fmt.Fprintf(w, "%s  %s\n%s\n", verdict, who, t.Render())
	return host(err)
}
