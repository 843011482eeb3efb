package dcqcn

import (
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// nvidiaPoint is the reaction point of ConnectX-4 and later NICs.
//
// The first CNP sets alpha to its initial value and R_T = R_C to
// rate_to_set_on_first_cnp or the current rate, and starts two clocks that
// never stop. Each tick of the cut clock, if a CNP came since the last one:
//
//	if clamp_tgt_rate, or clamp_tgt_rate_after_time_inc and T > 0: R_T = R_C
//	R_C = max(min_rate, R_C max(min_dec_fac, 1 - alpha/2))
//
// and timer, byte counter and stages restart. Each tick of the alpha clock, alpha = (1-g) alpha, + g if a CNP came
// since the last one.
//
// At one instant a CNP comes first, then the alpha clock, then the cut clock,
// then the increase timer. The first CNP counts for the cut, not for alpha,
// which it has just set: so does the public RDMA simulator.
type nvidiaPoint struct {
	rates
	// start is the time of the first CNP, from which both clocks tick.
	start unit.Time
	// alphaAt is the next tick of the alpha clock that is not accounted for,
	// marked whether a CNP came since the one before.
	alphaAt unit.Time
	marked  bool
	// cutAt is the next tick of the cut clock if a CNP came, else 0.
	cutAt unit.Time
}

// Handle implements cc.Sender.
func (p *nvidiaPoint) Handle(event *cc.Event, decision *cc.Decision) {
	cnp := p.takeEvent(event)
	due := event.Now
	if cnp || event.Kind != cc.EventTimer {
		due-- // clocks of this very instant come after it
	}
	p.run(due, event.Sent)
	p.countBytes(event.Sent)
	switch rate := p.allowed(event); {
	case rate > 0:
		p.set(rate, event.Now, event.Sent)
		p.cutAt = 0
	case cnp:
		p.cnp(event.Now)
		if event.Kind == cc.EventTimer {
			p.run(event.Now, event.Sent)
		}
	}
	p.decide(decision, p.cutAt)
}

// run handles what clocks are due, in the order of time.
func (p *nvidiaPoint) run(due unit.Time, sent unit.Bytes) {
	for {
		switch {
		case p.cutAt != 0 && p.cutAt <= due && (p.incAt == 0 || p.cutAt <= p.incAt):
			p.reduce(sent)
		case p.incAt != 0 && p.incAt <= due:
			p.timerExpired()
		default:
			return
		}
	}
}

func (p *nvidiaPoint) cnp(now unit.Time) {
	if !p.limited {
		p.limited = true
		p.start, p.alphaAt, p.alpha = now, now.Add(p.alphaPeriod), p.initialAlpha
		if p.firstRate > 0 {
			p.rc = min(p.line, max(p.firstRate, p.minRate))
			p.rt = p.rc
		}
		p.window = window{from: now}
	} else {
		p.tickAlpha(now - 1)
		p.marked = true
		p.window.cnps++
	}
	p.forget()
	p.pauseRecovery()
	if p.cutAt == 0 {
		ticks := int64(now.Sub(p.start)) / int64(p.cutPeriod)
		if now == p.start || p.start.Add(unit.Duration(ticks)*p.cutPeriod) != now {
			ticks++
		}
		p.cutAt = p.start.Add(unit.Duration(ticks) * p.cutPeriod)
	}
}

// reduce is the tick of the cut clock at cutAt, after a CNP.
func (p *nvidiaPoint) reduce(sent unit.Bytes) {
	p.tickAlpha(p.cutAt)
	if p.clampTarget || p.clampAfterTimeInc && p.timeStage > 0 {
		p.rt = p.rc
	}
	p.cut(max(p.leastLeft, 1-float64(p.cutShare*p.alpha)))
	p.restart(p.cutAt, sent)
	p.cutAt = 0
}

// tickAlpha makes up for the ticks of the alpha clock up to and including
// until. Only the first of them can have seen a CNP: each CNP makes up for
// the ticks before it.
func (p *nvidiaPoint) tickAlpha(until unit.Time) {
	if p.alphaAt > until || p.fraction {
		return
	}
	n := int64(until.Sub(p.alphaAt))/int64(p.alphaPeriod) + 1
	p.alphaAt = p.alphaAt.Add(unit.Duration(n) * p.alphaPeriod)
	if p.marked {
		p.marked = false
		p.raise()
		n--
	}
	p.decay(n)
}
