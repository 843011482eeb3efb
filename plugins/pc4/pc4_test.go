package pc4

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

// given reads "k=v k=v".
func given(text string) map[string]string {
	m := map[string]string{}
	for _, w := range strings.Fields(text) {
		k, v, _ := strings.Cut(w, "=")
		m[k] = v
	}
	return m
}

func control(t *testing.T, params string) *controller {
	t.Helper()
	p, err := hosting.Parse(Algorithm{}.Describe(), given(params))
	if err != nil {
		t.Fatal(err)
	}
	c, err := Algorithm{}.New(p)
	if err != nil {
		t.Fatal(err)
	}
	return c.(*controller)
}

// flow is a sender with its decision and a clock in us.
type flow struct {
	*sender
	d cc.Decision
}

func start(t *testing.T, params string, f cc.Facts) *flow {
	t.Helper()
	s := &flow{sender: control(t, params).NewSender(f).(*sender)}
	s.Handle(&cc.Event{Kind: cc.EventStart}, &s.d)
	return s
}

func us(n float64) unit.Duration { return unit.Duration(math.Round(n * float64(unit.Microsecond))) }

func (f *flow) ack(at, echo, owd, rtt float64, base unit.BitRate) {
	f.Handle(&cc.Event{
		Kind:        cc.EventAck,
		Now:         unit.Time(us(at)),
		Clock:       us(at).Nanoseconds(),
		Echo:        us(echo).Nanoseconds(),
		OneWayDelay: us(owd),
		RTT:         us(rtt),
		BaseRate:    base,
	}, &f.d)
}

func (f *flow) timeout(at float64) {
	f.Handle(&cc.Event{Kind: cc.EventTimeout, Now: unit.Time(us(at)), Clock: us(at).Nanoseconds()}, &f.d)
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-9*math.Abs(want)) {
		t.Errorf("%s = %.12g, want %.12g", what, got, want)
	}
}

// Algorithm 2, lines 20 to 29, from tx_rate = 50 Gb/s with base rate 20 Gb/s,
// baseline 2.2 us, hai 0.1 and ai 0.02 of the base rate, beta 0.6, max_mdf
// 0.25. Delays and targets in us.
func TestComputeRate(t *testing.T) {
	for _, c := range []struct {
		params      string
		owd, target string
		want        float64
	}{
		{"", "0ns", "1us", 52e9},                         // zero: + hai
		{"", "100ns", "1us", 52e9},                       // still within the band
		{"", "101ns", "1us", 50.4e9},                     // + ai
		{"", "999ns", "1us", 50.4e9},                     // + ai
		{"", "1us", "1us", 50e9},                         // excess 0: factor 1
		{"", "2us", "1us", 50e9 * (1 - 0.6/4.2)},         // (2-1)/(2+2.2)
		{"", "20us", "1us", 37.5e9},                      // 1 - 0.6 x 19/22.2 = 0.486: bounded by max_mdf
		{"", "-1us", "1us", 52e9},                        // robust: noise is no congestion
		{"", "150ns", "0ns", 50e9 * (1 - 0.6*0.15/2.35)}, // target 0
		{"", "50ns", "0ns", 52e9},                        // the band comes first, as line 21 does
		{"zero_band=0s", "1ns", "1us", 50.4e9},           // line 21 as printed, to the ns
		{"zero_reading=literal", "1ns", "1us", 52e9},     // rounding of timestamps
		{"zero_reading=literal", "-1ns", "1us", 52e9},    //
		{"zero_reading=literal", "50ns", "1us", 50.4e9},  //
		{"zero_reading=literal", "-1us", "1us",
			50e9 * 2}, // 1 + 0.6 x 2/1.2 = 2: literal noise doubles the rate
		{"hai=3Gbps ai=2Gbps", "0ns", "1us", 53e9},               // fixed increments
		{"hai=3Gbps ai=2Gbps", "500ns", "1us", 52e9},             //
		{"max_mdf=0.8", "20us", "1us", 50e9 * (1 - 0.6*19/22.2)}, //
	} {
		t.Run(fmt.Sprintf("params=%s,owd=%s", c.params, c.owd), func(t *testing.T) {
			f := cctest.Facts()
			f.Baseline = us(2.2)
			s := start(t, c.params+" target_qtime="+c.target, f)
			s.txRate, s.baseRecorded = 50e9, 20*unit.Gbps
			sign := unit.Duration(1)
			if c.owd[0] == '-' {
				sign = -1
			}
			owd, err := unit.ParseDuration(strings.TrimPrefix(c.owd, "-"))
			if err != nil {
				t.Fatal(err)
			}
			near(t, c.params+" owd="+c.owd+" target="+c.target, s.computeRate(sign*owd), c.want)
		})
	}
}

