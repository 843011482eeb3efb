//go:build linux

package process

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/process/control"
)

// batch returns the messages that await an answer, as they go into a stream.
func (l *link) batch() *control.Batch {
	b := &control.Batch{Messages: make([]*control.Message, 0, l.posted-l.done)}
	for i := l.done; i < l.posted; i++ {
		b.Messages = append(b.Messages, l.page.slots[i%slots].message())
	}
	return b
}

// message returns what a slot asks.
func (s *slot) message() *control.Message {
	m := &control.Message{Of: s.of}
	switch s.verb {
	case verbSender:
		m.Verb = &control.Message_MakeSender{MakeSender: s.setup().message()}
	case verbReceiver:
		m.Verb = &control.Message_MakeReceiver{MakeReceiver: s.setup().message()}
	case verbHandle:
		m.Verb = &control.Message_Handle{Handle: &control.Handle{Event: eventMessage(s.event()), Standing: decisionMessage(s.decision()), Fired: s.fired}}
	case verbNext:
		m.Verb = &control.Message_Handle{Handle: &control.Handle{Event: eventMessage(s.event()), Fired: s.fired}}
	case verbData:
		m.Verb = &control.Message_Data{Data: &control.Data{Arrival: arrivalMessage(s.arrival()), Standing: feedbackMessage(s.feedback())}}
	case verbGroup:
		m.Verb = &control.Message_Group{Group: groupMessage(*s.group())}
	}
	return m
}

func (s *setup) message() *control.Facts {
	f := &s.facts
	m := &control.Facts{Flow: f.Flow, LineRate: int64(f.LineRate), Mtu: int64(f.MTU), PacketBytes: int64(f.PacketBytes),
		BaseRtt: int64(f.BaseRTT), Baseline: int64(f.Baseline), Hops: int64(f.Hops), Size: int64(f.Size), Group: groupMessage(f.Group)}
	if s.chance != [4]uint64{} {
		m.Chance = s.chance[:]
	}
	return m
}

func groupMessage(g cc.Group) *control.Group {
	return &control.Group{Mode: uint32(g.Mode), Flows: int64(g.Flows), Ranks: int64(g.Ranks)}
}

func eventMessage(e *cc.Event) *control.Event {
	m := &control.Event{Kind: uint32(e.Kind), Ce: e.CE, Flows: e.Flows, Now: int64(e.Now), Clock: e.Clock, Acked: int64(e.Acked), Inflight: int64(e.Inflight),
		Sent: int64(e.Sent), Rtt: int64(e.RTT), OneWayDelay: int64(e.OneWayDelay), Echo: e.Echo, BaseRate: int64(e.BaseRate),
		RemoteDelay: int64(e.RemoteDelay), Own: ownMessage(&e.Own)}
	if e.INT.Max != 0 {
		m.Int = &control.Stack{Hops: uint32(e.INT.Hops), Max: uint32(e.INT.Max), Path: uint32(e.INT.Path)}
		for _, r := range e.INT.Records() {
			m.Int.Record = append(m.Int.Record, uint64(r))
		}
	}
	return m
}

func decisionMessage(d *cc.Decision) *control.Decision {
	return &control.Decision{Rate: int64(d.Rate), Window: int64(d.Window), Gap: int64(d.Gap), WakeAt: int64(d.WakeAt),
		WakeBytes: int64(d.WakeBytes), Own: ownMessage(&d.Own)}
}

func arrivalMessage(a *cc.Arrival) *control.Arrival {
	return &control.Arrival{Now: int64(a.Now), Clock: a.Clock, TxTime: a.TxTime, Baseline: a.Baseline, Bytes: int64(a.Bytes),
		Active: int64(a.Active), Own: ownMessage(&a.Own), Ce: a.CE, Last: a.Last, Resent: a.Resent}
}

func feedbackMessage(f *cc.Feedback) *control.Feedback {
	return &control.Feedback{BaseRate: int64(f.BaseRate), OneWayDelay: int64(f.OneWayDelay), Own: ownMessage(&f.Own)}
}

// ownMessage returns an own extension, nothing if it is all zero.
func ownMessage(own *[cc.OwnBytes]byte) []byte {
	if *own == [cc.OwnBytes]byte{} {
		return nil
	}
	return own[:]
}

// take writes an answer into the slot of its message.
func (s *slot) take(a *control.Answer) error {
	switch s.verb {
	case verbSender, verbReceiver:
		switch made := a.Answer.(type) {
		case *control.Answer_Made:
			s.of = made.Made
			return nil
		case *control.Answer_None:
			s.of = noEnd
			return nil
		}
	case verbHandle, verbNext:
		if d := a.GetDecision(); d != nil {
			return s.takeDecision(d)
		}
	case verbData:
		if f := a.GetFeedback(); f != nil {
			return s.takeFeedback(f)
		}
	case verbGroup:
		if a.Answer == nil {
			return nil
		}
	}
	return fmt.Errorf("%w: one is of another kind than its message", errNonsense)
}

func (s *slot) takeDecision(d *control.Decision) error {
	*s.decision() = cc.Decision{Rate: unit.BitRate(d.Rate), Window: unit.Bytes(d.Window), Gap: unit.Duration(d.Gap),
		WakeAt: unit.Time(d.WakeAt), WakeBytes: unit.Bytes(d.WakeBytes)}
	return takeOwn(&s.decision().Own, d.Own)
}

func (s *slot) takeFeedback(f *control.Feedback) error {
	*s.feedback() = cc.Feedback{BaseRate: unit.BitRate(f.BaseRate), OneWayDelay: unit.Duration(f.OneWayDelay)}
	return takeOwn(&s.feedback().Own, f.Own)
}

// takeOwn reads an own extension; what is missing at its end is zero.
func takeOwn(to *[cc.OwnBytes]byte, own []byte) error {
	if len(own) > len(to) {
		return fmt.Errorf("%w: an own extension of %d B, allowed are %d", errNonsense, len(own), len(to))
	}
	copy(to[:], own)
	return nil
}
