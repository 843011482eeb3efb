package hpcc

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/cctest"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/inband"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

const us = unit.Time(unit.Microsecond)

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

// hop is a switch's report: at is its clock.
type hop struct {
	rate        unit.BitRate
	at          unit.Time
	sent, queue unit.Bytes
}

func stack(hops ...hop) inband.Stack {
	s := inband.Stack{Max: inband.MaxHops}
	for _, h := range hops {
		m := inband.NewStamper(h.rate)
		s.Push(m.Stamp(h.at, h.sent, h.queue))
	}
	return s
}

// flow is a sender with its decision.
type flow struct {
	cc.Sender
	d cc.Decision
}

func start(t testing.TB, params string) *flow {
	t.Helper()
	c, err := makeControl(params)
	if err != nil {
		t.Fatal(err)
	}
	f := &flow{Sender: c.NewSender(cctest.Facts())}
	f.d.Rate = cctest.Facts().LineRate
	f.Handle(&cc.Event{Kind: cc.EventStart}, &f.d)
	return f
}

// ack acknowledges a packet of 1000 B at the given instant; inflight are in
// flight then.
func (f *flow) ack(now unit.Time, inflight unit.Bytes, hops ...hop) {
	f.Handle(&cc.Event{
		Kind:     cc.EventAck,
		Now:      now,
		Acked:    1000,
		Inflight: inflight,
		INT:      stack(hops...),
	}, &f.d)
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-12*math.Abs(want)) {
		t.Errorf("%s = %.15g, want %.15g", what, got, want)
	}
}

// link100 is a record of a port at 100 Gb/s, in the units of the wire: 512 B
// sent, 320 B queued.
func link100(at unit.Time, sent, queue unit.Bytes) hop {
	return hop{100 * unit.Gbps, at, 512 * sent, 320 * queue}
}

// Algorithm 1 worked by hand: 100 Gb/s and T = 4 us, so that W_init = B T = 50 000
// B; eta 0.95, W_AI 80 B, maxStage 5.
//
//	24 x 512 B in 1 us = 98.304 Gb/s: txRate/B = 0.98304
//	50 x 320 B = 16 000 B of 50 000 B: qlen/(B T) = 0.32
func TestWindow(t *testing.T) {
	f := start(t, "t=4us")
	s := f.Sender.(*window)
	want := func(step string, w, wc, u float64, stage int) {
		t.Helper()
		near(t, step+": W", s.w, w)
		near(t, step+": Wc", s.wc, wc)
		near(t, step+": U", s.u, u)
		if s.incStage != stage || f.d.Window != unit.Bytes(w) || f.d.Rate != unit.BitRate(w*8e12/4e6) {
			t.Errorf("%s: incStage %d, decided %v and %v", step, s.incStage, f.d.Window, f.d.Rate)
		}
	}
	want("start", 50_000, 50_000, 1, 0)
	f.ack(5*us, 9_000, link100(3*us, 0, 0)) // only stored; the round lasts to 10 000 B
	want("first ACK", 50_000, 50_000, 1, 0)
	f.ack(6*us, 9_000, link100(4*us, 24, 100)) // min(qlen) = 0: u' = 0.98304
	u := 0.75 + 0.25*0.98304
	want("fast reaction", 50_000*0.95/u+80, 50_000, u, 0)
	f.ack(7*us, 9_000, link100(5*us, 48, 50)) // min(qlen) = 16 000 B: u' = 1.30304
	u = 0.75*u + 0.25*1.30304
	want("from Wc again, not from W", 50_000*0.95/u+80, 50_000, u, 0)
	for i := range unit.Time(7) { // up to 10 000 B: a mean over at most T
		f.ack((8+i)*us, 9_000, link100((6+i)*us, 48+24*(unit.Bytes(i)+1), 50))
		u = 0.75*u + 0.25*1.30304
	}
	want("the end of the round", 50_000*0.95/u+80, 50_000, u, 0)
	f.ack(15*us, 9_000, link100(13*us, 240, 50)) // 11 000 B
	u = 0.75*u + 0.25*1.30304
	wc := 50_000*0.95/u + 80
	want("a new Wc", wc, wc, u, 0)
	// Seven rounds of an ACK each at half load, further apart than T: U = u' =
	// 122 x 512 B / 10 us / B = 0.49971. Five of them add, the sixth multiplies.
	u = 0.499712
	for i := range unit.Time(7) {
		f.ack((25+10*i)*us, 0, link100((23+10*i)*us, 240+122*(unit.Bytes(i)+1), 0))
		if i == 0 {
			// 12 000 B is within the round that began at 11 000 + 9 000 B.
			want("below eta, fast", wc+80, wc, u, 0)
			s.lastUpdate = s.una
			continue
		}
		if i <= 5 {
			wc += 80
			want("additive", wc, wc, u, int(i))
			continue
		}
		wc = wc*0.95/u + 80
		if wc > 50_000 {
			wc = 50_000
		}
		want("multiplicative after maxStage", wc, wc, u, 0)
	}
}

