package main

import (
	"bytes"
	_ "embed" // the scenario
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// demoScenario is specs/scenarios/incast.yaml, to the byte: sixteen senders, one receiver, one switch.
//
//go:embed demo.yaml
var demoScenario []byte

// demoFlags are the arguments of run that demo stands for, after the scenario.
var demoFlags = []string{"--algorithm", "pc4,dcqcn,hpcc", "--no-folder", "--metrics",
	"duration_us,fct_p99_us,utilisation,queueing_mean_us,queue_max_bytes,marks,cnps,decisions"}

func demoCommand(code *int) *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Run an incast under three algorithms, and print a first table and its picture",
		Long: `Run sixteen senders into one receiver, 10 MB each, under PC4, DCQCN and HPCC, and
print the verdicts, a table and the longest queue over time. It takes about a second
and writes no files. The last lines name the command that does the same.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			run := runCommand(code)
			run.SilenceErrors, run.SilenceUsage = true, true
			run.SetIn(bytes.NewReader(demoScenario))
			run.SetOut(c.OutOrStdout())
			run.SetErr(c.ErrOrStderr())
			run.SetArgs(append([]string{"-"}, demoFlags...))
			if err := run.ExecuteContext(c.Context()); err != nil {
				return err
			}
			return host(printNext(c.OutOrStdout()))
		},
	}
}

// printNext prints the commands that come after the demo.
func printNext(w io.Writer) error {
	_, err := fmt.Fprintf(w, `
This was:
  rocelab run specs/scenarios/incast.yaml %s
Next:
  rocelab new mine          write a scenario of your own: six questions
  rocelab run mine.yaml     run it, with a page of pictures beside the table
  rocelab                   all tasks
`, strings.Join(demoFlags, " "))
	return err
}
