// Command crashing panics at the hundredth event of one side.
package main

import (
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/serve"
)

func main() { serve.Algorithm(algorithm{}) }

type algorithm struct{}

func (algorithm) Describe() cc.Description {
	return cc.Description{Name: "crashing", Version: "1.0.0", Params: []cc.Param{
		cc.Choice("side", "sender").Of("sender", "receiver").Doc("what gives up").From("tests")}}
}

func (algorithm) New(p cc.Params) (cc.Controller, error) {
	return &controller{side: p.Choice("side")}, nil
}

type controller struct {
	side   string
	events int
}

func (c *controller) count(side string) {
	if c.side == side {
		if c.events++; c.events == 100 {
			panic("the " + side + " gives up")
		}
	}
}

func (c *controller) Signals() cc.Signals              { return cc.Signals{Acks: true} }
func (c *controller) NewSender(cc.Facts) cc.Sender     { return c }
func (c *controller) NewReceiver(cc.Facts) cc.Receiver { return c }
func (c *controller) Handle(*cc.Event, *cc.Decision)   { c.count("sender") }
func (c *controller) Data(*cc.Arrival, *cc.Feedback)   { c.count("receiver") }
func (c *controller) Group(cc.Group)                   {}
