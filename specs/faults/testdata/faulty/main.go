// Command faulty is a plugin that acts as its parameter demands as soon as it learns of a flow's start.
package main

import (
	"fmt"
	"os"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/serve"
)

func main() { serve.Algorithm(algorithm{}) }

type algorithm struct{}

func (algorithm) Describe() cc.Description {
	return cc.Description{
		Name:    "faulty",
		Version: "1.0.0",
		Summary: "does what it must not",
		Source:  "specs",
		Params:  []cc.Param{cc.Choice("do", "exit").Of("exit", "panic", "hang", "negative").Doc("what").From("specs")},
	}
}

func (algorithm) New(p cc.Params) (cc.Controller, error) { return controller{p.Choice("do")}, nil }

type controller struct{ do string }

func (controller) Signals() cc.Signals                { return cc.Signals{} }
func (c controller) NewSender(cc.Facts) cc.Sender     { return sender(c) }
func (c controller) NewReceiver(cc.Facts) cc.Receiver { return nil }

type sender struct{ do string }

func (s sender) Handle(_ *cc.Event, d *cc.Decision) {
	switch s.do {
	case "exit":
		fmt.Fprintln(os.Stderr, "I am off")
		os.Exit(3)
	case "panic":
		panic("out of cheese")
	case "hang":
		select {}
	case "negative":
		d.Rate = -5
	}
}
