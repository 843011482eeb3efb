package timely

import (
	"flag"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/cctest"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

var rewrite = flag.Bool("rewrite", false, "store the transcripts in testdata anew")

func TestTranscripts(t *testing.T) { cctest.Golden(t, Algorithm{}, "testdata/*.txt", *rewrite) }

// made returns the controller for "k=v k=v", or the error.
func made(t testing.TB, params string) (cc.Controller, error) {
	t.Helper()
	given := map[string]string{}
	for _, w := range strings.Fields(params) {
		k, v, _ := strings.Cut(w, "=")
		given[k] = v
	}
	p, err := hosting.Parse(Algorithm{}.Describe(), given)
	if err != nil {
		t.Fatal(err)
	}
	return Algorithm{}.New(p)
}

// flow is a sender with its decision.
type flow struct {
	*sender
	d cc.Decision
}

func start(t testing.TB, params string, f cc.Facts) *flow {
	t.Helper()
	c, err := made(t, params)
	if err != nil {
		t.Fatal(err)
	}
	s := &flow{sender: c.NewSender(f).(*sender)}
	s.Handle(&cc.Event{Kind: cc.EventStart}, &s.d)
	return s
}

func us(n float64) float64 { return n * float64(unit.Microsecond) }

// ack acknowledges 1000 B with the given number of bytes in flight.
func (f *flow) ack(rtt float64, inflight unit.Bytes) {
	f.Handle(&cc.Event{Kind: cc.EventAck, RTT: unit.Duration(math.Round(us(rtt))), Acked: 1000, Inflight: inflight}, &f.d)
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-9*math.Abs(want)) {
		t.Errorf("%s = %.12g, want %.12g", what, got, want)
	}
}

// Algorithm 1, from 10 Gb/s at 100 Gb/s line rate with set paper: T_low 50,
// T_high 500, D_minRTT 20 us, alpha 0.875, beta 0.8, delta 100 Mb/s. rtt_diff
// becomes 0.125 x before + 0.875 x (rtt - prev). Times in us.
func TestUpdate(t *testing.T) {
	for _, c := range []struct {
		params          string
		prev, diff, rtt float64
		want            float64
	}{
		{"", 40, 0, 49.9, 10.1e9}, // below T_low: whatever the gradient
		{"", 40, 0, 50, 10e9 * (1 - 0.8*8.75/
			20)}, // T_low itself is of the band: rtt_diff 8.75
		{"", 100, 0, 100, 10.1e9},                                                      // gradient 0
		{"", 100, 8, 100, 10e9 * (1 - 0.8*1/20)},                                       // the past counts: rtt_diff 1
		{"", 100, 7, 99, 10.1e9},                                                       // 0.875 - 0.875 = 0
		{"", 100, 0, 108, 10e9 * (1 - 0.8*7/20)},                                       // rtt_diff 7: 0.72
		{"", 100, 0, 130, 1e7},                                                         // 1 - 0.8 x 26.25/20 < 0: min_rate
		{"gradient_floor=0.5", 100, 0, 130, 5e9},                                       //
		{"", 100, 0, 500, 1e7},                                                         // T_high itself is of the band
		{"", 100, 0, 625, 10e9 * (1 - 0.8*0.2)},                                        // 1 - 500/625 = 0.2
		{"", 1000, 0, 625, 10e9 * (1 - 0.8*0.2)},                                       // whatever the gradient
		{"beta_high=0.4", 1000, 0, 625, 10e9 * (1 - 0.4*0.2)},                          //
		{"beta=0.4", 100, 0, 108, 10e9 * (1 - 0.4*7/20)},                               //
		{"delta=40Mbps", 40, 0, 49, 10.04e9},                                           //
		{"alpha=0.5", 100, 2, 106, 10e9 * (1 - 0.8*4/20)},                              // 0.5 x 2 + 0.5 x 6
		{"d_min_rtt=4us", 100, 0, 102, 10e9 * (1 - 0.8*1.75/4)},                        //
		{"t_low=10us t_high=90us", 40, 0, 100, 10e9 * (1 - 0.8*0.1)},                   //
		{"variant=patched", 40, 0, 49.9, 10.1e9},                                       // as above
		{"variant=patched", 40, 0, 625, 10e9 * (1 - 0.8*0.2)},                          // as above
		{"variant=patched", 100, 0, 100, 50e6 + 10e9*(1-0.008*0.5*1)},                  // w(0) = 1/2, error (100-50)/50
		{"variant=patched", 100, 0, 102, 100e6*0.325 + 10e9*(1-0.008*0.675*1.04)},      // gradient 0.0875: w = 0.675
		{"variant=patched", 100, 0, 108, 10e9 * (1 - 0.008*1.16)},                      // gradient 0.35: w = 1
		{"variant=patched", 100, 0, 92, 10.1e9},                                        // gradient -0.35: w = 0
		{"variant=patched rtt_ref=80us", 100, 0, 100, 50e6 + 10e9*(1-0.008*0.5*0.25)},  // error 20/80
		{"variant=patched rtt_ref=200us", 100, 0, 100, 50e6 + 10e9*(1+0.008*0.5*0.5)},  // below the reference: error -1/2
		{"variant=patched beta=0.1", 100, 0, 100, 50e6 + 10e9*(1-0.1*0.5*1)},           //
		{"variant=patched beta=10", 100, 0, 400, 1e7},                                  // 1 - 10 x 7 is negative: min_rate
		{"variant=patched t_low=10us rtt_ref=50us", 40, 0, 40, 50e6 + 10e9*(1+0.0008)}, // error -0.2
	} {
		t.Run(fmt.Sprintf("params=%s,prev=%v,diff=%v,rtt=%v", c.params, c.prev, c.diff, c.rtt), func(t *testing.T) {
			s := start(t, "set=paper "+c.params, cctest.Facts())
			s.rate = 10e9
			s.gradient = gradient{prevRTT: us(c.prev), rttDiff: us(c.diff), sampled: true}
			if !s.update(us(c.rtt)) {
				t.Errorf("%s: %v us changed nothing", c.params, c.rtt)
			}
			near(t, c.params, s.rate, c.want)
		})
	}
}

