package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/many/sweep"
)

// execute runs a command line and returns its exit code.
func execute(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	code := exit.CodePass
	root := rootCommand(&code)
	root.SetArgs(append([]string{}, args...)) // of nil, cobra would make those of this process
	root.SetOut(stdout)
	root.SetErr(stderr)
	completeInBash(root)
	wrapFlags(root, stdout)
	if err := root.ExecuteContext(ctx); err != nil {
		fmt.Fprintln(stderr, message(err))
		// Problems of a scenario have the text of what caused them, and no more.
		if ctx.Err() != nil && strings.Contains(err.Error(), process.ErrInterrupted.Error()) {
			return exit.CodeInterrupted
		}
		return exit.Of(err)
	}
	return code
}

// message is an error as it is printed. The problems of a scenario begin with
// their place, as compilers have it, so that editors and terminals can go there. What
// comes from files, arguments and plugins is in it, so nothing in it is obeyed.
func message(err error) string {
	var problems scenario.Errors
	if errors.As(err, &problems) {
		return terminal.Text(problems.Error())
	}
	var values *sweep.Invalid
	if errors.As(err, &values) {
		return terminal.Text(values.Error())
	}
	return "rocelab: " + terminal.Text(err.Error())
}

// rootCommand builds the commands; *code is the exit code of one that ends
// without an error.
func rootCommand(code *int) *cobra.Command {
	var version, all bool
	root := &cobra.Command{
		Use:   "rocelab",
		Short: "A testbed for the congestion control of AI fabrics",
		Long: `rocelab runs experiments on the congestion control of AI fabrics. Switch and NIC
models exchange real RoCEv2 frames; a scenario file describes the fabric, the
algorithms, the traffic, and the results that the run must show. Every run judges
itself: the verdict comes first.

A run is made in one process, or on a testbed of containers joined by veth pairs,
with the same result to the bit.`,
		Example: `  rocelab run specs/scenarios/incast.yaml
  rocelab validate specs/scenarios/incast.yaml
  rocelab compare specs/scenarios/incast.yaml --algorithm pc4,dcqcn
  rocelab algorithm show dcqcn
  rocelab algorithm new mine
  sudo rocelab doctor
  sudo rocelab run specs/scenarios/incast.yaml --on veth
  sudo rocelab deploy specs/scenarios/incast.yaml
  rocelab help exit-codes`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noSuchCommand,
		RunE: func(c *cobra.Command, _ []string) error {
			if version {
				return printVersion(c.OutOrStdout())
			}
			if all {
				return c.Help()
			}
			return host(printTasks(c.OutOrStdout()))
		},
	}
	root.Flags().BoolVar(&version, "version", false, "print the version")
	root.Flags().BoolVar(&all, "all", false, "list all commands, as --help does")
	root.SetFlagErrorFunc(wrongFlag)
	root.AddCommand(demoCommand(code), newCommand(),
		runCommand(code), rerunCommand(code), packCommand(), diffCommand(code), diffHalfCommand(),
		compareCommand(code), testCommand(code), reportCommand(), plotCommand(), viewCommand(), trainCommand(),
		sweepCommand(code),
		validateCommand(), peerCommand(), schemaCommand(), algorithmCommand(code), metricsCommand(), benchCommand(code),
		versionCommand(), exitCodesTopic(),
		importCommand(), exportCommand(), tuneCommand(code), reproduceCommand(code))
	root.AddCommand(testbedCommands(code)...)
	for _, command := range tagged {
		root.AddCommand(command())
	}
	addCompletions(root)
	refuseUnknownHelp(root)
	return root
}

// printTasks prints what to type for six tasks: what rocelab prints without arguments.
func printTasks(w io.Writer) error {
	_, err := io.WriteString(w, `rocelab runs experiments on the congestion control of AI fabrics with real RoCEv2 frames.

  try it                  rocelab demo
                          rocelab new mine && rocelab run mine.yaml
  write an algorithm      rocelab algorithm new mine
  take real switches      rocelab import sonic config_db.json -o leaf.yaml
  vary values             rocelab sweep run mine.yaml
  look at frames          rocelab run mine.yaml --capture s0:0
  use containers          sudo rocelab run mine.yaml --on veth

rocelab --all lists all commands, and rocelab COMMAND --help explains one.
`)
	return err
}

// tagged are commands that only builds with a tag have.
var tagged []func() *cobra.Command

// usageArgs turns a complaint about arguments into a usage error, which has the arguments that the command wants after
// its name.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if check(c, args) == nil {
			return nil
		}
		_, wants, _ := strings.Cut(c.Use, " ")
		if wants == "" {
			wants = "flags only"
		}
		got := "nothing"
		if len(args) > 0 {
			got = strings.Join(args, " ")
		}
		if wants == "flags only" && c.Flags().Lookup("testbed") != nil {
			wants += " (--testbed NAME)"
		}
		return usage(fmt.Errorf("%s needs %s and got %s (see %s --help)", verb(c), wants, got, c.CommandPath()))
	}
}

// verb is a command as an error calls it, after the program's name: "algorithm show".
func verb(c *cobra.Command) string {
	_, words, _ := strings.Cut(c.CommandPath(), " ")
	return words
}

// oneScenario wants a single argument, the scenario's file.
func oneScenario(c *cobra.Command, args []string) error {
	if len(args) == 1 {
		return nil
	}
	return usage(fmt.Errorf("%s needs one scenario file and got %d (see %s --help)", verb(c), len(args),
		c.CommandPath()))
}

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// isTerminalIn is isTerminal for input.
func isTerminalIn(r io.Reader) bool {
	f, ok := r.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// coloured reports whether output to w may be coloured (https://no-color.org).
func coloured(w io.Writer) bool { return isTerminal(w) && os.Getenv("NO_COLOR") == "" }

// meterFor makes the meter that --progress asks of a command that reports to w;
// nil for none.
func meterFor(progress string, w io.Writer) (*campaign.Meter, error) {
	switch progress {
	case "none":
		return nil, nil
	case "plain", "auto":
		if live := progress == "auto"; !live || isTerminal(w) {
			return &campaign.Meter{To: w, Live: live, Width: pageOf(w).Width, Now: time.Now}, nil
		}
		return nil, nil
	}
	return nil, fmt.Errorf("--progress %q: allowed are auto, plain, none", progress)
}

// algorithmCommand is the parent of the commands for algorithms; code is the
// exit code of a command that ends without an error.
func algorithmCommand(code *int) *cobra.Command {
	c := &cobra.Command{
		Use:   "algorithm",
		Short: "List, show, write, check and replay algorithms",
		Long: `List the available algorithms, show the parameters of one, and help its author: new
writes a first version of one, check tests whether it keeps the contract and controls
congestion, and replay feeds it the event log of a run.`,
		Example: `  rocelab algorithm list
  rocelab algorithm show dcqcn
  rocelab algorithm new mine
  rocelab algorithm check ./build/cc-mine
  rocelab algorithm replay before`,
		Args: noSuchCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(listAlgorithmsCommand(), showAlgorithmCommand(), newAlgorithmCommand(), checkAlgorithmCommand(code),
		replayAlgorithmCommand(code))
	return c
}
