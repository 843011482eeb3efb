package dcqcn

import (
	"flag"
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

var rewrite = flag.Bool("rewrite", false, "store the transcripts in testdata anew")

func TestTranscripts(t *testing.T) { cctest.Golden(t, Algorithm{}, "testdata/*.txt", *rewrite) }

func sender(t *testing.T, given map[string]string) cc.Sender {
	t.Helper()
	p, err := hosting.Parse(Algorithm{}.Describe(), given)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Algorithm{}.New(p)
	if err != nil {
		t.Fatal(err)
	}
	return c.NewSender(cctest.Facts())
}

func us(n float64) unit.Time { return unit.Time(n * float64(unit.Microsecond)) }

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-9*math.Abs(want)) {
		t.Errorf("%s = %.12g, want %.12g", what, got, want)
	}
}

// "R_T = R_C, R_C = R_C (1 - alpha/2), alpha = (1-g) alpha + g", SIGCOMM 2015,
// section 3.2, equation 1, with alpha = 1 at first and g = 1/256; equation 2
// decays alpha each K = 55 us without a CNP.
func TestPaperCNPs(t *testing.T) {
	p := sender(t, map[string]string{"set": "paper"}).(*paperPoint)
	var d cc.Decision
	send := func(kind cc.EventKind, at float64) { p.Handle(&cc.Event{Kind: kind, Now: us(at)}, &d) }

	send(cc.EventStart, 0)
	if d.Rate != 100*unit.Gbps || d.WakeAt != 0 || d.WakeBytes != 0 {
		t.Errorf("before the first CNP: %+v, want line rate and no timers", d)
	}
	send(cc.EventCNP, 10)
	near(t, "R_T", p.rt, 100e9)
	near(t, "R_C after one CNP", p.rc, 50e9)
	near(t, "alpha", p.alpha, 1)
	if d.WakeAt != us(65) || d.WakeBytes != 10*unit.MB {
		t.Errorf("wake-ups %v and %v, want 65us and 10MB", d.WakeAt, d.WakeBytes)
	}
	send(cc.EventTimer, 65) // T = 1 < 5: fast recovery
	near(t, "R_C in fast recovery", p.rc, 75e9)
	send(cc.EventCNP, 66) // K expired once, at 65 us: alpha = 255/256
	near(t, "R_T", p.rt, 75e9)
	near(t, "R_C = 75 (1 - 255/512)", p.rc, 37.646484375e9)
	near(t, "alpha = (255/256)^2 + 1/256", p.alpha, 0.9961090087890625)
	if p.timeStage != 0 || d.WakeAt != us(121) {
		t.Errorf("T = %d, timer at %v; want 0 and 121us", p.timeStage, d.WakeAt)
	}
}

// A CNP at the instant at which K expires comes before the expiry.
func TestPaperCNPAtExpiry(t *testing.T) {
	p := sender(t, map[string]string{"set": "paper"}).(*paperPoint)
	var d cc.Decision
	p.Handle(&cc.Event{Kind: cc.EventCNP, Now: us(10)}, &d)
	p.Handle(&cc.Event{Kind: cc.EventCNP, Now: us(65)}, &d)
	near(t, "alpha", p.alpha, 1)
}

// alpha(0) = 1023/1024, g = 5/1024. Ticks at 1, 2, 3 and 4 us lower it to
// 1023/1024 (1019/1024)^4 = 0.979653 before the cut at 4 us. The CNP at 5.5 us
// counts at the tick of 6 us.
func TestNVIDIACuts(t *testing.T) {
	p := sender(t, nil).(*nvidiaPoint)
	var d cc.Decision
	send := func(kind cc.EventKind, at float64) { p.Handle(&cc.Event{Kind: kind, Now: us(at)}, &d) }

	send(cc.EventCNP, 0)
	if d.Rate != 100*unit.Gbps || d.WakeAt != us(4) {
		t.Errorf("first CNP: rate %v, wake %v; want line rate until the tick at 4us", d.Rate, d.WakeAt)
	}
	send(cc.EventTimer, 4)
	near(t, "alpha", p.alpha, 0.979653707797)
	near(t, "R_C", p.rc, 51017314610.2)
	near(t, "R_T", p.rt, 100e9) // clamp_tgt_rate 0 and T = 0: the target stays
	if d.WakeAt != us(304) || d.WakeBytes != 2097088 {
		t.Errorf("wake-ups %v and %d; want 304us and 2097088", d.WakeAt, d.WakeBytes)
	}
	send(cc.EventCNP, 5.5)
	if d.WakeAt != us(8) {
		t.Errorf("next cut at %v, want 8us", d.WakeAt)
	}
	send(cc.EventTimer, 8)
	near(t, "alpha", p.alpha, 0.965494776473)
	near(t, "R_C", p.rc, 26388839227.3)
}

