package dctcp

import (
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// window is the sender of form window (RFC 8257, section 3.3). When what had
// been sent at the last update is acknowledged,
//
//	M = DCTCP.BytesMarked / DCTCP.BytesAcked
//	DCTCP.Alpha = DCTCP.Alpha (1-g) + g M
//
// and a marked ACK, once a window of data, makes
//
//	cwnd = cwnd (1 - DCTCP.Alpha/2)
//
// The rest is TCP (RFC 5681): slow start below ssthresh, above it one MTU per
// window of data, half the window at a NAK, one MTU after a timeout. A window
// that is not in use does not grow (RFC 7661, section 4.4).
//
// Differs from RFC 5681: increase counts bytes, as RFC 3465 has it, in slow
// start without its limit L, for no ACK covers much more than a packet.
type window struct {
	*settings
	progress
	reduction
	line           unit.BitRate
	mtu, least     float64 // bytes
	cwnd, ssthresh float64 // bytes
	// credit is the number of bytes acknowledged since the window last grew.
	credit           float64
	alpha            float64
	windowEnd        unit.Bytes // DCTCP.WindowEnd
	acked, markedAck unit.Bytes // DCTCP.BytesAcked, BytesMarked
}

// mostWindow keeps a window within what a decision can say: 1 TB.
const mostWindow = 1e12

func newWindow(settings *settings, facts cc.Facts) *window {
	mtu := float64(max(facts.MTU, 1))
	return &window{
		settings: settings,
		line:     facts.LineRate,
		mtu:      mtu,
		least:    settings.minWindow * mtu,
		cwnd:     max(settings.initialWindow, settings.minWindow) * mtu,
		ssthresh: mostWindow,
		alpha:    settings.initialAlpha,
	}
}

// Handle implements cc.Sender.
func (w *window) Handle(event *cc.Event, decision *cc.Decision) {
	w.take(event)
	switch event.Kind {
	case cc.EventStart:
	case cc.EventAck:
		w.ack(event)
	case cc.EventNak:
		w.leave(&w.progress)
		if !w.cwr {
			w.cut(0.5)
		}
	case cc.EventTimeout:
		w.ssthresh = max(w.cwnd/2, 2*w.mtu)
		w.cwnd, w.credit, w.cwr = w.least, 0, false
	default:
		return
	}
	decision.Rate = w.line
	decision.Window = unit.Whole[unit.Bytes](w.cwnd)
}

func (w *window) ack(event *cc.Event) {
	w.acked += event.Acked
	if event.CE {
		w.markedAck += event.Acked
	}
	if w.una > w.windowEnd && w.acked > 0 {
		m := float64(w.markedAck) / float64(w.acked)
		w.alpha = float64((1-w.g)*w.alpha) + float64(w.g*m)
		w.windowEnd, w.acked, w.markedAck = w.nxt, 0, 0
	}
	w.leave(&w.progress)
	switch {
	case w.cwr:
	case event.CE:
		w.cut(1 - float64(w.alpha/2))
	case float64(event.Inflight+event.Acked) >= w.cwnd:
		w.grow(float64(event.Acked))
	}
}

// cut leaves the given share of the window and ends slow start.
func (w *window) cut(share float64) {
	w.cwnd = max(w.cwnd*share, w.least)
	w.ssthresh, w.credit = w.cwnd, 0
	w.enter(&w.progress)
}

func (w *window) grow(acked float64) {
	if w.cwnd < w.ssthresh {
		w.cwnd = min(w.cwnd+acked, w.ssthresh)
		return
	}
	if w.credit += acked; w.credit >= w.cwnd {
		w.credit -= w.cwnd
		w.cwnd = min(w.cwnd+w.mtu, mostWindow)
	}
}

// Values implements cc.Valued.
func (w *window) Values(into []float64) { into[0] = w.alpha }
