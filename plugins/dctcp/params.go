package dctcp

import (
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Algorithm is DCTCP as a cc.Algorithm.
type Algorithm struct{}

var _ cc.Algorithm = Algorithm{}

// Bounds. No rate beyond the fastest link differs from it (cc.MostRate), and an RTT is bounded by the
// longest latency of a link.
const longestRTT = 10 * unit.Second

const (
	paper     = "Alizadeh et al., SIGCOMM 2010, "
	simulator = "alibaba-edu HPCC ns-3, RdmaHw"
	tcp       = "RFC 5681, section 3.1"
)

// Describe implements cc.Algorithm.
func (Algorithm) Describe() cc.Description {
	return cc.Description{
		Name:    "dctcp",
		Version: "1.0.0",
		Summary: "ECN marks echoed in ACKs: cut by half the running share of marked packets",
		Source:  "Alizadeh et al., Data Center TCP (DCTCP), SIGCOMM 2010; RFC 8257",
		Values:  []cc.Value{{Name: "alpha", Doc: "average share of bytes, in form rdma of packets, that were marked"}},
		Params: []cc.Param{
			cc.Choice("form", "rdma").Of("rdma", "window").
				Doc("rdma: the state is a rate that starts at line rate. window: the state is TCP's congestion window").
				From(simulator + "; RFC 8257"),
			cc.Number("g", "0.0625").In(0, 1).
				Doc("gain of alpha, the weight of the newest window of data").
				From(paper + "equation 1 and section 3.4; RFC 8257, section 4.2"),
			cc.Number("initial_alpha", "1").In(0, 1).
				Doc("alpha before the first window of data: 1 halves at the first mark").
				From("RFC 8257, section 3.3"),
			cc.Duration("rtt", "").In(unit.Nanosecond, longestRTT).
				Doc("round-trip time that the BDP and the default of ai_rate are computed from. Form rdma only, default: " +
					"the flow's base RTT").
				From(simulator + ", SetBaseRtt"),
			cc.Rate("ai_rate", "").In(0, cc.MostRate).
				Doc("additive increase per window of data without a mark. Form rdma only, default: one MTU per rtt").
				From(simulator + ", DctcpRateAI (its scripts: 615Mbps, one MTU of 1000 B per 13us)"),
			cc.Choice("window", "").Of("scaled", "fixed", "none").
				Doc("bound on the payload in flight. scaled: line rate x rtt x rate / line rate; fixed: line rate x rtt; " +
					"none: only the rate. Form rdma only, default: scaled").
				From(simulator + ", VarWin"),
			cc.Rate("min_rate", "").In(unit.BitPerSecond, cc.MostRate).
				Doc("floor of the rate. Form rdma only, default: 100Mbps").
				From(simulator + ", MinRate (its scripts: 1Gbps)"),
			cc.Rate("initial_rate", "").In(unit.BitPerSecond, cc.MostRate).
				Doc("rate at the start, at most the line rate. Form rdma only, default: the line rate").
				From("rocelab's choice, for comparisons at one start"),
			cc.Number("initial_window", "").In(1, 1e6).
				Doc("first congestion window, in packets of an MTU. Form window only, default: 10").
				From("RFC 6928, section 2"),
			cc.Number("min_window", "").In(1, 1e6).
				Doc("least congestion window, in packets of an MTU. Form window only, default: 1").
				From(tcp),
		},
	}
}

// formOf names the form of the parameters that belong to one form only.
var formOf = []struct{ param, form string }{
	{"rtt", "rdma"}, {"ai_rate", "rdma"}, {"window", "rdma"}, {"min_rate", "rdma"}, {"initial_rate", "rdma"},
	{"initial_window", "window"}, {"min_window", "window"},
}

// settings are the parameters as the senders use them: rates in bit/s.
type settings struct {
	windowForm               bool
	g, initialAlpha          float64
	rtt                      unit.Duration // 0: the flow's base RTT
	ai                       float64
	aiGiven                  bool
	bounded, scaled          bool
	minRate                  float64
	initialRate              float64 // 0: the line rate
	initialWindow, minWindow float64 // packets
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
	settings := settings{
		windowForm:    form == "window",
		g:             params.Number("g"),
		initialAlpha:  params.Number("initial_alpha"),
		rtt:           params.Duration("rtt"),
		ai:            float64(params.Rate("ai_rate")),
		aiGiven:       params.Given("ai_rate"),
		bounded:       params.Choice("window") != "none",
		scaled:        params.Choice("window") != "fixed",
		minRate:       100e6,
		initialRate:   float64(params.Rate("initial_rate")),
		initialWindow: 10,
		minWindow:     1,
	}
	if params.Given("min_rate") {
		settings.minRate = float64(params.Rate("min_rate"))
	}
	if params.Given("initial_window") {
		settings.initialWindow = params.Number("initial_window")
	}
	if params.Given("min_window") {
		settings.minWindow = params.Number("min_window")
	}
	return &controller{settings}, nil
}

type controller struct{ settings }

// Signals implements cc.Controller: marks, echoed in each ACK.
func (c *controller) Signals() cc.Signals { return cc.Signals{ECT: true, Acks: true, ECNEcho: true} }

// NewSender implements cc.Controller.
func (c *controller) NewSender(facts cc.Facts) cc.Sender {
	if c.windowForm {
		return newWindow(&c.settings, facts)
	}
	return newRDMA(&c.settings, facts)
}

// NewReceiver implements cc.Controller: the echo is the NIC's.
func (c *controller) NewReceiver(cc.Facts) cc.Receiver { return nil }
