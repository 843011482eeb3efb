package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/testbed/many/sweep"
	"github.com/rocelab/rocelab/testbed/many/sweep/cluster"
)

// sweepTaskCommand is the command that engines run: a shard of a submission, with the consequences of its exit code.
// Users see the commands that call it.
func sweepTaskCommand(code *int) *cobra.Command {
	var shard string
	t := &cluster.Task{}
	c := &cobra.Command{
		Use:    "task SUBMISSION --shard I/N --probe WORD",
		Short:  "Run a shard of a submission, as engines do",
		Hidden: true,
		Args:   usageArgs(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) (err error) {
			if t.Submission, err = filepath.Abs(args[0]); err != nil {
				return host(err)
			}
			if t.Shard, err = sweep.ParseShard(shard); err != nil {
				return usage(err)
			}
			if t.Program, err = os.Executable(); err != nil {
				return host(err)
			}
			if t.Host == "" {
				if t.Host, err = os.Hostname(); err != nil {
					return host(err)
				}
			}
			t.Stderr = c.ErrOrStderr()
			*code, err = runTask(c, t)
			return err
		},
	}
	flags := c.Flags()
	flags.StringVar(&shard, "shard", "", "part I of N, from 0")
	flags.StringVar(&t.Probe, "probe", "", "content of the submission's file probe")
	flags.StringVar(&t.Host, "host", "", "name of this machine in the record of attempts (default its host name)")
	flags.IntVar(&t.Jobs, "jobs", 1, "runs at a time")
	return c
}

// runTask looks for the probe before anything else, as without it nothing else makes sense.
func runTask(c *cobra.Command, t *cluster.Task) (int, error) {
	if err := cluster.CheckProbe(t.Submission, t.Probe, t.Host); err != nil {
		return 0, host(err)
	}
	folder, err := sweep.Open(filepath.Dir(filepath.Dir(t.Submission)))
	if err != nil {
		return 0, host(err)
	}
	t.Runs, t.Missing = len(folder.Plan.Runs), cluster.Missing(folder)
	code, err := t.Run(c.Context())
	if err != nil {
		return 0, host(err)
	}
	if code == exit.CodeHost {
		fmt.Fprintf(t.Stderr, "rocelab: shard %s ends with exit code %d on %s: another host may succeed\n", t.Shard,
			code, t.Host)
	}
	return code, nil
}
