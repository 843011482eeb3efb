package swift

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

func us(n float64) float64             { return n * float64(unit.Microsecond) }
func duration(n float64) unit.Duration { return unit.Duration(math.Round(us(n))) }

// ack acknowledges a number of packets of 1000 B. Times in us.
func (f *flow) ack(at, rtt, remote float64, packets int) {
	f.Handle(&cc.Event{
		Kind:        cc.EventAck,
		Now:         unit.Time(duration(at)),
		RTT:         duration(rtt),
		RemoteDelay: duration(remote),
		Acked:       unit.Bytes(1000 * packets),
	}, &f.d)
}

func (f *flow) event(kind cc.EventKind, at float64) {
	f.Handle(&cc.Event{Kind: kind, Now: unit.Time(duration(at))}, &f.d)
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-9*math.Abs(want)) {
		t.Errorf("%s = %.12g, want %.12g", what, got, want)
	}
}

// Section 3.5 with fs_range 30 us over windows of 0.25 to 100 packets: alpha =
// 30/(1/0.5 - 1/10) = 15.789 us, beta = -1.5789 us.
func TestFlowScaling(t *testing.T) {
	alpha := 30 / 1.9
	s := start(t, "fs_range=30us fs_min_cwnd=0.25 fs_max_cwnd=100", cctest.Facts())
	for cwnd, want := range map[float64]float64{
		0.001: 30, 0.25: 30, 1: alpha - alpha/10, 4: alpha/2 - alpha/10, 25: alpha/5 - alpha/10,
		64: alpha/8 - alpha/10, 144: 0, 1e6: 0,
	} {
		t.Run(fmt.Sprintf("cwnd=%v", cwnd), func(t *testing.T) {
			near(t, "what flow scaling adds", s.flowTarget(cwnd)+us(1), us(want+1))
		})
	}
	if got := s.flowTarget(100); math.Abs(got) > 1e-3 {
		t.Errorf("at fs_max_cwnd flow scaling adds %v ps", got)
	}
	s = start(t, "fs_range=1s", cctest.Facts())
	if got := s.alpha / 1e12; math.Abs(got-0.3266) > 0.00005 { // of fs_range, for 0.1 and 100
		t.Errorf("alpha = %v of fs_range, want 0.3266", got)
	}
	if s = start(t, "fs_range=0s", cctest.Facts()); s.flowTarget(0.001) != 0 {
		t.Errorf("fs_range 0 adds %v", s.flowTarget(0.001))
	}
}

func TestPathTarget(t *testing.T) {
	for _, c := range []struct {
		params string
		hops   int
		want   float64
	}{
		{"", 0, 6}, {"", 1, 8.1}, {"", 5, 16.5}, {"hop_target=0s", 5, 6}, {"base_target=20us hop_target=3us", 3, 29},
		{"path_scaling=base_rtt", 1, 10.19}, {"path_scaling=base_rtt base_target=1us", 5, 5.19},
	} {
		t.Run(fmt.Sprintf("params=%s,hops=%v", c.params, c.hops), func(t *testing.T) {
			f := cctest.Facts()
			f.Hops = c.hops
			near(t, c.params, start(t, c.params, f).path, us(c.want))
		})
	}
}

// fixed is a target of 10 us whatever the window, to test the rest of the algorithm.
const fixed = "base_target=10us hop_target=0s fs_range=0s "

