package cctest_test

import (
	"fmt"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/cctest"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// halving halves a sender's rate at each CNP, and asks to be woken 55 us later.
type halving struct{}

func (halving) Describe() cc.Description             { return cc.Description{Name: "halving"} }
func (halving) New(cc.Params) (cc.Controller, error) { return halving{}, nil }
func (halving) Signals() cc.Signals                  { return cc.Signals{CNP: true} }
func (halving) NewSender(cc.Facts) cc.Sender         { return halving{} }
func (halving) NewReceiver(cc.Facts) cc.Receiver     { return nil }
func (halving) Handle(e *cc.Event, d *cc.Decision) {
	if e.Kind == cc.EventCNP {
		d.Rate /= 2
		d.WakeAt = e.Now.Add(55 * unit.Microsecond)
	}
}

// The first microseconds of a flow that gets a CNP, as a transcript.
func ExampleReplay() {
	transcript, err := cctest.Replay(halving{}, `
> flow line_rate=100Gbps
> 0us start
> 12us cnp
> 20us run
`)
	if err != nil {
		fmt.Println(err)
	}
	fmt.Print(transcript)
	// Output:
	// > flow line_rate=100Gbps
	// > 0us start
	// 0s start: rate=100000000000bps
	// > 12us cnp
	// 12us cnp: rate=50000000000bps wake=67us
	// > 20us run
}
