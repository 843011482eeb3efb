package hpcc

import (
	"math"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// window is the sender of form window, Algorithm 1 in the paper's names.
type window struct {
	*settings
	path
	round
	line     float64 // bit/s
	period   float64 // T, ps
	least    float64 // bytes
	wInit    float64 // bytes
	w, wc    float64 // bytes
	u        float64
	incStage int
}

func newWindow(settings *settings, facts cc.Facts) *window {
	period := settings.span(facts)
	line := float64(facts.LineRate)
	sender := &window{
		settings: settings,
		line:     line,
		period:   period,
		wInit:    line * period / psPerByte,
		least:    min(settings.minRate, line) * period / psPerByte,
		u:        settings.initialU,
	}
	sender.w = settings.first(line) * period / psPerByte
	sender.wc = sender.w
	return sender
}

// span is T in ps.
func (s *settings) span(facts cc.Facts) float64 {
	if s.period > 0 {
		return float64(s.period)
	}
	return float64(max(facts.BaseRTT, 1))
}

// Handle implements cc.Sender.
func (w *window) Handle(event *cc.Event, decision *cc.Decision) {
	w.take(event)
	switch event.Kind {
	case cc.EventStart:
	case cc.EventAck:
		w.newAck(event)
	default:
		return
	}
	// R = W/T, line 27.
	decision.Window = max(unit.Whole[unit.Bytes](w.w), 1)
	decision.Rate = max(unit.Whole[unit.BitRate](min(w.w*psPerByte/w.period, w.line)), 1)
}

// newAck is NewAck, lines 21 to 28.
func (w *window) newAck(event *cc.Event) {
	if !w.follows(event) {
		w.beginFirst()
		return
	}
	most := w.mostLoaded(event, w.period)
	if most.tau == 0 {
		return
	}
	w.u = average(w.u, most, w.period) // the end of MeasureInflight, line 9
	over := w.over()
	w.computeWind(over)
	if over {
		w.begin()
	}
}

// computeWind is ComputeWind, lines 11 to 20:
//
//	U >= eta or incStage >= maxStage:  W = Wc / (U/eta) + W_AI
//	otherwise:                         W = Wc + W_AI
//
// and with updateWc, Wc = W and incStage = 0 or one more. W is bounded before
// it becomes Wc.
func (w *window) computeWind(updateWc bool) {
	stage := w.incStage + 1
	w.w = w.wc + w.wAI
	if w.u >= w.eta || w.incStage >= w.maxStage {
		w.w = w.wc/(w.u/w.eta) + w.wAI
		stage = 0
	}
	w.w = max(min(w.w, w.wInit), w.least)
	if updateWc {
		w.wc, w.incStage = w.w, stage
	}
}

// Values implements cc.Valued.
func (w *window) Values(into []float64) { into[0], into[1], into[2] = w.u, w.wc, math.NaN() }
