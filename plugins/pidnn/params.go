package pidnn

import (
	"fmt"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/pidnn/lstm"
	"github.com/rocelab/rocelab/plugins/pidnn/weights"
)

// Algorithm is LSTM+PIDNN as a cc.Algorithm.
type Algorithm struct{}

var _ cc.Algorithm = Algorithm{}

// Bounds. No rate beyond the fastest link differs from it (cc.MostRate), and an RTT is bounded by the
// longest latency of a link. A window of the largest flow bounds nothing.
const (
	longestRTT    = 10 * unit.Second
	largestWindow = cc.MostBytes
)

// Describe implements cc.Algorithm.
func (Algorithm) Describe() cc.Description {
	return cc.Description{
		Name:    "pidnn",
		Version: "1.0.0",
		Summary: "LSTM predicts the next RTT, a PID tuned as a neural network brings it to a target",
		Source:  "LSTM+PIDNN, a thesis on congestion control of data centre networks by neural networks (in Chinese)",
		Values: []cc.Value{
			{Name: "predicted_rtt", Unit: "us", Doc: "the next RTT, as it was predicted at the last sample"},
			{Name: "target_rtt", Unit: "us", Doc: "the RTT that the PID steers to"},
			{Name: "kp", Doc: "gain of the error"},
			{Name: "ki", Doc: "gain of its mean"},
			{Name: "kd", Doc: "gain of its change"},
		},
		Params: append(append(pid(), prediction()...), append(rates(), options()...)...),
	}
}

func pid() []cc.Param {
	return []cc.Param{
		cc.Duration("target", "5us").In(unit.Nanosecond, longestRTT).
			Doc("RTT target: the RTT of a nearly empty queue. Made for a base RTT of 4.2 us; below the base RTT of a " +
				"flow it drives that flow to min_rate").
			From("thesis, 3.5.1 and 4.3.2"),
		cc.Number("target_rtts", "1.19").In(0, 100).
			Doc("smallest target, in base RTTs of the flow: a target below its base RTT would bring a flow down to " +
				"min_rate. The default is the thesis's 5 us over its 4.2 us; 0: only target").
			From("rocelab's choice"),
		cc.Number("kp", "-0.358").In(-100, 100).
			Doc("gain of the error; negative, since a long RTT is to lower the rate").
			From("thesis, 3.5.3: as tuned, from -0.2"),
		cc.Number("ki", "-0.060").In(-100, 100).
			Doc("gain of the mean error of the flow so far").
			From("thesis, 3.5.3: as tuned, from -0.05"),
		cc.Number("kd", "0.040").In(-100, 100).
			Doc("gain of the error's change; above 0, as tuned, it raises the rate while the RTT rises").
			From("thesis, 3.5.3: as tuned, from 0.1"),
		cc.Choice("e_norm", "on").Of("on", "off").
			Doc("error. on: (RTTpred - target)/target; off: RTTpred - target in us, as Table 3 has it").
			From("thesis, equation 14; Table 3"),
		cc.Number("delta_min", "-0.6").In(-0.999, 0).
			Doc("largest share that one decision takes from the rate, negative").
			From("thesis, equation 20"),
		cc.Number("delta_max", "0.5").In(0, 100).
			Doc("largest share that one decision adds to the rate; Table 3 has 0.6").
			From("thesis, equation 20"),
	}
}

func prediction() []cc.Param {
	return []cc.Param{
		cc.Choice("predictor", "on").Of("on", "smoothed", "off").
			Doc("input of the error. on: the RTT that the network predicts; off: the sample itself, PID only; smoothed: " +
				"the smoothed RTT, as if the network returned 0. The network needs three samples; before, on is the same " +
				"as off").
			From("thesis, 3.4.2; 4.2.3 for off"),
		cc.File("weights", weights.Shipped).
			Doc("the network's weights: shipped, the path of a file written by rocelab train pidnn, or its text, as a " +
				"block of a scenario").
			From("thesis, 3.4.2"),
		cc.Number("sigma", "0.2").In(0.001, 1).
			Doc("smoothing factor, the weight of the newest RTT. Weights are trained for one value, the shipped ones for " +
				"the default").
			From("thesis, equation 2"),
	}
}

func rates() []cc.Param {
	return []cc.Param{
		cc.Rate("initial_rate", "10Gbps").In(unit.BitPerSecond, cc.MostRate).
			Doc("rate at the start, at most the line rate. The thesis starts all other algorithms at 100 Gb/s").
			From("thesis, 4.1.2 and 4.4.1"),
		cc.Rate("min_rate", "1Gbps").In(unit.BitPerSecond, cc.MostRate).Doc("least rate").From("thesis, 4.1.2"),
		cc.Rate("max_rate", "").In(unit.BitPerSecond, cc.MostRate).
			Doc("largest rate, at most the line rate. Default: the line rate, in the thesis 100 Gb/s").
			From("thesis, 4.1.2"),
	}
}

