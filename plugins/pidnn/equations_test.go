package pidnn

import (
	"fmt"
	"math"
	"testing"

	"github.com/rocelab/rocelab/plugins/pidnn/lstm"
)

func near(t *testing.T, name string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-9*max(1, math.Abs(want))) {
		t.Errorf("%s = %.12g, want %.12g", name, got, want)
	}
}

// Equations 2 and 3 for 5, 6 and 4 us: S_1 = 0.2 x 6 + 0.8 x 5 = 5.2, K_1 =
// 0.8/5.2; S_2 = 0.2 x 4 + 0.8 x 5.2 = 4.96, K_2 = -0.96/4.96.
func TestFeatures(t *testing.T) {
	var f Features
	for i, c := range []struct {
		r, s  float64
		k     [lstm.Steps]float64
		ready bool
	}{
		{5, 5, [3]float64{0, 0, 0}, false},
		{6, 5.2, [3]float64{0, 0, 0.8 / 5.2}, false},
		{4, 4.96, [3]float64{0, 0.8 / 5.2, -0.96 / 4.96}, true},
		{4.96, 4.96, [3]float64{0.8 / 5.2, -0.96 / 4.96, 0}, true},
	} {
		t.Run(fmt.Sprintf("r=%v", c.r), func(t *testing.T) {
			f.Observe(c.r, Sigma)
			near(t, "S", f.S, c.s)
			for j := range c.k {
				near(t, "K", f.K[j], c.k[j])
			}
			if f.Ready() != c.ready {
				t.Errorf("after sample %d: ready %v", i, f.Ready())
			}
		})
	}
}

// Equation 12: with out = 0.25 and S = 4.96, 6.2. The network is asked from the
// third sample on; before, the prediction is the sample.
func TestPrediction(t *testing.T) {
	n := &lstm.Network{}
	n.W[lstm.Parameters-1] = 0.25
	var f Features
	for _, c := range []struct{ r, on, smoothed, off float64 }{
		{5, 5, 5, 5}, {6, 6, 5.2, 6}, {4, 6.2, 4.96, 4},
	} {
		t.Run(fmt.Sprintf("r=%v", c.r), func(t *testing.T) {
			f.Observe(c.r, Sigma)
			near(t, "predictor on", (&predictor{network: n}).predict(&f, c.r), c.on)
			near(t, "predictor smoothed", (&predictor{}).predict(&f, c.r), c.smoothed)
			near(t, "predictor off", (&predictor{newest: true}).predict(&f, c.r), c.off)
		})
	}
}

// Equations 14 to 20 for a target of 5 us and the tuned gains (-0.358, -0.060,
// 0.040), from 10 Gb/s on:
//
//	RTTpred  e     i     d     delta                            rate
//	5.5      0.1   0.1   0     -0.0358 - 0.006      = -0.0418    9.582
//	4.5     -0.1   0    -0.2    0.0358 - 0.008      =  0.0278    9.8483796
//	20       3     1     3.1   -1.074 - 0.06 + 0.124, so -0.6    3.93935184
//	5        0     0.75 -3     -0.045 - 0.12        = -0.165     3.2893587864
func TestPID(t *testing.T) {
	s := start(t, "predictor=off")
	for _, c := range []struct{ predicted, p, i, d, delta, rate float64 }{
		{5.5, 0.1, 0.1, 0, -0.0418, 9.582},
		{4.5, -0.1, 0, -0.2, 0.0278, 9.8483796},
		{20, 3, 1, 3.1, -0.6, 3.93935184},
		{5, 0, 0.75, -3, -0.165, 3.2893587864},
	} {
		t.Run(fmt.Sprintf("predicted=%v", c.predicted), func(t *testing.T) {
			s.sender.sample(float64(us(c.predicted)))
			o := &s.outputs
			near(t, "out_p", o.p, c.p)
			near(t, "out_i", o.i, c.i)
			near(t, "out_d", o.d, c.d)
			near(t, "delta", o.delta(&s.gains, s.deltaMin, s.deltaMax), c.delta)
			near(t, "rate", s.rate/1e9, c.rate)
		})
	}
}

