// Command gossiping is DCQCN whose flows share a count of their CNPs: what one
// decides depends on the others.
package main

import (
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/serve"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/dcqcn"
)

func main() { serve.Algorithm(algorithm{dcqcn.Algorithm{}}) }

type algorithm struct{ cc.Algorithm }

func (a algorithm) Describe() cc.Description {
	d := a.Algorithm.Describe()
	d.Name = "gossiping"
	return d
}

func (a algorithm) New(p cc.Params) (cc.Controller, error) {
	c, err := a.Algorithm.New(p)
	return &controller{c, 0}, err
}

type controller struct {
	cc.Controller
	cnps int
}

func (c *controller) NewSender(f cc.Facts) cc.Sender { return sender{c.Controller.NewSender(f), c} }

type sender struct {
	cc.Sender
	all *controller
}

func (s sender) Handle(e *cc.Event, d *cc.Decision) {
	s.Sender.Handle(e, d)
	if e.Kind == cc.EventCNP {
		s.all.cnps++
		d.Rate = max(d.Rate-d.Rate/1000*unit.BitRate(s.all.cnps%16), unit.Mbps)
	}
}
