// Command stuck cuts its rate by half with each CNP and never raises it again.
package main

import (
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/serve"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

func main() { serve.Algorithm(algorithm{}) }

type algorithm struct{}

func (algorithm) Describe() cc.Description {
	return cc.Description{Name: "stuck", Version: "1.0.0", Summary: "half the rate with each CNP, for ever",
		Source: "rocelab"}
}

func (algorithm) New(cc.Params) (cc.Controller, error) { return controller{}, nil }

type controller struct{}

func (controller) Signals() cc.Signals {
	return cc.Signals{ECT: true, CNP: true, CNPInterval: 50 * unit.Microsecond}
}

func (controller) NewSender(cc.Facts) cc.Sender     { return sender{} }
func (controller) NewReceiver(cc.Facts) cc.Receiver { return nil }

type sender struct{}

func (sender) Handle(e *cc.Event, d *cc.Decision) {
	if e.Kind == cc.EventCNP {
		d.Rate = max(d.Rate/2, unit.Mbps)
	}
}
