package result

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// effect reports on the mechanisms that the run exercised, and makes it void if it missed its purpose.
func effect(outcome *Outcome, summary *Summary, congestion []Evidence) []Finding {
	if sentPackets(outcome.Flows) == 0 && summary.ForeignIn == 0 {
		switch {
		case outcome.Interrupted:
			return nil
		case len(outcome.Plan.Edges()) > 0:
			return []Finding{{Void, Effect, "no flow sent a packet, and no frame came in at an edge"}}
		}
		return []Finding{{Void, Effect, "no flow sent a packet"}}
	}
	fs := []Finding{{Pass, Effect, EffectNote([]*Summary{summary}, [][]Evidence{congestion})}}
	if note := proximalNote(outcome); note != "" {
		fs = append(fs, Finding{Pass, Effect, note})
	}
	if note := collapse(summary); note != "" {
		fs = append(fs, Finding{Pass, Effect, note})
	}
	if len(congestion) == 0 && outcome.Plan.Expect.Congestion && !outcome.Interrupted {
		fs = append(fs, Finding{Void, Effect,
			"no congestion, which the scenario requires: no frame was marked, paused or dropped, no queue grew " +
				"beyond one BDP, and no flows that shared a receiver's link changed a decision"})
	}
	for _, a := range answersOf(outcome) {
		switch {
		case a.deaf() && !outcome.Interrupted:
			fs = append(fs, Finding{Void, Effect, a.String()})
		case a.idle() && len(congestion) > 0:
			fs = append(fs, Finding{Pass, Effect, a.name + " made no decision, although there was congestion"})
		}
	}
	return fs
}

// The shares of resent packets from which on a verdict reports them, and names the collapse.
const (
	manyResent     = 0.1
	collapseResent = 0.5
)

// collapse has the shares that were lost and sent again if they are large: a goodput beside which they are missing
// looks like a slow algorithm.
func collapse(summary *Summary) string {
	if !(summary.ResentShare >= manyResent) {
		return ""
	}
	text := fmt.Sprintf("%.3g %% of the data packets were sent again, and %.3g %% of the frames were lost",
		100*summary.ResentShare, 100*summary.DroppedShare)
	if summary.ResentShare >= collapseResent {
		text = "collapse: " + text
	}
	return text + fmt.Sprintf("; goodput is %.3g Gb/s", summary.GoodputGbps)
}

// congestionIn lists the evidence of congestion: marks, pauses, drops for want of
// room, a switch queue beyond one BDP, or a receiver that was asked for more
// than its link carries while an algorithm decided: a good one lets no queue
// grow.
func congestionIn(o *Outcome, summary *Summary) (evidence []Evidence) {
	add := func(n uint64, what string) {
		if n > 0 {
			evidence = append(evidence, Evidence{n, what})
		}
	}
	add(summary.Marks, "marks")
	add(switchPauses(o.Switches), "pauses")
	add(summary.ByReason[fabric.DropNoBuffer]+summary.ByReason[fabric.DropHeadroom]+summary.ByReason[fabric.DropDCIBuffer]+
		summary.ByReason[fabric.DropWRED], "drops")
	if at := longQueue(o); at != "" {
		evidence = append(evidence, Evidence{0, "a queue beyond one BDP at " + at})
	}
	if nic := contended(o); nic != "" {
		evidence = append(evidence, Evidence{0, "decisions of flows that shared the link to " + nic})
	}
	return evidence
}

// switchPauses counts the XOFF of switches: a NIC pauses only in a storm, which is not congestion.
func switchPauses(switches []Switch) (n uint64) {
	for i := range switches {
		for j := range switches[i].Ports {
			for _, class := range switches[i].Ports[j].Classes.All() {
				n += class.SentXOFF
			}
		}
	}
	return n
}

// longQueue returns a port with a data queue that grew beyond one BDP: the
// port's rate times the largest base RTT of the flows.
func longQueue(o *Outcome) string {
	rtt := unit.Duration(0)
	for i := range o.Flows {
		rtt = max(rtt, o.Flows[i].BaseRTT)
	}
	for r := range o.eachPort {
		for q, queue := range r.Queues.All() {
			if longest := queue.MaxBytes; longest > 0 && r.hasData(q) && longest > r.rate().BytesIn(rtt) {
				return r.name()
			}
		}
	}
	return ""
}

// contended returns a receiver whose flows changed decisions and were once
// active together from NICs whose line rates add up to more than its own.
func contended(o *Outcome) string {
	demand := make([]unit.BitRate, o.Plan.Stations())
	decisions := make([]uint64, o.Plan.Stations())
	for i := range o.Flows {
		decisions[o.Plan.Flows[i].Dst] += o.Flows[i].Sender.Decisions
	}
	type pair struct{ src, dst int }
	active := map[pair]int{}
	for _, c := range changesOf(o) {
		f := &o.Plan.Flows[c.flow]
		ends := pair{f.Src, f.Dst}
		if c.ends {
			if active[ends]--; active[ends] == 0 {
				demand[ends.dst] -= lineRate(o.Plan, ends.src)
			}
			continue
		}
		if active[ends]++; active[ends] == 1 {
			demand[ends.dst] += lineRate(o.Plan, ends.src)
		}
		if demand[ends.dst] > lineRate(o.Plan, ends.dst) && decisions[ends.dst] > 0 {
			return o.Plan.StationName(ends.dst)
		}
	}
	return ""
}

// lineRate is the rate of a station's link, of both directions the slower.
func lineRate(p *plan.Plan, station int) unit.BitRate {
	l := &p.Links[p.Node(p.StationNode(station)).Links[0]]
	return min(l.Forward.Rate, l.Backward.Rate)
}
