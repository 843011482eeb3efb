package nicd

import (
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// pacer determines when a QP's next packet may start: one gap after the start of the last. The gap is the packet's
// bytes on the wire at the rate in force, rounded up to whole picoseconds, or a fixed time if one is set. The port's
// own time on the wire bounds it from below.
//
// Make one with newPacer. Call started for each packet, and change for each
// decision that comes into force; next is right at any time. Times never decrease
// from call to call.
type pacer struct {
	// next is the time at which the next packet may start; 0 before the first.
	next unit.Time

	// rate and fixed are in force; fixed is 0 where the gap follows from the rate.
	rate       unit.BitRate
	fixed      unit.Duration
	accounting wire.Accounting
	// repace re-times the gap under way when the pace changes.
	repace bool

	// held is the earliest start of the packet after the last one, at any pace.
	held unit.Time

	// lastStart and lastBytes are of the last packet.
	lastStart unit.Time
	lastBytes unit.Bytes
	// gap is the gap after a packet of gapBytes at the rate in force: most packets of
	// a flow have one size. gapBytes is 0 while none is known.
	gap      unit.Duration
	gapBytes unit.Bytes
}

func newPacer(accounting wire.Accounting, rate unit.BitRate, repace bool) pacer {
	return pacer{accounting: accounting, rate: rate, repace: repace}
}

// started notes that a packet that counts for these bytes on the wire starts now.
func (p *pacer) started(now unit.Time, bytes unit.Bytes) {
	p.lastStart, p.lastBytes = now, bytes
	p.next = now.Add(p.gapAfter(bytes))
}

// change puts a rate and a fixed gap, 0 for none, into force and reports whether that changed anything. With repace it
// re-times the present gap, next += gap(new) - gap(old): a flow that sent its last packet at a tiny rate would
// otherwise sleep through its recovery. Doing so for every algorithm is rocelab's choice. In the public RDMA simulator
// (alibaba-edu HPCC ns-3, rdma-hw.cc) only HPCC does, by ChangeRate; DCQCN, TIMELY and DCTCP set the rate, which holds
// from the next packet on, as here without repace.
func (p *pacer) change(now unit.Time, rate unit.BitRate, fixed unit.Duration) bool {
	if rate == p.rate && fixed == p.fixed {
		return false
	}
	p.rate, p.fixed, p.gapBytes = rate, fixed, 0
	if p.repace && p.next > now { // not before the first packet
		p.next = max(p.lastStart.Add(p.gapAfter(p.lastBytes)), p.held)
	}
	return true
}

// hold lets the next packet start no earlier than at the given instant.
func (p *pacer) hold(until unit.Time) {
	p.held = until
	p.next = max(p.next, until)
}

// gapAfter returns the gap after a packet of these bytes.
func (p *pacer) gapAfter(bytes unit.Bytes) unit.Duration {
	if p.fixed > 0 {
		return p.fixed
	}
	if bytes != p.gapBytes {
		p.gapBytes = bytes
		p.gap = p.accounting.SerialTimeOf(bytes, p.rate)
	}
	return p.gap
}