// The form rate on the same records: R_init = line rate, W = W_init R / line.
func TestRate(t *testing.T) {
	f := start(t, "form=rate t=4us ai_rate=50Mbps max_stage=0")
	s := f.Sender.(*rate)
	want := func(step string, r, rc, u float64) {
		t.Helper()
		near(t, step+": R", s.rate, r)
		near(t, step+": R_c", s.one.rc, rc)
		near(t, step+": U", s.one.u, u)
		if f.d.Rate != unit.BitRate(r) || f.d.Window != unit.Bytes(50_000*r/100e9) {
			t.Errorf("%s: decided %v and %v", step, f.d.Rate, f.d.Window)
		}
	}
	want("start", 100e9, 100e9, 1)
	f.ack(5*us, 2_000, link100(3*us, 0, 0))
	want("first ACK", 100e9, 100e9, 1)
	f.ack(6*us, 2_000, link100(4*us, 24, 100))
	u := 0.75 + 0.25*0.98304
	want("fast reaction", 100e9/(u/0.95)+50e6, 100e9, u)
	f.ack(7*us, 2_000, link100(5*us, 48, 50))
	u = 0.75*u + 0.25*1.30304
	want("from R_c again", 100e9/(u/0.95)+50e6, 100e9, u)
	f.ack(8*us, 2_000, link100(6*us, 72, 50))
	u = 0.75*u + 0.25*1.30304
	rc := 100e9/(u/0.95) + 50e6
	want("a new R_c", rc, rc, u)
	s.lastUpdate = 0
	f.ack(18*us, 2_000, link100(16*us, 72+122, 50)) // u' = 0.499712 + 0.32
	u = 0.819712
	rc = rc/(u/0.95) + 50e6
	want("maxStage 0: up by a factor too", rc, rc, u)
}

// The defaults of the additive increase, one step of each.
func TestIncrease(t *testing.T) {
	for _, c := range []struct {
		params string
		rate   unit.BitRate
		window unit.Bytes
	}{
		{"form=rate", 50*unit.Gbps + 40*unit.Mbps, 26208},
		{"form=rate ai_rate=1Gbps", 51 * unit.Gbps, 26711},
		{"w_ai=1KB", 50*unit.Gbps + 8000*unit.Gbps/4190, 27187},
	} {
		t.Run(c.params, func(t *testing.T) {
			f := start(t, c.params)
			switch s := f.Sender.(type) {
			case *rate:
				s.one.rc = 50e9
			case *window:
				s.wc = 26187.5
			}
			f.ack(10*us, 0, link100(8*us, 0, 0))
			f.ack(20*us, 0, link100(18*us, 2, 0))
			if d := f.d.Rate - c.rate; d < -1 || d > 1 || f.d.Window != c.window {
				t.Errorf("%s: %v and %v, want %v and %v", c.params, f.d.Rate, f.d.Window, c.rate, c.window)
			}
		})
	}
}

// The most loaded link of the path counts, by its own rate.
func TestMostLoaded(t *testing.T) {
	for _, params := range []string{"t=4us", "form=rate t=4us"} {
		t.Run(params, func(t *testing.T) {
			f := start(t, params)
			f.ack(10*us, 0, hop{100 * unit.Gbps, 0, 0, 0}, hop{400 * unit.Gbps, 5 * us, 0, 1280 * 10},
				hop{25 * unit.Gbps, 0, 0, 0})
			f.ack(20*us, 0,
				hop{100 * unit.Gbps, 10 * us, 512 * 122, 0},         // 0.499712
				hop{400 * unit.Gbps, 15 * us, 2048 * 122, 1280 * 5}, // 0.499712 + 6400 B / 200 000 B
				hop{25 * unit.Gbps, 10 * us, 128 * 122, 80 * 100})   // 0.499712
			near(t, params+": U", measured(f), 0.499712+0.032)
		})
	}
}

