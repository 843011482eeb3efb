//go:build linux && !mem

package process

import (
	"fmt"
	"math"

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
	message := &control.Message{Of: s.of}
	switch s.verb {
	case verbSender:
		message.Verb = &control.Message_MakeSender{MakeSender: s.setup().message()}
	case verbReceiver:
		message.Verb = &control.Message_MakeReceiver{MakeReceiver: s.setup().message()}
	case verbHandle:
		message.Verb = &control.Message_Handle{Handle: &control.Handle{Event: eventMessage(s.event()),
			Standing: decisionMessage(s.decision()), Fired: s.fired}}
	case verbNext:
		message.Verb = &control.Message_Handle{Handle: &control.Handle{Event: eventMessage(s.event()), Fired: s.fired}}
	case verbValues:
		message.Verb = &control.Message_Values{Values: &control.ValuesRequest{}}
	case verbData:
		message.Verb = &control.Message_Data{Data: &control.Data{Arrival: arrivalMessage(s.arrival()),
			Standing: feedbackMessage(s.feedback())}}
	case verbGroup:
		message.Verb = &control.Message_Group{Group: groupMessage(*s.group())}
	}
	return message
}

func (s *setup) message() *control.Facts {
	facts := &s.facts
	message := &control.Facts{
		Flow:        facts.Flow,
		LineRate:    int64(facts.LineRate),
		Mtu:         int64(facts.MTU),
		PacketBytes: int64(facts.PacketBytes),
		BaseRtt:     int64(facts.BaseRTT),
		Baseline:    int64(facts.Baseline),
		Hops:        int64(facts.Hops),
		Size:        int64(facts.Size),
		Group:       groupMessage(facts.Group),
	}
	if s.chance != [4]uint64{} {
		message.Chance = s.chance[:]
	}
	return message
}

func groupMessage(group cc.Group) *control.Group {
	return &control.Group{Mode: uint32(group.Mode), Flows: int64(group.Flows), Ranks: int64(group.Ranks)}
}

// take writes an answer into the slot of its message.
func (s *slot) take(answer *control.Answer) error {
	switch s.verb {
	case verbSender, verbReceiver:
		switch made := answer.Answer.(type) {
		case *control.Answer_Made:
			s.of = made.Made
			return nil
		case *control.Answer_None:
			s.of = noEnd
			return nil
		}
	case verbHandle, verbNext:
		if d := answer.GetDecision(); d != nil {
			return decisionFields.take(d, s.decision())
		}
	case verbValues:
		if v := answer.GetValues(); v != nil && len(v.Value) <= cc.MostValues {
			told := s.values()
			for i := range told {
				told[i] = math.NaN()
			}
			copy(told[:], v.Value)
			return nil
		}
	case verbData:
		if f := answer.GetFeedback(); f != nil {
			return feedbackFields.take(f, s.feedback())
		}
	case verbGroup:
		if answer.Answer == nil {
			return nil
		}
	}
	return fmt.Errorf("%w: one is of another kind than its message", errNonsense)
}
