package hpcc

import (
	"math"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/inband"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// rate is the sender of form rate, the public RDMA simulator's. It moves a rate
// R and a reference R_c as Algorithm 1 does W and Wc:
//
//	U >= eta or incStage >= maxStage:  R = R_c / (U/eta) + R_AI
//	otherwise:                         R = R_c + R_AI
//
// R is bounded by min_rate and the line rate. With multi_rate there are a U, a
// stage and a reference for each link, and R is the least that they come to.
type rate struct {
	*settings
	path
	round
	line, least, ai float64 // bit/s
	period          float64 // T, ps
	wInit           float64 // bytes
	rate            float64 // bit/s
	// one is the state of a single rate, each has the state of every link.
	one  reference
	each [inband.MaxHops]reference
}

// reference is R_c with the U that it answers.
type reference struct {
	rc       float64 // bit/s
	u        float64
	incStage int
}

func newRate(settings *settings, facts cc.Facts) *rate {
	period, line := settings.span(facts), float64(facts.LineRate)
	sender := &rate{
		settings: settings,
		line:     line,
		least:    min(settings.minRate, line),
		ai:       settings.ai,
		period:   period,
		wInit:    float64(unit.Whole[unit.Bytes](line * period / psPerByte)),
		rate:     settings.first(line),
	}
	if !settings.aiGiven {
		sender.ai = line / 2500
	}
	sender.restart()
	return sender
}

// restart makes every reference the present rate.
func (r *rate) restart() {
	r.one = reference{rc: r.rate, u: r.initialU}
	for i := range r.each {
		r.each[i] = r.one
	}
}

// Handle implements cc.Sender.
func (r *rate) Handle(event *cc.Event, decision *cc.Decision) {
	r.take(event)
	switch event.Kind {
	case cc.EventStart:
	case cc.EventAck:
		r.newAck(event)
	default:
		return
	}
	decision.Rate = max(unit.Whole[unit.BitRate](r.rate), 1)
	decision.Window = max(unit.Whole[unit.Bytes](r.wInit*r.rate/r.line), 1)
}

func (r *rate) newAck(event *cc.Event) {
	if !r.follows(event) {
		if r.multi { // a link is known by its place on the path
			r.restart()
		}
		r.beginFirst()
		return
	}
	adjust := r.adjust
	if r.multi {
		adjust = r.adjustEach
	}
	if over := r.over(); adjust(event, over) && over {
		r.begin()
	}
}

// adjust takes the most loaded link's u'.
func (r *rate) adjust(event *cc.Event, over bool) bool {
	most := r.mostLoaded(event, r.period)
	if most.tau == 0 {
		return false
	}
	r.one.u = average(r.one.u, most, r.period)
	r.rate = r.compute(&r.one, over)
	return true
}

// adjustEach takes every link's u'. The rate of one that could not be measured
// stays what it is.
func (r *rate) adjustEach(event *cc.Event, over bool) bool {
	measured := false
	least := r.line
	for i, record := range event.INT.Records() {
		ref := &r.each[i]
		rate := ref.rc
		if l := r.measure(i, record, r.period); l.tau > 0 {
			measured = true
			ref.u = average(ref.u, l, r.period)
			rate = r.compute(ref, over)
		}
		least = min(least, rate)
	}
	if measured {
		r.rate = least
	}
	return measured
}

// compute returns the rate that follows from a reference, and with update makes it
// the new reference.
func (r *rate) compute(ref *reference, update bool) float64 {
	stage, rate := ref.incStage+1, ref.rc+r.ai
	if ref.u >= r.eta || ref.incStage >= r.maxStage {
		stage, rate = 0, ref.rc/(ref.u/r.eta)+r.ai
	}
	rate = max(min(rate, r.line), r.least)
	if update {
		ref.rc, ref.incStage = rate, stage
	}
	return rate
}

// Values implements cc.Valued.
func (r *rate) Values(into []float64) {
	u, rc := r.one.u, r.one.rc
	if r.multi {
		u, rc = r.each[0].u, r.each[0].rc
		for i := range r.each {
			u, rc = max(u, r.each[i].u), min(rc, r.each[i].rc)
		}
	}
	into[0], into[1], into[2] = u, math.NaN(), rc/1e9
}