// In the literal reading owd = -baseline divides by zero: the rate goes to a bound, never to NaN.
func TestLiteralSingularity(t *testing.T) {
	for _, c := range []struct {
		params string
		want   float64
	}{{"", 100e9}, {"beta=0", 1e6}} {
		t.Run(fmt.Sprintf("params=%q", c.params), func(t *testing.T) {
			s := start(t, "zero_reading=literal target_qtime=1us "+c.params, cctest.Facts())
			s.setRate(s.computeRate(-unit.Duration(s.baseline)))
			near(t, "tx_rate", s.txRate, c.want)
		})
	}
}

// Set earlier scales the target by the baseline and by 1/N, as III-C has it; the
// constants are ours: 1 us over 2.2 us for up to 10 flows, floor 0.3 us.
func TestTargetQtime(t *testing.T) {
	for _, c := range []struct {
		params   string
		baseline float64
		n        int
		want     float64 // us
	}{
		{"", 2.2, 1, 1}, {"", 2.2, 10, 1}, {"", 2.2, 20, 0.5}, {"", 2.2, 32, 0.3125},
		{"", 2.2, 40, 0.3}, {"", 2.2, 5000, 0.3}, {"", 4.4, 1, 2}, {"", 4.4, 5000, 0.6}, {"", 600, 1, 600 / 2.2},
		{"tq0=4us", 2.2, 20, 2}, {"target_qtime=5us", 4.4, 5000, 5}, {"target_qtime=0s", 2.2, 1, 0},
	} {
		t.Run(fmt.Sprintf("params=%s,baseline=%v,n=%v", c.params, c.baseline, c.n), func(t *testing.T) {
			f := cctest.Facts()
			f.Baseline = us(c.baseline)
			s := start(t, "set=earlier "+c.params, f)
			s.baseRecorded = 100 * unit.Gbps / unit.BitRate(c.n)
			near(t, "target", s.targetQtime()/1e6, c.want)

			f.Group.Flows = c.n // base rate off: n is the controller's
			s = start(t, "set=earlier base_rate=false "+c.params, f)
			near(t, "target without base rate", s.targetQtime()/1e6, c.want)
		})
	}
}

// Lines 4 to 7: a changed base rate is taken over at once, within the
// interval too, and the window follows.
func TestBaseRateReload(t *testing.T) {
	s := start(t, "", cctest.Facts())
	if s.d.Rate != 100*unit.Gbps || s.d.Window != 52_375 { // 100e9 x 4.19 us / 8
		t.Errorf("first decision %+v, want line rate and one BDP", s.d)
	}
	s.ack(4.19, 0, 0, 4.19, 50*unit.Gbps)
	if s.d.Rate != 50*unit.Gbps || s.d.Window != 26_187 { // 26187.5
		t.Errorf("after 50Gbps: %+v", s.d)
	}
	s.ack(4.3, 0.1, 3, 4.19, 50*unit.Gbps)
	if s.d.Rate != 50*unit.Gbps {
		t.Errorf("adjusted within the interval: %+v", s.d)
	}
	s.ack(4.4, 0.2, 0, 4.19, 25*unit.Gbps)
	if s.d.Rate != 25*unit.Gbps || s.d.Window != 13_093 {
		t.Errorf("after 25Gbps: %+v", s.d)
	}
	near(t, "t_last_adjust", float64(s.tLastAdjust), 4.4e6)
}