func TestNVIDIAOptions(t *testing.T) {
	for _, c := range []struct {
		name   string
		given  map[string]string
		rc, rt float64
	}{
		{"largest cut", map[string]string{"rpg_min_dec_fac": "95"}, 95e9, 100e9},
		{"gd 12 halves the cut", map[string]string{"rpg_gd": "12", "g": "0", "initial_alpha": "1"}, 75e9, 100e9},
		{"clamped target", map[string]string{"clamp_tgt_rate": "true", "g": "0", "initial_alpha": "0.5",
			"rate_to_set_on_first_cnp": "40Gbps"}, 30e9, 40e9},
		{"rate on first CNP", map[string]string{"g": "0", "initial_alpha": "1", "rate_to_set_on_first_cnp": "10Gbps"}, 5e9,
			10e9},
		{"floor", map[string]string{"rpg_min_rate": "80Gbps"}, 80e9, 100e9},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := sender(t, c.given).(*nvidiaPoint)
			var d cc.Decision
			p.Handle(&cc.Event{Kind: cc.EventCNP, Now: us(7)}, &d)
			p.Handle(&cc.Event{Kind: cc.EventTimer, Now: d.WakeAt}, &d)
			near(t, c.name+": R_C", p.rc, c.rc)
			near(t, c.name+": R_T", p.rt, c.rt)
		})
	}
}

// clamp_tgt_rate_after_time_inc: the second cut finds T > 0 and lowers R_T.
func TestClampAfterTimeIncrease(t *testing.T) {
	for _, c := range []struct {
		clamp string
		rt    float64
	}{{"true", 75e9}, {"false", 100e9}} {
		t.Run(c.clamp, func(t *testing.T) {
			p := sender(t, map[string]string{"g": "0", "initial_alpha": "1",
				"clamp_tgt_rate_after_time_inc": c.clamp}).(*nvidiaPoint)
			var d cc.Decision
			p.Handle(&cc.Event{Kind: cc.EventCNP, Now: us(0)}, &d)
			p.Handle(&cc.Event{Kind: cc.EventTimer, Now: us(4)}, &d)
			p.Handle(&cc.Event{Kind: cc.EventTimer, Now: us(304)}, &d)
			near(t, "R_C", p.rc, 75e9) // R_T + 5 Mb/s is bounded by the line
			p.Handle(&cc.Event{Kind: cc.EventCNP, Now: us(305)}, &d)
			p.Handle(&cc.Event{Kind: cc.EventTimer, Now: us(308)}, &d)
			near(t, "R_T with clamp "+c.clamp, p.rt, c.rt)
			near(t, "R_C", p.rc, 37.5e9)
		})
	}
}

