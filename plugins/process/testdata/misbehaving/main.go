// Command misbehaving is a plugin that does as its parameter says, for the tests of package process.
package main

import (
	"errors"
	"fmt"
	"math"
	"os"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/serve"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

func main() { serve.Algorithm(algorithm{}) }

type algorithm struct{}

func (algorithm) Describe() cc.Description {
	return cc.Description{
		Name:     "misbehaving",
		Version:  "1.2.3",
		Summary:  "does what it must not",
		Source:   "tests",
		Recovery: 7 * unit.Microsecond,
		Values:   []cc.Value{{Name: "events", Doc: "so far"}, {Name: "last_at", Unit: "us", Doc: "none before one"}},
		Params: []cc.Param{
			cc.Choice("on", "nothing").
				Of("nothing", "new", "sender", "receiver", "cnp", "data", "third", "echo", "values").
				Doc("when").From(""),
			cc.Choice("do", "exit").Of("exit", "panic", "hang", "negative", "refuse", "blame", "nil", "print").
				Doc("what").From(""),
			cc.Rate("least", "").In(unit.Kbps, cc.MostRate).Doc("default: none").From(""),
		},
	}
}

func (algorithm) New(p cc.Params) (cc.Controller, error) {
	c := &controller{on: p.Choice("on"), do: p.Choice("do")}
	if c.on == "new" {
		switch c.do {
		case "refuse":
			return nil, errors.New("not today")
		case "blame":
			return nil, &cc.ParamError{Param: "least", Problem: "is above the line rate"}
		case "nil":
			return nil, nil
		}
		c.misbehave(nil)
	}
	return c, nil
}

type controller struct {
	on, do string
	events int
}

func (c *controller) misbehave(d *cc.Decision) {
	switch c.do {
	case "exit":
		fmt.Fprintln(os.Stderr, "I am off")
		os.Exit(3)
	case "panic":
		panic("out of cheese")
	case "hang":
		for {
		}
	case "negative":
		d.Rate = -5
	case "print":
		fmt.Println("to stdout")
		fmt.Fprintln(os.Stderr, "to stderr")
	}
}

func (c *controller) Signals() cc.Signals {
	return cc.Signals{
		ECT:         true,
		CNP:         true,
		CNPInterval: 50 * unit.Microsecond,
		ECNEcho:     true,
		Group:       true,
	}
}

func (c *controller) NewSender(f cc.Facts) cc.Sender {
	if c.on == "sender" {
		if c.do == "nil" {
			return nil
		}
		c.misbehave(nil)
	}
	return &sender{controller: c, facts: f}
}

func (c *controller) NewReceiver(f cc.Facts) cc.Receiver {
	if c.on == "receiver" {
		if c.do == "nil" {
			return nil
		}
		c.misbehave(nil)
	}
	return &receiver{controller: c}
}

type sender struct {
	*controller
	facts cc.Facts
	count int
	at    unit.Time
}

// Values returns the number of events of this sender, and the time of the last one.
func (s *sender) Values(into []float64) {
	if s.on == "values" {
		s.misbehave(nil)
	}
	into[0], into[1] = float64(s.count), float64(s.at)/1e6
	if s.count == 0 {
		into[1] = math.NaN()
	}
}

// Handle draws its rate from the flow's chance, so that the test sees whether the stream arrived. With on=echo it
// returns the state at the event.
func (s *sender) Handle(e *cc.Event, d *cc.Decision) {
	s.events++
	s.count, s.at = s.count+1, e.Now
	if s.on == "echo" {
		d.Window, d.Gap = unit.Bytes(d.Rate), unit.Duration(d.WakeAt)
		d.Rate, d.WakeAt = 2*s.facts.LineRate, 100
		return
	}
	d.Rate = unit.BitRate(1 + s.facts.Chance.Below(uint64(s.facts.LineRate)))
	if e.Kind == cc.EventTimer {
		d.WakeAt = e.Now.Add(unit.Microsecond)
	}
	if s.on == "cnp" && e.Kind == cc.EventCNP || s.on == "third" && s.events == 3 {
		s.misbehave(d)
	}
}

type receiver struct {
	*controller
	group cc.Group
}

func (r *receiver) Group(g cc.Group) { r.group = g }

// Data answers with its arguments, so that the test sees whether they arrived.
func (r *receiver) Data(a *cc.Arrival, fb *cc.Feedback) {
	if r.on == "data" {
		r.misbehave(nil)
	}
	fb.BaseRate += unit.BitRate(r.group.Flows)*unit.Kbps + unit.BitRate(a.Bytes)
	fb.OneWayDelay = unit.Duration(a.Now)
}