// CoNEXT 2016: w(g) is 0 up to -1/4, 2g + 1/2, 1 from 1/4.
func TestWeight(t *testing.T) {
	for g, want := range map[float64]float64{-9: 0, -0.25: 0, -0.125: 0.25, 0: 0.5, 0.1: 0.7, 0.25: 1, 9: 1} {
		t.Run(fmt.Sprint(g), func(t *testing.T) {
			near(t, "w", weight(g), want)
		})
	}
}

// The first sample has none to differ from.
func TestFirstSample(t *testing.T) {
	s := start(t, "", cctest.Facts())
	before := s.d
	s.ack(300, 0)
	if s.d != before {
		t.Errorf("the first sample decided: %+v", s.d)
	}
	s.ack(300, 0)
	near(t, "rate", s.rate, 100e9*(1-0.8*(1-50.28/300))) // above T_high = 12 x 4.19 us
}

// The ACK of a resent packet has no RTT, but its echo tells one: the rate goes
// where it goes by the RTT itself. A duplicate acknowledges nothing and tells
// nothing.
func TestResentPacketsAreSamples(t *testing.T) {
	by, echo, duplicate := start(t, "", cctest.Facts()), start(t, "", cctest.Facts()), start(t, "", cctest.Facts())
	for range 3 {
		by.ack(60, 0)
		echo.Handle(&cc.Event{Kind: cc.EventAck, Clock: 100_060_000, Echo: 100_000_000, Acked: 1000}, &echo.d)
		duplicate.Handle(&cc.Event{Kind: cc.EventAck, Clock: 100_060_000, Echo: 100_000_000}, &duplicate.d)
	}
	if echo.d != by.d || by.d.Rate >= 100*unit.Gbps || duplicate.d.Rate != 100*unit.Gbps {
		t.Errorf("%v by RTT, %v by echo, %v by duplicates", by.d.Rate, echo.d.Rate, duplicate.d.Rate)
	}
}

// Increases of 100 and 500 Mb/s, one an update.
func TestHyperactiveIncrease(t *testing.T) {
	for _, c := range []struct {
		params string
		rtts   []float64 // us, after a first one of 100
		want   []float64 // Mb/s above the start
	}{
		// Snippet: the fifth fall in a row, between T_low and T_high only.
		{"", []float64{99, 98, 97, 96, 95, 94}, []float64{100, 200, 300, 400, 900, 1400}},
		{"", []float64{99, 98, 97, 96, 96, 95}, []float64{100, 200, 300, 400, 500, 600}}, // a standstill begins anew
		{"", []float64{49, 48, 47, 46, 45, 44}, []float64{100, 200, 300, 400, 500, 600}},
		{"", []float64{49, 48, 47, 46, 45, 70, 69, 68, 67, 66}, []float64{100, 200, 300, 400, 500, 0, 0, 0, 0, 0}},
		{"hai_threshold=2 hai=300Mbps", []float64{99, 98, 97}, []float64{100, 400, 700}},
		// Simulator: the sixth increase in a row, also without a fall and below T_low.
		{"hai_stage=increases", []float64{49, 49, 49, 49, 49, 49, 49}, []float64{100, 200, 300, 400, 500, 1000, 1500}},
		{"hai_stage=increases", []float64{100, 100, 100, 49, 49, 49}, []float64{100, 200, 300, 400, 500, 1000}},
	} {
		s := start(t, "set=paper initial_rate=10Gbps "+c.params, cctest.Facts())
		s.ack(100, 0)
		for i, rtt := range c.rtts {
			s.ack(rtt, 0)
			if c.want[i] == 0 {
				if s.rate >= 10.5e9 { // the rise to 70 us took the counts with it
					t.Errorf("%q, sample %d: rate %v", c.params, i, s.rate)
				}
				continue
			}
			near(t, c.params, s.rate, 10e9+c.want[i]*1e6)
		}
	}
	s := start(t, "set=paper initial_rate=10Gbps hai_stage=increases", cctest.Facts())
	for range 8 {
		s.ack(100, 0)
	}
	s.ack(108, 0) // a decrease
	rate := s.rate
	s.ack(49, 0)
	near(t, "after a decrease", s.rate, rate+100e6)
}