// F = 5, R_AI = 40 Mb/s, R_HAI = 400 Mb/s; stages as they stand after the
// expiry.
func TestIncreaseStages(t *testing.T) {
	for _, c := range []struct {
		timeStage, byteStage int
		growth               string
		rt                   float64
	}{
		{4, 4, "stage", 20e9},       // max < F: fast recovery, R_T stays
		{5, 0, "stage", 20.04e9},    // additive
		{9, 5, "stage", 20.04e9},    // min = F: still additive
		{6, 6, "stage", 20.8e9},     // min > F: i = 6 - 5 + 1 = 2
		{9, 8, "stage", 21.6e9},     // i = 4
		{9, 8, "constant", 20.4e9},  // as the public RDMA simulator
		{1000, 999, "stage", 100e9}, // bounded by the line rate
	} {
		t.Run(fmt.Sprintf("timeStage=%v,byteStage=%v,growth=%s", c.timeStage, c.byteStage, c.growth), func(t *testing.T) {
			p := sender(t, map[string]string{"set": "paper", "hai_growth": c.growth}).(*paperPoint)
			p.rc, p.rt, p.timeStage, p.byteStage = 10e9, 20e9, c.timeStage, c.byteStage
			p.increase()
			near(t, "R_T", p.rt, c.rt)
			near(t, "R_C = (R_T + R_C)/2", p.rc, (c.rt+10e9)/2)
		})
	}
}

// F = 2, R_AI = 5 Mb/s, R_HAI = 50 Mb/s and the timer alone: one step of fast
// recovery, one additive, then hyper increase, as RateIncEventMlx of the public
// RDMA simulator has it with FAST_RECOVERY_TIMES 1.
func TestHyperIncreaseByEitherStage(t *testing.T) {
	for _, c := range []struct {
		timeStage, byteStage int
		stages               string
		rt                   float64
	}{
		{1, 0, "either", 20e9},
		{2, 0, "either", 20.005e9},
		{3, 0, "either", 20.05e9},
		{9, 0, "either", 20.05e9},
		{0, 3, "either", 20.05e9},
		{9, 0, "both", 20.005e9},
	} {
		t.Run(fmt.Sprintf("timeStage=%v,byteStage=%v,stages=%s", c.timeStage, c.byteStage, c.stages), func(t *testing.T) {
			p := sender(t, map[string]string{"rpg_threshold": "2", "hai_stages": c.stages}).(*nvidiaPoint)
			p.rc, p.rt, p.timeStage, p.byteStage = 10e9, 20e9, c.timeStage, c.byteStage
			p.increase()
			near(t, "R_T", p.rt, c.rt)
		})
	}
}

