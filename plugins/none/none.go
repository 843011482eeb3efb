package none

import (
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Algorithm is the absence of control as a cc.Algorithm.
type Algorithm struct{}

var _ cc.Algorithm = Algorithm{}

// Describe implements cc.Algorithm.
func (Algorithm) Describe() cc.Description {
	return cc.Description{
		Name:         "none",
		Version:      "1.0.0",
		Summary:      "no control: line rate, no window",
		Source:       "rocelab",
		Uncontrolled: true,
	}
}

// New implements cc.Algorithm.
func (Algorithm) New(cc.Params) (cc.Controller, error) { return controller{}, nil }

type controller struct{}

// Signals implements cc.Controller.
func (controller) Signals() cc.Signals { return cc.Signals{} }

// NewSender implements cc.Controller.
func (controller) NewSender(facts cc.Facts) cc.Sender { return &sender{facts.LineRate} }

// NewReceiver implements cc.Controller: there is no receiver side.
func (controller) NewReceiver(cc.Facts) cc.Receiver { return nil }

type sender struct{ line unit.BitRate }

// Handle implements cc.Sender.
func (s *sender) Handle(_ *cc.Event, decision *cc.Decision) {
	decision.Rate, decision.Window = s.line, 0
}
