package nicd

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// gaps find the longest time without an accepted packet beside each outage on the way of a flow. A flow may stand
// still in several outages, and for long after each: one longest time would not show what each of them did.
type gaps struct {
	// start is the time at which the flow is due, outages are in the order of their beginnings; the ones before first
	// are over.
	start   unit.Time
	outages []fabric.Outage
	first   int
	// open has the NAKs since the last packet that was accepted.
	open record.Gap
}

// newGaps returns nil for a flow, due at start, without outages on its way.
func newGaps(start unit.Time, outages []fabric.Outage) *gaps {
	if len(outages) == 0 {
		return nil
	}
	return &gaps{start: start, outages: outages}
}

// reported takes a NAK that is sent now. Nil gaps take nothing.
func (g *gaps) reported(now unit.Time) {
	if g != nil {
		g.open.NAKs++
		g.open.NAKBefore, g.open.NAK = g.open.NAK, now
	}
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
			list[i] = g.open
			list[i].From, list[i].Length = last, length
		}
	}
	g.open = record.Gap{}
}

// resumes find how a sender went on after the longest time without progress beside each outage on the way of a flow.
type resumes struct {
	outages []fabric.Outage
	// last is the last progress. again is the time at which the sender turned back since, 0 for not, by a timeout if
	// timeout.
	last, again unit.Time
	timeout     bool
}

// newResumes returns nil for a flow without outages on its way.
func newResumes(config *SenderConfig) *resumes {
	if len(config.Outages) == 0 {
		return nil
	}
	return &resumes{outages: config.Outages, last: config.Start}
}

// turnedBack records that the sender goes back to unacknowledged packets. Nil resumes record nothing.
func (r *resumes) turnedBack(now unit.Time, timeout bool) {
	if r != nil {
		r.again, r.timeout = now, timeout
	}
}

// progressed takes an ACK of something new. Nil resumes take none.
func (r *resumes) progressed(now unit.Time, list []record.Resume) {
	if r == nil {
		return
	}
	length := now.Sub(r.last)
	for i := range r.outages {
		if o := &r.outages[i]; r.again > o.From && r.last < o.To && list[i].Length < length {
			list[i] = record.Resume{Length: length, Again: r.again, Timeout: r.timeout}
		}
	}
	r.last, r.again = now, 0
}
