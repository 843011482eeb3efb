package hpcc

import (
	"fmt"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Algorithm is HPCC as a cc.Algorithm.
type Algorithm struct{}

var _ cc.Algorithm = Algorithm{}

// Bounds. No rate beyond the fastest link differs from it (cc.MostRate), and an RTT is bounded by the
// longest latency of a link. A step of the window is at most W_init, which the paper's rule divides by
// the flows: 1GB is that of 400 Gb/s at 20 ms.
const (
	longestRTT    = 10 * unit.Second
	largestWindow = unit.GB
)

const (
	paper     = "Li et al., SIGCOMM 2019, "
	simulator = "alibaba-edu HPCC ns-3, RdmaHw"
)

// Describe implements cc.Algorithm.
func (Algorithm) Describe() cc.Description {
	return cc.Description{
		Name:    "hpcc",
		Version: "1.0.0",
		Summary: "in-band telemetry: the window that keeps the most loaded link just below full",
		Source:  "Li et al., HPCC: High Precision Congestion Control, SIGCOMM 2019; alibaba-edu HPCC ns-3",
		Values: []cc.Value{
			{Name: "utilisation", Doc: "U, of the most loaded link; with multi_rate the largest of all links"},
			{Name: "reference_window", Unit: "B", Doc: "Wc, only in form window"},
			{Name: "reference_rate", Unit: "Gb/s", Doc: "R_c, only in form rate; with multi_rate the least"},
		},
		Params: []cc.Param{
			cc.Choice("form", "window").Of("window", "rate").
				Doc("window: the paper's Algorithm 1. rate: the public simulator's, whose state is a rate").
				From(paper + "Algorithm 1; " + simulator),
			cc.Number("eta", "0.95").In(0.01, 1).
				Doc("target of U, the share of a link's bandwidth-delay product that is in flight").
				From(paper + "section 3.3"),
			cc.Number("max_stage", "5").In(0, 1e6).
				Doc("rounds with only additive increase before a multiplicative one; whole. 0 for a multiplicative one in " +
					"every round, as in the simulator's scripts").
				From(paper + "section 3.3; " + simulator + ", MiThresh"),
			cc.Bytes("w_ai", "").In(0, largestWindow).
				Doc("additive increase of the window. Form window only, default: 80B. The paper's rule is W_init (1 - eta) " +
					"/ N for N flows on a link").
				From(paper + "sections 3.3 and 5.1"),
			cc.Rate("ai_rate", "").In(0, cc.MostRate).
				Doc("additive increase of the rate. Form rate only, default: line rate / 2500, as the simulator's scripts " +
					"have it, 40Mbps at 100Gbps").
				From(simulator + ", RateAI"),
			cc.Duration("t", "").In(unit.Nanosecond, longestRTT).
				Doc("T, which makes W_init = line rate x T and weighs U. Default: the flow's base RTT. The paper's is the " +
					"largest base RTT of the network, one for all flows").
				From(paper + "section 3.2"),
			cc.Number("initial_u", "1").In(0, 1000).
				Doc("U before the first round, which the paper leaves open").
				From(simulator),
			cc.Rate("min_rate", "100Mbps").In(unit.BitPerSecond, cc.MostRate).
				Doc("floor of the rate, in form window of W/T, not in the paper").
				From(simulator + ", MinRate (its scripts: 1Gbps)"),
			cc.Rate("initial_rate", "").In(unit.BitPerSecond, cc.MostRate).
				Doc("rate at the start, at most the line rate, with a window of as much x T. Default: the line rate, a " +
					"window of W_init").
				From("rocelab's choice, for comparisons at one start"),
			cc.Flag("multi_rate", "").
				Doc("a U, a stage and a rate for each link of the path. Form rate only, default: false, as in the " +
					"simulator's scripts").
				From(simulator + ", MultiRate"),
		},
	}
}

// formOf names the form of the parameters that belong to one form only.
var formOf = []struct{ param, form string }{{"w_ai", "window"}, {"ai_rate", "rate"}, {"multi_rate", "rate"}}

// settings are the parameters as the senders use them: rates in bit/s.
type settings struct {
	rateForm, multi bool
	eta             float64
	maxStage        int
	wAI             float64 // bytes
	ai              float64
	aiGiven         bool
	period          unit.Duration // 0: the flow's base RTT
	initialU        float64
	minRate         float64
	initialRate     float64 // 0: the line rate
}

// first is the rate at the start in bit/s, on a line of the given rate.
func (s *settings) first(line float64) float64 {
	if s.initialRate == 0 {
		return line
	}
	return max(min(s.initialRate, line), min(s.minRate, line))
}

// New implements cc.Algorithm.
func (Algorithm) New(params cc.Params) (cc.Controller, error) {
	form := params.Choice("form")
	for _, q := range formOf {
		if q.form != form && params.Given(q.param) {
			return nil, &cc.ParamError{Param: q.param,
				Problem: "form " + form + " has no such parameter; it belongs to form " + q.form}
		}
	}
	stage := params.Number("max_stage")
	if stage != float64(unit.Whole[int](stage)) {
		return nil, &cc.ParamError{Param: "max_stage", Problem: fmt.Sprintf("%v is not a whole number", stage)}
	}
	settings := settings{
		rateForm: form == "rate",
		multi:    params.Switch("multi_rate"),
		eta:      params.Number("eta"),
		maxStage: unit.Whole[int](stage),
		wAI:      80,
		ai:       float64(params.Rate("ai_rate")),
		aiGiven:  params.Given("ai_rate"),
		period:   params.Duration("t"),
		initialU: params.Number("initial_u"),
		minRate:  float64(params.Rate("min_rate")),

		initialRate: float64(params.Rate("initial_rate")),
	}
	if params.Given("w_ai") {
		settings.wAI = float64(params.Bytes("w_ai"))
	}
	return &controller{settings}, nil
}

type controller struct{ settings }

// Signals implements cc.Controller: the switches' records, echoed in each ACK.
func (c *controller) Signals() cc.Signals { return cc.Signals{Acks: true, INT: true} }

// NewSender implements cc.Controller.
func (c *controller) NewSender(facts cc.Facts) cc.Sender {
	if c.rateForm {
		return newRate(&c.settings, facts)
	}
	return newWindow(&c.settings, facts)
}

// NewReceiver implements cc.Controller: the echo is the NIC's.
func (c *controller) NewReceiver(cc.Facts) cc.Receiver { return nil }