// The bounds of equation 20 and Table 3, and e without division: 5.5 us is an
// error of 0.5, delta = -0.179 - 0.03.
func TestPIDParameters(t *testing.T) {
	for _, c := range []struct {
		params    string
		predicted float64
		rate      float64
	}{
		{"e_norm=off", 5.5, 7.91},
		{"kp=-10", 4, 15},                 // 2 at e = -0.2, bounded by 0.5
		{"kp=-10 delta_max=0.6", 4, 16},   // Table 3
		{"kp=-10 delta_max=10", 4, 30.12}, // 1 + 2 + 0.012
		{"delta_min=-0.5", 50, 5},
		{"target=6us", 6.6, 9.582},
		{"kp=0 ki=0 kd=0", 50, 10},
		{"min_rate=6Gbps", 50, 6},
		{"max_rate=12Gbps kp=-10", 4, 12},
		{"initial_rate=90Gbps kp=-10", 4, 100}, // the line rate
	} {
		t.Run(c.params, func(t *testing.T) {
			s := start(t, c.params+" predictor=off")
			s.sender.sample(float64(us(c.predicted)))
			near(t, c.params, s.rate/1e9, c.rate)
		})
	}
}

// Equations 21 to 26, from (-0.2, -0.05, 0.1):
//
//	RTT 5.002, target 5, 10 Gb/s: 0.002 x 10 = 0.02; times (0.4, 0.5, -0.1) the
//	gradient is (0.008, 0.01, -0.002); mu(0) = 0.01
//	RTT 6: 10 times (0.2, -0.3, 0), bounded (0.1, -0.1, 0); mu(1) = 0.01/sqrt 2
func TestLearn(t *testing.T) {
	l := Learner{Gains: Gains{-0.2, -0.05, 0.1}}
	l.Learn(&Outcome{
		RTT:    5.002,
		Target: 5,
		Rate:   10,
		P:      0.4,
		I:      0.5,
		D:      -0.1,
	})
	near(t, "Kp(1)", l.Kp, -0.20008)
	near(t, "Ki(1)", l.Ki, -0.0501)
	near(t, "Kd(1)", l.Kd, 0.10002)
	l.Learn(&Outcome{
		RTT:    6,
		Target: 5,
		Rate:   10,
		P:      0.2,
		I:      -0.3,
		D:      0,
	})
	near(t, "Kp(2)", l.Kp, -0.200787106781)
	near(t, "Ki(2)", l.Ki, -0.049392893219)
	near(t, "Kd(2)", l.Kd, 0.10002)
	l.Learn(&Outcome{
		RTT:    math.NaN(),
		Target: 5,
		Rate:   10,
		P:      1,
		I:      1,
		D:      1,
	})
	near(t, "Kp(3), from what is not a number", l.Kp, -0.200787106781)
	if l.Steps != 3 {
		t.Errorf("%d steps", l.Steps)
	}
}

// With every gradient at its bound, Kp drifts by the sum of mu x 0.1 = 0.002
// sqrt(T): the thesis's -0.2 to -0.358 takes some 6200 such steps.
func TestLearnDrifts(t *testing.T) {
	l := Learner{Gains: Gains{Kp: -0.2}}
	for range 6200 {
		l.Learn(&Outcome{RTT: 10, Target: 5, Rate: 10, P: 1})
	}
	if l.Kp < -0.358 || l.Kp > -0.354 {
		t.Errorf("Kp = %v", l.Kp)
	}
}

// What a flow hands its learner: the outcome of the last decision, from the
// second sample on. Sample 5.5 us, then 4.5 us, at 10 Gb/s: -0.5 x 10 = -5 times
// (0.1, 0.1, 0) is beyond the bound, so Kp and Ki rise by 0.001. Then 5.001 us:
// 0.001 x rate(1) times (-0.1, 0, -0.2), rate(1) the one before that decision.
func TestFlowLearns(t *testing.T) {
	s := start(t, "predictor=off learn=true kp=-0.2 ki=-0.05 kd=0.1")
	s.sender.sample(float64(us(5.5)))
	near(t, "rate(1)", s.rate/1e9, 9.75) // 1 - 0.02 - 0.005
	if s.learner.Steps != 0 {
		t.Fatal("learned from nothing")
	}
	s.sender.sample(float64(us(4.5)))
	near(t, "Kp", s.learner.Kp, -0.199)
	near(t, "Ki", s.learner.Ki, -0.049)
	near(t, "Kd", s.learner.Kd, 0.1)
	near(t, "rate(2)", s.rate/1e9, 9.75*(1+0.0199-0.02)) // by the new gains
	s.sender.sample(float64(us(5.001)))
	mu := 0.01 / math.Sqrt2
	near(t, "Kp", s.learner.Kp, -0.199+mu*0.001*9.75*0.1)
	near(t, "Ki", s.learner.Ki, -0.049)
	near(t, "Kd", s.learner.Kd, 0.1+mu*0.001*9.75*0.2)
}

