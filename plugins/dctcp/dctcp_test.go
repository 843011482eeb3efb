package dctcp

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/cctest"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

func control(t testing.TB, params string) cc.Controller {
	t.Helper()
	c, err := makeControl(params)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// makeControl reads "k=v k=v".
func makeControl(params string) (cc.Controller, error) {
	given := map[string]string{}
	for _, w := range strings.Fields(params) {
		k, v, _ := strings.Cut(w, "=")
		given[k] = v
	}
	p, err := hosting.Parse(Algorithm{}.Describe(), given)
	if err != nil {
		return nil, err
	}
	return Algorithm{}.New(p)
}

// flow is a sender with its decision.
type flow struct {
	cc.Sender
	d cc.Decision
}

func start(t testing.TB, params string) *flow {
	t.Helper()
	f := &flow{Sender: control(t, params).NewSender(cctest.Facts())}
	f.d.Rate = cctest.Facts().LineRate
	f.Handle(&cc.Event{Kind: cc.EventStart}, &f.d)
	return f
}

// ack acknowledges a number of packets of 1000 B; inflight are in flight then.
func (f *flow) ack(packets, inflight int, ce bool) {
	f.Handle(&cc.Event{Kind: cc.EventAck, CE: ce, Acked: unit.Bytes(packets) * 1000,
		Inflight: unit.Bytes(inflight) * 1000}, &f.d)
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-12*math.Abs(want)) {
		t.Errorf("%s = %.15g, want %.15g", what, got, want)
	}
}

// The form rdma, worked by hand: 100 Gb/s, 4.19 us, so that the BDP is 52 375 B
// and one MTU per RTT 8000 b / 4.19 us = 1.909307875 Gb/s; g = 1/16, alpha = 1.
func TestRDMA(t *testing.T) {
	const ai = 1909307875.0
	f := start(t, "")
	s := f.Sender.(*rdma)
	want := func(step string, rate, alpha float64) {
		t.Helper()
		near(t, step+": R", s.rate, rate)
		near(t, step+": alpha", s.alpha, alpha)
		if f.d.Rate != unit.BitRate(rate) || f.d.Window != unit.Bytes(52375*rate/100e9) {
			t.Errorf("%s: decided %v and %v", step, f.d.Rate, f.d.Window)
		}
	}
	want("start", 100e9, 1)
	f.ack(1, 52, false) // ends no window, begins the one up to 53 000 B with batch 53 + 1
	want("first ACK", 100e9, 1)
	f.ack(1, 52, true) // cut by alpha/2 = 1/2; CWR until 54 000 B are acknowledged
	want("first mark", 50e9, 1)
	for range 50 {
		f.ack(1, 26, true) // 3000 to 52 000 B: no second cut for one window
	}
	want("CWR", 50e9, 1)
	f.ack(1, 26, true) // 53 000 B: not beyond
	want("at the end of the window", 50e9, 1)
	f.ack(1, 26, false) // 54 000 B ends the window: F = 52/54, but not beyond the cut's 54 000: CWR, no increase
	alpha := 15.0/16 + 52.0/54/16
	want("window of 52 marks", 50e9, alpha)
	f.ack(1, 26, false) // 55 000 B leave CWR; the next window ends beyond 80 000 B
	want("out of CWR", 50e9, alpha)
	for range 25 {
		f.ack(1, 26, false)
	}
	want("a window without marks, to its end", 50e9, alpha)
	f.ack(1, 26, false) // F = 0/27
	alpha *= 15.0 / 16
	want("a window without marks", 50e9+ai, alpha)
	f.ack(1, 26, true)
	want("a mark", (50e9+ai)*(1-alpha/2), alpha)
}

// F counts packets, not ACKs, and is at most 1.
func TestFraction(t *testing.T) {
	for _, c := range []struct {
		acks, packets, inflight int // marked ACKs of so many packets each
		want                    float64
	}{
		{1, 4, 7, 4.0 / 8}, {4, 1, 7, 4.0 / 8}, {7, 1, 7, 7.0 / 8}, {1, 8, 7, 1}, {20, 1, 7, 1}, {0, 1, 7, 0},
	} {
		t.Run(fmt.Sprintf("acks=%v,packets=%v", c.acks, c.packets), func(t *testing.T) {
			f := start(t, "g=1")
			s := f.Sender.(*rdma)
			f.ack(1, c.inflight, false)
			f.ack(0, c.inflight, false)
			s.lastUpdate, s.batch = 100_000, int64(c.inflight+1)
			for range c.acks {
				f.ack(c.packets, c.inflight, true)
			}
			f.ack(101-int(s.una/1000), c.inflight, false)
			near(t, "alpha = F", s.alpha, c.want)
		})
	}
}

