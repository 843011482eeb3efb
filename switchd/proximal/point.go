package proximal

import (
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// reactionPoint follows the alpha of a sender's reaction point, from the CNPs that
// it gets. The zero value is before the first.
//
// If the profile's Spacing is GainPeriod or more it is the reaction point of ConnectX NICs, with two clocks that begin
// with the first CNP and never stop. Each tick of the alpha clock, one a GainPeriod, alpha = (1-g) alpha, + g if a CNP
// came since the last one; the first CNP sets it to 1. Each tick of the cut clock, one a Spacing, cuts by alpha/2 if a
// CNP came since the last one. The alpha clock comes first.
//
// If Spacing is shorter it is the reaction point of the DCQCN paper (Zhu et al., SIGCOMM 2015, equations 1 and 2): each
// CNP cuts by alpha/2 and then raises alpha, and a GainPeriod without one decays it.
//
// CNPs reach the sender a little after they are seen here: one that is seen at the
// instant of a tick counts for the next.
type reactionPoint struct {
	begun  bool // a CNP came
	marked bool // and one since the alpha clock's last tick
	alpha  float64
	start  unit.Time // of the clocks
	tick   unit.Time // the alpha clock's next
}

// clocked reports whether the reaction points are those with two clocks.
func clocked(prof *profile.Proximal) bool { return prof.Spacing >= prof.GainPeriod }

// advance makes up for the alpha clock's ticks up to and including until.
func (p *reactionPoint) advance(until unit.Time, prof *profile.Proximal) {
	if !p.begun || until < p.tick {
		return
	}
	n := int64(until.Sub(p.tick))/int64(prof.GainPeriod) + 1
	p.tick = p.tick.Add(unit.Duration(n) * prof.GainPeriod)
	if p.marked {
		p.marked = false
		p.raise(prof)
		n--
	}
	p.alpha *= power(1-prof.Gain, n)
}

// raise is alpha = (1-g) alpha + g.
func (p *reactionPoint) raise(prof *profile.Proximal) {
	p.alpha = float64((1-prof.Gain)*p.alpha) + prof.Gain
}

// take follows a CNP.
func (p *reactionPoint) take(now unit.Time, prof *profile.Proximal) {
	p.advance(now, prof)
	switch {
	case !p.begun:
		*p = reactionPoint{begun: true, alpha: 1, start: now, tick: now.Add(prof.GainPeriod)}
	case clocked(prof):
		p.marked = true
	default:
		p.raise(prof)
		p.tick = now.Add(prof.GainPeriod)
	}
}

// cut follows a CNP up to the cut that it makes, and returns what that leaves of
// the rate.
func (p *reactionPoint) cut(now unit.Time, prof *profile.Proximal) (left float64) {
	if !clocked(prof) {
		p.advance(now, prof)
		left = p.left()
		p.take(now, prof)
		return left
	}
	p.take(now, prof)
	ticks := int64(now.Sub(p.start))/int64(prof.Spacing) + 1
	p.advance(p.start.Add(unit.Duration(ticks)*prof.Spacing), prof)
	return p.left()
}

// left returns the part of the rate that a cut leaves now.
func (p *reactionPoint) left() float64 {
	if !p.begun {
		return 0.5
	}
	return 1 - float64(p.alpha/2)
}

// next returns how long after this CNP the next may follow. It is a Spacing, but
// after the first CNP a half more: that one starts the clocks, and one that came a
// period later would come as they tick, so that some periods have no CNP and some
// have two.
func (p *reactionPoint) next(prof *profile.Proximal) unit.Duration {
	if !p.begun && clocked(prof) {
		return prof.Spacing + prof.Spacing/2
	}
	return prof.Spacing
}

// OnCNP follows a CNP that the sender gets, and returns the time after which the next may follow.
func (e *Entry) OnCNP(now unit.Time, prof *profile.Proximal) (next unit.Duration) {
	next = e.sender.next(prof)
	e.sender.take(now, prof)
	return next
}

// Alpha returns the alpha that the sender's reaction point has at now, 1 before the
// first CNP.
func (e *Entry) Alpha(now unit.Time, prof *profile.Proximal) float64 {
	p := e.sender
	if p.advance(now, prof); !p.begun {
		return 1
	}
	return p.alpha
}

// Cuts returns how many CNPs may follow each other from now on so that their cuts
// leave no less than the given part of the sender's rate: prof.MaxCNPs at most.
func (e *Entry) Cuts(now unit.Time, least float64, prof *profile.Proximal) (n int) {
	p := e.sender
	for left := 1.0; n < prof.MaxCNPs; n++ {
		next := p.next(prof)
		if left *= p.cut(now, prof); left < least {
			break
		}
		now = now.Add(next)
	}
	return n
}

// power is x to the n, by squaring.
func power(x float64, n int64) float64 {
	p := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			p *= x
		}
		x *= x
	}
	return p
}