// One update per round trip: with the first ACK of a packet that was sent after
// the last update.
func TestUpdatePerRTT(t *testing.T) {
	s := start(t, "initial_rate=10Gbps", cctest.Facts())
	s.ack(4, 3000) // first sample; packets up to 4000 are on their way
	for range 3 {
		s.ack(4, 3000) // up to 4000
	}
	near(t, "rate in the first round trip", s.rate, 10e9)
	s.ack(4, 3000) // 5000: was sent after it
	near(t, "rate in the second", s.rate, 10.1e9)
	s.ack(4, 0)
	s.ack(4, 0)
	s.ack(4, 0)
	near(t, "rate at its end", s.rate, 10.1e9)
	s.ack(4, 0)
	near(t, "rate in the third", s.rate, 10.2e9)
	// An ACK without a sample leaves the update to the next one.
	s.Handle(&cc.Event{Kind: cc.EventAck, Acked: 1000, Inflight: 2000}, &s.d)
	near(t, "rate without a sample", s.rate, 10.2e9)
	s.ack(4, 2000)
	near(t, "rate with the next sample", s.rate, 10.3e9)
	// What a NAK acknowledges counts, though it brings none.
	s.Handle(&cc.Event{Kind: cc.EventNak, Acked: 2000, Inflight: 1000}, &s.d)
	near(t, "rate after a NAK", s.rate, 10.3e9)
	s.ack(4, 9000)
	near(t, "rate in the fourth round trip", s.rate, 10.4e9)
	s.Handle(&cc.Event{Kind: cc.EventTimeout, RTT: 4_000_000}, &s.d)
	s.Handle(&cc.Event{Kind: cc.EventAck, RTT: 4_000_000, Inflight: 1000}, &s.d) // a duplicate acknowledges nothing
	near(t, "rate after a timeout and a duplicate", s.rate, 10.4e9)
}

func TestUpdatePerCompletion(t *testing.T) {
	for params, want := range map[string]float64{"": 10.8e9, "segment=1KB": 10.8e9, "segment=3KB": 10.2e9,
		"segment=4KB": 10.1e9, "segment=16KB": 10e9} {
		t.Run(fmt.Sprintf("%q", params), func(t *testing.T) {
			s := start(t, "initial_rate=10Gbps update=completion "+params, cctest.Facts())
			for range 9 {
				s.ack(4, 9000)
			}
			near(t, params, s.rate, want) // the first completion is the first sample
		})
	}
}

// What follows from the flow: 100 Gb/s and 4.19 us here.
func TestDefaults(t *testing.T) {
	for _, c := range []struct {
		params                                   string
		tLow, tHigh, dMinRTT, ref, floor, dl, hi float64
	}{
		{"", 8.38, 50.28, 4.19, 8.38, 0.5, 100e6, 500e6},
		{"set=paper", 50, 500, 20, 50, 0, 100e6, 500e6},
		{"d_min_rtt=20us", 8.38, 50.28, 20, 8.38, 0.5, 100e6, 500e6},
		{"t_low=5us t_high=6us", 5, 6, 4.19, 5, 0.5, 100e6, 500e6},
		{"t_low=90us", 90, 90, 4.19, 90, 0.5, 100e6, 500e6},
		{"t_high=6us", 6, 6, 4.19, 6, 0.5, 100e6, 500e6},
		{"set=paper delta=0bps gradient_floor=0.1", 50, 500, 20, 50, 0.1, 0, 0},
		{"delta=10Mbps", 8.38, 50.28, 4.19, 8.38, 0.5, 10e6, 50e6},
		{"hai=0bps", 8.38, 50.28, 4.19, 8.38, 0.5, 100e6, 0},
	} {
		t.Run(fmt.Sprintf("params=%q", c.params), func(t *testing.T) {
			s := start(t, c.params, cctest.Facts())
			near(t, c.params+" T_low", s.tLow, us(c.tLow))
			near(t, c.params+" T_high", s.tHigh, us(c.tHigh))
			near(t, c.params+" D_minRTT", s.dMinRTT, us(c.dMinRTT))
			near(t, c.params+" RTT_ref", s.rttRef, us(c.ref))
			near(t, c.params+" gradient_floor", s.gradientFloor, c.floor)
			near(t, c.params+" delta", s.delta, c.dl)
			near(t, c.params+" hai", s.hai, c.hi)
		})
	}
}

