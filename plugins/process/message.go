//go:build linux

package process

import (
	"fmt"

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
		m.Verb = &control.Message_Handle{Handle: &control.Handle{Event: eventMessage(s.event()),
			Standing: decisionMessage(s.decision()), Fired: s.fired}}
	case verbNext:
		m.Verb = &control.Message_Handle{Handle: &control.Handle{Event: eventMessage(s.event()), Fired: s.fired}}
	case verbData:
		m.Verb = &control.Message_Data{Data: &control.Data{Arrival: arrivalMessage(s.arrival()),
			Standing: feedbackMessage(s.feedback())}}
	case verbGroup:
		m.Verb = &control.Message_Group{Group: groupMessage(*s.group())}
	}
	return m
}

func (s *setup) message() *control.Facts {
	f := &s.facts
	m := &control.Facts{
		Flow:        f.Flow,
		LineRate:    int64(f.LineRate),
		Mtu:         int64(f.MTU),
		PacketBytes: int64(f.PacketBytes),
		BaseRtt:     int64(f.BaseRTT),
		Baseline:    int64(f.Baseline),
		Hops:        int64(f.Hops),
		Size:        int64(f.Size),
		Group:       groupMessage(f.Group),
	}
	if s.chance != [4]uint64{} {
		m.Chance = s.chance[:]
	}
	return m
}

func groupMessage(g cc.Group) *control.Group {
	return &control.Group{Mode: uint32(g.Mode), Flows: int64(g.Flows), Ranks: int64(g.Ranks)}
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
			return decisionFields.take(d, s.decision())
		}
	case verbData:
		if f := a.GetFeedback(); f != nil {
			return feedbackFields.take(f, s.feedback())
		}
	case verbGroup:
		if a.Answer == nil {
			return nil
		}
	}
	return fmt.Errorf("%w: one is of another kind than its message", errNonsense)
}
