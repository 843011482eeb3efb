package pc4

import (
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/cc"
)

// Algorithm is PC4 as a cc.Algorithm.
type Algorithm struct{}

var _ cc.Algorithm = Algorithm{}

const (
	alg1   = "PC4, Algorithm 1 and Table I"
	alg2   = "PC4, Algorithm 2"
	target = "PC4, III-C"
)

// Describe implements cc.Algorithm.
func (Algorithm) Describe() cc.Description {
	return cc.Description{
		Name:    "pc4",
		Version: "1.1.0",
		Summary: "receiver-told base rate, one-way delay against a target, sub-packet windows",
		Source:  "Qi et al., PC4: Precision Collective Communication Congestion Control for AI Cluster",
		Params:  append(append(switches(), gains()...), append(targets(), windows()...)...),
	}
}

func switches() []cc.Param {
	return []cc.Param{
		{
			Name:    "base_rate",
			Kind:    cc.KindSwitch,
			Default: "true",
			Doc:     "take over the base rate in ACKs; off, only the adjustment by delay is left",
			Source:  "PC4, III-A and IV",
		},
		{
			Name:    "adjust",
			Kind:    cc.KindSwitch,
			Default: "true",
			Doc:     "adjust by one-way delay; off, only the base rate is left",
			Source:  "PC4, III-C and IV",
		},
		{
			Name:    "n_source",
			Kind:    cc.KindChoice,
			Default: "controller",
			Choices: []string{"controller", "receiver", "controller+sender"},
			Doc: "who knows n. controller: it tells the receiver, and the sender learns its base rate from its first ACK; " +
				"receiver: the receiving NIC counts " +
				"the flows that it sees; controller+sender: the sender is told too, before its first packet and of changes that " +
				"the plan fixes, starts and stops by the clock. The paper presumes a controller and says no more",
			Source: "PC4, III-A",
		},
		{
			Name:    "n_mode",
			Kind:    cc.KindChoice,
			Default: "incoming",
			Choices: []string{"incoming", "paper"},
			Doc: "incoming: base rate = line rate / max(1, n), n the active incoming flows. paper: as printed, line rate / " +
				"(n-1) for all-to-all and all-gather; " +
				"n is then ranks x flows per pair, since with n the incoming flows n/(n-1) of the line would be given away; n = " +
				"1, printed as a division by zero, gives the line rate",
			Source: alg1,
		},
		{
			Name:    "all_reduce",
			Kind:    cc.KindChoice,
			Default: "flows",
			Choices: []string{"flows", "ring", "hd", "ps"},
			Doc: "divisor in mode all-reduce. flows: n, as printed; ring and hd: 1, one flow comes in at each step; " +
				"ps: ranks - 1. " +
				"The paper says that such tables can be integrated and gives none",
			Source: "PC4, III-A",
		},
		{
			Name:    "reload_threshold",
			Kind:    cc.KindNumber,
			Default: "0",
			Min:     "0",
			Max:     "1",
			Doc: "relative change of the base rate beyond which it is taken over. 0 is the printed comparison: any change, " +
				"so that with many flows that end the adjustment " +
				"never acts; 0.01 is the sensible other value",
			Source: alg2 + ", line 4",
		},
	}
}

