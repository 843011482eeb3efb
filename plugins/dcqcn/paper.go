package dcqcn

import (
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// paperPoint is the reaction point of the DCQCN paper (SIGCOMM 2015, section
// 3.2). For each CNP, in this order:
//
//	R_T = R_C
//	R_C = R_C (1 - alpha/2)
//	alpha = (1-g) alpha + g
//
// and the increase timer, the byte counter, both stages and the alpha timer restart. Each time that the alpha timer K
// expires without a CNP, alpha = (1-g) alpha.
type paperPoint struct {
	rates
	// lastCNP is the time at which the alpha timer last started.
	lastCNP unit.Time
}

// Handle implements cc.Sender.
func (p *paperPoint) Handle(event *cc.Event, decision *cc.Decision) {
	cnp := p.takeEvent(event)
	due := event.Now
	if cnp || event.Kind != cc.EventTimer {
		due-- // timers of this very instant come after it
	}
	p.run(due)
	p.countBytes(event.Sent)
	switch rate := p.allowed(event); {
	case rate > 0:
		p.set(rate, event.Now, event.Sent)
	case cnp:
		p.cnp(event.Now, event.Sent)
		if event.Kind == cc.EventTimer {
			p.run(event.Now)
		}
	}
	p.decide(decision, 0)
}

// run handles the expiries of the increase timer that are due.
func (p *paperPoint) run(due unit.Time) {
	for p.incAt != 0 && p.incAt <= due {
		p.timerExpired()
	}
}

func (p *paperPoint) cnp(now unit.Time, sent unit.Bytes) {
	switch {
	case !p.limited:
		p.limited = true
		p.alpha = p.initialAlpha
		p.window = window{from: now}
	case p.fraction:
		p.window.cnps++
	default:
		// A CNP at the instant of an expiry comes first and restarts the timer.
		p.decay((int64(now.Sub(p.lastCNP)) - 1) / int64(p.alphaPeriod))
	}
	p.forget()
	p.rt = p.rc
	p.cut(1 - float64(p.cutShare*p.alpha))
	if !p.fraction {
		p.raise()
	}
	p.lastCNP = now
	p.restart(now, sent)
}