func TestRateBoundsAndWindow(t *testing.T) {
	for _, c := range []struct {
		params string
		rate   unit.BitRate
		window unit.Bytes
	}{
		{"", 100e9, 0}, {"initial_rate=400Gbps", 100e9, 0}, {"initial_rate=1bps", 10e6, 0},
		{"min_rate=1bps initial_rate=1bps", 1, 0}, {"min_rate=400Gbps", 100e9, 0},
		{"window=fixed initial_rate=10Gbps", 10e9, 52_375}, {"window=rate initial_rate=10Gbps", 10e9, 5237},
		{"window=rate min_rate=1bps initial_rate=1bps", 1, 1},
		{"window=fixed window_rtt=4160ns initial_rate=10Gbps", 10e9, 52_000},
		{"window=rate window_rtt=4160ns initial_rate=10Gbps", 10e9, 5200},
	} {
		t.Run(fmt.Sprintf("params=%q", c.params), func(t *testing.T) {
			if s := start(t, c.params, cctest.Facts()); s.d.Rate != c.rate || s.d.Window != c.window {
				t.Errorf("%q: %v and %d B, want %v and %d B", c.params, s.d.Rate, s.d.Window, c.rate, c.window)
			}
		})
	}
	s := start(t, "window=rate", cctest.Facts())
	s.ack(300, 0)
	s.ack(300, 0)
	near(t, "window", float64(s.d.Window), math.Trunc(52_375*s.rate/100e9))
	for range 99 {
		s.ack(3000, 0)
	}
	near(t, "least rate", float64(s.d.Rate), 10e6)
	for range 9999 {
		s.ack(4, 0)
	}
	near(t, "largest rate", float64(s.d.Rate), 100e9)
}

func TestParametersThatDoNotFit(t *testing.T) {
	for params, name := range map[string]string{
		"hai_threshold=1.5":                    "hai_threshold",
		"segment=16KB":                         "segment",
		"t_low=60us t_high=50us":               "t_low",
		"set=paper t_high=49us":                "t_low",
		"rtt_ref=50us":                         "rtt_ref",
		"variant=patched hai=1Gbps":            "hai",
		"variant=patched hai_stage=increases":  "hai_stage",
		"variant=patched hai_threshold=3":      "hai_threshold",
		"variant=patched gradient_floor=0.125": "gradient_floor",
	} {
		t.Run(params, func(t *testing.T) {
			if _, err := made(t, params); err == nil || !strings.Contains(err.Error(), "parameter "+name+":") {
				t.Errorf("%q: error %v, want one of parameter %s", params, err, name)
			}
		})
	}
}

func TestHandleAllocatesNothing(t *testing.T) {
	for _, params := range []string{"", "variant=patched window=rate update=completion"} {
		t.Run(fmt.Sprintf("%q", params), func(t *testing.T) {
			s := start(t, params, cctest.Facts())
			e := cc.Event{Kind: cc.EventAck, Acked: 1000}
			if n := testing.AllocsPerRun(100, func() {
				e.RTT = e.RTT%(60*unit.Microsecond) + unit.Microsecond
				s.Handle(&e, &s.d)
			}); n != 0 {
				t.Errorf("%v allocations per event", n)
			}
		})
	}
}

// An ACK at the sender: one in 48, as many as fill the path, updates; or each.
func BenchmarkAck(b *testing.B) {
	for _, params := range []string{"update=rtt", "update=completion", "update=completion variant=patched"} {
		b.Run(params, func(b *testing.B) {
			s := start(b, params, cctest.Facts())
			e := cc.Event{Kind: cc.EventAck, Acked: 1000, Inflight: 47_000}
			for b.Loop() {
				e.RTT = e.RTT%(20*unit.Microsecond) + 4*unit.Microsecond
				s.Handle(&e, &s.d)
			}
		})
	}
}
