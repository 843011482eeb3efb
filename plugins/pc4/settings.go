package pc4

import (
	"math"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// settings are the parameters as sender and receiver use them: rates in
// bit/s, spans in ps.
type settings struct {
	baseRate, adjust            bool
	senderKnows, receiverCounts bool
	paperN                      bool
	allReduce                   string
	reload                      float64
	hai, ai                     float64 // fixed, or
	haiShare, aiShare           float64 // of the base rate
	beta, maxMDF                float64
	subGain                     float64
	beyond
	literal                           bool
	zeroBand                          unit.Duration
	interval                          float64
	fresh                             bool
	timeoutFactor                     float64
	minRate                           float64
	fixedTarget                       bool
	target                            float64
	tq0, tqNoise, tqPath              float64
	tqN0, tqFloor                     float64 // of the reduction by 1/N, of sets earlier and literal
	firstRTT                          string
	measured, unqueued                bool // the RTT of line 12; base without either
	whenChanged, whenReloaded, always bool // when lines 12 to 16 run
	paceAlways                        bool
	minCwnd                           float64
}

// beyond has the settings that the paper does not have; 0, and above 1, without it.
type beyond struct {
	pull, pullBelow, above float64
	band, keep             float64
	hold                   unit.Duration
}

// named has the values that parameter set decides: the defaults of parameters that have none of their own.
type named struct {
	haiShare, aiShare, beta, maxMDF, subGain float64
	pull, pullBelow, above, band, keep       float64
	hold                                     unit.Duration
	tqNoise, tqPath, tqN0, tqFloor           float64
	cwndRTT, cwndUpdate                      string
}

// evidence are the constants chosen by evidence for Algorithms 1 and 2.
var evidence = named{
	haiShare:   0.1,
	aiShare:    0.02,
	beta:       0.6,
	maxMDF:     0.25,
	subGain:    0.5,
	above:      1,
	tqNoise:    2,
	tqN0:       math.Inf(1),
	cwndRTT:    "unqueued",
	cwndUpdate: "always",
}

// earlier are the constants of before: a target that falls with 1/N, from 10 flows on
// and to 300 ns, and grows with the path.
var earlier = named{
	haiShare:   0.05,
	aiShare:    0.01,
	beta:       0.8,
	maxMDF:     0.5,
	above:      1,
	tqPath:     1,
	tqN0:       10,
	tqFloor:    float64(300 * unit.Nanosecond),
	cwndRTT:    "base",
	cwndUpdate: "changed",
}

// literal is evidence with the sentences of III-C and line 12 that it replaces as they are printed: a target that falls
// with 1/N and grows with the path, whole steps, and the RTT as it was measured.
func literal() named {
	set := evidence
	set.tqNoise, set.tqPath, set.tqN0 = 0, 1, 1
	set.subGain = 0
	set.cwndRTT = "measured"
	return set
}

// returnToBase is evidence with the extension.
func returnToBase() named {
	set := evidence
	set.pull, set.pullBelow, set.above = 0.05, 0.05, 0.1
	return set
}

// keepShare is evidence with another extension: rates are drawn back from far above the base rate alone, and far below
// it they and their windows do not yield to a queue.
func keepShare() named {
	set := evidence
	set.pull, set.above, set.band = 0.05, 0.1, 0.15
	set.keep, set.hold = 0.35, 50*unit.Microsecond
	return set
}

func setOf(name string) named {
	switch name {
	case "earlier":
		return earlier
	case "literal":
		return literal()
	case "return-to-base":
		return returnToBase()
	case "keep-share":
		return keepShare()
	}
	return evidence
}

// New implements cc.Algorithm.
func (Algorithm) New(params cc.Params) (cc.Controller, error) {
	set := setOf(params.Choice("set"))
	number := func(name string, otherwise float64) float64 {
		if params.Given(name) {
			return params.Number(name)
		}
		return otherwise
	}
	duration := func(name string, otherwise unit.Duration) unit.Duration {
		if params.Given(name) {
			return params.Duration(name)
		}
		return otherwise
	}
	choice := func(name, otherwise string) string {
		if params.Given(name) {
			return params.Choice(name)
		}
		return otherwise
	}
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
		beta:           number("beta", set.beta),
		maxMDF:         number("max_mdf", set.maxMDF),
		subGain:        number("sub_gain", set.subGain),
		beyond: beyond{
			pull:      number("pull", set.pull),
			pullBelow: number("pull_below", set.pullBelow),
			above:     number("above", set.above),
			band:      number("band", set.band),
			keep:      number("keep", set.keep),
			hold:      duration("hold", set.hold),
		},
		literal:     params.Choice("zero_reading") == "literal",
		zeroBand:    params.Duration("zero_band"),
		interval:    params.Number("adjust_interval"),
		fresh:       params.Choice("feedback") == "fresh",
		minRate:     float64(params.Rate("min_rate")),
		fixedTarget: params.Given("target_qtime"),
		target:      float64(params.Duration("target_qtime")),
		tq0:         float64(params.Duration("tq0")),
		tqNoise:     number("tq_noise", set.tqNoise),
		tqPath:      number("tq_path", set.tqPath),
		tqN0:        set.tqN0,
		tqFloor:     set.tqFloor,
		firstRTT:    params.Choice("first_rtt"),
		measured:    choice("cwnd_rtt", set.cwndRTT) == "measured",
		unqueued:    choice("cwnd_rtt", set.cwndRTT) == "unqueued",
		paceAlways:  params.Choice("pace") == "always",
		minCwnd:     params.Number("min_cwnd"),
	}
	settings.timeoutFactor = 1 - settings.maxMDF
	if params.Choice("timeout_factor") == "mdf" {
		settings.timeoutFactor = settings.maxMDF
	}
	if !params.Given("zero_band") {
		settings.zeroBand = 100 * unit.Nanosecond
		if settings.literal {
			settings.zeroBand = unit.Nanosecond
		}
	}
	switch choice("cwnd_update", set.cwndUpdate) {
	case "changed":
		settings.whenChanged, settings.whenReloaded = true, true
	case "always":
		settings.always, settings.whenReloaded = true, true
	case "indent":
		settings.always = true
	}
	if err := settings.increments(params, set); err != nil {
		return nil, err
	}
	return &controller{settings}, nil
}

// increments settles hai and ai, and refuses what does not go together.
func (s *settings) increments(params cc.Params, set named) error {
	if !s.baseRate && s.firstRTT == "base" {
		return &cc.ParamError{Param: "first_rtt", Problem: "base needs base_rate true"}
	}
	if s.firstRTT == "base" && !s.senderKnows {
		return &cc.ParamError{Param: "first_rtt", Problem: "base needs n_source controller+sender: no other sender knows " +
			"its base rate before its first ACK"}
	}
	for _, name := range []string{"pull", "above", "band", "pull_below", "keep", "hold"} {
		if params.Given(name) && !s.baseRate {
			return &cc.ParamError{Param: name, Problem: "is for base_rate true"}
		}
	}
	for _, pair := range []struct {
		name         string
		fixed, share *float64
		alone, ofSet float64
	}{{"hai", &s.hai, &s.haiShare, 100e6, set.haiShare}, {"ai", &s.ai, &s.aiShare, 25e6, set.aiShare}} {
		share := pair.name + "_share"
		switch {
		case params.Given(share) && (params.Given(pair.name) || !s.baseRate):
			return &cc.ParamError{Param: share, Problem: "is for base_rate true and " + pair.name + " not given"}
		case params.Given(pair.name):
		case params.Given(share):
			*pair.share = params.Number(share)
		case s.baseRate:
			*pair.share = pair.ofSet
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
