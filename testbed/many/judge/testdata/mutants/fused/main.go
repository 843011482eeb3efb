// Command fused multiplies and adds floats as they come: a compiler that fuses
// the two gives its chaotic map another course, and so its rate.
package main

import (
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/serve"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

func main() { serve.Algorithm(algorithm{}) }

type algorithm struct{}

func (algorithm) Describe() cc.Description {
	return cc.Description{Name: "fused", Version: "1.0.0", Summary: "probes around half the rate by a chaotic map",
		Source: "rocelab"}
}

func (algorithm) New(cc.Params) (cc.Controller, error) { return controller{}, nil }

// gain is within the chaotic range of x <- 1 + gain x^2, whose x stays in [-1, 1].
const gain = -1.9

type controller struct{}

func (controller) Signals() cc.Signals                { return cc.Signals{Acks: true} }
func (controller) NewSender(f cc.Facts) cc.Sender     { return &sender{f.LineRate, 0.3} }
func (controller) NewReceiver(f cc.Facts) cc.Receiver { return nil }

type sender struct {
	line unit.BitRate
	x    float64
}

func (s *sender) Handle(e *cc.Event, d *cc.Decision) {
	if e.Kind == cc.EventAck {
		s.x = 1 + gain*(s.x*s.x)
		d.Rate = s.line/2 + unit.BitRate(float64(s.line/4)*s.x)
	}
}
