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
		Short: "Exit codes and their meaning",
		Long: `Exit codes of rocelab:

    0  every run passed
    1  an expectation of the scenario was not met, or flows did not complete;
       an algorithm failed a check; a replay, a rerun or a diff differs; or a published
       experiment misses a criterion without a documented reason
    2  wrong usage or an invalid scenario
    3  a verdict is red (bytes unaccounted for, a lossless fabric that lost frames or
       locked up, or a live run that did not keep the clock) or void (the run did not
       exercise its purpose), or sweep --verify found a run that differs. A PFC storm
       that the scenario asks for, and the frames that a watchdog drops in it, are an
       outcome: the verdict notes it, and the code is that of the rest. An amber
       verdict on time does not change the code
    4  the host lacks something, such as rights, disk space, or a second core for
       --realtime (see rocelab doctor)
    5  an algorithm crashed, hung or answered nonsense, a program is not a plugin, or
       the algorithm of a run that is to be made again is missing
    6  a fault of rocelab itself: please report it; the printed lines show where it
       happened. A testbed that the run created is removed
  130  interrupted; the results up to then are in the run folder
  131  SIGQUIT (Ctrl-\) made it print its stacks; a testbed that the run
       created is removed

rocelab exec ends with the code of its command.

Of several runs, or processes of a sweep, the gravest code counts. From the gravest
on that is 6, 131, 4, 130, 5, 2, 3, 1, 0: codes after which runs remain to be made come
before those of runs without a result, and these before verdicts. If an error ends a
command, the exit code is that of the error, even if runs before it have a result.
Of several errors, one of an algorithm (5) counts before one of the host (4), that
before an interruption (130), and that before wrong usage (2).`,
	}
}