// Algorithm 1, lines 7 to 14 and 26, from the given window, longer than an RTT
// after the last decrease. ai 1, beta 0.8, max_mdf 0.5; at most 1.5 BDP, 71.546
// packets. Times in us.
func TestAck(t *testing.T) {
	const most = 1.5 * 4190 * 12.5 / 1098
	for _, c := range []struct {
		params      string
		cwnd        float64
		rtt, remote float64
		packets     int
		want        float64
	}{
		{"", 10, 9.999, 0, 1, 10.1},              // below the target: 10 + 1/10
		{"", 10, 5, 0, 3, 10.3},                  // three packets by one ACK
		{"ai=2", 10, 5, 0, 1, 10.2},              //
		{"", 1, 5, 0, 1, 2},                      // from one packet on: + ai/cwnd
		{"", 0.5, 5, 0, 1, 1.5},                  // below: + ai
		{"ai=0.25", 0.5, 5, 0, 2, 1},             //
		{"", 10, 10, 0, 1, 10},                   // the target itself: excess 0
		{"", 10, 12.5, 0, 1, 10 * (1 - 0.8*0.2)}, // 2.5/12.5
		{"", 10, 16, 0, 9, 10 * (1 - 0.8*0.375)}, // however many are acknowledged
		{"", 10, 40, 0, 1, 5},                    // 1 - 0.8 x 0.75 = 0.4: max_mdf
		{"max_mdf=0.9", 10, 40, 0, 1, 4},         //
		{"beta=0.4", 10, 12.5, 0, 1, 10 * (1 - 0.4*0.2)},
		{"beta=10 max_mdf=1", 10, 40, 0, 1, 0.001}, // all of it: min_cwnd
		{"", 0.5, 12.5, 0, 1, 0.5 * (1 - 0.8*0.2)}, //
		{"", 0.0011, 40, 0, 1, 0.001},              // min_cwnd
		{"min_cwnd=2", 3, 40, 0, 1, 2},             //
		{"", 71.54, 5, 0, 1, most},                 // max_cwnd
		{"max_cwnd=12", 11.99, 5, 0, 1, 12},        //
		{"", 10, 12.5, 3, 1, 10.1},                 // 9.5 us of it in the fabric
		{"", 10, 15.5, 3, 1, 10 * (1 - 0.8*0.2)},   // 12.5 us
		{"", 10, 3, 4, 1, 10.1},                    // a noisy clock: no less than no delay
		{"", 10, 0, 0, 1, 10},                      // no sample
	} {
		t.Run(fmt.Sprintf("params=%s,cwnd=%v,rtt=%v,remote=%v", c.params, c.cwnd, c.rtt, c.remote), func(t *testing.T) {
			s := start(t, fixed+"endpoint=false "+c.params, cctest.Facts())
			s.fabric.cwnd = c.cwnd
			s.ack(100, c.rtt, c.remote, c.packets)
			near(t, c.params, s.cwnd(), c.want)
		})
	}
}

// Line 3: one decrease per RTT, by the newest RTT; increases do not count.
func TestCanDecrease(t *testing.T) {
	s := start(t, fixed, cctest.Facts())
	s.fabric.cwnd = 40
	step := func(at, rtt, want float64) {
		t.Helper()
		s.ack(at, rtt, 0, 1)
		near(t, "cwnd", s.fabric.cwnd, want)
	}
	step(12.4, 12.5, 40)        // not an RTT since the start
	step(12.5, 12.5, 33.6)      // x 0.84
	step(12.6, 12.5, 33.6)      // the same congestion, as all of these
	step(24.9, 12.5, 33.6)      //
	step(24.95, 5, 33.6+1/33.6) // an increase meanwhile
	w := (33.6 + 1/33.6) * 0.84 //
	step(25, 12.5, w)           // 12.5 us after the decrease
	step(40, 20, w)             // 15 us after it, but the RTT is 20 us now
	step(45, 20, w*0.6)         //
	step(65, 10, w*0.6)         // excess 0 leaves the window, and t_last_decrease, alone
	step(66, 20, w*0.6*0.6)     //
	if s.fabric.tLastDecrease != unit.Time(66*unit.Microsecond) {
		t.Errorf("t_last_decrease = %v", s.fabric.tLastDecrease)
	}
}

// Line 27 as printed, cwnd <= cwnd_prev, would never cut a window again that has
// an ACK more often than once per RTT.
func TestSteadyCongestionKeepsCutting(t *testing.T) {
	s := start(t, fixed, cctest.Facts())
	for at := 1.0; at <= 200; at++ {
		s.ack(at, 20, 0, 1)
	}
	near(t, "cwnd after ten RTTs", s.cwnd(), 4190*12.5/1098*math.Pow(0.6, 10))
}

