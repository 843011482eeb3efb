package swift

import (
	"fmt"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Algorithm is Swift as a cc.Algorithm.
type Algorithm struct{}

var _ cc.Algorithm = Algorithm{}

// Bounds. 12.5 GB cause a delay of 1s at 100 Gb/s, more than any buffer on the market holds.
const longestDelay = unit.Second

const (
	alg1     = "Swift, Algorithm 1"
	section5 = "Swift, section 3.5"
	endpoint = "Swift, section 3.3"
	ours     = "rocelab's choice"
)

// Describe implements cc.Algorithm.
func (Algorithm) Describe() cc.Description {
	return cc.Description{
		Name:    "swift",
		Version: "1.0.0",
		Summary: "windows that hold fabric and endpoint delay at a target, which grows with hops and flows",
		Source:  "Kumar et al., Swift: Delay is Simple and Effective for Congestion Control in the Datacenter, SIGCOMM 2020",
		Values: []cc.Value{
			{Name: "fabric_cwnd", Doc: "window of the fabric delay, in packets"},
			{Name: "fabric_target", Unit: "us", Doc: "target of the fabric delay at that window"},
			{Name: "endpoint_cwnd", Doc: "window of the endpoint delay, in packets"},
			{Name: "endpoint_delay", Unit: "us", Doc: "endpoint delay, smoothed; none before a sample"},
		},
		Params:   append(append(targets(), gains()...), windows()...),
		Recovery: 2 * unit.Millisecond,
	}
}

func targets() []cc.Param {
	return []cc.Param{
		cc.Duration("base_target", "6us").In(unit.Nanosecond, longestDelay).
			Doc("fabric target of a path without switches and of few flows. With hop_target it is 8.1us through one " +
				"switch, about two base RTTs. The paper measures some 25us in its network").
			From(section5 + "; " + ours),
		cc.Choice("path_scaling", "hops").Of("hops", "base_rtt").
			Doc("addition of the path to the target. hops: hop_target for each switch, as in the paper, which knows no " +
				"more of a path; base_rtt: the flow's base RTT, for paths whose length does not follow from their hops. A " +
				"target below the base RTT starves the flow").
			From(section5),
		cc.Duration("hop_target", "2.1us").In(0, longestDelay).
			Doc("target delay that each switch adds, h-bar in the paper: the addition of a switch and its link of 1us to " +
				"the base RTT. Flows of short and of long paths share a link equally only if it is exact: with 3us the " +
				"longer path takes six times as much, with 1us a quarter. 0s turns topology scaling off").
			From(section5 + "; " + ours),
		cc.Duration("fs_range", "32us").In(0, longestDelay).
			Doc("largest addition of flow scaling to the target; 0s turns it off. 4 times the target of one switch, the " +
				"public simulator htsim has 5").
			From(section5 + "; " + ours),
		cc.Number("fs_min_cwnd", "0.1").In(1e-6, 1e6).
			Doc("window, in packets, at or below which flow scaling adds all of fs_range").
			From(section5),
		cc.Number("fs_max_cwnd", "100").In(1e-6, 1e6).
			Doc("window, in packets, at or above which flow scaling adds nothing").
			From(section5),
		cc.Flag("endpoint", "true").
			Doc("keep a window for endpoint delay; off: only the fabric window applies. The remote delay is not part of " +
				"fabric delay in either case").
			From(endpoint),
		cc.Duration("endpoint_target", "8us").In(unit.Nanosecond, longestDelay).
			Doc("target of the endpoint delay: with ACK coalescing it must exceed the time that ACKs are held back").
			From(endpoint + "; " + ours),
		cc.Number("endpoint_gain", "0.125").In(1e-6, 1).
			Doc("weight of a new endpoint delay in the smoothed one").
			From(endpoint + "; the number is " + ours),
	}
}

func gains() []cc.Param {
	return []cc.Param{
		cc.Number("ai", "1").In(0, 1000).
			Doc("additive increment, packets per RTT; below a window of one packet, packets per acknowledged packet").
			From(alg1 + "; the number is htsim's"),
		cc.Number("beta", "0.8").In(0, 10).
			Doc("multiplicative decrease constant").
			From(alg1 + "; the number is htsim's"),
		cc.Number("max_mdf", "0.5").In(0, 1).
			Doc("largest share that one decrease takes, and the share that loss takes").
			From(alg1 + "; the number is htsim's"),
		cc.Number("retx_reset_threshold", "5").In(1, 1e6).
			Doc("number of timeouts in a row, without an ACK between them, after which the window falls to min_cwnd; " +
				"whole").
			From(alg1 + "; the number is htsim's"),
	}
}

func windows() []cc.Param {
	return []cc.Param{
		cc.Number("initial_cwnd", "").In(1e-6, 1e6).
			Doc("first window, in packets. Default: one BDP, line rate x base RTT").
			From(ours),
		cc.Number("min_cwnd", "0.001").In(1e-6, 1e6).Doc("least window, in packets").From(alg1 + "; " + ours),
		cc.Number("max_cwnd", "").In(1e-6, 1e6).
			Doc("largest window, in packets. Default: max_cwnd_bdp").
			From(alg1),
		cc.Number("max_cwnd_bdp", "1.5").In(0.001, 1e6).
			Doc("largest window in units of line rate x base RTT, where max_cwnd is not given; not below one packet").
			From(ours),
	}
}

// settings are the parameters as a sender uses them: spans in ps, windows in
// packets. A window of 0 follows from the flow.
type settings struct {
	baseTarget, hopTarget        float64
	byBaseRTT                    bool
	fsRange, alpha, offset       float64 // alpha and beta of flow scaling
	endpoint                     bool
	endpointTarget, endpointGain float64
	ai, beta, maxMDF             float64
	retxResetThreshold           int
	initialCwnd, minCwnd         float64
	maxCwnd, maxCwndBDP          float64
}

// New implements cc.Algorithm.
func (Algorithm) New(params cc.Params) (cc.Controller, error) {
	settings := settings{
		baseTarget:         float64(params.Duration("base_target")),
		hopTarget:          float64(params.Duration("hop_target")),
		byBaseRTT:          params.Choice("path_scaling") == "base_rtt",
		fsRange:            float64(params.Duration("fs_range")),
		endpoint:           params.Switch("endpoint"),
		endpointTarget:     float64(params.Duration("endpoint_target")),
		endpointGain:       params.Number("endpoint_gain"),
		ai:                 params.Number("ai"),
		beta:               params.Number("beta"),
		maxMDF:             params.Number("max_mdf"),
		retxResetThreshold: unit.Whole[int](params.Number("retx_reset_threshold")),
		initialCwnd:        params.Number("initial_cwnd"),
		minCwnd:            params.Number("min_cwnd"),
		maxCwnd:            params.Number("max_cwnd"),
		maxCwndBDP:         params.Number("max_cwnd_bdp"),
	}
	settings.scaleFlows(params.Number("fs_min_cwnd"), params.Number("fs_max_cwnd"))
	if err := settings.check(params); err != nil {
		return nil, err
	}
	return &controller{settings}, nil
}

// check refuses what does not go together.
func (s *settings) check(params cc.Params) error {
	if lo, hi := params.Number("fs_min_cwnd"), params.Number("fs_max_cwnd"); lo >= hi {
		return &cc.ParamError{Param: "fs_min_cwnd", Problem: fmt.Sprintf("%v is not below fs_max_cwnd, %v", lo, hi)}
	}
	if v := params.Number("retx_reset_threshold"); v != float64(s.retxResetThreshold) {
		return &cc.ParamError{Param: "retx_reset_threshold", Problem: fmt.Sprintf("%v is not a whole number", v)}
	}
	if params.Given("max_cwnd") && params.Given("max_cwnd_bdp") {
		return &cc.ParamError{Param: "max_cwnd_bdp", Problem: "is for max_cwnd not given"}
	}
	if s.maxCwnd > 0 && s.minCwnd > s.maxCwnd {
		return &cc.ParamError{Param: "min_cwnd", Problem: fmt.Sprintf("%v is above max_cwnd, %v", s.minCwnd, s.maxCwnd)}
	}
	if s.byBaseRTT && params.Given("hop_target") {
		return &cc.ParamError{Param: "hop_target", Problem: "needs path_scaling hops"}
	}
	if !s.endpoint {
		for _, name := range []string{"endpoint_target", "endpoint_gain"} {
			if params.Given(name) {
				return &cc.ParamError{Param: name, Problem: "needs endpoint true"}
			}
		}
	}
	return nil
}

type controller struct{ settings }

// Signals implements cc.Controller: each ACK with the echo of its packet's
// timestamp and the remote delay, no marks.
func (c *controller) Signals() cc.Signals { return cc.Signals{Acks: true, Timestamp: true} }

// NewSender implements cc.Controller.
func (c *controller) NewSender(facts cc.Facts) cc.Sender { return newSender(&c.settings, facts) }

// NewReceiver implements cc.Controller: the NIC's timestamps are all that is
// needed.
func (c *controller) NewReceiver(cc.Facts) cc.Receiver { return nil }
