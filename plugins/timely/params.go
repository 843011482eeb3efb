package timely

import (
	"fmt"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Algorithm is TIMELY as a cc.Algorithm.
type Algorithm struct{}

var _ cc.Algorithm = Algorithm{}

// Bounds. No rate beyond the fastest link differs from it (cc.MostRate), and an RTT is bounded by the
// longest latency of a link. The paper's segments have up to 64KB; a message has at most 2 GiB.
const (
	longestRTT     = 10 * unit.Second
	largestSegment = unit.GB
)

const (
	alg1      = "TIMELY, Algorithm 1"
	section5  = "TIMELY, section 5"
	conext    = "Zhu et al., CoNEXT 2016, section 4.3"
	simulator = "alibaba-edu HPCC ns-3"
	erpc      = "erpc-io eRPC, timely.h"
)

// Describe implements cc.Algorithm.
func (Algorithm) Describe() cc.Description {
	return cc.Description{
		Name:    "timely",
		Version: "1.0.0",
		Summary: "RTT gradient: raise the rate while the RTT falls, lower it while it grows; or the patched rule " +
			"with one fixed point",
		Source: "Mittal et al., TIMELY: RTT-based Congestion Control for the Datacenter, SIGCOMM 2015; " +
			"Zhu et al., ECN or Delay: Lessons Learnt from Analysis of DCQCN and TIMELY, CoNEXT 2016",
		Values: []cc.Value{
			{Name: "rtt_gradient", Doc: "rtt_diff over D_minRTT, 0 at the first sample; none before it"},
			{Name: "rtt", Unit: "us", Doc: "the last sample; none before one"},
		},
		Params:   append(rules(), append(constants(), bounds()...)...),
		Recovery: 10 * unit.Millisecond,
	}
}

func rules() []cc.Param {
	return []cc.Param{
		cc.Choice("set", "fabric").Of("fabric", "paper").
			Doc("defaults of t_low, t_high, d_min_rtt and gradient_floor. fabric: multiples of the flow's base RTT; " +
				"paper: constants for RTTs of tens of us").
			From(section5 + "; fabric is rocelab's choice"),
		cc.Choice("variant", "original").Of("original", "patched").
			Doc("rule between t_low and t_high. original: by the sign of the gradient; patched: by gradient and distance " +
				"from rtt_ref").
			From(alg1 + "; " + conext),
		cc.Choice("update", "rtt").Of("rtt", "completion").
			Doc("when a sample changes the rate. rtt: once per round trip, with the first ACK of a packet sent after the " +
				"last update; completion: with each completed segment").
			From(simulator + "; " + alg1),
		cc.Bytes("segment", "0B").In(0, largestSegment).
			Doc("acknowledged payload that makes a completion; 0B for each ACK. For update completion. The paper's " +
				"segments have 16KB to 64KB").
			From(section5),
		cc.Choice("hai_stage", "gradients").Of("gradients", "increases").
			Doc("count for hyperactive increase, in variant original. gradients: from the fifth sample in a row that is " +
				"below the one before, increases between t_low and t_high are by hai; increases: after 5 increases in a " +
				"row, those below t_low included, each further one is by hai, there too, as in the public RDMA simulator").
			From(alg1 + " and the code snippet that its authors published; " + simulator),
		cc.Choice("window", "off").Of("off", "fixed", "rate").
			Doc("bound of the payload in flight. off: none, as in the paper; fixed: line rate x window_rtt; rate: " +
				"current rate x window_rtt, which bounds the rate again as soon as packets queue").
			From(simulator + ", HAS_WIN and VAR_WIN"),
		cc.Duration("window_rtt", "0s").In(0, longestRTT).
			Doc("round-trip time of the window. 0s takes the flow's base RTT. For window fixed and rate").
			From(simulator + ", GLOBAL_T: there the longest base RTT of all pairs of hosts"),
	}
}

func constants() []cc.Param {
	return []cc.Param{
		cc.Number("alpha", "0.875").In(0, 1).
			Doc("weight of a new RTT difference in the smoothed one").
			From(section5 + "; " + simulator),
		cc.Number("beta", "").In(0, 10).
			Doc("multiplicative decrement. Default by variant: original 0.8, patched 0.008").
			From(section5 + "; " + conext),
		cc.Number("beta_high", "0.8").In(0, 1).
			Doc("multiplicative decrement above t_high. The papers have one beta for both; with 0.008 a patched flow " +
				"takes hundreds of round trips out of an incast that began at line rate").
			From(alg1),
		cc.Duration("t_low", "").In(unit.Nanosecond, longestRTT).
			Doc("RTT below which the rate rises. Default by set: fabric twice the base RTT, paper 50us").
			From(section5),
		cc.Duration("t_high", "").In(unit.Nanosecond, longestRTT).
			Doc("RTT above which the rate falls, for any gradient. Default by set: fabric 12 times the base RTT, paper " +
				"500us").
			From(section5),
		cc.Duration("d_min_rtt", "").In(unit.Nanosecond, longestRTT).
			Doc("unit of the gradient. Default by set: fabric the base RTT, paper 20us").
			From(section5 + "; " + simulator),
		cc.Duration("rtt_ref", "").In(unit.Nanosecond, longestRTT).
			Doc("reference RTT of variant patched. Default: t_low").
			From(conext + "; " + erpc),
		cc.Rate("delta", "").In(0, cc.MostRate).
			Doc("additive increment. Default: 1/1000 of the line rate, the 10Mbps of the paper's 10 Gb/s").
			From(section5 + "; " + simulator),
		cc.Rate("hai", "").In(0, cc.MostRate).
			Doc("increment of hyperactive increase, N delta in the paper. Default: 5 times delta").
			From(alg1),
		cc.Number("hai_threshold", "5").In(1, 1e6).Doc("completions that hai_stage counts; whole").From(alg1),
	}
}

func bounds() []cc.Param {
	return []cc.Param{
		cc.Number("gradient_floor", "").In(0, 1).
			Doc("least share of the rate that a decrease by the gradient leaves. Default by set: fabric 0.5, as eRPC has " +
				"it; paper 0, as the simulator: printed, the factor may even be negative. With D_minRTT as short as in " +
				"set fabric, one flow that joins at line rate takes all others to min_rate without it").
			From(alg1 + "; " + simulator + "; " + erpc),
		cc.Rate("min_rate", "10Mbps").In(unit.BitPerSecond, cc.MostRate).
			Doc("floor of the rate, not in the paper: a rate of zero would never get a sample again").
			From("rocelab's choice"),
		cc.Rate("initial_rate", "").In(unit.BitPerSecond, cc.MostRate).
			Doc("rate before the first update. Default: line rate. The paper starts at C/(N+1), N the flows of the NIC").
			From("TIMELY, section 4.3; " + simulator),
	}
}

// settings are the parameters as a sender uses them: rates in bit/s, spans in
// ps. A value that follows from the flow is 0 here.
type settings struct {
	patched, perCompletion, countGradients bool
	segment                                unit.Bytes
	window                                 string
	windowRTT                              float64
	alpha, beta, betaHigh                  float64
	tLow, tHigh, dMinRTT, rttRef           float64
	delta, hai                             float64
	ownDelta, ownHAI                       bool // given, 0 included
	haiThreshold                           int
	gradientFloor, minRate, initialRate    float64
}

// New implements cc.Algorithm.
func (Algorithm) New(params cc.Params) (cc.Controller, error) {
	settings := settings{
		patched:        params.Choice("variant") == "patched",
		perCompletion:  params.Choice("update") == "completion",
		countGradients: params.Choice("hai_stage") == "gradients",
		segment:        params.Bytes("segment"),
		window:         params.Choice("window"),
		windowRTT:      float64(params.Duration("window_rtt")),
		alpha:          params.Number("alpha"),
		beta:           0.8,
		betaHigh:       params.Number("beta_high"),
		delta:          float64(params.Rate("delta")),
		hai:            float64(params.Rate("hai")),
		ownDelta:       params.Given("delta"),
		ownHAI:         params.Given("hai"),
		haiThreshold:   unit.Whole[int](params.Number("hai_threshold")),
		gradientFloor:  0.5,
		minRate:        float64(params.Rate("min_rate")),
		initialRate:    float64(params.Rate("initial_rate")),
	}
	if settings.patched {
		settings.beta = 0.008
	}
	if params.Given("beta") {
		settings.beta = params.Number("beta")
	}
	if params.Choice("set") == "paper" {
		us := float64(unit.Microsecond)
		settings.tLow, settings.tHigh, settings.dMinRTT = 50*us, 500*us, 20*us
		settings.gradientFloor = 0
	}
	if params.Given("gradient_floor") {
		settings.gradientFloor = params.Number("gradient_floor")
	}
	for _, share := range []struct {
		name string
		to   *float64
	}{
		{"t_low", &settings.tLow},
		{"t_high", &settings.tHigh},
		{"d_min_rtt", &settings.dMinRTT},
		{"rtt_ref", &settings.rttRef},
	} {
		if params.Given(share.name) {
			*share.to = float64(params.Duration(share.name))
		}
	}
	if err := settings.check(params); err != nil {
		return nil, err
	}
	return &controller{settings}, nil
}

// check refuses what does not go together.
func (s *settings) check(params cc.Params) error {
	if v := params.Number("hai_threshold"); v != float64(s.haiThreshold) {
		return &cc.ParamError{Param: "hai_threshold", Problem: fmt.Sprintf("%v is not a whole number", v)}
	}
	if s.windowRTT > 0 && s.window == "off" {
		return &cc.ParamError{Param: "window_rtt", Problem: "needs window fixed or rate"}
	}
	if s.segment > 0 && !s.perCompletion {
		return &cc.ParamError{Param: "segment", Problem: "needs update completion"}
	}
	if s.tLow > 0 && s.tHigh > 0 && s.tLow > s.tHigh {
		return &cc.ParamError{Param: "t_low", Problem: fmt.Sprintf("%v is above t_high, %v",
			unit.Whole[unit.Duration](s.tLow), unit.Whole[unit.Duration](s.tHigh))}
	}
	if s.patched {
		for _, name := range []string{"hai_stage", "hai", "hai_threshold", "gradient_floor"} {
			if params.Given(name) {
				return &cc.ParamError{Param: name, Problem: "variant patched has no such parameter; it belongs to variant original"}
			}
		}
	} else if params.Given("rtt_ref") {
		return &cc.ParamError{Param: "rtt_ref",
			Problem: "variant original has no such parameter; it belongs to variant patched"}
	}
	return nil
}

// of returns the settings of one flow, with what follows from it filled in.
func (s settings) of(facts cc.Facts) settings {
	base, line := float64(facts.BaseRTT), float64(facts.LineRate)
	for _, q := range []struct {
		to    *float64
		value float64
	}{{&s.tLow, 2 * base}, {&s.tHigh, max(12*base, s.tLow)}, {&s.dMinRTT, base}, {&s.initialRate, line},
		{&s.windowRTT, base}} {
		if *q.to == 0 {
			*q.to = q.value
		}
	}
	s.tLow = min(s.tLow, s.tHigh)
	if s.rttRef == 0 {
		s.rttRef = s.tLow
	}
	if !s.ownDelta {
		s.delta = line / 1000
	}
	if !s.ownHAI {
		s.hai = 5 * s.delta
	}
	return s
}

type controller struct{ settings }

// Signals implements cc.Controller: each ACK with the echo of its packet's
// timestamp, no marks.
func (c *controller) Signals() cc.Signals { return cc.Signals{Acks: true, Timestamp: true} }

// NewSender implements cc.Controller.
func (c *controller) NewSender(facts cc.Facts) cc.Sender { return newSender(c.of(facts), facts) }

// NewReceiver implements cc.Controller: the NIC's echo is all that is needed.
func (c *controller) NewReceiver(cc.Facts) cc.Receiver { return nil }
