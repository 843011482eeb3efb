//go:build !mem

package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/testbed/many/judge"
)

const judgement = `
The handshake is always checked: a program that fails it is not a plugin, and the
other checks are skipped. An algorithm that declares itself uncontrolled is exempt from
the checks that require control. Documented misses of shipped algorithms do not
count. Ctrl-C ends the checks and prints the results so far.

--check chooses checks by their names, --label by their labels: contract,
behaviour, quick, and the names.

Exit codes: 0 pass, 1 a check failed, 2 wrong usage, 4 the host lacks something
that was asked for, 5 a fault of the algorithm (not a plugin, a crash, no answer),
130 interrupted.`

func checkAlgorithmCommand(code *int) *cobra.Command {
	flags := &judgeFlags{usual: judge.Quick}
	algorithm := ""
	c := &cobra.Command{
		Use:   "check NAME|PROGRAM",
		Short: "Check whether an algorithm keeps the contract and controls congestion",
		Long: `Carry out the quick part of rocelab test: check an algorithm, given as the path of a
program, which contains a slash, or as a name that rocelab algorithm list shows;
parameters may follow, as in dcqcn:set=paper. An algorithm that passes

` + checkList(judge.Quick) + `

Checks that need the algorithm's source are carried out if that is available, with a go
command: for a shipped algorithm in a checkout of rocelab, for a program in the module
that it was built from according to its build information, here or beside it. A program
that answers slowly, such as one in Python, takes minutes; --check, --label and --seeds
shorten that.
` + judgement,
		Example: `  rocelab algorithm check dcqcn
  rocelab algorithm check ./build/cc-mine
  rocelab algorithm check ./build/cc-mine --label contract
  rocelab algorithm check dcqcn:set=paper --check fairness --check recovery
  rocelab algorithm check ./build/cc-mine --format json | jq '.checks[] | select(.result == "failed")'`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) (err error) {
			if len(args) > 0 && algorithm != "" {
				return usage(fmt.Errorf("name the algorithm once: %s and --algorithm %s are two", args[0], algorithm))
			}
			which := strings.Join(args, "") + algorithm
			if which == "" && !flags.list {
				return usageArgs(cobra.ExactArgs(1))(c, args)
			}
			*code, err = flags.run(c, which)
			return err
		},
	}
	c.Flags().StringVar(&algorithm, "algorithm", "", "the algorithm, in the same form as the argument")
	flags.add(c)
	return c
}

func testCommand(code *int) *cobra.Command {
	flags := &judgeFlags{}
	algorithm := ""
	c := &cobra.Command{
		Use:   "test --algorithm NAME|PATH",
		Short: "Judge an algorithm by all checks of its contract and its behaviour",
		Long: `Judge an algorithm, given as a name or as the path of a plugin's program, which
contains a slash. The contract: an algorithm that keeps it

` + checkList(judge.Contract) + `

The behaviour: a congestion control that does its job

` + checkList(judge.Behaviour) + `

The bounds are wide; the figures are printed beside them. The cheap checks come first;
each prints a line with its seconds as it ends. --quick only carries out the cheap
ones, with one seed: about ten seconds of processor time for a compiled algorithm. Check
veth needs containers, and so does the behaviour with --on veth. Without the rights, or
if the host lacks something, that check is skipped; --on veth is refused with a list of
the missing requirements. rocelab algorithm check carries out the checks labelled quick.
` + judgement,
		Example: `  rocelab test --algorithm dcqcn --quick
  rocelab test --algorithm dcqcn
  rocelab test --algorithm ./mine:gain=0.5
  rocelab test --algorithm ./mine --label 'behaviour && !clocks' --junit report.xml
  sudo rocelab test --algorithm ./mine --on veth
  rocelab test --list`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) (err error) {
			if algorithm == "" && !flags.list {
				return usage(errors.New("--algorithm: name the algorithm to test, or the path of its program"))
			}
			*code, err = flags.run(c, algorithm)
			return err
		},
	}
	c.Flags().StringVar(&algorithm, "algorithm", "", "NAME of an algorithm, or PATH of a plugin's program, with "+
		":param=value,... after it")
	c.Flags().BoolVar(&flags.quick, "quick", false, "carry out only the cheap checks, with one seed")
	flags.add(c)
	return c
}