func gains() []cc.Param {
	return []cc.Param{
		{Name: "hai", Kind: cc.KindRate,
			Doc: "hyper additive increment, not given in the paper. Default: hai_share of the base rate; 100Mbps with " +
				"base_rate off", Source: alg2 + ", line 22"},
		{
			Name:    "hai_share",
			Kind:    cc.KindNumber,
			Default: "0.05",
			Min:     "0",
			Max:     "1",
			Doc:     "hai as a share of the base rate, where hai is not given",
			Source:  "rocelab's choice",
		},
		{Name: "ai", Kind: cc.KindRate,
			Doc:    "additive increment, not given in the paper. Default: ai_share of the base rate; 25Mbps with base_rate off",
			Source: alg2 + ", line 24"},
		{
			Name:    "ai_share",
			Kind:    cc.KindNumber,
			Default: "0.01",
			Min:     "0",
			Max:     "1",
			Doc:     "ai as a share of the base rate, where ai is not given",
			Source:  "rocelab's choice",
		},
		{
			Name:    "beta",
			Kind:    cc.KindNumber,
			Default: "0.8",
			Min:     "0",
			Max:     "10",
			Doc:     "multiplicative decrease constant, not given in the paper",
			Source:  alg2 + ", line 27",
		},
		{
			Name:    "max_mdf",
			Kind:    cc.KindNumber,
			Default: "0.5",
			Min:     "0",
			Max:     "1",
			Doc:     "largest share that one decrease takes, not given in the paper",
			Source:  alg2 + ", line 26",
		},
		{
			Name:    "zero_reading",
			Kind:    cc.KindChoice,
			Default: "robust",
			Choices: []string{"robust", "literal"},
			Doc: "when a delay counts as zero. robust: up to zero_band, negative ones included. literal: within zero_band of " +
				"0 only; a delay below that falls, as printed, " +
				"into the decrease, whose factor is then above 1",
			Source: alg2 + ", lines 21 to 27",
		},
		{Name: "zero_band", Kind: cc.KindDuration,
			Doc: "width of zero. Default by zero_reading: robust 100ns, the accuracy of clocks that the paper cites; " +
				"literal 1ns, the rounding of timestamps",
			Source: "PC4, III-B"},
		{
			Name:    "adjust_interval",
			Kind:    cc.KindNumber,
			Default: "1.5",
			Min:     "0",
			Max:     "1000",
			Doc: "least time between adjustments, in units of the larger of base RTT and last RTT. The paper says that " +
				"it exceeds one RTT",
			Source: target,
		},
		{
			Name:    "feedback",
			Kind:    cc.KindChoice,
			Default: "fresh",
			Choices: []string{"fresh", "any"},
			Doc: "fresh: adjust only on ACKs of packets sent after the last change of rate, told by the echoed tx_time, " +
				"so that one queue is answered once. any: on every ACK, as printed",
			Source: "PC4, III-C; " + alg2 + ", line 9",
		},
		{
			Name:    "timeout_factor",
			Kind:    cc.KindChoice,
			Default: "line18",
			Choices: []string{"line18", "mdf"},
			Doc: "share that a timeout leaves of window and rate. line18: 1 - max_mdf, as in the algorithm; mdf: " +
				"max_mdf, as in the text. The algorithm cuts the window alone; a later window would be made of the uncut rate",
			Source: alg2 + ", line 18; III-D",
		},
		{
			Name:    "min_rate",
			Kind:    cc.KindRate,
			Default: "1Mbps",
			Min:     "1bps",
			Doc:     "floor of tx_rate, not in the paper; the ceiling is the line rate",
			Source:  "rocelab's choice",
		},
	}
}

func targets() []cc.Param {
	return []cc.Param{
		{Name: "target_qtime", Kind: cc.KindDuration,
			Doc: "fixed target queueing time. Default: tq0 x (baseline / tq_baseline) x min(1, tq_n0 / N), not below " +
				"tq_floor x (baseline / tq_baseline). " +
				"The paper scales by baseline and 1/N without constants. N is line rate / base rate, 1 before the first ACK; " +
				"with base_rate off the controller's n", Source: target},
		{
			Name:    "tq0",
			Kind:    cc.KindDuration,
			Default: "1us",
			Doc:     "target queueing time of up to tq_n0 flows over tq_baseline",
			Source:  "rocelab's choice",
		},
		{
			Name:    "tq_n0",
			Kind:    cc.KindNumber,
			Default: "10",
			Min:     "0",
			Max:     "1000000",
			Doc:     "number of flows from which the target falls with 1/N",
			Source:  "rocelab's choice",
		},
		{
			Name:    "tq_floor",
			Kind:    cc.KindDuration,
			Default: "300ns",
			Doc:     "least target queueing time over tq_baseline",
			Source:  "rocelab's choice",
		},
		{
			Name:    "tq_baseline",
			Kind:    cc.KindDuration,
			Default: "2.2us",
			Min:     "1ns",
			Doc:     "one-way delay for which tq0 and tq_floor are meant: one switch, 1us a link",
			Source:  "PC4, IV",
		},
	}
}

func windows() []cc.Param {
	return []cc.Param{
		{
			Name:    "first_rtt",
			Kind:    cc.KindChoice,
			Default: "line",
			Choices: []string{"line", "base", "12pkt", "1pkt"},
			Doc: "first window, not given in the paper. line: line rate and one BDP; base: base rate and base rate x " +
				"RTT, needs n_source controller+sender; 12pkt and 1pkt: so many packets at line rate",
			Source: "PC4, Table II suggests 12 packets",
		},
		{
			Name:    "cwnd_rtt",
			Kind:    cc.KindChoice,
			Default: "base",
			Choices: []string{"base", "measured"},
			Doc: "which RTT makes the window of line 12. A measured one lets the window grow with the queue; a base one " +
				"lets late ACKs limit the rate",
			Source: alg2 + ", line 12",
		},
		{
			Name:    "cwnd_update",
			Kind:    cc.KindChoice,
			Default: "changed",
			Choices: []string{"changed", "indent", "always"},
			Doc: "when lines 12 to 16 run. changed: whenever tx_rate was set; indent: in the else branch only, as the " +
				"indentation has it, so that a new base rate moves the window with the next ACK; always: at each ACK. " +
				"III-A cites line 12 for the change of base rate, III-C has the window constant within the interval",
			Source: alg2 + ", lines 12 to 16",
		},
		{
			Name:    "pace",
			Kind:    cc.KindChoice,
			Default: "always",
			Choices: []string{"always", "paper"},
			Doc: "always: packets are spaced by tx_rate. paper: only below a window of one packet, otherwise windows " +
				"leave as bursts; there the gap RTT/cwnd counts payload, so that the rate on the wire exceeds tx_rate by " +
				"the headers",
			Source: alg2 + ", lines 13 to 16",
		},
		{
			Name:    "min_cwnd",
			Kind:    cc.KindNumber,
			Default: "0.0001",
			Min:     "0.000001",
			Max:     "1",
			Doc:     "least window, in packets",
			Source:  target,
		},
	}
}

