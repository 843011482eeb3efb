package nicd

import (
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// retransmission is a QP's retransmission timer: it runs from the last progress. With profile.RTOMeasured it takes
// max(floor, factor x RTT) with the newest RTT, which is not smoothed, since one sample can hardly do harm so far below
// the floor; before the first sample it takes RTOInitial, and there is no backoff. The other modes do not take samples:
// factor is 0, and floor the timeout in force.
//
// Its event is not moved for each packet: its handler compares it with deadline. Call sampled for
// each sample, expired for each timeout, and, if watches, progressed for each progress.
type retransmission struct {
	// since is the last progress: an ACK of something new, or the start of the
	// oldest unacknowledged packet. after is the timeout in force.
	since unit.Time
	after unit.Duration
	// floor and factor are RTOMeasured's.
	floor  unit.Duration
	factor unit.Duration
	timer  link.Timer
	// watches is set if progress and the packets in flight change the timeout, or the window after a restart, or if
	// links on the way go down.
	watches bool
	// failures counts the timeouts since the last progress, and stuck is from when on there was none.
	failures int
	stuck    unit.Time

	rto      *profile.RTO
	adaptive adaptive
	resumes  *resumes // nil if no link on the way goes down
}

// newRetransmission returns the timer of the QP whose stream draws its first adaptive timeout.
func newRetransmission(nic *profile.NIC, draw func() *chance.Stream) retransmission {
	r := retransmission{
		after:   nic.RTOInitial,
		floor:   nic.RTOFloor,
		factor:  unit.Duration(nic.RTOFactor),
		rto:     &nic.RTO,
		watches: nic.RTO.Mode > profile.RTOFixed || nic.RTO.Retries > 0 || nic.Host.Restart.Rule != profile.RestartKeep,
	}
	switch r.rto.Mode {
	case profile.RTOFixed:
		r.set(profile.AckTimeoutOf(r.rto.AckTimeout))
	case profile.RTOIRN:
		r.set(r.rto.High)
	case profile.RTOAdaptive:
		r.adaptive = newAdaptive(r.rto, draw())
		r.set(r.rto.Timeout(r.adaptive.exponent))
	}
	return r
}

// set makes a timeout that no sample changes.
func (r *retransmission) set(timeout unit.Duration) { r.after, r.floor, r.factor = timeout, timeout, 0 }

// deadline returns the time at which the timer runs out unless there is progress.
func (r *retransmission) deadline() unit.Time { return r.since.Add(r.after) }

// overdue reports whether more than half of the timeout will have passed at the given instant.
func (r *retransmission) overdue(at unit.Time) bool { return at.Sub(r.since) > r.after/2 }

// sampled takes a sample of the round trip and reports whether the timeout
// changed.
func (r *retransmission) sampled(rtt unit.Duration) bool {
	before := r.after
	r.after = max(r.floor, r.factor*rtt)
	return r.after != before
}

// progressed takes progress, after which outstanding packets are on their way, and reports whether the timer is to fire
// earlier than before.
func (r *retransmission) progressed(outstanding int64) (earlier bool) {
	r.failures = 0
	before := r.after
	switch r.rto.Mode {
	case profile.RTOAdaptive:
		r.adaptive.progressed()
		r.set(r.rto.Timeout(r.adaptive.exponent))
	case profile.RTOIRN:
		r.count(outstanding)
	}
	return r.after < before
}

// count takes the number of packets on their way for the timeout of RTOIRN.
func (r *retransmission) count(outstanding int64) {
	if r.rto.Mode == profile.RTOIRN {
		r.set(r.rto.High)
		if outstanding <= int64(r.rto.LowPackets) {
			r.set(r.rto.Low)
		}
	}
}

// expired takes a timeout and reports whether the QP has tried in vain for too long.
func (r *retransmission) expired(now unit.Time) (failed bool) {
	if r.failures == 0 {
		r.stuck = r.since
	}
	r.failures++
	if r.rto.Mode != profile.RTOAdaptive {
		return r.rto.Retries > 0 && r.failures > r.rto.Retries
	}
	r.adaptive.expired()
	r.set(r.rto.Timeout(r.adaptive.exponent))
	whole := unit.Duration(r.rto.Retries) * profile.AckTimeoutOf(r.rto.AckTimeout)
	return r.rto.Retries > 0 && now.Sub(r.stuck) >= whole
}

// adaptive is NVIDIA's adaptive retransmission (docs.nvidia.com, "Adaptive Retransmission: Parameters Control", August
// 2025): the exponent of the first timeout is drawn, and that timeout used once. From then on a timeout is used as
// often as its range demands, then it doubles, up to the end of the range, after which the next range begins; the last
// range keeps its longest. Our reading of points that the document leaves open: after progress a timeout counts as not
// used, and one outside the ranges begins with the first range.
type adaptive struct {
	rto      *profile.RTO
	exponent int
	// at is the range, -1 before the first timeout; used counts the uses of the exponent.
	at, used int
}

func newAdaptive(rto *profile.RTO, stream *chance.Stream) adaptive {
	drawn := rto.InitLow + int(stream.Below(uint64(rto.InitSize)))
	return adaptive{rto: rto, exponent: drawn, at: -1}
}

// expired moves to the timeout after the one that ran out.
func (a *adaptive) expired() {
	if a.at < 0 {
		a.enter()
		return
	}
	a.used++
	span := &a.rto.Ranges[a.at]
	switch {
	case a.used < span.Retries:
		return
	case a.exponent < span.Low+span.Size:
		a.exponent++
	case a.at+1 < len(a.rto.Ranges):
		a.at++
		a.exponent = a.rto.Ranges[a.at].Low
	}
	a.used = 0
}

// enter leaves the drawn timeout, used once, for its range: for the next timeout there. From outside of all ranges it
// goes to the first.
func (a *adaptive) enter() {
	for i := range a.rto.Ranges {
		if span := &a.rto.Ranges[i]; a.exponent >= span.Low && a.exponent <= span.Low+span.Size {
			a.at, a.used = i, span.Retries-1
			a.expired()
			return
		}
	}
	a.at, a.exponent = 0, a.rto.Ranges[0].Low
}

// progressed takes progress.
func (a *adaptive) progressed() {
	a.used = 0
	if a.at < 0 {
		return
	}
	span := &a.rto.Ranges[a.at]
	switch span.Decrease {
	case profile.ToLow:
		a.exponent = span.Low
	case profile.ByHalf:
		a.exponent = max(span.Low, a.exponent-1)
	case profile.ByFourth:
		a.exponent = max(span.Low, a.exponent-2)
	}
}
