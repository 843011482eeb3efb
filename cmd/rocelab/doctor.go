//go:build linux && !mem

package main

import (
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/nodes/doctor"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

func doctorCommand(code *int) *cobra.Command {
	var format page.Format
	var flags scenarioFlags
	var live bool
	patient := liveDoctor{sleeps: 2 * time.Second}
	c := &cobra.Command{
		Use:   "doctor [SCENARIO]",
		Short: "Check whether this host can carry the testbed",
		Long: `Check each requirement of the testbed (run --on veth, deploy) on this host, and print
the remedy for each missing one. Warnings and optional requirements do not
count. Nothing is changed and nothing is left behind. Exit code 0 if everything
required is present, 4 if not.

With a scenario, memory and limits are compared with the needs of its testbed,
otherwise with the needs of a small one.

With --live and a scenario it measures whether this host can run it in real time: it
runs each variant on veth without a clock, with silent hosts outside, and finds its
busiest millisecond; it lets a thread of normal priority sleep and measures how late
it wakes. It recommends the dilation for run --on live --dilate, and the latency of
links to edges.`,
		Example: `  sudo rocelab doctor
  sudo rocelab doctor incast.yaml --set topology.hosts=400
  sudo rocelab doctor --live incast.yaml
  rocelab doctor --format json | jq '.[] | select(.status == "missing")'`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) (err error) {
			defer func() { err = errors.Join(err, flags.plugins.close()) }()
			if live {
				return patient.command(c, args, &flags, format)
			} else if c.Flags().Changed("for") || c.Flags().Changed("daemons") || c.Flags().Changed("runtime") {
				return usage(errors.New("--for, --daemons and --runtime go with --live"))
			}
			var need doctor.Footprint
			if len(args) == 1 {
				if need, err = flags.need(args[0]); err != nil {
					return usage(err)
				}
			}
			findings := doctor.Examine(c.Context(), need)
			if c.Context().Err() != nil {
				return errInterrupted
			}
			if doctor.Lack(findings) != nil {
				*code = exit.CodeHost
			}
			return printAs(c.OutOrStdout(), format, findings, findingsDocument(findings))
		},
	}
	flags.add(c)
	c.Flags().BoolVar(&live, "live", false, "measure whether this host can run the scenario in real time")
	c.Flags().DurationVar(&patient.most, "for", 30*time.Second, "longest time that a variant may run (with --live)")
	patient.bring.add(c)
	formatFlag(c, &format)
	return c
}

// need returns the resources that the testbed of a scenario takes.
func (f *scenarioFlags) need(path string) (doctor.Footprint, error) {
	s, err := f.load(path, "")
	if err != nil {
		return doctor.Footprint{}, err
	}
	plans, err := s.Plans()
	return needOf(plans, veth.PerServer), err
}

// needOf returns the resources of the largest testbed among those of the plans.
func needOf(plans []*plan.Plan, daemons veth.Daemons) (most doctor.Footprint) {
	for _, p := range plans {
		n := veth.Footprint(p, daemons)
		most = doctor.Footprint{Nodes: max(most.Nodes, n.Nodes), Memory: max(most.Memory, n.Memory),
			Descriptors: max(most.Descriptors, n.Descriptors)}
	}
	return most
}

// findingsDocument returns the verdict and a table, with the remedies below what
// they cure.
func findingsDocument(findings []doctor.Finding) *page.Document {
	rows := page.New("", "what", "seen")
	var missing []string
	for _, f := range findings {
		seen := f.Text()
		if f.Remedy != "" {
			seen += "\nremedy: " + f.Remedy
		}
		rows.Add(f.Status.String(), f.Name, seen)
		if f.Status == doctor.Missing {
			missing = append(missing, f.Name)
		}
	}
	rows.Columns[2].Prose = true
	d := &page.Document{Title: "This host", Kind: "doctor"}
	if missing == nil {
		d.Say("this host can carry the testbed")
	} else {
		d.Say("this host cannot carry the testbed; it lacks: %s", strings.Join(missing, ", "))
	}
	d.Add(rows)
	return d
}