// settings are the parameters as sender and receiver use them: rates in
// bit/s, spans in ps.
type settings struct {
	baseRate, adjust                  bool
	senderKnows, receiverCounts       bool
	paperN                            bool
	allReduce                         string
	reload                            float64
	hai, ai                           float64 // fixed, or
	haiShare, aiShare                 float64 // of the base rate
	beta, maxMDF                      float64
	literal                           bool
	zeroBand                          unit.Duration
	interval                          float64
	fresh                             bool
	timeoutFactor                     float64
	minRate                           float64
	fixedTarget                       bool
	target                            float64
	tq0, tqN0, tqFloor, tqBaseline    float64
	firstRTT                          string
	measured                          bool
	whenChanged, whenReloaded, always bool // when lines 12 to 16 run
	paceAlways                        bool
	minCwnd                           float64
}

// New implements cc.Algorithm.
func (Algorithm) New(params cc.Params) (cc.Controller, error) {
	settings := settings{
		baseRate:       params.Switch("base_rate"),
		adjust:         params.Switch("adjust"),
		senderKnows:    params.Choice("n_source") == "controller+sender",
		receiverCounts: params.Choice("n_source") == "receiver",
		paperN:         params.Choice("n_mode") == "paper",
		allReduce:      params.Choice("all_reduce"),
		reload:         params.Number("reload_threshold"),
		hai:            float64(params.Rate("hai")),
		ai:             float64(params.Rate("ai")),
		beta:           params.Number("beta"),
		maxMDF:         params.Number("max_mdf"),
		literal:        params.Choice("zero_reading") == "literal",
		zeroBand:       params.Duration("zero_band"),
		interval:       params.Number("adjust_interval"),
		fresh:          params.Choice("feedback") == "fresh",
		timeoutFactor:  1 - params.Number("max_mdf"),
		minRate:        float64(params.Rate("min_rate")),
		fixedTarget:    params.Given("target_qtime"),
		target:         float64(params.Duration("target_qtime")),
		tq0:            float64(params.Duration("tq0")),
		tqN0:           params.Number("tq_n0"),
		tqFloor:        float64(params.Duration("tq_floor")),
		tqBaseline:     float64(params.Duration("tq_baseline")),
		firstRTT:       params.Choice("first_rtt"),
		measured:       params.Choice("cwnd_rtt") == "measured",
		paceAlways:     params.Choice("pace") == "always",
		minCwnd:        params.Number("min_cwnd"),
	}
	if params.Choice("timeout_factor") == "mdf" {
		settings.timeoutFactor = settings.maxMDF
	}
	if !params.Given("zero_band") {
		settings.zeroBand = 100 * unit.Nanosecond
		if settings.literal {
			settings.zeroBand = unit.Nanosecond
		}
	}
	switch params.Choice("cwnd_update") {
	case "changed":
		settings.whenChanged, settings.whenReloaded = true, true
	case "always":
		settings.always, settings.whenReloaded = true, true
	case "indent":
		settings.always = true
	}
	if err := settings.increments(params); err != nil {
		return nil, err
	}
	return &controller{settings}, nil
}

// increments settles hai and ai, and refuses what does not go together.
func (s *settings) increments(params cc.Params) error {
	if !s.baseRate && s.firstRTT == "base" {
		return &cc.ParamError{Param: "first_rtt", Problem: "base needs base_rate true"}
	}
	if s.firstRTT == "base" && !s.senderKnows {
		return &cc.ParamError{Param: "first_rtt", Problem: "base needs n_source controller+sender: no other sender knows " +
			"its base rate before its first ACK"}
	}
	for _, pair := range []struct {
		name         string
		fixed, share *float64
		alone        float64
	}{{"hai", &s.hai, &s.haiShare, 100e6}, {"ai", &s.ai, &s.aiShare, 25e6}} {
		share := pair.name + "_share"
		switch {
		case params.Given(share) && (params.Given(pair.name) || !s.baseRate):
			return &cc.ParamError{Param: share, Problem: "is for base_rate true and " + pair.name + " not given"}
		case params.Given(pair.name):
		case s.baseRate:
			*pair.share = params.Number(share)
		default:
			*pair.fixed = pair.alone
		}
	}
	return nil
}

type controller struct{ settings }

// Signals implements cc.Controller.
func (c *controller) Signals() cc.Signals {
	return cc.Signals{Acks: true, OneWayDelay: true, Group: c.senderKnows}
}

// NewSender implements cc.Controller.
func (c *controller) NewSender(facts cc.Facts) cc.Sender { return newSender(&c.settings, facts) }

// NewReceiver implements cc.Controller.
func (c *controller) NewReceiver(facts cc.Facts) cc.Receiver {
	return &receiver{settings: &c.settings, line: facts.LineRate}
}
