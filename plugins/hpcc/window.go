package hpcc

import (
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/cc"
)

// window is the sender of form window, Algorithm 1 in the paper's names.
type window struct {
	*settings
	path
	round
	line     float64 // bit/s
	t        float64 // T, ps
	least    float64 // bytes
	wInit    float64 // bytes
	w, wc    float64 // bytes
	u        float64
	incStage int
}

func newWindow(s *settings, f cc.Facts) *window {
	t := s.span(f)
	line := float64(f.LineRate)
	w := &window{
		settings: s,
		line:     line,
		t:        t,
		wInit:    line * t / psPerByte,
		least:    min(s.minRate, line) * t / psPerByte,
		u:        s.initialU,
	}
	w.w, w.wc = w.wInit, w.wInit
	return w
}

// span is T in ps.
func (s *settings) span(f cc.Facts) float64 {
	if s.t > 0 {
		return float64(s.t)
	}
	return float64(max(f.BaseRTT, 1))
}

// Handle implements cc.Sender.
func (w *window) Handle(e *cc.Event, d *cc.Decision) {
	w.take(e)
	switch e.Kind {
	case cc.EventStart:
	case cc.EventAck:
		w.newAck(e)
	default:
		return
	}
	// R = W/T, line 27.
	d.Window = max(unit.Bytes(w.w), 1)
	d.Rate = max(unit.BitRate(min(w.w*psPerByte/w.t, w.line)), 1)
}

// newAck is NewAck, lines 21 to 28.
func (w *window) newAck(e *cc.Event) {
	if !w.follows(e) {
		w.beginFirst()
		return
	}
	most := w.mostLoaded(e, w.t)
	if most.tau == 0 {
		return
	}
	w.u = average(w.u, most, w.t) // the end of MeasureInflight, line 9
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
