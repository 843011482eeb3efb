package dcqcn

import (
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// takeEvent takes in the parts of an event that the extensions need, and reports whether to handle a CNP now: one that
// arrives or, with cnp_jitter, one whose time has come. A CNP with a rate never waits, since each sender gets a rate of
// its own; nor does a loss that counts as a CNP.
func (r *rates) takeEvent(event *cc.Event) bool {
	if r.needsRTT() {
		r.sample(event)
	}
	if r.fraction && event.Kind == cc.EventAck {
		r.acknowledged(event)
	}
	if event.Kind == cc.EventLoss {
		r.lost = r.lossHeard[event.Cause&3]
		return r.lost
	}
	if r.cnpJitter == 0 || r.allowed(event) > 0 {
		return event.Kind == cc.EventCNP
	}
	switch {
	case event.Kind == cc.EventCNP:
		// One that waits gives way: "each sender waits for a random period
		// before processing a CNP" leaves open what happens to it, and a queue
		// of CNPs would cut for congestion long past.
		r.cnpAt = event.Now.Add(unit.Duration(r.chance.Between(0, int64(r.cnpJitter))))
	case event.Kind == cc.EventTimer && r.cnpAt != 0 && r.cnpAt <= event.Now:
		r.cnpAt = 0
		return true
	}
	return false
}

// jittered moves the first step after a cut by U(-x, x), x = recovery_jitter x
// RTT, though not before now.
func (r *rates) jittered(now, due unit.Time) unit.Time {
	if r.recoveryJitter == 0 {
		return due
	}
	x := unit.Whole[int64](r.recoveryJitter * float64(r.rtt))
	return max(now, due.Add(unit.Duration(r.chance.Between(-x, x))))
}

// forget sets alpha to its initial value for a loss, with loss_alpha, once its decay up to now is
// accounted for.
func (r *rates) forget() {
	if r.lost && r.lossAlpha {
		r.alpha = r.initialAlpha
	}
	r.lost = false
}
