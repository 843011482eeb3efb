// Command hostile is a plugin that misbehaves in the way of its file name: cc-CALL-DEED, such as cc-describe-hang, does
// the deed at the first such call. The algorithm has the same name, so that a way is named alike on the host and in a
// container. It bounds its own use of the machine, so that a missing limit is seen and not felt.
package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/serve"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// name is the algorithm's, call and deed its parts.
var (
	name          = strings.TrimPrefix(filepath.Base(os.Args[0]), "cc-")
	call, deed, _ = strings.Cut(name, "-")
	inContainer   = strings.HasPrefix(os.Args[0], "/plugins/")
)

func main() {
	if len(os.Args) > 1 {
		live(os.Args[1]) // a child of one of the deeds
	}
	at("start")
	serve.Algorithm(algorithm{})
}

// done keeps the deed from being done twice.
var done bool

// at does the deed if it belongs to this call.
func at(this string) {
	if call != this || done {
		return
	}
	done = true
	if do := deeds[deed]; do != nil {
		do()
	}
}

type algorithm struct{}

func (algorithm) Describe() cc.Description {
	at("describe")
	d := cc.Description{Name: name, Version: "1.0.0", Summary: "misbehaves", Source: "specs"}
	if call == "description" {
		descriptions[deed](&d)
	}
	return d
}

var configured int

func (algorithm) New(cc.Params) (cc.Controller, error) {
	if configured++; configured == 1 {
		at("new")
	} else {
		at("again")
	}
	if inContainer {
		at("container")
	}
	if deed == "nil" && done {
		return nil, nil
	}
	return controller{}, nil
}

type controller struct{}

func (controller) Signals() cc.Signals {
	at("signals")
	s := cc.Signals{ECT: true, CNP: true, CNPInterval: 4 * unit.Microsecond, Acks: true}
	if call == "asks" {
		signals[deed](&s)
	}
	return s
}

func (controller) NewSender(cc.Facts) cc.Sender {
	if at("sender"); deed == "nil" && done {
		return nil
	}
	return sender{}
}

func (controller) NewReceiver(cc.Facts) cc.Receiver {
	at("receiver")
	return receiver{}
}

type sender struct{}

// calls are the events by their calls' names.
var calls = map[cc.EventKind]string{
	cc.EventStart: "begin",
	cc.EventSent:  "sent",
	cc.EventAck:   "ack",
	cc.EventCNP:   "cnp",
	cc.EventTimer: "timer",
}

func (sender) Handle(event *cc.Event, decision *cc.Decision) {
	at(calls[event.Kind])
	switch event.Kind {
	case cc.EventStart:
		decision.WakeAt, decision.WakeBytes = event.Now.Add(3*unit.Microsecond), event.Sent+5000
	case cc.EventTimer:
		if call == "timer" && deed == "past" {
			decision.WakeAt = event.Now
		}
	}
	if answer := answers[deed]; done && answer != nil && call != "data" {
		answer(decision)
	}
}

type receiver struct{}

func (receiver) Data(_ *cc.Arrival, feedback *cc.Feedback) {
	if at("data"); done && deed == "negative" {
		feedback.BaseRate = -5
	}
}

func (receiver) Group(cc.Group) {}