// Line 9: not before 1.5 RTTs, and with feedback=fresh not on an ACK of a
// packet that left before the last change.
func TestAdjustInterval(t *testing.T) {
	for _, c := range []struct {
		params   string
		at, echo float64
		want     unit.BitRate
	}{
		{"", 11.3, 8, 55e9},                 // 1.5 x 4.2 us after the change at 5 us
		{"", 11.2, 8, 50 * unit.Gbps},       // too early
		{"", 11.4, 5, 50 * unit.Gbps},       // left at the instant of the change: the old rate
		{"", 11.4, 5.001, 55e9},             // + 0.1 x 50 Gb/s
		{"feedback=any", 11.4, 1, 55e9},     //
		{"adjust=false", 20, 15, 50e9},      //
		{"adjust_interval=1", 9.3, 6, 55e9}, // 4.3 us >= 4.2
	} {
		t.Run(fmt.Sprintf("params=%s,at=%v,echo=%v", c.params, c.at, c.echo), func(t *testing.T) {
			s := start(t, c.params, cctest.Facts())
			s.ack(5, 0, 0, 4.2, 50*unit.Gbps)
			s.ack(c.at, c.echo, 0, 4.2, 50*unit.Gbps)
			if s.d.Rate != c.want {
				t.Errorf("%q ack at %v of a packet of %v: rate %v, want %v", c.params, c.at, c.echo, s.d.Rate, c.want)
			}
		})
	}
}

// The last RTT lengthens the interval; cwnd_rtt decides its part in the window.
func TestMeasuredRTT(t *testing.T) {
	for _, c := range []struct {
		params string
		window unit.Bytes
	}{{"", 31_250}, {"cwnd_rtt=base", 26_187}, {"cwnd_rtt=measured", 62_500}} {
		t.Run(fmt.Sprintf("params=%q", c.params), func(t *testing.T) {
			// 50e9 x 5, 4.19, 10 us / 8
			s := start(t, c.params, cctest.Facts())
			s.ack(10, 0, 5, 10, 50*unit.Gbps)
			if s.d.Window != c.window {
				t.Errorf("%q: window %d, want %d", c.params, s.d.Window, c.window)
			}
			s.ack(24, 12, 0, 10, 50*unit.Gbps) // 14 us < 15
			if s.d.Rate != 50*unit.Gbps {
				t.Errorf("%q: adjusted before 1.5 measured RTTs", c.params)
			}
		})
	}
}

// Lines 12 to 16 under each reading: window after a change of base rate, then
// after the next ACK.
func TestWindowUpdate(t *testing.T) {
	for _, c := range []struct {
		params      string
		first, next unit.Bytes
	}{
		{"cwnd_update=changed cwnd_rtt=measured", 25_000, 25_000}, // constant within the interval
		{"cwnd_update=indent cwnd_rtt=measured", 52_375, 50_000},  // line 12 belongs to the else branch
		{"cwnd_update=always cwnd_rtt=measured", 25_000, 50_000},
	} {
		t.Run(c.params, func(t *testing.T) {
			s := start(t, c.params, cctest.Facts())
			s.ack(4, 0, 0, 4, 50*unit.Gbps)
			if s.d.Rate != 50*unit.Gbps || s.d.Window != c.first {
				t.Errorf("%s: %v %d after the base rate, want window %d", c.params, s.d.Rate, s.d.Window, c.first)
			}
			s.ack(5, 1, 0, 8, 50*unit.Gbps)
			if s.d.Window != c.next {
				t.Errorf("%s: window %d after the next ACK, want %d", c.params, s.d.Window, c.next)
			}
		})
	}
}

// Lines 13 and 14 for 5000 flows: 20 Mb/s x 4.19 us = 10.475 B of a packet of
// 1000 B; RTT/cwnd = 400 us counts payload, the spacing of 1098 B on the wire
// at 20 Mb/s is 439.2 us and follows from the rate.
func TestSubPacketWindow(t *testing.T) {
	for _, c := range []struct {
		params string
		rate   unit.BitRate
		gap    unit.Duration
	}{{"", 20 * unit.Mbps, 0}, {"pace=paper", 100 * unit.Gbps, 400 * unit.Microsecond}} {
		t.Run(fmt.Sprintf("params=%q", c.params), func(t *testing.T) {
			s := start(t, c.params, cctest.Facts())
			s.ack(5, 0, 0, 4.2, 20*unit.Mbps)
			if s.d.Rate != c.rate || s.d.Window != 10 || s.d.Gap != c.gap {
				t.Errorf("%q: %+v, want rate %v window 10 gap %v", c.params, s.d, c.rate, c.gap)
			}
		})
	}
	s := start(t, "min_rate=1bps min_cwnd=0.0001", cctest.Facts()) // III-C: lower bound 0.0001 packets
	s.ack(5, 0, 0, 4.2, 1000)
	if s.d.Window != 1 || math.Abs(s.cwnd-0.1) > 1e-12 {
		t.Errorf("window %d of cwnd %v B, want 1 of 0.1", s.d.Window, s.cwnd)
	}
}