func options() []cc.Param {
	return []cc.Param{
		cc.Choice("rttch", "off").Of("off", "on", "literal").
			Doc("RTTch: rttch_num samples and one more on one side of the target move it to the mean of the flow's RTTs. " +
				"off; on: on either side, from the given target to 10 base RTTs; literal: only above it, as in the " +
				"printed counter, from 1 to 10 base RTTs. The thesis has no bounds").
			From("thesis, 3.5.4 and Table 2; off for the incast, on for the 320 hosts of 4.4.2"),
		cc.Number("rttch_num", "6").In(0, 1e6).Doc("RTTch_num, a whole number").From("thesis, Table 2"),
		cc.Choice("window", "off").Of("off", "on").
			Doc("+WIN. on: at most winit x rate / line rate of payload in flight; off: no window").
			From("thesis, 4.4.2, after Li et al., HPCC: High Precision Congestion Control, SIGCOMM 2019"),
		cc.Bytes("winit", "").In(1, largestWindow).
			Doc("window at line rate, for window on. Default: line rate x base RTT of the flow; HPCC takes the largest " +
				"base RTT of the network").
			From("Li et al., HPCC, SIGCOMM 2019"),
		cc.Flag("learn", "false").
			Doc("tune the gains online, each flow its own, from kp, ki and kd on; in the thesis a phase of its own " +
				"before use").
			From("thesis, 3.5.2"),
	}
}

// settings are the parameters as senders use them: times in ps, rates in bit/s,
// sizes in bytes.
type settings struct {
	target, targetRTTs              float64
	gains                           Gains
	normed                          bool
	deltaMin, deltaMax              float64
	predictor                       predictor
	sigma                           float64
	initialRate, minRate, maxRate   float64 // maxRate 0: the line rate
	rttch, literal, windowed, learn bool
	many                            int
	winit                           float64 // 0: a BDP
	// learner, if not nil, is shared by all flows.
	learner *Learner
}

// New implements cc.Algorithm. It reads the file of weights, if one is needed.
func (a Algorithm) New(params cc.Params) (cc.Controller, error) {
	return a.NewTraining(params, nil, nil)
}

// NewTraining is New for training: with a network that is not in a file yet, in place of parameter weights, unless it
// is nil; and with a learner that all flows share and continue to tune, in place of kp, ki, kd and learn, unless it is
// nil. Flows that share a learner must be handled one after the other.
func (Algorithm) NewTraining(params cc.Params, network *lstm.Network, learner *Learner) (cc.Controller, error) {
	settings := settings{
		target:      float64(params.Duration("target")),
		targetRTTs:  params.Number("target_rtts"),
		gains:       Gains{params.Number("kp"), params.Number("ki"), params.Number("kd")},
		normed:      params.Choice("e_norm") == "on",
		deltaMin:    params.Number("delta_min"),
		deltaMax:    params.Number("delta_max"),
		predictor:   predictor{newest: params.Choice("predictor") == "off"},
		sigma:       params.Number("sigma"),
		initialRate: float64(params.Rate("initial_rate")),
		minRate:     float64(params.Rate("min_rate")),
		maxRate:     float64(params.Rate("max_rate")),
		rttch:       params.Choice("rttch") != "off",
		literal:     params.Choice("rttch") == "literal",
		many:        unit.Whole[int](params.Number("rttch_num")),
		windowed:    params.Choice("window") == "on",
		winit:       float64(params.Bytes("winit")),
		learn:       params.Switch("learn"),
		learner:     learner,
	}
	if err := settings.check(params); err != nil {
		return nil, err
	}
	if params.Choice("predictor") == "on" {
		if settings.predictor.network = network; network == nil {
			var err error
			if settings.predictor.network, _, err = weights.Load(params.Choice("weights")); err != nil {
				return nil, &cc.ParamError{Param: "weights", Problem: err.Error()}
			}
		}
	}
	return &controller{settings}, nil
}

// check refuses what does not go together.
func (s *settings) check(params cc.Params) error {
	if n := params.Number("rttch_num"); n != float64(s.many) {
		return &cc.ParamError{Param: "rttch_num", Problem: fmt.Sprintf("%v is not a whole number", n)}
	}
	if s.maxRate != 0 && s.maxRate < s.minRate {
		return &cc.ParamError{Param: "max_rate", Problem: fmt.Sprintf("%v is below min_rate, %v", params.Rate("max_rate"),
			params.Rate("min_rate"))}
	}
	for _, rule := range []struct {
		name, needs string
		met         bool
	}{
		{"weights", "predictor on", params.Choice("predictor") == "on"}, {"rttch_num", "rttch on or literal", s.rttch},
		{"winit", "window on", s.windowed},
	} {
		if params.Given(rule.name) && !rule.met {
			return &cc.ParamError{Param: rule.name, Problem: "is for " + rule.needs}
		}
	}
	return nil
}

type controller struct{ settings }

// Signals implements cc.Controller: the NIC's own RTTs, nothing on the wire.
func (c *controller) Signals() cc.Signals { return cc.Signals{Acks: true} }

// NewSender implements cc.Controller.
func (c *controller) NewSender(facts cc.Facts) cc.Sender { return newSender(&c.settings, facts) }

// NewReceiver implements cc.Controller: there is no receiver side.
func (c *controller) NewReceiver(cc.Facts) cc.Receiver { return nil }
