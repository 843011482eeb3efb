package dcqcn

import (
	"testing"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// A CNP is handled between 0 and cnp_jitter after it came, one time, as if it
// came then.
func TestCNPJitter(t *testing.T) {
	const most = 50 * unit.Microsecond
	least, longest := most, unit.Duration(0)
	l := newDrivenSender(t, "set=paper cnp_jitter=50us initial_alpha=0.5 rpg_byte_reset=0B")
	p := l.Sender.(*paperPoint)
	for i := range 300 {
		at := float64(1000 + 400_000*i) // time to recover to line rate, where no timer runs
		l.at(at, cc.EventCNP, 0)
		if l.d.Rate != 100*unit.Gbps {
			t.Fatalf("CNP %d was handled on arrival: %v", i, l.d.Rate)
		}
		wait := l.d.WakeAt.Sub(us(at))
		if wait < 0 || wait > most {
			t.Fatalf("CNP %d is handled after %v", i, wait)
		}
		least, longest = min(least, wait), max(longest, wait)
		l.to(at + 50.001)
		if l.d.Rate >= 100*unit.Gbps || p.cnpAt != 0 || p.lastCNP != us(at).Add(wait) {
			t.Fatalf("CNP %d, due after %v, was handled at %v: %v", i, wait, p.lastCNP, l.d.Rate)
		}
		l.to(at + 399_000)
	}
	if least > most/20 || longest < most*19/20 {
		t.Errorf("waits lie between %v and %v, want 0 to 50us", least, longest)
	}
}

// A CNP that comes while one waits takes its place: of ten there is one cut.
func TestCNPJitterReplaces(t *testing.T) {
	l := newDrivenSender(t, "set=paper cnp_jitter=50us g=0 initial_alpha=1")
	for i := range 10 {
		before := l.d.WakeAt
		l.at(10+float64(i)/1e6, cc.EventCNP, 0)
		if l.d.WakeAt == before {
			t.Errorf("CNP %d left the one that waits in its place", i)
		}
	}
	l.wantRate(64, 50)
}

// At one instant the CNP that waited comes first, then the increase timer, as
// with a CNP that arrives.
func TestWaitingCNPComesBeforeTheTimer(t *testing.T) {
	p := sender(t, options("set=paper cnp_jitter=50us g=0 initial_alpha=1")).(*paperPoint)
	var d cc.Decision
	p.limited, p.alpha, p.rc, p.rt, p.incAt, p.cnpAt = true, 1, 40e9, 80e9, us(100), us(100)
	p.Handle(&cc.Event{Kind: cc.EventTimer, Now: us(100)}, &d)
	near(t, "R_C", p.rc, 20e9)
	near(t, "R_T", p.rt, 40e9)
	if p.timeStage != 0 || d.WakeAt != us(155) {
		t.Errorf("T = %d, next at %v; want 0 and 155us", p.timeStage, d.WakeAt)
	}
	n := sender(t, options("cnp_jitter=50us g=0 initial_alpha=1")).(*nvidiaPoint)
	n.Handle(&cc.Event{Kind: cc.EventCNP, Now: us(0)}, &d)
	n.cnpAt = us(8) // the first CNP, which opens the clock, and a cut of its own 4 us later
	n.Handle(&cc.Event{Kind: cc.EventTimer, Now: us(8)}, &d)
	if n.start != us(8) || d.WakeAt != us(12) {
		t.Errorf("clock from %v, cut at %v; want 8us and 12us", n.start, d.WakeAt)
	}
	n.Handle(&cc.Event{Kind: cc.EventTimer, Now: us(12)}, &d)
	n.Handle(&cc.Event{Kind: cc.EventCNP, Now: us(13)}, &d)
	n.cnpAt = us(16) // on a tick of the cut clock: it cuts at once
	n.Handle(&cc.Event{Kind: cc.EventTimer, Now: us(16)}, &d)
	near(t, "R_C", n.rc, 25e9)
}

// The first step after a cut comes within one RTT of its time, never before
// the cut; the steps after it come on time.
func TestRecoveryJitter(t *testing.T) {
	early, late, at := 0, 0, 10.0
	for _, c := range []struct {
		given string
		due   unit.Duration // after the cut
		rtt   unit.Duration
	}{
		{"set=paper recovery_jitter=1 g=0", 55 * unit.Microsecond, 20 * unit.Microsecond},
		{"set=paper recovery_jitter=3 g=0", 55 * unit.Microsecond, 60 * unit.Microsecond},
		{"set=paper recovery=rtt recovery_jitter=1 g=0", 20 * unit.Microsecond, 20 * unit.Microsecond},
	} {
		l := newDrivenSender(t, c.given)
		l.at(1, cc.EventAck, 20*unit.Microsecond)
		for range 200 {
			at += 10
			l.d.WakeAt = 0 // each CNP finds the flow as the last one left it
			l.Handle(&cc.Event{Kind: cc.EventCNP, Now: us(at)}, &l.d)
			off := l.d.WakeAt.Sub(us(at)) - c.due
			if off < -c.rtt || off > c.rtt || l.d.WakeAt < us(at) {
				t.Fatalf("%s: first step %v off, want within %v and not before the cut", c.given, off, c.rtt)
			}
			if off < -c.rtt/2 {
				early++
			}
			if off > c.rtt/2 {
				late++
			}
		}
		first := l.d.WakeAt
		l.Handle(&cc.Event{Kind: cc.EventTimer, Now: first}, &l.d)
		if got := l.d.WakeAt.Sub(first); got != c.due {
			t.Errorf("%s: second step %v after the first, want %v", c.given, got, c.due)
		}
	}
	if early < 100 || late < 100 {
		t.Errorf("of 600 first steps %d were early and %d late by more than half the bound, want about 150 each", early, late)
	}
}