// Lines 15 to 25, from 16 packets.
func TestLoss(t *testing.T) {
	s := start(t, fixed, cctest.Facts())
	s.fabric.cwnd, s.end.cwnd = 16, 20
	want := func(what string, fabric, end float64) {
		t.Helper()
		near(t, what+": fcwnd", s.fabric.cwnd, fabric)
		near(t, what+": ecwnd", s.end.cwnd, end)
		near(t, what+": window", float64(s.d.Window), math.Max(math.Trunc(1000*math.Min(fabric, end)), 1))
	}
	s.event(cc.EventNak, 4)
	want("less than an RTT after the start", 16, 20)
	s.event(cc.EventNak, 5)
	want("NAK", 8, 10)
	s.event(cc.EventNak, 6)
	want("NAK at once", 8, 10)
	s.event(cc.EventTimeout, 4000)
	want("first timeout", 4, 5)
	s.event(cc.EventTimeout, 8000)
	s.event(cc.EventTimeout, 12000)
	s.event(cc.EventTimeout, 16000)
	want("fourth timeout", 0.5, 0.625)
	if gap := duration(4.19 / 0.5); s.d.Gap != gap {
		t.Errorf("gap %v, want %v", s.d.Gap, gap)
	}
	s.event(cc.EventTimeout, 20000)
	want("fifth timeout", 0.001, 0.001)
	s.event(cc.EventTimeout, 24000)
	want("sixth", 0.001, 0.001)
	if gap := duration(4190); s.d.Gap != gap {
		t.Errorf("gap %v, want %v", s.d.Gap, gap)
	}
	s.ack(28000, 5, 0, 1)
	want("the first ACK", 1.001, 1.001)
	s.event(cc.EventTimeout, 32000)
	want("a timeout after it: the count began anew", 0.5005, 0.5005)
	for _, reset := range []cc.EventKind{cc.EventNak, cc.EventAck} {
		t.Run(fmt.Sprintf("reset=%v", reset), func(t *testing.T) {
			// an ACK without a sample counts, too
			s := start(t, "retx_reset_threshold=2", cctest.Facts())
			s.event(cc.EventTimeout, 4000)
			s.event(reset, 4001)
			s.event(cc.EventTimeout, 8000)
			near(t, "window", s.cwnd(), 4190*12.5/1098/4)
		})
	}
}

// The echo tells which sending of a resent packet its RTT is of.
func TestResentPacketsGiveSamples(t *testing.T) {
	for _, c := range []struct {
		acked       unit.Bytes
		clock, echo int64 // ns
		want        float64
	}{{1000, 105_000, 100_000, 10.1}, {1000, 112_500, 100_000, 8.4}, {0, 112_500, 100_000, 10},
		{1000, 99_000, 100_000, 10}} {
		t.Run(fmt.Sprintf("acked=%v,clock=%v", c.acked, c.clock), func(t *testing.T) {
			s := start(t, fixed, cctest.Facts())
			s.fabric.cwnd = 10
			s.Handle(&cc.Event{
				Kind:  cc.EventAck,
				Now:   unit.Time(duration(100)),
				Clock: c.clock,
				Echo:  c.echo,
				Acked: c.acked,
			}, &s.d)
			near(t, "cwnd", s.cwnd(), c.want)
		})
	}
}

