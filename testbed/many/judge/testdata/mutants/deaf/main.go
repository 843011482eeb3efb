// Command deaf is DCQCN that hears no CNP: its rate never falls.
package main

import (
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/serve"
	"github.com/rocelab/rocelab/plugins/dcqcn"
)

func main() { serve.Algorithm(algorithm{dcqcn.Algorithm{}}) }

type algorithm struct{ cc.Algorithm }

func (a algorithm) Describe() cc.Description {
	d := a.Algorithm.Describe()
	d.Name = "deaf"
	return d
}

func (a algorithm) New(p cc.Params) (cc.Controller, error) {
	c, err := a.Algorithm.New(p)
	return controller{c}, err
}

type controller struct{ cc.Controller }

func (c controller) NewSender(f cc.Facts) cc.Sender { return sender{c.Controller.NewSender(f)} }

type sender struct{ cc.Sender }

func (s sender) Handle(e *cc.Event, d *cc.Decision) {
	if e.Kind != cc.EventCNP {
		s.Sender.Handle(e, d)
	}
}