// The rate stays between the floor and the line rate, and the window follows.
func TestBoundsRDMA(t *testing.T) {
	f := start(t, "min_rate=1Gbps g=0 rtt=4160ns")
	for range 40 { // each ACK ends a window: nothing is in flight after it
		f.ack(1, 0, true)
	}
	if f.d.Rate != unit.Gbps || f.d.Window != 520 {
		t.Errorf("floor: %v and %v, want 1Gbps and 1 %% of 52 000 B", f.d.Rate, f.d.Window)
	}
	for range 60 {
		f.ack(1, 0, false)
	}
	if f.d.Rate != 100*unit.Gbps || f.d.Window != 52000 {
		t.Errorf("ceiling: %v and %v", f.d.Rate, f.d.Window)
	}
	for params, window := range map[string]unit.Bytes{"window=none": 0, "window=fixed": 52375, "window=scaled": 26187} {
		t.Run(params, func(t *testing.T) {
			f := start(t, params)
			f.ack(1, 52, true)
			if f.d.Rate != 50*unit.Gbps || f.d.Window != window {
				t.Errorf("%s: %v and %v, want 50Gbps and %v", params, f.d.Rate, f.d.Window, window)
			}
		})
	}
	f = start(t, "ai_rate=615Mbps initial_alpha=0.5")
	f.ack(1, 0, true)
	f.ack(1, 0, false)
	if f.d.Rate != 75*unit.Gbps+615*unit.Mbps {
		t.Errorf("one step of ai_rate: %v", f.d.Rate)
	}
}

// The form window: RFC 8257, section 3.3, on top of RFC 5681.
func TestWindow(t *testing.T) {
	f := start(t, "form=window")
	s := f.Sender.(*window)
	want := func(step string, cwnd float64) {
		t.Helper()
		near(t, step+": cwnd", s.cwnd, cwnd)
		if f.d.Rate != 100*unit.Gbps || f.d.Window != unit.Bytes(cwnd) {
			t.Errorf("%s: decided %v and %v", step, f.d.Rate, f.d.Window)
		}
	}
	want("start", 10_000)
	for i := range 10 { // slow start: one window of ACKs doubles it
		f.ack(1, 9+i, false)
	}
	want("slow start", 20_000)
	near(t, "alpha after the first ACK, beyond the initial DCTCP.WindowEnd", s.alpha, 15.0/16)
	f.ack(1, 3, false)
	want("a window that is not in use", 20_000)
	near(t, "alpha after a window of 10 000 B", s.alpha, 225.0/256)
	f.ack(1, 19, true) // cwnd (1 - alpha/2)
	cwnd := 20_000 * (1 - 225.0/512)
	want("first mark", cwnd)
	near(t, "ssthresh", s.ssthresh, cwnd)
	for range 19 {
		f.ack(1, 10, true)
	}
	want("one cut for a window", cwnd)
	for range 11 { // the first leaves CWR
		f.ack(1, 11, false)
	}
	want("most of a window", cwnd)
	f.ack(1, 11, false) // 12 000 of 11 211 B
	cwnd += 1000
	want("congestion avoidance", cwnd)
	f.Handle(&cc.Event{Kind: cc.EventNak, Inflight: 5000}, &f.d)
	want("loss", cwnd/2)
	f.Handle(&cc.Event{Kind: cc.EventNak, Inflight: 5000}, &f.d)
	want("one cut for a window of losses", cwnd/2)
	f.Handle(&cc.Event{Kind: cc.EventTimeout}, &f.d)
	want("timeout", 1000)
	for i := range 3 {
		f.ack(1, i, false)
	}
	want("slow start up to ssthresh", cwnd/4)
}

// M = BytesMarked / BytesAcked.
func TestWindowAlpha(t *testing.T) {
	f := start(t, "form=window g=0.25 initial_alpha=0")
	s := f.Sender.(*window)
	f.ack(1, 9, false) // M = 0; the window up to 10 000 B begins
	for i := range 9 {
		f.ack(1, 9, i < 3)
	}
	near(t, "alpha within the window", s.alpha, 0)
	f.ack(1, 9, false) // 3 of 10
	near(t, "alpha", s.alpha, 0.25*3/10)
}

// Form rdma ignores what a NAK or a CNP reports, but the bytes that a NAK acknowledges count, and going back takes
// SND.NXT back.
func TestProgress(t *testing.T) {
	f := start(t, "")
	s := f.Sender.(*rdma)
	f.ack(1, 52, false)
	before := f.d
	f.Handle(&cc.Event{Kind: cc.EventNak, Acked: 4000}, &f.d)
	f.Handle(&cc.Event{Kind: cc.EventCNP, Inflight: 3000}, &f.d)
	f.Handle(&cc.Event{Kind: cc.EventTimeout, Inflight: 2000}, &f.d)
	if s.una != 5000 || s.nxt != 7000 || f.d != before {
		t.Errorf("una %v, nxt %v, %+v", s.una, s.nxt, f.d)
	}
}

