package dcqcn

import (
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// rates is the state that both reaction points share: R_C, R_T, alpha and the increase.
type rates struct {
	*settings
	// limited is set by the first CNP: before it the flow runs at line rate.
	limited      bool
	line, rc, rt float64 // bit/s
	alpha        float64
	// full is the window at line rate, 0 for none.
	full unit.Bytes
	// timeStage and byteStage are T and BC, counted since the last cut.
	timeStage, byteStage int
	// incAt and incBytes are the next expiries of the increase timer and of
	// the byte counter; 0 when they rest.
	incAt    unit.Time
	incBytes unit.Bytes

	// What the extensions need: the flow's stream of chance, its MTU, the
	// estimate of its RTT and whether it was sampled, when the CNP that waits
	// is handled (0 for none), and the window of alpha.
	chance  *chance.Stream
	mtu     unit.Bytes
	rtt     unit.Duration
	sampled bool
	cnpAt   unit.Time
	window  window
	// lost is set if the CNP under way stands for a loss.
	lost bool
}

func newRates(settings *settings, facts cc.Facts) rates {
	line := float64(facts.LineRate)
	return rates{
		settings: settings,
		line:     line,
		rc:       line,
		rt:       line,
		full:     settings.bound.of(facts),
		chance:   facts.Chance,
		mtu:      facts.MTU,
		rtt:      max(facts.BaseRTT, leastRTT),
	}
}

// countBytes handles the byte counter, once for each expiry that sent has reached.
func (r *rates) countBytes(sent unit.Bytes) {
	for r.incBytes != 0 && sent >= r.incBytes {
		r.byteStage++
		r.incBytes += r.byteReset
		r.increase()
	}
}

// increase takes one step up (SIGCOMM 2015, section 3.2, after QCN):
//
//	max(T, BC) < F:  fast recovery
//	min(T, BC) > F:  hyper increase, R_T += i R_HAI, i = min(T, BC) - F + 1
//	otherwise:       additive increase, R_T += R_AI
//
// and in all three R_C = (R_T + R_C) / 2. R_T is bounded by the line rate. With
// hai_stages either, max takes the place of min.
//
// Once R_C = R_T = line rate, timer and byte counter rest. That changes no result: a further step would leave both
// rates as they are, the stages that it would have counted matter only to later steps and to a cut's decision to set
// R_T to R_C, which are equal, and every cut restarts them.
func (r *rates) increase() {
	low, high := min(r.timeStage, r.byteStage), max(r.timeStage, r.byteStage)
	if r.haiByEither {
		low = high
	}
	switch {
	case high < r.threshold:
	case low > r.threshold:
		step := r.hai
		if r.haiByStage {
			step = float64(low-r.threshold+1) * r.hai
		}
		r.rt = min(r.line, r.rt+step)
	default:
		r.rt = min(r.line, r.rt+r.ai)
	}
	r.rc = (r.rt + r.rc) / 2
	if r.rc == r.line && r.rt == r.line {
		r.incAt, r.incBytes = 0, 0
	}
}

// cut leaves the given share of R_C, not less than the floor.
func (r *rates) cut(share float64) {
	r.rc = max(min(r.minRate, r.line), r.rc*share)
}

// decide writes the decision: R_C truncated to whole bit/s, and the earliest
// wake-up of the increase timer, of a CNP that waits, and of another clock, 0
// for none.
func (r *rates) decide(decision *cc.Decision, other unit.Time) {
	decision.Rate = unit.Whole[unit.BitRate](r.rc)
	decision.WakeAt = earlier(r.incAt, earlier(r.cnpAt, other))
	decision.WakeBytes = r.incBytes
	if r.full > 0 {
		decision.Window = r.inFlight()
	}
}

// earlier returns the earlier of two times, of which 0 means none.
func earlier(a, b unit.Time) unit.Time {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// decay is alpha = (1-g) alpha, n times over. It stops early if alpha no longer changes, so that its result is the same
// as after n steps, however long the silence.
func (r *rates) decay(n int64) {
	keep := 1 - r.g
	for ; n > 0; n-- {
		next := keep * r.alpha
		if next == r.alpha {
			return
		}
		r.alpha = next
	}
}

// raise is alpha = (1-g) alpha + g.
func (r *rates) raise() {
	r.alpha = float64((1-r.g)*r.alpha) + r.g
}

// window is the time over which alpha = fraction counts. The first opens with
// the first CNP, which sets alpha and is not counted. A window closes with the
// first ACK that comes alpha_period or later after its start, and the next one
// opens.
type window struct {
	from  unit.Time
	cnps  int
	acked unit.Bytes
}

// acknowledged counts the packets of an ACK, and closes the window if it is due:
//
//	F = CNPs / packets
//	alpha = (1-g) alpha + g F
//
// A packet is one MTU of acknowledged payload.
func (r *rates) acknowledged(event *cc.Event) {
	r.window.acked += event.Acked
	if !r.limited || r.window.acked <= 0 || event.Now < r.window.from.Add(r.alphaPeriod) {
		return
	}
	fraction := min(1, float64(r.window.cnps)*float64(r.mtu)/float64(r.window.acked))
	r.alpha = float64((1-r.g)*r.alpha) + float64(r.g*fraction)
	r.window = window{from: event.Now}
}

// Values implements cc.Valued.
func (r *rates) Values(into []float64) {
	into[0] = r.alpha
	into[1] = r.rt / 1e9
	into[2] = float64(r.timeStage)
	into[3] = float64(r.byteStage)
}
