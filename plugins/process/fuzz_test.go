//go:build linux && !mem

package process

import (
	"io"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/control"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/ring"
)

// canned is the host's end of a stream of which a program has sent everything.
type canned struct {
	grpc.BidiStreamingClient[control.Batch, control.Answers]
	sent []*control.Answers
}

func (c *canned) Send(*control.Batch) error { return nil }

func (c *canned) Recv() (*control.Answers, error) {
	if len(c.sent) == 0 {
		return nil, io.EOF
	}
	first := c.sent[0]
	c.sent = c.sent[1:]
	return first, nil
}

// FuzzAnswers takes any bytes for what a program sends into its stream: answers to
// a batch with a message of each verb, in two parts. The exchange fails, or every
// message has its answer.
func FuzzAnswers(f *testing.F) {
	decision := &control.Answer{Answer: &control.Answer_Decision{Decision: &control.Decision{Own: []byte{1, 2}}}}
	feedback := &control.Answer{Answer: &control.Answer_Feedback{Feedback: &control.Feedback{}}}
	made := &control.Answer{Answer: &control.Answer_Made{Made: 1 << 31}}
	none := &control.Answer{Answer: &control.Answer_None{}}
	for _, parts := range [][2]*control.Answers{
		{{Answers: []*control.Answer{made, none, decision}}, {Answers: []*control.Answer{decision, feedback, {}}}},
		{{Answers: []*control.Answer{none, made}, Problem: "ValueError"}, {}},
		{{Answers: []*control.Answer{decision, decision, decision, decision, decision, decision, decision}}, {}},
	} {
		var texts [2][]byte
		for i, part := range parts {
			text, err := proto.Marshal(part)
			if err != nil {
				f.Fatal(err)
			}
			texts[i] = text
		}
		f.Add(texts[0], texts[1])
	}
	f.Fuzz(func(t *testing.T, first, second []byte) {
		call := &canned{}
		for _, text := range [][]byte{first, second} {
			part := &control.Answers{}
			if proto.Unmarshal(text, part) != nil {
				break // gRPC ends the call
			}
			call.sent = append(call.sent, part)
		}
		s := &stream{call: call, cancel: func() {}, alarm: time.AfterFunc(time.Hour, func() {})}
		defer s.alarm.Stop()
		l := &link{page: &ring.Page{}, carrier: s, pidfd: -1}
		for v := ring.VerbSender; v <= ring.VerbValues; v++ {
			l.next(question{verb: v}).Verb = v
		}
		err := l.exchange(time.Hour)
		if answered := l.reached; answered > l.posted || err == nil && answered < l.posted {
			t.Errorf("%d answers to %d messages: %v", answered, l.posted, err)
		}
	})
}

// FuzzDescription takes any bytes for a program's description of itself: it is refused, or can be configured.
func FuzzDescription(f *testing.F) {
	for _, d := range []*control.Description{
		{Name: "mine", Version: "1", Params: []*control.Param{
			{Name: "gain", Kind: uint32(cc.KindNumber), Default: "0.1", Max: "1"},
			{
				Name:    "span",
				Kind:    uint32(cc.KindDuration),
				Default: "10us",
				Min:     "0s",
				Max:     "1s",
			},
			{Name: "mode", Kind: uint32(cc.KindChoice), Default: "slow", Choices: []string{"slow", "fast"}},
		}},
		{Name: "\x1b[2J", Recovery: -1, Params: []*control.Param{
			{Kind: 99, Default: "x"},
			{Kind: uint32(cc.KindRate), Min: "y", Default: "1bps"},
		}},
		{},
	} {
		text, err := proto.Marshal(d)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		said := &control.Description{}
		if proto.Unmarshal(text, said) != nil {
			return
		}
		p := &Plugin{link: &link{carrier: &stream{}}}
		if p.takeDescription(said) != nil {
			return
		}
		params, err := hosting.Parse(p.description, nil)
		if err != nil {
			return
		}
		if _, err := p.configuration(params); err != nil {
			t.Errorf("%+v: %v", p.description, err)
		}
	})
}