func TestFirstRTT(t *testing.T) {
	f := cctest.Facts()
	f.Group = cc.Group{Flows: 8}
	for _, c := range []struct {
		params string
		rate   unit.BitRate
		window unit.Bytes
	}{
		{"", 100e9, 52_375}, {"first_rtt=12pkt", 100e9, 12_000}, {"first_rtt=1pkt", 100e9, 1000},
		{"first_rtt=base n_source=controller+sender", 12.5e9, 6546}, // 6546.875
	} {
		t.Run(fmt.Sprintf("params=%q", c.params), func(t *testing.T) {
			s := start(t, c.params, f)
			if s.d.Rate != c.rate || s.d.Window != c.window {
				t.Errorf("%q: %v and %d B, want %v and %d B", c.params, s.d.Rate, s.d.Window, c.rate, c.window)
			}
		})
	}
	s := start(t, "first_rtt=base n_source=controller+sender", f)
	s.ack(7, 1, 0, 4.2, 12_500*unit.Mbps) // the base rate is known already: this ACK adjusts
	near(t, "tx_rate", s.txRate, 12.5e9*1.1)
}

// III-D and lines 17 to 19: the window is cut at each timeout, base_recorded
// forgotten, and the next ACK reloads the same base rate.
func TestTimeout(t *testing.T) {
	for _, c := range []struct {
		params        string
		once, twice   float64
		window, again unit.Bytes
	}{
		{"", 37.5e9, 28.125e9, 19_640, 14_730}, // 3/4 of 26187.5 B, and again
		{"max_mdf=0.5", 25e9, 12.5e9, 13_093, 6546},
		{"max_mdf=0.8", 10e9, 2e9, 5237, 1047},
		{"max_mdf=0.8 timeout_factor=mdf", 40e9, 32e9, 20_950, 16_760},
	} {
		t.Run(fmt.Sprintf("params=%q", c.params), func(t *testing.T) {
			s := start(t, c.params, cctest.Facts())
			s.ack(5, 0, 0, 4.19, 50*unit.Gbps)
			s.timeout(5000)
			near(t, c.params+" tx_rate", s.txRate, c.once)
			if s.d.Window != c.window {
				t.Errorf("%q: window %d, want %d", c.params, s.d.Window, c.window)
			}
			s.timeout(9000)
			near(t, c.params+" tx_rate", s.txRate, c.twice)
			if s.d.Window != c.again {
				t.Errorf("%q: window %d, want %d", c.params, s.d.Window, c.again)
			}
			s.ack(9010, 9005, 0, 4.19, 50*unit.Gbps)
			if s.d.Rate != 50*unit.Gbps || s.d.Window != 26_187 {
				t.Errorf("%q: %+v after the ACK, want the base rate again", c.params, s.d)
			}
		})
	}
	s := start(t, "first_rtt=12pkt", cctest.Facts())
	s.timeout(5000)
	if s.d.Window != 9000 {
		t.Errorf("first window of 12 packets after a timeout: %d, want 9000", s.d.Window)
	}
}

func TestReloadThreshold(t *testing.T) {
	s := start(t, "reload_threshold=0.01", cctest.Facts())
	s.ack(5, 0, 0, 4.2, 50*unit.Gbps)
	s.ack(6, 1, 0, 4.2, 50_400*unit.Mbps) // 0.8 %
	if s.d.Rate != 50*unit.Gbps {
		t.Errorf("0.8 %%: rate %v", s.d.Rate)
	}
	s.ack(7, 2, 0, 4.2, 50_600*unit.Mbps) // 1.2 %
	if s.d.Rate != 50_600*unit.Mbps {
		t.Errorf("1.2 %%: rate %v", s.d.Rate)
	}
}

