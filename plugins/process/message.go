//go:build linux && !mem

package process

import (
	"fmt"
	"math"

	"google.golang.org/protobuf/proto"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/control"
	"github.com/rocelab/rocelab/plugins/cc/ring"
)

// batch returns the messages that await an answer, as they go into a stream.
func (l *link) batch() *control.Batch {
	b := &control.Batch{Messages: make([]*control.Message, 0, l.posted-l.done)}
	for i := l.done; i < l.posted; i++ {
		b.Messages = append(b.Messages, messageOf(&l.page.Slots[i%ring.Slots]))
	}
	return b
}

// messageOf returns the message in a slot.
func messageOf(s *ring.Slot) *control.Message {
	message := &control.Message{Of: s.Of}
	switch s.Verb {
	case ring.VerbSender:
		message.Verb = &control.Message_MakeSender{MakeSender: factsMessage(s.Setup())}
	case ring.VerbReceiver:
		message.Verb = &control.Message_MakeReceiver{MakeReceiver: factsMessage(s.Setup())}
	case ring.VerbHandle:
		message.Verb = &control.Message_Handle{Handle: &control.Handle{Event: eventMessage(s.Event()),
			Standing: decisionMessage(s.Decision()), Fired: s.Fired}}
	case ring.VerbNext:
		message.Verb = &control.Message_Handle{Handle: &control.Handle{Event: eventMessage(s.Event()), Fired: s.Fired}}
	case ring.VerbValues:
		message.Verb = &control.Message_Values{Values: &control.ValuesRequest{}}
	case ring.VerbData:
		message.Verb = &control.Message_Data{Data: &control.Data{Arrival: arrivalMessage(s.Arrival()),
			Standing: feedbackMessage(s.Feedback())}}
	case ring.VerbGroup:
		message.Verb = &control.Message_Group{Group: groupMessage(*s.Group())}
	}
	return message
}

func factsMessage(s *ring.Setup) *control.Facts {
	facts := &s.Facts
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
	if s.Chance != [4]uint64{} {
		message.Chance = s.Chance[:]
	}
	return message
}

func groupMessage(group cc.Group) *control.Group {
	return &control.Group{Mode: uint32(group.Mode), Flows: int64(group.Flows), Ranks: int64(group.Ranks)}
}

// takeAnswer writes an answer into the slot of its message.
func takeAnswer(s *ring.Slot, answer *control.Answer) error {
	switch s.Verb {
	case ring.VerbSender, ring.VerbReceiver:
		switch made := answer.Answer.(type) {
		case *control.Answer_Made:
			s.Of = made.Made
			return nil
		case *control.Answer_None:
			s.Of = ring.NoEnd
			return nil
		}
	case ring.VerbHandle, ring.VerbNext:
		if d := answer.GetDecision(); d != nil {
			return take(control.DecisionFields, d, s.Decision())
		}
	case ring.VerbValues:
		if v := answer.GetValues(); v != nil && len(v.Value) <= cc.MostValues {
			told := s.Values()
			for i := range told {
				told[i] = math.NaN()
			}
			copy(told[:], v.Value)
			return nil
		}
	case ring.VerbData:
		if f := answer.GetFeedback(); f != nil {
			return take(control.FeedbackFields, f, s.Feedback())
		}
	case ring.VerbGroup:
		if answer.Answer == nil {
			return nil
		}
	}
	return fmt.Errorf("%w: one is of another kind than its message", errNonsense)
}

// take reads a message by its table.
func take[T any](list control.Fields[T], from proto.Message, value *T) error {
	if err := list.Take(from, value); err != nil {
		return fmt.Errorf("%w: %w", errNonsense, err)
	}
	return nil
}

func eventMessage(e *cc.Event) *control.Event {
	return control.Put(control.EventFields, e, new(control.Event))
}

func decisionMessage(d *cc.Decision) *control.Decision {
	return control.Put(control.DecisionFields, d, new(control.Decision))
}

func arrivalMessage(a *cc.Arrival) *control.Arrival {
	return control.Put(control.ArrivalFields, a, new(control.Arrival))
}

func feedbackMessage(f *cc.Feedback) *control.Feedback {
	return control.Put(control.FeedbackFields, f, new(control.Feedback))
}
