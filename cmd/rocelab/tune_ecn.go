package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/conversion"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/sonic"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/many/tune"
	"github.com/rocelab/rocelab/testbed/model"
)

// ecnFlags are the flags of tune ecn.
type ecnFlags struct {
	tuneFlags
	rate, rtt, buffer, mtu string
	hosts                  int
	chip, algorithm        string
	sonic                  bool
}

func tuneECNCommand(code *int) *cobra.Command {
	f := &ecnFlags{}
	c := &cobra.Command{
		Use:   "ecn [SCENARIO]",
		Short: "Search for a switch's marking thresholds: Kmin, Kmax and Pmax",
		Long: `Search Kmin, Kmax and Pmax for a leaf of --hosts at --rate with base RTT --rtt: on
incasts of several degrees and sizes, with a load in the background, or on the traffic
of a scenario. Thresholds are in BDP of each port, so that they hold for ports of
any rate.

It prints the recommendation with its reason; the front of completion time against
queueing and pauses, with the 1.5 BDP rule and known defaults beside it; how sensitive
the recommendation is; the time in which a queue ramps up from Kmin to Kmax; a warning
if PFC pauses before the thresholds are reached; and the result on patterns and seeds
that the search did not see. If the recommendation breaks its promise there, the exit
code is 1: see rocelab tune. Without congestion, or if no candidate can be distinguished
from the others, nothing is recommended: exit code 3.

--sonic prints the thresholds as a WRED profile of SONiC, in place of the report.`,
		Example: `  rocelab tune ecn --rate 400Gbps --hosts 64 --rtt 8us --profile tomahawk5
  rocelab tune ecn --rate 100Gbps --hosts 32 --rtt 4us --buffer 32MB --algorithm dcqcn --out tune
  rocelab tune ecn incast.yaml --variant dcqcn --seeds 5`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) (err error) {
			defer func() { err = errors.Join(err, f.scenario.plugins.close()) }()
			*code, err = f.run(c, strings.Join(args, ""))
			return f.scenario.plugins.withLogs(err)
		},
	}
	f.add(c, "fct_p99_us", "queueing_p99_us", "paused_us")
	flags := c.Flags()
	flags.StringVar(&f.rate, "rate", "400Gbps", "rate of the ports")
	flags.IntVar(&f.hosts, "hosts", 64, "hosts of the leaf")
	flags.StringVar(&f.rtt, "rtt", "8us", "base RTT between two hosts")
	flags.StringVar(&f.buffer, "buffer", "", "shared packet memory (default the chip's, or 32MB)")
	flags.StringVar(&f.mtu, "mtu", "4096B", "payload of a full packet")
	flags.StringVar(&f.chip, "profile", "", "switch chip: "+strings.Join(profile.ChipNames(), ", "))
	flags.StringVar(&f.algorithm, "algorithm", "dcqcn", "what senders run")
	flags.BoolVar(&f.sonic, "sonic", false, "print the recommendation as SONiC's profiles, in place of the report")
	return c
}

// ofLeaf are the flags that a scenario replaces.
var ofLeaf = []string{"rate", "hosts", "rtt", "buffer", "mtu", "profile", "algorithm"}

func (f *ecnFlags) run(c *cobra.Command, path string) (int, error) {
	s, err := f.search(c)
	if err != nil {
		return 0, err
	}
	s.Candidates, s.Known = tune.ECNCandidates()
	if path == "" {
		err = f.leafPatterns(s)
	} else {
		for _, name := range ofLeaf {
			if c.Flags().Changed(name) {
				return 0, usage(fmt.Errorf("--%s describes a leaf, as %s does: give one of them, and --set",
					name, path))
			}
		}
		err = f.patterns(s, path)
	}
	if err != nil {
		return 0, err
	}
	if err := usage(tune.CheckMarking(append(slices.Clone(s.Patterns), s.Unseen...))); err != nil {
		return 0, err
	}
	if err := f.objectives(s); err != nil {
		return 0, err
	}
	about := func(a *tune.Answer) (facts, warnings []string, err error) {
		if a.Advice() == nil {
			return nil, nil, nil
		}
		p, err := s.Patterns[0].With(a.Advice())
		if err != nil {
			return nil, nil, err
		}
		facts, warnings = tune.AboutThresholds(p)
		return facts, warnings, nil
	}
	if f.sonic {
		return f.printSonic(c, s)
	}
	return f.answer(c, s, tune.ECNAxes, about)
}

// leafPatterns are those of the leaf that the flags describe.
func (f *ecnFlags) leafPatterns(s *tune.Search) (err error) {
	leaf := tune.Leaf{Hosts: f.hosts, Chip: f.chip, Algorithm: f.algorithm}
	if len(f.unseenScenarios) > 0 || f.variant != "" || len(f.scenario.sets) > 0 {
		return usage(errors.New("--holdout-scenario, --variant and --set need a SCENARIO: write one after ecn"))
	}
	if leaf.Rate, err = unit.ParseBitRate(f.rate); err != nil {
		return usage(fmt.Errorf("--rate: %w", err))
	}
	if leaf.RTT, err = unit.ParseDuration(f.rtt); err != nil {
		return usage(fmt.Errorf("--rtt: %w", err))
	}
	if leaf.MTU, err = unit.ParseBytes(f.mtu); err != nil {
		return usage(fmt.Errorf("--mtu: %w", err))
	}
	if f.buffer != "" {
		if leaf.Buffer, err = unit.ParseBytes(f.buffer); err != nil {
			return usage(fmt.Errorf("--buffer: %w", err))
		}
	}
	if err := leaf.Check(); err != nil {
		return usage(err)
	}
	registry, err := f.scenario.plugins.registry()
	if err != nil {
		return usage(err)
	}
	s.Patterns, s.Unseen, err = leaf.Patterns(model.Checker(registry.Find), f.scenario.maker)
	return usage(err)
}

// printSonic prints the advice as SONiC has it.
func (f *ecnFlags) printSonic(c *cobra.Command, s *tune.Search) (int, error) {
	out := c.OutOrStdout()
	c.SetOut(c.ErrOrStderr())
	var config sonic.Config
	var lines []conversion.Line
	code, err := f.answer(c, s, tune.ECNAxes, func(a *tune.Answer) (facts, warnings []string, err error) {
		if a.Advice() == nil {
			return nil, nil, nil
		}
		p, err := s.Patterns[0].With(a.Advice())
		if err != nil {
			return nil, nil, err
		}
		facts, warnings = tune.AboutThresholds(p)
		config, lines = tune.SonicOf(p)
		for _, line := range lines {
			warnings = append(warnings, fmt.Sprintf("SONiC: %s is %s in place of %s: %s",
				line.Path, line.Is, line.Was, line.Note))
		}
		return facts, warnings, nil
	})
	if err != nil || config == nil {
		return code, err
	}
	_, err = out.Write(config.JSON())
	return code, host(err)
}
