package acceptance

import (
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/specs/mutant"
)

// simple is an algorithm without parameters whose senders are functions.
type simple struct {
	name    string
	signals cc.Signals
	sender  func(cc.Facts) handler
}

type handler func(e *cc.Event, d *cc.Decision)

func (h handler) Handle(e *cc.Event, d *cc.Decision) { h(e, d) }

func (s simple) Describe() cc.Description                { return cc.Description{Name: s.name, Version: "1.0.0"} }
func (s simple) New(cc.Params) (cc.Controller, error)    { return s, nil }
func (s simple) Signals() cc.Signals                     { return s.signals }
func (s simple) NewSender(f cc.Facts) cc.Sender          { return s.sender(f) }
func (s simple) NewReceiver(cc.Facts) (none cc.Receiver) { return nil }

// mutants are algorithms with one deliberate mistake each.
var mutants = map[string]cc.Algorithm{
	// careless does not control, and does not say so.
	"careless": simple{"careless", cc.Signals{}, func(f cc.Facts) handler {
		return func(_ *cc.Event, d *cc.Decision) { d.Rate = f.LineRate }
	}},
	// sluggish never sends faster than 0.1 Gb/s.
	"sluggish": simple{"sluggish", cc.Signals{}, func(cc.Facts) handler {
		return func(_ *cc.Event, d *cc.Decision) { d.Rate = 100 * unit.Mbps }
	}},
	// greedy lets the first flow have what it wants.
	"greedy": simple{"greedy", cc.Signals{}, func(f cc.Facts) handler {
		return func(_ *cc.Event, d *cc.Decision) {
			if d.Rate = f.LineRate / 50; f.Flow == 0 {
				d.Rate = f.LineRate
			}
		}
	}},
	// timid halves its rate at a CNP, and never raises it.
	"timid": simple{"timid", cc.Signals{ECT: true, CNP: true, CNPInterval: 50 * unit.Microsecond}, func(f cc.Facts) handler {
		return func(e *cc.Event, d *cc.Decision) {
			if e.Kind == cc.EventStart {
				d.Rate = f.LineRate
			}
			if e.Kind == cc.EventCNP {
				d.Rate = max(d.Rate/2, unit.Gbps)
			}
		}
	}},
	// quitter gives up at the first loss.
	"quitter": simple{"quitter", cc.Signals{}, func(f cc.Facts) handler {
		return func(e *cc.Event, d *cc.Decision) {
			switch e.Kind {
			case cc.EventStart:
				d.Rate = f.LineRate / 4
			case cc.EventNak, cc.EventTimeout:
				d.Rate = unit.Mbps
			}
		}
	}},
	// rememberer counts the events of all flows of all runs.
	"rememberer": simple{"rememberer", cc.Signals{Acks: true}, func(f cc.Facts) handler {
		return func(_ *cc.Event, d *cc.Decision) {
			events++
			d.Rate = f.LineRate/8 - unit.BitRate(events%1000)*unit.Kbps
		}
	}},
	// credulous takes a delay below zero, which wrong clocks show, for a
	// reason to stop. The rest of it is PC4.
	"credulous": wrapped(mutant.Wrap{Sender: func(s cc.Sender) cc.Sender {
		return handler(func(e *cc.Event, d *cc.Decision) {
			s.Handle(e, d)
			if e.Kind == cc.EventAck && e.OneWayDelay < 0 {
				d.Rate, d.Gap = 100*unit.Mbps, 0
			}
		})
	}}),
}

var events int

func wrapped(w mutant.Wrap) cc.Algorithm {
	a, _ := w.In("pc4")("pc4")
	return a
}
