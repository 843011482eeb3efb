package dcqcn

import (
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// rateParam is the parameter of rates in CNPs.
var rateParam = cc.Flag("rate_in_cnp", "true").
	Doc("a CNP that carries a rate, as a switch next to the sender may send it (switch.proximal.rate), sets R_C to " +
		"it, within rpg_min_rate and the line rate, and R_T to the line rate, and restarts timer, byte counter and " +
		"stages; alpha does not change. false takes it as any other CNP, as NICs on the market do. Only proximal " +
		"switches send such CNPs").
	From("rocelab's reading of \"other flow control packets\", draft-ji-ccwg-distributed-lossless-mechanism-00, " +
		"section 3")

// allowed returns the rate that the event's CNP carries, 0 for none.
func (r *rates) allowed(event *cc.Event) unit.BitRate {
	if event.Kind != cc.EventCNP || !r.rateInCNP {
		return 0
	}
	return event.CNPRate
}

// set takes a rate that a CNP carries in place of a cut, and of the one that a CNP before it is
// still to lead to:
//
//	R_C = max(min_rate, min(line rate, rate))
//	R_T = line rate
//
// The rate is a share of what the narrow port has. That others leave it is not said, and R_T = R_C
// would have the flow come back by R_AI, so R_T is the line rate: each expiry goes half of the
// way there, until the next CNP. Ways up that have no R_T (recovery rtt and rir) go on from R_C.
func (r *rates) set(rate unit.BitRate, now unit.Time, sent unit.Bytes) {
	r.rc = min(r.line, max(float64(rate), r.minRate))
	r.rt = r.line
	if r.recovery != byTimer {
		r.rt = r.rc
	}
	r.cnpAt = 0
	r.restart(now, sent)
}