// Lines 29 to 32: a window in bytes, and packets rtt/cwnd apart below one packet.
func TestDecision(t *testing.T) {
	for _, c := range []struct {
		cwnd   float64
		window unit.Bytes
		gap    float64
	}{{47.5, 47_500, 0}, {1.5, 1500, 0}, {1, 1000, 0}, {0.8, 800, 10}, {0.5, 500, 16}, {0.0001, 1, 80_000}} {
		t.Run(fmt.Sprintf("cwnd=%v", c.cwnd), func(t *testing.T) {
			s := start(t, "", cctest.Facts())
			s.fabric.cwnd, s.rtt = c.cwnd, duration(8)
			s.decide(&s.d)
			if s.d.Rate != 100*unit.Gbps || s.d.Window != c.window || s.d.Gap != duration(c.gap) {
				t.Errorf("cwnd %v: %+v", c.cwnd, s.d)
			}
		})
	}
}

// Section 3.3: the smoothed endpoint delay drives a window of its own, and the
// smaller of the two holds.
func TestEndpointWindow(t *testing.T) {
	s := start(t, fixed+"endpoint_target=4us endpoint_gain=0.5", cctest.Facts())
	s.fabric.cwnd, s.end.cwnd = 30, 20
	s.ack(50, 11, 5, 1) // fabric 6 us; the first endpoint delay is taken whole: 1 us beyond 4
	near(t, "fcwnd", s.fabric.cwnd, 30+1.0/30)
	near(t, "ecwnd", s.end.cwnd, 20*(1-0.8*0.2))
	near(t, "window", float64(s.d.Window), 16_800)
	s.ack(100, 11, 3, 1) // smoothed 4 us: excess 0
	near(t, "ecwnd at the target", s.end.cwnd, 16.8)
	s.ack(150, 11, 3, 1) // 3.5 us
	near(t, "ecwnd below it", s.end.cwnd, 16.8+1/16.8)
	off := start(t, fixed+"endpoint=false", cctest.Facts())
	off.ack(50, 900, 895, 1) // 5 us in the fabric
	near(t, "window without the endpoint's", off.cwnd(), 4190*12.5/1098+1/(4190*12.5/1098))
}

func TestWindowsOfAFlow(t *testing.T) {
	const bdp = 4190 * 12.5 / 1098
	small := cctest.Facts()
	small.BaseRTT = unit.Nanosecond * 40
	for _, c := range []struct {
		params      string
		facts       cc.Facts
		first, most float64
	}{
		{"", cctest.Facts(), bdp, 1.5 * bdp},
		{"initial_cwnd=12 max_cwnd_bdp=2", cctest.Facts(), 12, 2 * bdp},
		{"initial_cwnd=12 max_cwnd=10", cctest.Facts(), 10, 10},
		{"min_cwnd=60", cctest.Facts(), 60, 1.5 * bdp},
		{"min_cwnd=90", cctest.Facts(), 90, 90},
		{"initial_cwnd=0.25", cctest.Facts(), 0.25, 1.5 * bdp},
		{"", small, 40 * 12.5 / 1098, 1},
	} {
		t.Run(fmt.Sprintf("params=%s,first=%v", c.params, c.first), func(t *testing.T) {
			s := start(t, c.params, c.facts)
			near(t, c.params+" first", s.cwnd(), c.first)
			near(t, c.params+" most", s.fabric.most, c.most)
		})
	}
}

func TestParametersThatDoNotFit(t *testing.T) {
	for params, name := range map[string]string{
		"fs_min_cwnd=100":                      "fs_min_cwnd",
		"fs_min_cwnd=2 fs_max_cwnd=1":          "fs_min_cwnd",
		"retx_reset_threshold=2.5":             "retx_reset_threshold",
		"max_cwnd=10 max_cwnd_bdp=2":           "max_cwnd_bdp",
		"max_cwnd=10 min_cwnd=11":              "min_cwnd",
		"path_scaling=base_rtt hop_target=1us": "hop_target",
		"endpoint=false endpoint_target=3us":   "endpoint_target",
		"endpoint=false endpoint_gain=0.5":     "endpoint_gain",
	} {
		t.Run(params, func(t *testing.T) {
			if _, err := made(t, params); err == nil || !strings.Contains(err.Error(), "parameter "+name+":") {
				t.Errorf("%q: error %v, want one of parameter %s", params, err, name)
			}
		})
	}
}