// With multi_rate each link has its own rate, and the least of them holds.
func TestMultiRate(t *testing.T) {
	f := start(t, "form=rate t=4us multi_rate=true max_stage=0 ai_rate=0bps")
	s := f.Sender.(*rate)
	two := func(at unit.Time, a, b unit.Bytes) {
		f.ack(at, 0, link100(at, a, 0), link100(at, b, 0))
	}
	two(10*us, 0, 0)
	two(20*us, 244, 122) // U = 0.999424 and 0.499712
	first := 100e9 / (0.999424 / 0.95)
	near(t, "R_c of the first link", s.each[0].rc, first)
	near(t, "R_c of the second link", s.each[1].rc, 100e9)
	near(t, "R", s.rate, first)
	two(30*us, 244+122, 122+244) // the loads change places
	near(t, "R_c of the first link", s.each[0].rc, 100e9)
	near(t, "R_c of the second link", s.each[1].rc, first)
	near(t, "R", s.rate, first)
	f.ack(40*us, 0, link100(30*us, 244+122, 0), link100(40*us, 122+244+122, 0)) // the first cannot be measured
	near(t, "R_c of the first link", s.each[0].rc, 100e9)
	near(t, "R_c of the second link", s.each[1].rc, 100e9)
	s.lastUpdate = s.una + 5000
	fast := link100(50*us, 122+244+122+244, 0) // U = 0.999424: a fast reaction, no new R_c
	f.ack(60*us, 0, link100(40*us, 244+122, 0), fast)
	near(t, "R of a fast reaction", s.rate, first)
	f.ack(61*us, 0, link100(40*us, 244+122, 0), fast) // neither can be measured
	near(t, "R where nothing is measured", s.rate, first)
	f.ack(62*us, 0, link100(50*us, 0, 0)) // another path: all begin at the present rate
	s.rate = 70e9
	f.ack(70*us, 0, link100(60*us, 0, 0), link100(60*us, 0, 0))
	near(t, "R_c after a change of path", s.each[1].rc, 70e9)
}

// What cannot be compared is stored and moves nothing, however large the
// difference; the next record is measured against it.
func TestIncomparable(t *testing.T) {
	base := link100(1*us, 0, 50)
	for name, c := range map[string]struct {
		later unit.Time
		path  uint16
		hops  []hop
	}{
		"one hop more":   {10 * us, 0, []hop{base, link100(11*us, 2000, 50)}},
		"no hop":         {10 * us, 0, nil},
		"another path":   {10 * us, 7, []hop{link100(11*us, 2000, 50)}},
		"another rate":   {10 * us, 0, []hop{{400 * unit.Gbps, 11 * us, 2048 * 2000, 1280 * 50}}},
		"8.4 ms later":   {8389 * us, 0, []hop{link100(8390*us, 2000, 50)}},
		"the same stamp": {10 * us, 0, []hop{link100(1*us, 2000, 50)}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, params := range []string{"", "form=rate", "form=rate multi_rate=true"} {
				f, hops := start(t, params), slices.Clone(c.hops)
				f.ack(3*us, 0, base)
				before, end := f.d, roundOf(f).lastUpdate
				e := cc.Event{
					Kind:     cc.EventAck,
					Now:      3*us + c.later,
					Acked:    1000,
					Inflight: 50_000,
					INT:      stack(hops...),
				}
				e.INT.Path = c.path
				f.Handle(&e, &f.d)
				if u := measured(f); f.d != before || u != 1 {
					t.Errorf("%s, %q: %+v after %+v, U = %v", name, params, f.d, before, u)
				}
				if got := roundOf(f).lastUpdate; got != end {
					t.Errorf("%s, %q: the round ends at %v, not at %v", name, params, got, end)
				}
				// Half the load over 10 us from the stored records. If the stamp was the same, the record before
				// it counts, with the bytes sent since.
				next := unit.Bytes(122)
				for i := range hops {
					h := &hops[i]
					h.at, h.queue = h.at.Add(10*unit.Microsecond), 0
					if name != "the same stamp" {
						h.sent += next * 512 * unit.Bytes(h.rate/(100*unit.Gbps))
					} else {
						h.sent = next * 512
					}
				}
				e.Now, e.INT = e.Now.Add(10*unit.Microsecond), stack(hops...)
				e.INT.Path = c.path
				f.Handle(&e, &f.d)
				if u := measured(f); len(hops) > 0 && u != 0.499712 {
					t.Errorf("%s, %q: U = %v after it, want 0.499712", name, params, u)
				}
			}
		})
	}
}