// Base rates are compared as they travel, in whole kb/s.
func TestBaseRateIsQuantised(t *testing.T) {
	s := start(t, "", cctest.Facts())
	s.ack(5, 0, 0, 4.2, 33_333_333*unit.Kbps+999)
	if s.baseRecorded != 33_333_333*unit.Kbps {
		t.Errorf("base_recorded = %d", s.baseRecorded)
	}
}

func TestWithoutBaseRate(t *testing.T) {
	s := start(t, "base_rate=false", cctest.Facts())
	s.ack(5, 1, 5, 4.2, 50*unit.Gbps) // 5 us < 6.3 since the start; the offer is ignored
	if s.d.Rate != 100*unit.Gbps {
		t.Errorf("rate %v, want line rate", s.d.Rate)
	}
	s.ack(7, 3, 20, 4.2, 50*unit.Gbps)
	if s.d.Rate != 75*unit.Gbps {
		t.Errorf("rate %v, want three quarters of line rate", s.d.Rate)
	}
	s.ack(14, 8, 0, 4.2, 0)
	near(t, "tx_rate + 100 Mb/s", s.txRate, 75.1e9)
	s.ack(21, 15, 0.5, 4.2, 0)
	near(t, "tx_rate + 25 Mb/s", s.txRate, 75.125e9)
}

// Table I and its readings at 100 Gb/s: 8 ranks, n from the controller.
func TestBaseRateTable(t *testing.T) {
	for _, c := range []struct {
		params string
		group  cc.Group
		want   unit.BitRate
	}{
		{"", cc.Group{Flows: 0}, 100e9},
		{"", cc.Group{Flows: 1}, 100e9},
		{"", cc.Group{Flows: 3}, 33_333_333_000}, // whole kb/s, rounded down
		{"", cc.Group{Mode: cc.ModeAllReduce, Flows: 16}, 6.25e9},
		{"", cc.Group{Mode: cc.ModeAllToAll, Flows: 7, Ranks: 8}, 14_285_714_000},
		{"n_mode=paper", cc.Group{Mode: cc.ModeAllToAll, Flows: 7, Ranks: 8}, 14_285_714_000},  // 8 - 1
		{"n_mode=paper", cc.Group{Mode: cc.ModeAllGather, Flows: 56, Ranks: 8}, 1_587_301_000}, // 64 - 1
		{"n_mode=paper", cc.Group{Mode: cc.ModeAllToAll, Flows: 8}, 14_285_714_000},            // ranks unknown: 8 - 1
		{"n_mode=paper", cc.Group{Mode: cc.ModeAllToAll, Flows: 1}, 100e9},                     // printed: a division by zero
		{"n_mode=paper", cc.Group{Mode: cc.ModeAllReduce, Flows: 8, Ranks: 8}, 12.5e9},         //
		{"n_mode=paper", cc.Group{Mode: cc.ModeOther, Flows: 8, Ranks: 8}, 12.5e9},             //
		{"all_reduce=ring", cc.Group{Mode: cc.ModeAllReduce, Flows: 8, Ranks: 8}, 100e9},       //
		{"all_reduce=hd", cc.Group{Mode: cc.ModeAllReduce, Flows: 8, Ranks: 8}, 100e9},         //
		{"all_reduce=ps", cc.Group{Mode: cc.ModeAllReduce, Flows: 1, Ranks: 5}, 25e9},          // 5 - 1
		{"all_reduce=ring", cc.Group{Mode: cc.ModeAllToAll, Flows: 8, Ranks: 9}, 12.5e9},       // for all-reduce only
	} {
		r := control(t, c.params).NewReceiver(cctest.Facts())
		r.Group(c.group)
		var fb cc.Feedback
		r.Data(&cc.Arrival{}, &fb)
		if fb.BaseRate != c.want {
			t.Errorf("%q %+v: base rate %d, want %d", c.params, c.group, fb.BaseRate, c.want)
		}
	}
}

