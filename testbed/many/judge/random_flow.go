package judge

import (
	"fmt"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// randomFlow plays events to a flow's algorithm as a NIC would: it serves the requested wake-ups, carries the messages
// between its two ends, bounds the rate, and checks each answer.
type randomFlow struct {
	facts    cc.Facts
	signals  cc.Signals
	sender   cc.Sender
	receiver cc.Receiver
	decision cc.Decision
	feedback cc.Feedback
	latest   cc.Event
	events   int
}

// mostWakes is the number of wake-ups served between two external events; a shorter timer is then held back until the
// later one.
const mostWakes = 256

func newRandomFlow(controller cc.Controller, facts cc.Facts) *randomFlow {
	l := &randomFlow{
		facts:    facts,
		signals:  controller.Signals(),
		sender:   controller.NewSender(facts),
		decision: cc.Decision{Rate: facts.LineRate},
	}
	l.receiver = controller.NewReceiver(facts)
	if l.receiver != nil {
		l.receiver.Group(facts.Group)
	}
	return l
}

// play makes the algorithm handle an event, and before it the wake-ups that are due by then. The error describes the
// fault of an answer.
func (l *randomFlow) play(event cc.Event) error {
	for after := 1; l.decision.WakeAt != 0 && l.decision.WakeAt <= event.Now; after++ {
		timer := l.latest
		timer.Kind, timer.Flows, timer.Acked, timer.Now = cc.EventTimer, 0, 0, max(l.decision.WakeAt, l.latest.Now)
		if after == mostWakes {
			timer.Now = event.Now
		}
		l.decision.WakeAt = 0
		if err := l.handle(timer); err != nil {
			return err
		}
		if after == mostWakes {
			break
		}
	}
	for range mostWakes {
		if l.decision.WakeBytes == 0 || l.decision.WakeBytes > event.Sent {
			break
		}
		sent := l.latest
		sent.Kind, sent.Flows, sent.Acked, sent.Now = cc.EventSent, 0, 0, event.Now
		sent.Sent = max(l.latest.Sent, l.decision.WakeBytes)
		l.decision.WakeBytes = 0
		if err := l.handle(sent); err != nil {
			return err
		}
	}
	if event.Kind == cc.EventAck && l.receiver != nil {
		if err := l.receive(&event); err != nil {
			return err
		}
	}
	return l.handle(event)
}

// receive shows the receiver the packet of an ACK, and lets it put its own word into the ACK.
func (l *randomFlow) receive(event *cc.Event) error {
	arrival := cc.Arrival{
		Now:      event.Now,
		Clock:    event.Clock,
		TxTime:   event.Echo,
		Baseline: l.facts.Baseline.Nanoseconds(),
		Bytes:    l.facts.MTU,
		Active:   1 + int(event.Sent%7),
		CE:       event.CE,
		Own:      l.decision.Own,
	}
	clear(arrival.Own[l.signals.OwnData:])
	l.feedback.OneWayDelay = event.OneWayDelay
	l.receiver.Data(&arrival, &l.feedback)
	if err := broken(l.receiver); err != nil {
		return err
	}
	if l.feedback.BaseRate < 0 {
		return fmt.Errorf("base rate %d b/s after a data packet at %v, allowed is 0 and more",
			int64(l.feedback.BaseRate), event.Now)
	}
	if l.signals.OneWayDelay && event.Sent%2 == 0 {
		event.BaseRate = l.feedback.BaseRate / unit.Kbps * unit.Kbps
	}
	event.Own = l.feedback.Own
	clear(event.Own[l.signals.OwnAck:])
	return nil
}

// handle plays one event and looks at the answer.
func (l *randomFlow) handle(event cc.Event) error {
	l.latest = event
	l.events++
	decision := &l.decision
	before := *decision
	l.sender.Handle(&event, decision)
	if err := broken(l.sender); err != nil {
		return err
	}
	err := hosting.CheckDecision(decision, &before, event.Kind, event.Now)
	if err == nil && decision.Rate > l.facts.LineRate {
		err = fmt.Errorf("rate %v, allowed is up to the line's %v", decision.Rate, l.facts.LineRate)
	}
	if err != nil {
		return fmt.Errorf("the %v event at %v is answered with %w", event.Kind, event.Now, err)
	}
	return nil
}

// broken returns the error of an algorithm that runs elsewhere, nil if it did not break down.
func broken(end any) error {
	if f, ok := end.(hosting.Failing); ok {
		return f.Err()
	}
	return nil
}
