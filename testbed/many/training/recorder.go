package training

import (
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/pidnn"
)

// recorder takes every event of every sender of a run and keeps the RTT
// samples of each flow, taken as pidnn takes them: one at a time (thesis, section
// 3.2).
type recorder struct {
	// flows are the senders by the number of their flow; room is made before.
	flows []*recordedSender
}

// wrap returns the algorithm a with its senders recorded.
func (r *recorder) wrap(a cc.Algorithm) cc.Algorithm { return recordedAlgorithm{a, r} }

type recordedAlgorithm struct {
	cc.Algorithm
	to *recorder
}

func (a recordedAlgorithm) New(p cc.Params) (cc.Controller, error) {
	c, err := a.Algorithm.New(p)
	if err != nil {
		return nil, err
	}
	return recordedController{c, a.to}, nil
}

type recordedController struct {
	cc.Controller
	to *recorder
}

// Signals asks for ACKs besides what the algorithm asks for: that changes
// nothing on the wire.
func (c recordedController) Signals() cc.Signals {
	s := c.Controller.Signals()
	s.Acks = true
	return s
}

func (c recordedController) NewSender(f cc.Facts) cc.Sender {
	h := &recordedSender{Sender: c.Controller.NewSender(f), acks: c.Controller.Signals().Acks}
	c.to.flows[f.Flow] = h
	return h
}

// recordedSender is a sender whose RTT samples are kept.
type recordedSender struct {
	cc.Sender
	// acks is set if the algorithm itself asked for ACKs.
	acks    bool
	sampler pidnn.Sampler
	// rtts are the flow's samples in their order.
	rtts []unit.Duration
}

// Handle implements cc.Sender.
func (h *recordedSender) Handle(e *cc.Event, d *cc.Decision) {
	if rtt, ok := h.sampler.Sample(e); ok {
		h.rtts = append(h.rtts, rtt)
	}
	if h.acks || e.Kind != cc.EventAck {
		h.Sender.Handle(e, d)
	}
}