// roundOf returns a sender's round.
func roundOf(f *flow) *round {
	if s, ok := f.Sender.(*rate); ok {
		return &s.round
	}
	return &f.Sender.(*window).round
}

// measured returns a sender's U; with one for each link, that of the first.
func measured(f *flow) float64 {
	switch s := f.Sender.(type) {
	case *rate:
		if s.multi {
			return s.each[0].u
		}
		return s.one.u
	case *window:
		return s.u
	}
	return math.NaN()
}

// Times and counters that go round between two records are differences still.
func TestWrapAround(t *testing.T) {
	f := start(t, "t=4us")
	const round = 1 << 24 * unit.Time(unit.Nanosecond)
	f.ack(round, 0, link100(round-5*us, 1<<20-100, 0))
	f.ack(round+10*us, 0, link100(round+5*us, 1<<20+22, 0))
	near(t, "U", measured(f), 0.499712)
}

// A queue that exceeds the range of a record reads 42 MB, and the window falls to the floor at most.
func TestFloor(t *testing.T) {
	for params, want := range map[string]cc.Decision{
		"t=4us min_rate=1Gbps":                                {Rate: unit.Gbps, Window: 500},
		"t=4us w_ai=0B min_rate=1bps":                         {Rate: 1, Window: 1},
		"t=4us form=rate ai_rate=0bps min_rate=1Gbps":         {Rate: unit.Gbps, Window: 500},
		"t=4us form=rate ai_rate=0bps min_rate=1bps":          {Rate: 1, Window: 1},
		"t=4us form=rate multi_rate=true ai_rate=0bps":        {Rate: 100 * unit.Mbps, Window: 50},
		"t=4us form=rate min_rate=200Gbps":                    {Rate: 100 * unit.Gbps, Window: 50_000},
		"t=4us min_rate=200Gbps eta=0.01 initial_u=1000":      {Rate: 100 * unit.Gbps, Window: 50_000},
		"t=4us w_ai=80B max_stage=0 eta=0.01 min_rate=100bps": {Rate: 160_009_000, Window: 80},
	} {
		t.Run(params, func(t *testing.T) {
			f := start(t, params)
			for i := range unit.Time(40) {
				f.ack(10*i*us, 0, hop{100 * unit.Gbps, 10 * i * us, 0, unit.GB})
			}
			if d := f.d.Rate - want.Rate; d < -want.Rate/1000 || d > want.Rate/1000 || f.d.Window != want.Window {
				t.Errorf("%s: %v and %v, want %v and %v", params, f.d.Rate, f.d.Window, want.Rate, want.Window)
			}
		})
	}
}

// A flow may begin below line rate, with its window in proportion, and never below the floor.
func TestInitialRate(t *testing.T) {
	for _, form := range []string{"rate", "window"} {
		t.Run(form, func(t *testing.T) {
			whole := start(t, "form="+form).d
			tenth := start(t, "form="+form+" initial_rate=10Gbps").d
			if tenth.Rate != 10*unit.Gbps || tenth.Window*10 > whole.Window || tenth.Window*10 < whole.Window-10 {
				t.Errorf("form %s begins with %v and %v, at line rate with %v and %v", form, tenth.Rate, tenth.Window,
					whole.Rate, whole.Window)
			}
			if least := start(t, "form="+form+" initial_rate=1bps min_rate=1Gbps").d; least.Rate != unit.Gbps {
				t.Errorf("form %s begins with %v, the floor is 1 Gb/s", form, least.Rate)
			}
			if most := start(t, "form="+form+" initial_rate=400Gbps").d; most != whole {
				t.Errorf("form %s begins with %+v, at line rate with %+v", form, most, whole)
			}
		})
	}
}