// Table 2 and equations 27 and 28: the seventh sample on one side moves the target
// of 5 us to the mean of all samples, within its bounds.
func TestRTTch(t *testing.T) {
	for _, c := range []struct {
		name    string
		low     float64
		literal bool
		rtts    []float64
		// before and want are the targets before and after the last sample.
		before, want float64
	}{
		{"above", 5, false, []float64{6, 6, 6, 6, 6, 6, 6.7}, 5, 6.1},
		{"above, literal", 4.19, true, []float64{6, 6, 6, 6, 6, 6, 6.7}, 5, 6.1},
		{"below", 4.19, false, []float64{4.8, 4.8, 4.8, 4.8, 4.8, 4.8, 4.1}, 5, 4.7},
		{"below, literal", 4.19, true, []float64{4.8, 4.8, 4.8, 4.8, 4.8, 4.8, 4.8, 4.8, 4.8, 4.8}, 5, 5},
		{"on the target counts as below", 4.19, false, []float64{5, 5, 5, 5, 5, 5, 4.3}, 5, 4.9},
		{"across, the first one of the other side only clears", 5, false, []float64{4.8, 6, 6, 6, 6, 6, 6, 6, 6},
			5, (4.8 + 8*6) / 9},
		{"across, literal: one below counts for one above", 4.19, true, []float64{4.8, 6, 6, 6, 6, 6, 6}, 5, (4.8 + 6*6) / 7},
		{"up and down", 4.19, false, []float64{6, 4.5, 6, 4.5, 6, 4.5, 6, 4.5, 6, 4.5, 6, 4.5}, 5, 5},
		{"up and back, by the mean of all", 5, false, []float64{8, 8, 8, 8, 8, 8, 8, 6, 6, 6, 6, 6, 6, 6}, 8, 7},
		{"not below the first target", 5, false, []float64{4.2, 4.2, 4.2, 4.2, 4.2, 4.2, 4.2}, 5, 5},
		{"not below the base RTT, literal", 4.19, true, []float64{1, 1, 1, 1, 1, 1, 6, 6, 6, 6, 6, 6, 6}, 5, 4.19},
		{"not above ten base RTTs", 4.19, true, []float64{90, 90, 90, 90, 90, 90, 90}, 5, 41.9},
	} {
		t.Run(c.name, func(t *testing.T) {
			tg := target{
				at:      5,
				low:     c.low,
				high:    41.9,
				literal: c.literal,
				many:    6,
			}
			before := 0.0
			for _, r := range c.rtts {
				before = tg.at
				tg.observe(r)
			}
			near(t, c.name+", before the last", before, c.before)
			near(t, c.name, tg.at, c.want)
		})
	}
	for params, want := range map[string][2]float64{"rttch=on": {5e6, 41.9e6}, "rttch=literal": {4.19e6, 41.9e6},
		"rttch=on target=50us": {50e6, 50e6}} {
		t.Run(params, func(t *testing.T) {
			tg := start(t, params).target
			near(t, params+" low", tg.low, want[0])
			near(t, params+" high", tg.high, want[1])
		})
	}
}

// +WIN: of 100 Gb/s x 4.19 us = 52 375 B, a tenth at 10 Gb/s.
func TestWindow(t *testing.T) {
	for _, c := range []struct {
		params string
		window int64
	}{
		{"", 0},
		{"window=on", 5237},
		{"window=on winit=20KB", 2000},
		{"window=on winit=1B", 1},
	} {
		t.Run(fmt.Sprintf("params=%q", c.params), func(t *testing.T) {
			s := start(t, c.params)
			if int64(s.d.Window) != c.window {
				t.Errorf("%q: window %d, want %d", c.params, s.d.Window, c.window)
			}
		})
	}
	s := start(t, "window=on predictor=off")
	s.ack(1000, 0, 5.5)
	if s.d.Rate != 9_582_000_000 || s.d.Window != 5018 { // 52 375 x 0.09582
		t.Errorf("%+v", s.d)
	}
}
