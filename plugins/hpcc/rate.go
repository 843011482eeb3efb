package hpcc

import (
	"github.com/rocelab/rocelab/emulator/telemetry"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/cc"
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
	t               float64 // T, ps
	wInit           float64 // bytes
	r               float64 // bit/s
	// one is the state of a single rate, each that of every link.
	one  reference
	each [telemetry.MaxHops]reference
}

// reference is R_c with the U that it answers.
type reference struct {
	rc       float64 // bit/s
	u        float64
	incStage int
}

func newRate(s *settings, f cc.Facts) *rate {
	t, line := s.span(f), float64(f.LineRate)
	r := &rate{
		settings: s,
		line:     line,
		least:    min(s.minRate, line),
		ai:       s.ai,
		t:        t,
		wInit:    float64(unit.Bytes(line * t / psPerByte)),
		r:        line,
	}
	if !s.aiGiven {
		r.ai = line / 2500
	}
	r.restart()
	return r
}

// restart makes every reference the present rate.
func (r *rate) restart() {
	r.one = reference{rc: r.r, u: r.initialU}
	for i := range r.each {
		r.each[i] = r.one
	}
}

// Handle implements cc.Sender.
func (r *rate) Handle(e *cc.Event, d *cc.Decision) {
	r.take(e)
	switch e.Kind {
	case cc.EventStart:
	case cc.EventAck:
		r.newAck(e)
	default:
		return
	}
	d.Rate = max(unit.BitRate(r.r), 1)
	d.Window = max(unit.Bytes(r.wInit*r.r/r.line), 1)
}

func (r *rate) newAck(e *cc.Event) {
	if !r.follows(e) {
		if r.multi { // a link is told by its place on the path
			r.restart()
		}
		r.beginFirst()
		return
	}
	adjust := r.adjust
	if r.multi {
		adjust = r.adjustEach
	}
	if over := r.over(); adjust(e, over) && over {
		r.begin()
	}
}

// adjust takes the most loaded link's u'.
func (r *rate) adjust(e *cc.Event, over bool) bool {
	most := r.mostLoaded(e, r.t)
	if most.tau == 0 {
		return false
	}
	r.one.u = average(r.one.u, most, r.t)
	r.r = r.compute(&r.one, over)
	return true
}

// adjustEach takes every link's u'. The rate of one that could not be measured
// stays what it is.
func (r *rate) adjustEach(e *cc.Event, over bool) bool {
	measured := false
	least := r.line
	for i, record := range e.INT.Records() {
		h := &r.each[i]
		rate := h.rc
		if l := r.measure(i, record, r.t); l.tau > 0 {
			measured = true
			h.u = average(h.u, l, r.t)
			rate = r.compute(h, over)
		}
		least = min(least, rate)
	}
	if measured {
		r.r = least
	}
	return measured
}

// compute returns the rate that h comes to, and with update makes it the
// reference.
func (r *rate) compute(h *reference, update bool) float64 {
	stage, rate := h.incStage+1, h.rc+r.ai
	if h.u >= r.eta || h.incStage >= r.maxStage {
		stage, rate = 0, h.rc/(h.u/r.eta)+r.ai
	}
	rate = max(min(rate, r.line), r.least)
	if update {
		h.rc, h.incStage = rate, stage
	}
	return rate
}