// Algorithm 1, line 3, in whole ns, signed.
func TestOneWayDelay(t *testing.T) {
	for _, c := range []struct{ clock, tx, baseline, want int64 }{
		{5000, 1000, 2175, 1825}, {3175, 1000, 2175, 0}, {3000, 1000, 2175, -175}, {-10, -2000, 2175, -185},
	} {
		t.Run(fmt.Sprintf("clock=%v", c.clock), func(t *testing.T) {
			r := control(t, "").NewReceiver(cctest.Facts())
			var fb cc.Feedback
			r.Data(&cc.Arrival{Clock: c.clock, TxTime: c.tx, Baseline: c.baseline}, &fb)
			if fb.OneWayDelay != unit.Duration(c.want)*unit.Nanosecond {
				t.Errorf("%+v: %v", c, fb.OneWayDelay)
			}
		})
	}
}

// n_source=receiver follows the NIC's count, controller the controller's.
func TestNSource(t *testing.T) {
	for _, c := range []struct {
		params string
		want   [3]unit.BitRate
	}{{"", [3]unit.BitRate{25e9, 25e9, 50e9}}, {"n_source=receiver", [3]unit.BitRate{100e9, 20e9, 20e9}}} {
		t.Run(fmt.Sprintf("params=%q", c.params), func(t *testing.T) {
			r := control(t, c.params).NewReceiver(cctest.Facts())
			var fb cc.Feedback
			r.Group(cc.Group{Flows: 4})
			for i, active := range []int{1, 5, 5} {
				if i == 2 {
					r.Group(cc.Group{Flows: 2})
				}
				r.Data(&cc.Arrival{Active: active}, &fb)
				if fb.BaseRate != c.want[i] {
					t.Errorf("%q step %d: %v, want %v", c.params, i, fb.BaseRate, c.want[i])
				}
			}
		})
	}
}

func TestParametersThatDoNotFit(t *testing.T) {
	for params, name := range map[string]string{
		"first_rtt=base":                 "first_rtt",
		"first_rtt=base base_rate=false": "first_rtt",
		"hai_share=0.1 hai=1Gbps":        "hai_share",
		"ai_share=0.1 base_rate=false":   "ai_share",
		"pull=0.1 base_rate=false":       "pull",
		"above=0.5 base_rate=false":      "above",
	} {
		t.Run(params, func(t *testing.T) {
			p, err := hosting.Parse(Algorithm{}.Describe(), given(params))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := (Algorithm{}).New(p); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%q: error %v, want one of parameter %s", params, err, name)
			}
		})
	}
}

func TestHandleAllocatesNothing(t *testing.T) {
	s := start(t, "", cctest.Facts())
	r := control(t, "").NewReceiver(cctest.Facts())
	var fb cc.Feedback
	e, a := cc.Event{Kind: cc.EventAck, BaseRate: 50 * unit.Gbps}, cc.Arrival{}
	if n := testing.AllocsPerRun(100, func() {
		e.Now, e.Echo = e.Now.Add(us(9)), e.Echo+9000
		s.Handle(&e, &s.d)
		r.Data(&a, &fb)
	}); n != 0 {
		t.Errorf("%v allocations per event", n)
	}
}

// An ACK at the sender; one in four adjusts.
func BenchmarkAck(b *testing.B) {
	p, _ := hosting.Parse(Algorithm{}.Describe(), nil)
	c, _ := Algorithm{}.New(p)
	s := c.NewSender(cctest.Facts())
	var d cc.Decision
	e := cc.Event{Kind: cc.EventAck, BaseRate: 50 * unit.Gbps, OneWayDelay: unit.Microsecond, RTT: us(4.2)}
	for b.Loop() {
		e.Now = e.Now.Add(us(1.6))
		e.Clock += 1600
		e.Echo = e.Clock - 4200
		s.Handle(&e, &d)
	}
}

func BenchmarkData(b *testing.B) {
	p, _ := hosting.Parse(Algorithm{}.Describe(), nil)
	c, _ := Algorithm{}.New(p)
	r := c.NewReceiver(cctest.Facts())
	r.Group(cc.Group{Flows: 16})
	var fb cc.Feedback
	a := cc.Arrival{Clock: 5000, TxTime: 1000, Baseline: 2175}
	for b.Loop() {
		r.Data(&a, &fb)
	}
}
