package fixed

import (
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Algorithm is the fixed rate as a cc.Algorithm.
type Algorithm struct{}

var _ cc.Algorithm = Algorithm{}

// Describe implements cc.Algorithm. No rate beyond the fastest link differs from it, and a window of
// the largest flow bounds nothing.
func (Algorithm) Describe() cc.Description {
	return cc.Description{
		Name:         "fixed",
		Version:      "1.0.0",
		Summary:      "no congestion control: one rate, one window",
		Source:       "rocelab",
		Uncontrolled: true,
		Params: []cc.Param{
			cc.Rate("rate", "").In(unit.BitPerSecond, cc.MostRate).
				Doc("rate of each flow. Default: the line rate, which also bounds it").
				From("rocelab"),
			cc.Bytes("window", "0B").In(0, cc.MostBytes).Doc("most payload in flight, 0 for no bound").From("rocelab"),
		},
	}
}

// New implements cc.Algorithm.
func (Algorithm) New(params cc.Params) (cc.Controller, error) {
	return &controller{params.Rate("rate"), params.Bytes("window")}, nil
}

type controller struct {
	rate   unit.BitRate // 0 for the line rate
	window unit.Bytes
}

// Signals implements cc.Controller.
func (c *controller) Signals() cc.Signals { return cc.Signals{} }

// NewSender implements cc.Controller.
func (c *controller) NewSender(facts cc.Facts) cc.Sender {
	rate := facts.LineRate
	if c.rate > 0 {
		rate = min(rate, c.rate)
	}
	return &sender{rate, c.window}
}

// NewReceiver implements cc.Controller: there is no receiver side.
func (c *controller) NewReceiver(cc.Facts) cc.Receiver { return nil }

type sender struct {
	rate   unit.BitRate
	window unit.Bytes
}

// Handle implements cc.Sender.
func (s *sender) Handle(_ *cc.Event, decision *cc.Decision) {
	decision.Rate, decision.Window = s.rate, s.window
}