// Whatever comes, the decision stays within its bounds, and two lives with one seed are the same.
func TestProperties(t *testing.T) {
	for _, c := range []struct {
		params string
		floor  unit.BitRate
		least  unit.Bytes
	}{{"", 100 * unit.Mbps, 1}, {"min_rate=1bps g=1 window=fixed", 1, 52375}, {"form=window", 100 * unit.Gbps, 1000},
		{"form=window g=0 min_window=2", 100 * unit.Gbps, 2000}} {
		t.Run(fmt.Sprintf("params=%q", c.params), func(t *testing.T) {
			a, b := start(t, c.params), start(t, c.params)
			r := chance.New(7, "life")
			for i := range 20_000 {
				e := cc.Event{Kind: cc.EventKind(1 + r.Below(6)), CE: r.Below(3) == 0,
					Acked: unit.Bytes(r.Below(1 << r.Below(30))), Inflight: unit.Bytes(r.Below(1 << r.Below(30)))}
				a.Handle(&e, &a.d)
				b.Handle(&e, &b.d)
				if a.d != b.d || a.d.Rate < c.floor || a.d.Rate > 100*unit.Gbps || a.d.Window < c.least {
					t.Fatalf("%s, event %d: %+v and %+v after %+v", c.params, i, a.d, b.d, e)
				}
			}
		})
	}
}

func TestParamErrors(t *testing.T) {
	for params, message := range map[string]string{
		"form=window min_rate=1Gbps":  "parameter min_rate: form window has no such parameter; it belongs to form rdma",
		"form=window window=none":     "parameter window: form window has no such parameter",
		"initial_window=3":            "parameter initial_window: form rdma has no such parameter; it belongs to form window",
		"g=1.5":                       "parameter g: 1.5 is above 1",
		"form=cubic":                  `parameter form: "cubic" is not one of rdma, window`,
		"min_rate=0bps":               "parameter min_rate: 0bps is below 1bps",
		"form=window min_window=0.25": "parameter min_window: 0.25 is below 1",
		"window=bdp":                  `parameter window: "bdp" is not one of scaled, fixed, none`,
	} {
		t.Run(params, func(t *testing.T) {
			if _, err := makeControl(params); err == nil || !strings.HasPrefix(err.Error(), message) {
				t.Errorf("%s: %v, want %q", params, err, message)
			}
		})
	}
}

func TestSignals(t *testing.T) {
	for _, form := range []string{"rdma", "window"} {
		t.Run(form, func(t *testing.T) {
			c := control(t, "form="+form)
			if s := c.Signals(); s != (cc.Signals{ECT: true, Acks: true, ECNEcho: true}) {
				t.Errorf("%s: %+v", form, s)
			}
			if c.NewReceiver(cctest.Facts()) != nil {
				t.Errorf("%s has a receiver", form)
			}
		})
	}
}

func TestNoAllocations(t *testing.T) {
	for _, form := range []string{"rdma", "window"} {
		t.Run(form, func(t *testing.T) {
			f := start(t, "form="+form)
			e := cc.Event{Kind: cc.EventAck, Acked: 1000, Inflight: 20_000}
			if n := testing.AllocsPerRun(100, func() {
				e.CE = !e.CE
				f.Handle(&e, &f.d)
			}); n != 0 {
				t.Errorf("%s: %v allocations an event", form, n)
			}
		})
	}
}

func BenchmarkAck(b *testing.B) {
	for _, form := range []string{"rdma", "window"} {
		b.Run(form, func(b *testing.B) {
			f := start(b, "form="+form)
			e := cc.Event{Kind: cc.EventAck, Acked: 1000, Inflight: 20_000}
			n := 0
			for b.Loop() {
				n++
				e.CE = n&15 == 0
				f.Handle(&e, &f.d)
			}
		})
	}
}

// A flow of form rdma may begin below line rate, with its window in proportion, and never below the floor.
func TestInitialRate(t *testing.T) {
	whole, tenth := start(t, "").d, start(t, "initial_rate=10Gbps").d
	if tenth.Rate != 10*unit.Gbps || tenth.Window*10 > whole.Window || tenth.Window*10 < whole.Window-10 {
		t.Errorf("begins with %v and %v, at line rate with %v and %v", tenth.Rate, tenth.Window, whole.Rate, whole.Window)
	}
	if least := start(t, "initial_rate=1bps min_rate=1Gbps").d; least.Rate != unit.Gbps {
		t.Errorf("begins with %v, the floor is 1 Gb/s", least.Rate)
	}
	if most := start(t, "initial_rate=400Gbps").d; most != whole {
		t.Errorf("begins with %+v, at line rate with %+v", most, whole)
	}
}