// 52 375 B are 4.19 us at 100 Gb/s, the base RTT of the facts.
func TestWindow(t *testing.T) {
	for _, c := range []struct {
		given        map[string]string
		before, half unit.Bytes
	}{
		{map[string]string{}, 0, 0},
		{map[string]string{"window": "fixed"}, 52_375, 52_375},
		{map[string]string{"window": "rate"}, 52_375, 26_187},
		{map[string]string{"window": "fixed", "window_rtt": "4160ns"}, 52_000, 52_000},
		{map[string]string{"window": "rate", "window_rtt": "4160ns"}, 52_000, 26_000},
		{map[string]string{"window": "rate", "window_rtt": "4160ns", "set": "paper"}, 52_000, 26_000},
	} {
		c.given["initial_alpha"] = "1"
		c.given["g"] = "0"
		p := sender(t, c.given)
		var d cc.Decision
		p.Handle(&cc.Event{Kind: cc.EventStart}, &d)
		if d.Window != c.before {
			t.Errorf("%v: %d B in flight at line rate, want %d", c.given, d.Window, c.before)
		}
		p.Handle(&cc.Event{Kind: cc.EventCNP, Now: us(7)}, &d)
		p.Handle(&cc.Event{Kind: cc.EventTimer, Now: us(11)}, &d)
		if d.Rate == 100*unit.Gbps || d.Window != c.half {
			t.Errorf("%v: %d B in flight after a cut to %v, want %d", c.given, d.Window, d.Rate, c.half)
		}
	}
	p, err := hosting.Parse(Algorithm{}.Describe(), map[string]string{"window_rtt": "5us"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (Algorithm{}).New(p); err == nil || !strings.Contains(err.Error(), "window_rtt") {
		t.Errorf("window_rtt without a window: %v", err)
	}
}

// The byte counter counts each multiple once, from the last cut.
func TestByteCounter(t *testing.T) {
	p := sender(t, map[string]string{"set": "paper", "rpg_byte_reset": "1MB"}).(*paperPoint)
	var d cc.Decision
	p.Handle(&cc.Event{Kind: cc.EventCNP, Now: us(1), Sent: 500_000}, &d)
	if d.WakeBytes != 1_500_000 {
		t.Fatalf("wake at %d bytes, want 1500000", d.WakeBytes)
	}
	p.Handle(&cc.Event{Kind: cc.EventSent, Now: us(9), Sent: 3_600_000}, &d)
	if p.byteStage != 3 || d.WakeBytes != 4_500_000 {
		t.Errorf("BC = %d, next at %d; want 3 and 4500000", p.byteStage, d.WakeBytes)
	}
	near(t, "R_C", p.rc, 93.75e9) // 50 -> 75 -> 87.5 -> 93.75
}

// At R_C = R_T = line rate nothing wakes the flow, and the next CNP finds it
// as if the timers had run on.
func TestRestsAtLineRate(t *testing.T) {
	p := sender(t, map[string]string{"set": "paper"}).(*paperPoint)
	var d cc.Decision
	p.Handle(&cc.Event{Kind: cc.EventCNP, Now: us(1)}, &d)
	for n := 0; d.WakeAt != 0; n++ {
		if n > 100 {
			t.Fatal("the increase timer never rests")
		}
		p.Handle(&cc.Event{Kind: cc.EventTimer, Now: d.WakeAt}, &d)
	}
	if d.Rate != 100*unit.Gbps || d.WakeBytes != 0 {
		t.Errorf("at rest: %+v", d)
	}
}

func TestParametersOfTheOtherSet(t *testing.T) {
	for _, name := range nvidiaOnly() {
		value := map[string]string{"rate_reduce_monitor_period": "1us", "rate_to_set_on_first_cnp": "1Gbps",
			"clamp_tgt_rate": "true", "clamp_tgt_rate_after_time_inc": "true"}[name]
		if value == "" {
			value = "10"
		}
		p, err := hosting.Parse(Algorithm{}.Describe(), map[string]string{"set": "paper", name: value})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := (Algorithm{}).New(p); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s in set paper: error %v", name, err)
		}
	}
}

func TestWholeNumbers(t *testing.T) {
	p, err := hosting.Parse(Algorithm{}.Describe(), map[string]string{"rpg_threshold": "1.5"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (Algorithm{}).New(p); err == nil {
		t.Error("a threshold of 1.5 was taken")
	}
}

// eager is the NVIDIA rule with every clock ticking in time and no rest, as
// one would build it in hardware.
type eager struct {
	rates
	start       unit.Time
	mark, cutIt bool
	bytesFrom   unit.Bytes
}

func (e *eager) step(now unit.Time, sent unit.Bytes, cnp bool) {
	for e.byteReset > 0 && e.incAt != 0 && sent >= e.bytesFrom+e.byteReset {
		e.bytesFrom += e.byteReset
		e.byteStage++
		e.up()
	}
	if cnp {
		e.mark, e.cutIt = e.limited, true
		if !e.limited {
			e.limited, e.start, e.alpha = true, now, e.initialAlpha
		}
	}
	if !e.limited {
		return
	}
	since := now.Sub(e.start)
	if since > 0 && since%e.alphaPeriod == 0 {
		e.alpha *= 1 - e.g
		if e.mark {
			e.alpha += e.g
		}
		e.mark = false
	}
	if since > 0 && since%e.cutPeriod == 0 && e.cutIt {
		e.cutIt = false
		if e.clampTarget || e.clampAfterTimeInc && e.timeStage > 0 {
			e.rt = e.rc
		}
		e.rc = max(e.minRate, e.rc*max(e.leastLeft, 1-float64(e.alpha*0.5)))
		e.timeStage, e.byteStage, e.bytesFrom, e.incAt = 0, 0, sent, now.Add(e.timeReset)
	}
	if e.incAt != 0 && now == e.incAt {
		e.timeStage++
		e.incAt = now.Add(e.timeReset)
		e.up()
	}
}

func (e *eager) up() {
	switch {
	case max(e.timeStage, e.byteStage) < e.threshold:
	case min(e.timeStage, e.byteStage) > e.threshold:
		e.rt = min(e.line, e.rt+e.hai)
	default:
		e.rt = min(e.line, e.rt+e.ai)
	}
	e.rc = (e.rc + e.rt) / 2
}

// Lazy clocks and resting timers give the rates and the alpha of eager ones,
// to the bit, at every instant of a random life, CNPs on ticks included.
func TestLazyEqualsEager(t *testing.T) {
	const grid = 100 * unit.Nanosecond
	rests := 0
	for seed := uint64(1); seed <= 60; seed++ {
		c := chance.New(seed, "lazy")
		clamp := []string{"false", "true"}[c.Below(2)]
		p := sender(t, map[string]string{"rpg_time_reset": []string{"2us", "5us", "30us"}[c.Below(3)],
			"rpg_byte_reset": "40KB",
			"clamp_tgt_rate": clamp, "alpha_period": []string{"1us", "1.3us"}[c.Below(2)],
			"rpg_hai_rate": "2Gbps"}).(*nvidiaPoint)
		e := eager{rates: newRates(p.settings, cctest.Facts())}
		var d cc.Decision
		sent, busy := unit.Bytes(0), c.Below(2) == 0
		for i := int64(1); i < 20_000; i++ {
			now := unit.Time(i * int64(grid))
			if i%3000 == 0 {
				busy = !busy
			}
			sent += unit.Bytes(c.Below(1200))
			cnp := busy && c.Below(25) == 0
			e.step(now, sent, cnp)
			if d.WakeBytes != 0 && sent >= d.WakeBytes {
				d.WakeBytes = 0
				p.Handle(&cc.Event{Kind: cc.EventSent, Now: now, Sent: sent}, &d)
			}
			if cnp {
				p.Handle(&cc.Event{Kind: cc.EventCNP, Now: now, Sent: sent}, &d)
			}
			cctest.Timers(t, p, &d, cc.Event{Sent: sent}, now)
			if p.limited && d.WakeAt == 0 {
				rests++
			}
			if p.rc != e.rc || p.rt != e.rt {
				t.Fatalf("seed %d at %v: R_C %v R_T %v, eager %v %v", seed, now, p.rc, p.rt, e.rc, e.rt)
			}
		}
		p.tickAlpha(unit.Time(19_999 * int64(grid)))
		if p.alpha != e.alpha {
			t.Errorf("seed %d: alpha %v, eager %v", seed, p.alpha, e.alpha)
		}
	}
	if rests == 0 {
		t.Error("no flow came to rest at line rate: the property was not tried")
	}
}

// Decay over any silence ends, also in denormal numbers.
func TestDecayEnds(t *testing.T) {
	p := sender(t, nil).(*nvidiaPoint)
	p.alpha = 1
	p.decay(math.MaxInt64)
	if p.alpha > 1e-300 {
		t.Errorf("alpha = %v after a long silence", p.alpha)
	}
}

func TestHandleAllocatesNothing(t *testing.T) {
	p := sender(t, nil)
	var d cc.Decision
	e := cc.Event{Kind: cc.EventCNP}
	if n := testing.AllocsPerRun(100, func() { e.Now += us(3); p.Handle(&e, &d) }); n != 0 {
		t.Errorf("%v allocations per event", n)
	}
}

// A CNP each 4 us and the cut after it, four alpha ticks made up for.
func BenchmarkCNP(b *testing.B) {
	p, _ := hosting.Parse(Algorithm{}.Describe(), nil)
	c, _ := Algorithm{}.New(p)
	s := c.NewSender(cctest.Facts())
	var d cc.Decision
	e := cc.Event{}
	for b.Loop() {
		e.Kind, e.Now = cc.EventCNP, e.Now+us(4)
		s.Handle(&e, &d)
		e.Kind = cc.EventTimer
		s.Handle(&e, &d)
	}
}
