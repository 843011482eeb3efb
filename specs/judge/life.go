package judge

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/cc"
)

// life plays events to a flow's algorithm as a NIC would: it serves the
// wake-ups that the algorithm asks for, carries what its two ends tell each
// other, bounds the rate, and looks at each answer.
type life struct {
	facts    cc.Facts
	signals  cc.Signals
	sender   cc.Sender
	receiver cc.Receiver
	decision cc.Decision
	feedback cc.Feedback
	latest   cc.Event
	events   int
}

// mostWakes is how many wake-ups are served between two events that come from
// outside; a timer that is shorter is then held back until the later one.
const mostWakes = 256

func newLife(c cc.Controller, f cc.Facts) *life {
	l := &life{facts: f, signals: c.Signals(), sender: c.NewSender(f), decision: cc.Decision{Rate: f.LineRate}}
	l.receiver = c.NewReceiver(f)
	if l.receiver != nil {
		l.receiver.Group(f.Group)
	}
	return l
}

// play has the algorithm handle an event, and before it the wake-ups that are
// due by then. The error says what is wrong with an answer.
func (l *life) play(e cc.Event) error {
	for n := 1; l.decision.WakeAt != 0 && l.decision.WakeAt <= e.Now; n++ {
		timer := l.latest
		timer.Kind, timer.Flows, timer.Acked, timer.Now = cc.EventTimer, 0, 0, max(l.decision.WakeAt, l.latest.Now)
		if n == mostWakes {
			timer.Now = e.Now
		}
		l.decision.WakeAt = 0
		if err := l.handle(timer); err != nil {
			return err
		}
		if n == mostWakes {
			break
		}
	}
	for range mostWakes {
		if l.decision.WakeBytes == 0 || l.decision.WakeBytes > e.Sent {
			break
		}
		sent := l.latest
		sent.Kind, sent.Flows, sent.Acked, sent.Now = cc.EventSent, 0, 0, e.Now
		sent.Sent = max(l.latest.Sent, l.decision.WakeBytes)
		l.decision.WakeBytes = 0
		if err := l.handle(sent); err != nil {
			return err
		}
	}
	if e.Kind == cc.EventAck && l.receiver != nil {
		if err := l.receive(&e); err != nil {
			return err
		}
	}
	return l.handle(e)
}

// receive has the receiver see the packet that an ACK is about, and put its own
// word into the ACK.
func (l *life) receive(e *cc.Event) error {
	a := cc.Arrival{
		Now:      e.Now,
		Clock:    e.Clock,
		TxTime:   e.Echo,
		Baseline: l.facts.Baseline.Nanoseconds(),
		Bytes:    l.facts.MTU,
		Active:   1 + int(e.Sent%7),
		CE:       e.CE,
		Own:      l.decision.Own,
	}
	clear(a.Own[l.signals.OwnData:])
	l.feedback.OneWayDelay = e.OneWayDelay
	l.receiver.Data(&a, &l.feedback)
	if err := broken(l.receiver); err != nil {
		return err
	}
	if l.feedback.BaseRate < 0 {
		return fmt.Errorf("base rate %d b/s after a data packet at %v, allowed is 0 and more",
			int64(l.feedback.BaseRate), e.Now)
	}
	if l.signals.OneWayDelay && e.Sent%2 == 0 {
		e.BaseRate = l.feedback.BaseRate / unit.Kbps * unit.Kbps
	}
	e.Own = l.feedback.Own
	clear(e.Own[l.signals.OwnAck:])
	return nil
}

// handle plays one event and looks at the answer.
func (l *life) handle(e cc.Event) error {
	l.latest = e
	l.events++
	d := &l.decision
	before := *d
	l.sender.Handle(&e, d)
	if err := broken(l.sender); err != nil {
		return err
	}
	said := func(format string, args ...any) error {
		return fmt.Errorf("the %v event at %v is answered with %s", e.Kind, e.Now, fmt.Sprintf(format, args...))
	}
	switch {
	case d.Rate <= 0:
		return said("rate %d b/s, allowed is above 0", int64(d.Rate))
	case d.Rate > l.facts.LineRate:
		return said("rate %v, allowed is up to the line's %v", d.Rate, l.facts.LineRate)
	case d.Window < 0:
		return said("window %d B, allowed is 0 (none) and more", int64(d.Window))
	case d.Gap < 0:
		return said("gap %d ps, allowed is 0 and more", int64(d.Gap))
	case d.WakeAt < 0 || d.WakeBytes < 0:
		return said("a wake-up at %d ps or %d B, allowed is 0 (none) and more", int64(d.WakeAt), int64(d.WakeBytes))
	case e.Kind == cc.EventTimer && d.WakeAt != before.WakeAt && d.WakeAt != 0 && d.WakeAt <= e.Now:
		return said("a timer at %v, allowed is later: time would stand still", d.WakeAt)
	}
	return nil
}

// broken is why an algorithm that runs elsewhere broke down, nil if it did not.
func broken(end any) error {
	if f, ok := end.(cc.Failing); ok {
		return f.Err()
	}
	return nil
}
