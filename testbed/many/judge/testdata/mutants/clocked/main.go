// Command clocked is DCQCN that looks at the clock on the wall: its rate depends
// on when it runs.
package main

import (
	"time"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/serve"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/dcqcn"
)

func main() { serve.Algorithm(algorithm{dcqcn.Algorithm{}}) }

type algorithm struct{ cc.Algorithm }

func (a algorithm) Describe() cc.Description {
	d := a.Algorithm.Describe()
	d.Name = "clocked"
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
	s.Sender.Handle(e, d)
	if e.Kind == cc.EventCNP || e.Kind == cc.EventTimer {
		d.Rate -= unit.BitRate(time.Now().Unix() % 1000)
		d.Rate = max(d.Rate, unit.Mbps)
	}
}
