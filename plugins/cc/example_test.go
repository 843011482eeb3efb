package cc_test

import (
	"fmt"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/cctest"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// halving halves the rate at a CNP and adds step every 50 us.
type halving struct{ step unit.BitRate }

func (halving) Describe() cc.Description {
	return cc.Description{
		Name:    "halving",
		Version: "0.1.0",
		Summary: "half at a CNP, a step more every 50 us",
		Source:  "this example",
		Params: []cc.Param{
			cc.Rate("step", "1Gbps").In(unit.Mbps, 100*unit.Gbps).Doc("what is added every 50 us").From("this example"),
		},
	}
}

func (halving) New(p cc.Params) (cc.Controller, error) { return halving{step: p.Rate("step")}, nil }

func (halving) Signals() cc.Signals {
	return cc.Signals{ECT: true, CNP: true, CNPInterval: 50 * unit.Microsecond}
}

func (h halving) NewSender(f cc.Facts) cc.Sender { return halvingSender{h.step, f.LineRate} }
func (halving) NewReceiver(cc.Facts) cc.Receiver { return nil }

type halvingSender struct{ step, lineRate unit.BitRate }

func (s halvingSender) Handle(e *cc.Event, d *cc.Decision) {
	switch e.Kind {
	case cc.EventStart:
		d.Rate = s.lineRate
	case cc.EventCNP:
		d.Rate = max(d.Rate/2, 100*unit.Mbps)
	case cc.EventTimer:
		d.Rate = min(d.Rate+s.step, s.lineRate)
	}
	d.WakeAt = e.Now.Add(50 * unit.Microsecond)
}

// A whole algorithm, asked by hand what it decides. In a run the NIC asks.
func ExampleAlgorithm() {
	params, err := cctest.Params(halving{}, map[string]string{"step": "5Gbps"})
	if err != nil {
		fmt.Println(err)
		return
	}
	controller, err := halving{}.New(params)
	if err != nil {
		fmt.Println(err)
		return
	}
	sender := controller.NewSender(cc.Facts{LineRate: 100 * unit.Gbps})
	var decision cc.Decision
	for _, event := range []cc.Event{
		{Kind: cc.EventStart},
		{Kind: cc.EventCNP, Now: unit.Time(12 * unit.Microsecond)},
		{Kind: cc.EventTimer, Now: unit.Time(62 * unit.Microsecond)},
	} {
		sender.Handle(&event, &decision)
		fmt.Println(event.Now, decision.Rate, "next timer at", decision.WakeAt)
	}
	// Output:
	// 0s 100Gbps next timer at 50us
	// 12us 50Gbps next timer at 62us
	// 62us 55Gbps next timer at 112us
}

// A wrong parameter is refused with its name, its value and the allowed values.
func ExampleParams() {
	_, err := cctest.Params(halving{}, map[string]string{"step": "0Gbps"})
	fmt.Println(err)
	_, err = cctest.Params(halving{}, map[string]string{"stpe": "5Gbps"})
	fmt.Println(err)
	// Output:
	// parameter step: 0Gbps is below 1Mbps: allowed is 1Mbps to 100Gbps
	// parameter stpe: halving has no such parameter; it has step
}
