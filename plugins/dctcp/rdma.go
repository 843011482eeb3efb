package dctcp

import (
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// rdma is the sender of form rdma. For each ACK, in this order:
//
//	a window of data is acknowledged:  F = min(1, marked / batch)
//	                                   alpha = (1-g) alpha + g F
//	CWR and all before the cut acknowledged:  leave CWR
//	marked and not CWR:                R = max(R_min, R (1 - alpha/2)), enter CWR
//	a window of data, not CWR:         R = min(line, R + R_AI)
//
// A window of data ends with the first ACK beyond what had been sent when it
// began; batch is the number of packets that were in flight then, plus one. The
// first ACK ends no window and begins one: alpha stays, R grows.
type rdma struct {
	*settings
	progress
	reduction
	line, ai   float64 // bit/s
	mtu        unit.Bytes
	bdp        float64 // bytes
	rate       float64 // R, bit/s
	alpha      float64
	lastUpdate unit.Bytes // SND.NXT when the window of data began, 0 before the first ACK
	marked     int64      // packets of it that were marked
	batch      int64      // packets
}

func newRDMA(settings *settings, facts cc.Facts) *rdma {
	rtt := settings.rtt
	if rtt == 0 {
		rtt = facts.BaseRTT
	}
	sender := &rdma{
		settings: settings,
		line:     float64(facts.LineRate),
		ai:       settings.ai,
		mtu:      max(facts.MTU, 1),
		bdp:      float64(facts.LineRate.BytesIn(rtt)),
		rate:     float64(facts.LineRate),
		alpha:    settings.initialAlpha,
	}
	if settings.initialRate != 0 {
		sender.rate = max(min(settings.initialRate, sender.line), min(settings.minRate, sender.line))
	}
	if !settings.aiGiven {
		sender.ai = float64(unit.RateOf(facts.MTU, rtt))
	}
	return sender
}

// Handle implements cc.Sender.
func (r *rdma) Handle(event *cc.Event, decision *cc.Decision) {
	r.take(event)
	switch event.Kind {
	case cc.EventStart:
	case cc.EventAck:
		r.ack(event)
	default:
		return
	}
	r.decide(decision)
}

func (r *rdma) ack(event *cc.Event) {
	if event.CE {
		r.marked += int64((event.Acked + r.mtu - 1) / r.mtu)
	}
	ended := r.una > r.lastUpdate
	if ended {
		r.endWindow()
	}
	r.leave(&r.progress)
	if event.CE && !r.cwr {
		r.rate = max(min(r.minRate, r.line), r.rate*(1-float64(r.alpha/2)))
		r.enter(&r.progress)
	}
	if ended && !r.cwr {
		r.rate = min(r.line, r.rate+r.ai)
	}
}

func (r *rdma) endWindow() {
	if r.lastUpdate == 0 {
		r.batch = int64(r.nxt/r.mtu) + 1 // all that was sent, for all of it will be counted
	} else {
		fraction := min(1, float64(r.marked)/float64(r.batch))
		r.alpha = float64((1-r.g)*r.alpha) + float64(r.g*fraction)
		r.marked, r.batch = 0, int64((r.nxt-r.una)/r.mtu)+1
	}
	r.lastUpdate = r.nxt
}

func (r *rdma) decide(decision *cc.Decision) {
	decision.Rate = unit.Whole[unit.BitRate](r.rate)
	switch {
	case !r.bounded:
		decision.Window = 0
	case r.scaled:
		decision.Window = max(unit.Whole[unit.Bytes](r.bdp*r.rate/r.line), 1)
	default:
		decision.Window = max(unit.Whole[unit.Bytes](r.bdp), 1)
	}
}

// Values implements cc.Valued.
func (r *rdma) Values(into []float64) { into[0] = r.alpha }
