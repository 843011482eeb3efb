package nicd

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// faraway is another process: it handles what it was asked for in one exchange, in that order.
type faraway struct {
	asked       []func()
	datas, most int // most is the largest number that one exchange answered
}

func (f *faraway) Exchange() {
	f.most = max(f.most, len(f.asked))
	for _, handle := range f.asked {
		handle()
	}
	f.asked = f.asked[:0]
}

// farSender and farReceiver are algorithms there.
type farSender struct {
	cc.Sender
	*faraway
}

func (s farSender) Ask(event *cc.Event, decision *cc.Decision, _ []float64) {
	asked := *event
	s.asked = append(s.asked, func() { s.Handle(&asked, decision) })
}

type farReceiver struct {
	cc.Receiver
	*faraway
}

func (r farReceiver) Ask(arrival *cc.Arrival, feedback *cc.Feedback) {
	seen := *arrival
	r.datas++
	r.asked = append(r.asked, func() { r.Data(&seen, feedback) })
}

// counting is a receiver that counts packets in its ACKs.
type counting struct{ cc.Receiver }

func (c counting) Data(a *cc.Arrival, fb *cc.Feedback) {
	c.Receiver.Data(a, fb)
	fb.Own[1] = byte(a.Now >> 12)
	fb.Own[0]++
}

// With algorithms in another process a run is that with the same ones here, wherever windows are cut; and of a window's
// data packets many are answered at once. Tier: -short. Red where an ACK is not filled in, where the feedback of a flow
// that ended is not there, and where a frame is folded into the trace before it is complete.
func TestAlgorithmsFarAwayLeaveTheRunAsItIs(t *testing.T) {
	a := config("a", 0, 1, profile.DefaultNIC()).Attachment
	lookahead := a.Lookahead()
	luck := chance.New(11, "far")
	for mode := range 8 {
		play := func(far *faraway, cut func() unit.Duration) (all string) {
			p := tempest(t, mode, cut, false)
			for i := range 4 {
				p.add(flow{size: unit.Bytes(30000 + 999*i), start: at(unit.Duration(i) * us)},
					wander{cc.Signals{Acks: true, OwnData: 4, OwnAck: 4}})
			}
			for i := range p.a.qps {
				s, r := p.a.qps[i].end.(*plannedSender), p.b.qps[i].end.(*plannedReceiver)
				if r.algorithm = (counting{r.algorithm}); far != nil {
					s.algorithm, r.algorithm = farSender{s.algorithm, far}, farReceiver{r.algorithm, far}
				}
			}
			p.a.remote.asks, p.b.remote.asks = far != nil, far != nil
			p.run(at(20 * ms))
			must(t, p.a.Fault())
			must(t, p.b.Fault())
			all = fmt.Sprint(p.hash, p.a.Events(), p.b.Events(), p.a.LastCompletion(), p.b.PortRecord(at(20*ms)))
			for i := range p.a.qps {
				qp := FirstQP + uint32(i)
				all += senderText(*p.a.SenderRecord(qp)) + receiverText(*p.b.ReceiverRecord(qp))
			}
			return all
		}
		want := play(nil, nil)
		for name, cut := range map[string]func() unit.Duration{
			"L": nil, "random": func() unit.Duration { return unit.Duration(luck.Between(1, int64(lookahead))) },
		} {
			far := new(faraway)
			if got := play(far, cut); got != want {
				t.Fatalf("mode %d, windows cut at %s: far away\n%s\nhere\n%s", mode, name, got, want)
			}
			if far.datas < 1000 || far.most < 6 {
				t.Errorf("mode %d, windows cut at %s: %d data packets, at most %d in an exchange",
					mode, name, far.datas, far.most)
			}
		}
	}
}
