package dcqcn

import (
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// referenceRTT is the RTT at which a flow with rtt_in_cnp rises by its whole
// step.
const referenceRTT = 10 * unit.Microsecond

// leastRTT bounds the estimate from below: the wire holds whole ns.
const leastRTT = unit.Nanosecond

// restart begins the increase again, as after every cut: both stages at zero, timer and byte counter from here.
//
// Per RTT, the first step comes one RTT after the cut. RIR's clock, "a global
// timer rather than the RTT", ticks at the multiples of its period in the
// NIC's time, for all its flows at once; a cut leaves it alone, for CNPs that
// come more often than it ticks would stop it for ever.
func (r *rates) restart(now unit.Time, sent unit.Bytes) {
	r.timeStage, r.byteStage = 0, 0
	switch r.recovery {
	case byRTT:
		r.incAt = r.jittered(now, now.Add(r.rtt))
		return
	case byClock:
		if r.incAt == 0 {
			r.incAt = unit.Time((int64(now)/int64(r.rirPeriod) + 1) * int64(r.rirPeriod))
		}
		return
	}
	r.incAt = r.jittered(now, now.Add(r.timeReset))
	r.incBytes = 0
	if r.byteReset > 0 {
		r.incBytes = sent + r.byteReset
	}
}

// timerExpired handles the increase timer that was due at incAt.
func (r *rates) timerExpired() {
	switch r.recovery {
	case byRTT:
		r.incAt = r.incAt.Add(r.rtt)
		r.rise(r.stepPerRTT())
	case byClock:
		r.incAt = r.incAt.Add(r.rirPeriod)
		r.rise(r.rirStep)
	default:
		r.timeStage++
		r.incAt = r.incAt.Add(r.timeReset)
		r.increase()
	}
}

// stepPerRTT is, by rtt_step,
//
//	linear:  rtt_share x line rate
//	factor:  rtt_share x R_C
//
// and with rtt_in_cnp that times RTT / 10 us.
func (r *rates) stepPerRTT() float64 {
	step := r.share * r.line
	if r.stepOfRate {
		step = r.share * r.rc
	}
	if r.rttInCNP {
		step *= float64(r.rtt) / float64(referenceRTT)
	}
	return step
}

// rise is R_C = min(line rate, R_C + step). There is no target rate: R_T is
// R_C. At line rate the timer rests until the next cut.
func (r *rates) rise(step float64) {
	r.rc = min(r.line, r.rc+step)
	r.rt = r.rc
	if r.rc == r.line {
		r.incAt = 0
	}
}

// pauseRecovery stops the increase from a CNP to the cut that it leads to: an RTT with a CNP does not count as one
// without.
func (r *rates) pauseRecovery() {
	if r.recovery == byRTT {
		r.incAt = 0
	}
}

// sample takes in the RTT of an event: the estimate that a CNP
// brings back, or the ACKs' samples, smoothed as a TCP's (RFC 6298, section 2,
// SRTT = 7/8 SRTT + 1/8 R). Until the first, it is the base RTT.
func (r *rates) sample(event *cc.Event) {
	switch {
	case event.RTT <= 0:
	case r.rttInCNP && event.Kind == cc.EventCNP:
		r.rtt = max(event.RTT, leastRTT)
	case !r.rttInCNP && event.Kind == cc.EventAck:
		if r.sampled {
			r.rtt += (event.RTT - r.rtt) / 8
		} else {
			r.rtt, r.sampled = event.RTT, true
		}
		r.rtt = max(r.rtt, leastRTT)
	}
}
