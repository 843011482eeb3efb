package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/internal/exit"
)

// usage marks wrong usage or an invalid scenario.
func usage(err error) error { return exit.Usage(err) }

// host marks what the host lacks or refuses.
func host(err error) error { return exit.Host(err) }

// errInterrupted ends a command that has nothing to keep.
var errInterrupted = exit.Interrupted(errors.New("interrupted"))

func exitCodesTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "exit-codes",
		Short: "What the exit codes mean",
		Long: `Exit codes of rocelab:

    0  every run passed
    1  an expectation of the scenario was not met, or flows did not complete;
       an algorithm failed a check, a replay, a rerun or a diff differs, or a published
       experiment misses a criterion without a documented reason
    2  wrong usage or an invalid scenario
    3  a verdict is red (bytes unaccounted for, a lossless fabric that was not,
       or a live run that did not keep the clock) or void (the run did not exercise
       what it was meant to), or sweep --verify found a run that differs. A PFC storm
       that the scenario asks for, and what a watchdog drops in it, is an outcome: the
       verdict notes it, and its code is that of the rest. An amber verdict on time
       changes no code
    4  the host lacks something, such as rights, room on the disk, or a second core
       for --realtime (see rocelab doctor)
    5  an algorithm crashed, hung or answered nonsense, a program is no plugin, or
       the algorithm of a run that is to be made again is not there
    6  a fault of rocelab itself, which asks to be reported: the lines printed say
       where. A testbed of the run's own is taken away
  130  interrupted; what there was by then is in the run folder
  131  SIGQUIT (Ctrl-\) had it print what it was doing; a testbed of the run's own
       is taken away

rocelab exec ends with the code of its command.

Of several runs, or processes of a sweep, the gravest code counts. From the gravest
on that is 6, 131, 4, 130, 5, 2, 3, 1, 0: what leaves runs to be made counts before
runs that have no result, and these before verdicts. An error that ends a command
has it end with the error's code, whatever the runs before came to; of several
errors an algorithm's (5) counts before one of the host (4), that before an
interruption (130), and that before wrong usage (2).`,
	}
}
