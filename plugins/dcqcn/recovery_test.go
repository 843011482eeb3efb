package dcqcn

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/cctest"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// drivenSender is a sender whose NIC is played by a test: it gets the events
// and the timers that it asked for.
type drivenSender struct {
	cc.Sender
	t *testing.T
	d cc.Decision
}

func newDrivenSender(t *testing.T, given string) *drivenSender {
	return &drivenSender{Sender: sender(t, options(given)), t: t}
}

// to serves the timers before an instant, in microseconds.
func (l *drivenSender) to(at float64) { cctest.Timers(l.t, l.Sender, &l.d, cc.Event{}, us(at)-1) }

func (l *drivenSender) at(at float64, kind cc.EventKind, rtt unit.Duration) {
	l.to(at)
	l.Handle(&cc.Event{Kind: kind, Now: us(at), RTT: rtt}, &l.d)
}

func (l *drivenSender) wantRate(at, gbps float64) {
	l.t.Helper()
	l.to(at)
	if d := float64(l.d.Rate)/1e9 - gbps; d > 1e-6 || d < -1e-6 {
		l.t.Errorf("at %v us: %v, want %v Gb/s", at, l.d.Rate, gbps)
	}
}

// "The rate recovery phase increases the rate by approximately 5% per RTT if
// no CNPs are received", linear: 5 Gb/s of 100. The first RTT ends at 20 us.
func TestRecoveryPerRTT(t *testing.T) {
	l := newDrivenSender(t, "set=paper recovery=rtt")
	l.at(1, cc.EventAck, 10*unit.Microsecond)
	l.at(10, cc.EventCNP, 0)
	l.wantRate(20, 50)
	l.wantRate(20.1, 55)
	l.wantRate(30.1, 60)
	l.at(39, cc.EventCNP, 0) // alpha = 1 still: K has not expired
	l.wantRate(49, 30)
	l.wantRate(49.1, 35)
	if l.d.WakeBytes != 0 {
		t.Error("the byte counter runs")
	}
	l.wantRate(1000, 100)
	if l.d.WakeAt != 0 {
		t.Errorf("at line rate it asks to be woken at %v", l.d.WakeAt)
	}
}

// rtt_step=factor multiplies by 1.05, and the line rate bounds it.
func TestRecoveryPerRTTByFactor(t *testing.T) {
	l := newDrivenSender(t, "set=paper recovery=rtt rtt_step=factor")
	l.at(1, cc.EventAck, 10*unit.Microsecond)
	l.at(10, cc.EventCNP, 0)
	l.wantRate(30.1, 50*1.05*1.05)
	l.wantRate(1000, 100)
}

// Until the first sample the step uses the base RTT of 4.19 us; then samples count by an eighth; other ACKs do not
// count.
func TestRTTEstimate(t *testing.T) {
	p := sender(t, options("recovery=rtt")).(*nvidiaPoint)
	var d cc.Decision
	for _, c := range []struct {
		kind cc.EventKind
		rtt  unit.Duration
		want unit.Duration
	}{
		{cc.EventStart, 0, 4190 * unit.Nanosecond},
		{cc.EventAck, 0, 4190 * unit.Nanosecond}, // of a packet that was sent again
		{cc.EventAck, 8 * unit.Microsecond, 8 * unit.Microsecond},
		{cc.EventAck, 16 * unit.Microsecond, 9 * unit.Microsecond},
		{cc.EventCNP, 99 * unit.Microsecond, 9 * unit.Microsecond},
		{cc.EventAck, -unit.Second, 9 * unit.Microsecond},
	} {
		t.Run(fmt.Sprintf("kind=%v,rtt=%v", c.kind, c.rtt), func(t *testing.T) {
			p.Handle(&cc.Event{Kind: c.kind, RTT: c.rtt, Now: us(1)}, &d)
			if p.rtt != c.want {
				t.Errorf("after %v with %v: RTT %v, want %v", c.kind, c.rtt, p.rtt, c.want)
			}
		})
	}
}

// NVIDIA's rule cuts on a clock: from the CNP to the cut no step is taken, for
// its RTT is none without a CNP.
func TestNoStepBetweenCNPAndCut(t *testing.T) {
	l := newDrivenSender(t, "recovery=rtt g=0 initial_alpha=1")
	l.at(1, cc.EventAck, 2*unit.Microsecond)
	l.at(10, cc.EventCNP, 0) // cuts at 14, 18, ...
	l.wantRate(14.1, 50)
	l.at(14.5, cc.EventCNP, 0)
	l.wantRate(17.9, 50) // a step would have come at 16
	l.wantRate(18.1, 25)
	l.wantRate(20.1, 30)
}

// RIR: "by a fixed amount (e.g., 1 Gbps) every 100 microseconds, regardless of
// RTT", "tied to a global timer": at multiples of 100 us, which cuts leave.
func TestRTTIndependentRecovery(t *testing.T) {
	l := newDrivenSender(t, "set=paper recovery=rir")
	l.at(1, cc.EventAck, 2*unit.Microsecond)
	l.at(130, cc.EventCNP, 0)
	l.wantRate(200, 50)
	l.wantRate(200.1, 51)
	l.at(250, cc.EventCNP, 0) // K expired twice: alpha = (255/256)^2
	l.wantRate(300, 51*(1-255.0*255/256/256/2))
	l.wantRate(300.1, 51*(1-255.0*255/256/256/2)+1)
	l.at(400, cc.EventCNP, 0) // at the instant of a tick: the cut comes first, then the tick
	if l.d.WakeAt != us(400) {
		t.Errorf("after a cut at the instant of a tick the next is at %v, want 400us", l.d.WakeAt)
	}
	l.wantRate(20_000, 100)
	if l.d.WakeAt != 0 {
		t.Errorf("at line rate it asks to be woken at %v", l.d.WakeAt)
	}
	l.at(20_100, cc.EventCNP, 0) // it rested: the tick of this instant is none of its
	if l.d.WakeAt != us(20_200) {
		t.Errorf("after a cut on a tick the next is at %v, want 20.2ms", l.d.WakeAt)
	}
}

// RTT in CNP: 5 % of line for each 10 us of RTT, whatever the RTT: 1 Gb/s each
// 2 us, 10 Gb/s each 20 us.
func TestRTTInCNP(t *testing.T) {
	for _, c := range []struct {
		rtt        unit.Duration
		first, end float64
	}{{2 * unit.Microsecond, 51, 60}, {20 * unit.Microsecond, 50, 60}} {
		t.Run(fmt.Sprintf("rtt=%v", c.rtt), func(t *testing.T) {
			l := newDrivenSender(t, "set=paper recovery=rtt rtt_in_cnp=true")
			l.at(1, cc.EventAck, 7*unit.Microsecond) // its own samples do not count
			l.at(10, cc.EventCNP, c.rtt)
			l.at(11, cc.EventAck, 7*unit.Microsecond)
			l.wantRate(12.1, c.first)
			l.wantRate(30.1, c.end)
		})
	}
	l := newDrivenSender(t, "set=paper recovery=rtt rtt_in_cnp=true rtt_step=factor")
	l.at(10, cc.EventCNP, 20*unit.Microsecond)
	l.at(11, cc.EventCNP, 0) // a CNP without an estimate changes none
	l.wantRate(31.1, 25*1.1)
}
