// Command halved is a plugin that uses the name of DCQCN, at half its rates, and reports so when it is asked for a
// controller.
package main

import (
	"fmt"
	"os"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/serve"
	"github.com/rocelab/rocelab/plugins/dcqcn"
)

func main() { serve.Algorithm(halved{}) }

type halved struct{ dcqcn.Algorithm }

func (h halved) New(p cc.Params) (cc.Controller, error) {
	fmt.Fprintln(os.Stderr, "half as fast")
	c, err := h.Algorithm.New(p)
	return controller{c}, err
}

type controller struct{ cc.Controller }

func (c controller) NewSender(f cc.Facts) cc.Sender { return sender{c.Controller.NewSender(f)} }

type sender struct{ cc.Sender }

func (s sender) Handle(e *cc.Event, d *cc.Decision) {
	s.Sender.Handle(e, d)
	d.Rate /= 2
}
