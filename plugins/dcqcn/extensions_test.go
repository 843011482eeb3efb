package dcqcn

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/cctest"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

func controllerOf(t *testing.T, given map[string]string) cc.Controller {
	t.Helper()
	p, err := hosting.Parse(Algorithm{}.Describe(), given)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Algorithm{}.New(p)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Only what an extension needs is carried and reported.
func TestSignals(t *testing.T) {
	for _, c := range []struct {
		given    string
		acks     bool
		rttInCNP bool
	}{
		{"", false, false},
		{"cnp_jitter=50us", false, false},
		{"recovery=rir", false, false},
		{"recovery=rtt", true, false},
		{"recovery_jitter=1", true, false},
		{"alpha=fraction", true, false},
		{"recovery=rtt rtt_in_cnp=true", false, true},
		{"recovery=rtt rtt_in_cnp=true recovery_jitter=1", false, true},
		{"recovery=rtt rtt_in_cnp=true alpha=fraction", true, true},
	} {
		t.Run(fmt.Sprintf("given=%q", c.given), func(t *testing.T) {
			want := cc.Signals{
				ECT:         true,
				CNP:         true,
				CNPInterval: 4 * unit.Microsecond,
				Acks:        c.acks,
				RTTInCNP:    c.rttInCNP,
				RateInCNP:   true,
			}
			if got := controllerOf(t, options(c.given)).Signals(); got != want {
				t.Errorf("%q: %+v, want %+v", c.given, got, want)
			}
		})
	}
}

// options reads "name=value name=value".
func options(text string) map[string]string {
	given := map[string]string{}
	for _, word := range strings.Fields(text) {
		name, value, _ := strings.Cut(word, "=")
		given[name] = value
	}
	return given
}

// A combination that means nothing is refused in words that name both sides.
func TestMeaninglessCombinations(t *testing.T) {
	for _, c := range []struct{ given, words string }{
		{"rtt_step=factor", "parameter rtt_step: has no meaning with recovery timer, allowed is recovery rtt"},
		{"recovery=rir rtt_share=1", "parameter rtt_share: has no meaning with recovery rir, allowed is recovery rtt"},
		{"recovery=rtt rir_step=1Gbps", "parameter rir_step: has no meaning with recovery rtt, allowed is recovery rir"},
		{"rir_period=1ms", "parameter rir_period: has no meaning with recovery timer, allowed is recovery rir"},
		{"rtt_in_cnp=true", "parameter rtt_in_cnp: true has no meaning with recovery timer, allowed is recovery rtt"},
		{"recovery=rir rtt_in_cnp=true", "parameter rtt_in_cnp: true has no meaning with recovery rir"},
		{"recovery=rir recovery_jitter=1", "parameter recovery_jitter: 1 has no meaning with recovery rir"},
		{"recovery=rtt rpg_time_reset=55us", "parameter rpg_time_reset: has no meaning with recovery rtt, allowed is " +
			"recovery timer"},
		{"recovery=rir rpg_byte_reset=1MB", "parameter rpg_byte_reset: has no meaning with recovery rir"},
		{"recovery=rir rpg_threshold=1", "parameter rpg_threshold: has no meaning"},
		{"recovery=rir rpg_ai_rate=1Mbps", "parameter rpg_ai_rate: has no meaning"},
		{"recovery=rir rpg_hai_rate=1Mbps", "parameter rpg_hai_rate: has no meaning"},
		{"recovery=rtt hai_growth=stage", "parameter hai_growth: has no meaning"},
		{"recovery=rtt clamp_tgt_rate=true", "parameter clamp_tgt_rate: has no meaning"},
		{"recovery=rtt clamp_tgt_rate_after_time_inc=true", "parameter clamp_tgt_rate_after_time_inc: has no meaning"},
	} {
		t.Run(c.given, func(t *testing.T) {
			p, err := hosting.Parse(Algorithm{}.Describe(), options(c.given))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := (Algorithm{}).New(p); err == nil || !strings.Contains(err.Error(), c.words) {
				t.Errorf("%q: %v, want %q", c.given, err, c.words)
			}
		})
	}
	for _, given := range []string{"recovery=rtt rtt_step=factor rtt_share=1 rtt_in_cnp=true",
		"recovery=rir rir_step=2Gbps rir_period=1ms cnp_jitter=1us alpha=fraction",
		"set=paper recovery=rtt recovery_jitter=1", "rtt_in_cnp=false recovery_jitter=0"} {
		t.Run(given, func(t *testing.T) {
			controllerOf(t, options(given))
		})
	}
}

// alpha = (1-g) alpha + g F, F = CNPs / packets of a window, g = 1/16: three
// CNPs in a window of 60 packets of 1000 B make 1 (15/16) + (1/16) (3/60).
func TestAlphaByFraction(t *testing.T) {
	p := sender(t, map[string]string{"set": "paper", "alpha": "fraction"}).(*paperPoint)
	var d cc.Decision
	send := func(kind cc.EventKind, at float64, acked unit.Bytes) {
		p.Handle(&cc.Event{Kind: kind, Now: us(at), Acked: acked}, &d)
	}
	send(cc.EventAck, 5, 90_000) // before the first CNP: no window
	send(cc.EventCNP, 10, 0)
	near(t, "R_C after the first CNP, alpha = 1", p.rc, 50e9)
	near(t, "alpha", p.alpha, 1)
	send(cc.EventCNP, 20, 0)
	send(cc.EventAck, 30, 40_000)
	send(cc.EventCNP, 40, 0)
	send(cc.EventCNP, 50, 0)
	near(t, "alpha within the window", p.alpha, 1)
	send(cc.EventAck, 65, 20_000) // 55 us after it opened
	near(t, "alpha", p.alpha, 15.0/16+3.0/60/16)
	send(cc.EventAck, 120, 1000) // an empty window
	near(t, "alpha of a window without CNP", p.alpha, (15.0/16+3.0/60/16)*15/16)
	send(cc.EventAck, 300, 0) // an ACK of nothing new closes no window
	near(t, "alpha", p.alpha, (15.0/16+3.0/60/16)*15/16)
	send(cc.EventCNP, 1000, 0) // silence alone decays nothing: no window closed
	near(t, "R_C", p.rc/p.rt, 1-p.alpha/2)
	send(cc.EventAck, 1001, 100) // more CNPs than packets count as one each
	send(cc.EventCNP, 1060, 0)
	send(cc.EventCNP, 1061, 0)
	before := p.alpha
	send(cc.EventAck, 1100, 100)
	near(t, "alpha with F = 1", p.alpha, before*15/16+1.0/16)
}

// The NVIDIA rule takes its cuts from the same alpha, and its own clock rests.
func TestAlphaByFractionNVIDIA(t *testing.T) {
	p := sender(t, map[string]string{"alpha": "fraction", "g": "0.125", "initial_alpha": "0.5",
		"alpha_period": "10us"}).(*nvidiaPoint)
	var d cc.Decision
	p.Handle(&cc.Event{Kind: cc.EventCNP, Now: us(0)}, &d)
	p.Handle(&cc.Event{Kind: cc.EventTimer, Now: us(4)}, &d)
	near(t, "R_C = 100 (1 - 0.5/2)", p.rc, 75e9)
	p.Handle(&cc.Event{Kind: cc.EventCNP, Now: us(5)}, &d)
	p.Handle(&cc.Event{Kind: cc.EventTimer, Now: us(8)}, &d)
	p.Handle(&cc.Event{Kind: cc.EventAck, Now: us(10), Acked: 20_000}, &d)
	near(t, "alpha = 0.5 7/8 + 1/8 1/20", p.alpha, 0.5*7/8+1.0/160)
}

// The extensions keep the flow's events free of allocation.
func TestExtensionsAllocateNothing(t *testing.T) {
	p := sender(t, options("recovery=rtt recovery_jitter=1 cnp_jitter=10us alpha=fraction"))
	var d cc.Decision
	e := cc.Event{Acked: 1000, RTT: 5 * unit.Microsecond}
	if n := testing.AllocsPerRun(100, func() {
		e.Now += us(3)
		for _, e.Kind = range []cc.EventKind{cc.EventAck, cc.EventCNP, cc.EventTimer} {
			p.Handle(&e, &d)
		}
	}); n != 0 {
		t.Errorf("%v allocations per round", n)
	}
}

// Two flows of one seed and name do the same, of another name otherwise.
func TestJitterIsTheFlowsOwn(t *testing.T) {
	life := func(f cc.Facts) (wakes []unit.Time) {
		s := controllerOf(t, options("cnp_jitter=50us")).NewSender(f)
		var d cc.Decision
		for i := range 20 {
			s.Handle(&cc.Event{Kind: cc.EventCNP, Now: us(float64(10 * i))}, &d)
			wakes = append(wakes, d.WakeAt)
		}
		return wakes
	}
	a, b, other := life(cctest.Facts()), life(cctest.Facts()), cctest.Facts()
	other.Chance.Seed(1, "another flow")
	c, differs := life(other), false
	for i := range a {
		if a[i] != b[i] {
			t.Errorf("CNP %d: %v and %v", i, a[i], b[i])
		}
		differs = differs || a[i] != c[i]
	}
	if !differs {
		t.Error("another flow draws the same delays")
	}
}
