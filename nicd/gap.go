package nicd

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/unit"
)

// gaps find the longest time without an accepted packet beside each outage on the way of a flow. A flow may stand
// still in several outages, and for long after each: one longest time would not show what each of them did.
type gaps struct {
	// start is when the flow is due, outages are in the order of their beginnings; those before first are over.
	start   unit.Time
	outages []fabric.Outage
	first   int
}

// newGaps returns nil for a flow without outages on its way.
func newGaps(config *ReceiverConfig, rec *record.Receiver) *gaps {
	if len(config.Outages) == 0 {
		return nil
	}
	rec.Gaps = make([]record.Gap, len(config.Outages))
	return &gaps{start: config.Start, outages: config.Outages}
}

// accepted takes a packet that is accepted now, the first after the one at last, unit.Never for none.
func (g *gaps) accepted(last, now unit.Time, list []record.Gap) {
	if last == unit.Never {
		last = g.start
	}
	for g.first < len(g.outages) && g.outages[g.first].To <= last {
		g.first++
	}
	for i := g.first; i < len(g.outages) && g.outages[i].From < now; i++ {
		if length := now.Sub(last); g.outages[i].To > last && length > list[i].Length {
			list[i] = record.Gap{From: last, Length: length}
		}
	}
}
