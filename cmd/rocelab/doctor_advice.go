//go:build linux && !mem

package main

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/nodes/live/outside"
	"github.com/rocelab/rocelab/testbed/nodes/live/rehearsal"
)

// adviceDocument reports the measurements, the conclusions, and the command to continue with.
func adviceDocument(a *rehearsal.Advice) *page.Document {
	d := &page.Document{Title: "What this host can run in real time", Kind: "doctor"}
	line := d.Say
	tick := result.WallTime(outside.Tick.Nanoseconds())
	d.Add(page.Section{ID: "measured", Title: "Measured"})
	for _, v := range a.Variants {
		partial := ""
		if v.Partial {
			partial = ", and was stopped there"
		}
		busiest := "hardly any frame moved in it"
		if v.Slowdown >= 0.001 {
			busiest = fmt.Sprintf("its busiest millisecond, from %s on, was %.3g times slower than real time",
				threeDigits(v.AtUS), v.Slowdown)
		}
		line("%s of %s: without a clock, on veth (--daemons %s), %s of model time took %s%s; %s", v.Variant, a.Scenario,
			a.Daemons, threeDigits(v.ModelUS), threeDigits(v.WallUS), partial, busiest)
	}
	line("a thread of normal priority that slept %s at a time woke up late by %s (%d times)", tick, a.Wakeups.Text,
		a.Wakeups.Count)
	fifo := "this process has no right to real-time priority: " + a.WhyFIFO
	if a.FIFO {
		fifo = "this process has the right to real-time priority: " + a.WhyFIFO
	}
	line("%s; meanwhile %.2f s stolen, %.2f s throttled; %s", unit.Count(a.CPUs, "core"), a.StealS, a.Throttle, fifo)
	d.Add(page.Section{ID: "recommended", Title: "Recommended"})
	line("K = %d: the busiest millisecond, times %v, rounded up", a.Dilation, rehearsal.Margin)
	line("at least %s of latency on links of edges: two ticks of %s on the wall, and for a green verdict R of %s on "+
		"the wall", threeDigits(a.EdgeLatencyUS), tick, threeDigits(a.ReferenceUS))
	if a.Edges {
		for _, v := range a.Variants {
			if v.HaveUS > 0 {
				line("%s has R = %s at K = %d: %s", v.Variant, threeDigits(v.HaveUS), a.Dilation,
					enough(v.HaveUS, a.ReferenceUS))
			}
		}
		line("the load at the edges was not measured, because they were silent: the verdict of the run reports " +
			"whether it was too high")
	}
	d.Add(page.Section{ID: "next", Title: "Go on with"},
		page.Listing(fmt.Sprintf("%s --dilate %d", a.Command, a.Dilation)))
	return d
}

// enough compares the R that there is with what the host needs.
func enough(have, need float64) string {
	if have >= need {
		return "enough for this host"
	}
	return "too little for this host; raise the latency of the edges' links, or K"
}

func threeDigits(us float64) string { return result.WallTime(unit.Whole[int64](us*1000 + 0.5)) }
