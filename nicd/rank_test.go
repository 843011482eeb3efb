package nicd

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// link adds a flow of messages that wait, forth from a to b or back, and
// returns its QP, the same at both ends. Its rank is the NIC's first.
func (p *pair) link(forth bool, message unit.Bytes, steps ...[]Await) uint32 {
	p.t.Helper()
	from, to := p.a, p.b
	if !forth {
		from, to = p.b, p.a
	}
	qp := FirstQP + uint32(len(from.qps))
	name := fmt.Sprintf("flow%d", qp-FirstQP)
	path := fabric.PathOf(channel)
	c := decide(cc.Decision{Rate: 100 * unit.Gbps})
	size := message * unit.Bytes(len(steps))
	must(p.t, from.AddSender(SenderConfig{
		Flow:       qp - FirstQP,
		Name:       name,
		QP:         qp,
		Peer:       Peer{qp, to.address.ip, to.address.mac},
		SrcPort:    0xC000,
		Size:       size,
		Message:    message,
		MTU:        1000,
		DSCP:       -1,
		Messages:   steps,
		Controller: c,
		Chance:     chance.New(1, name),
		Path:       path,
		Back:       path,
	}))
	must(p.t, to.AddReceiver(ReceiverConfig{
		Flow:       qp - FirstQP,
		Name:       name,
		QP:         qp,
		Peer:       Peer{qp, from.address.ip, from.address.mac},
		SrcPort:    0xC000,
		Size:       size,
		Message:    message,
		MTU:        1000,
		Controller: c,
		Chance:     chance.New(1, name),
		Path:       path,
		Back:       path,
	}))
	return qp
}

// An ACK takes 14+20+8+12+4+4 = 62 B, + 24 = 86 B or 6.88 ns, a packet of 200 B
// 14+20+8+12+16+200+4+24 = 298 B or 23.84 ns.
//
// a computes for 5 us and sends a message of 1500 B; b answers when it has all
// of it, and a sends the next when the answer has come. Only the ACK of that
// lets b's second phase begin, which takes 2 us.
func pingPong(t *testing.T, n profile.NIC) *pair {
	p := newPair(t, n)
	const there, back = FirstQP, FirstQP + 1
	p.link(true, 1500, []Await{{QP: 0, Count: 1}}, []Await{{QP: back, Count: 1}})
	p.link(false, 200, []Await{{QP: there, Count: 1}})
	must(t, p.a.AddRank(RankConfig{Name: "job", Phases: []Phase{{Duration: 5 * us},
		{After: []Await{{QP: there, Count: 2}, {QP: back, Count: 1}}}}}))
	must(t, p.b.AddRank(RankConfig{Name: "job", Start: at(us),
		Phases: []Phase{{}, {After: []Await{{QP: back, Count: 1}}, Duration: 2 * us}}}))
	return p
}

func TestMessagesWait(t *testing.T) {
	p := pingPong(t, profile.DefaultNIC())
	p.record()
	p.run(at(unit.Second))
	p.wantLog(`
		5000.000 a First 0 len 1000 ackreq
		5087.840 a Last 1 len 500 ackreq
		6087.840 b ACK 0 msn 0
		6134.400 b ACK 1 msn 1
		6141.280 b Only 0 len 200 ackreq
		7165.120 a ACK 0 msn 1
		7172.000 a First 2 len 1000 ackreq
		7259.840 a Last 3 len 500 ackreq
		8259.840 b ACK 2 msn 1
		8306.400 b ACK 3 msn 2`)
	r := p.a.SenderRecord(FirstQP)
	if len(r.Messages) != 2 || r.Messages[0].Ready != at(5*us) || r.Started != at(5*us) ||
		r.Messages[1].Ready != 7_165_120 || r.Messages[1].Completed != r.Completed {
		t.Errorf("messages %v, started %v, completed %v", r.Messages, r.Started, r.Completed)
	}
	if ends := p.a.Phases(0).Ended; len(ends) != 2 || ends[0] != at(5*us) || ends[1] != r.Completed {
		t.Errorf("phases of a ended at %v, want 5us and %v", ends, r.Completed)
	}
	// b's message is acknowledged at 7.165120 us + 86 B on the wire + 1 us.
	if ends := p.b.Phases(0).Ended; len(ends) != 2 || ends[0] != at(us) || ends[1] != 7_165_120+6_880+1_000_000+2_000_000 {
		t.Errorf("phases of b ended at %v", ends)
	}
	if p.a.Pending()+p.b.Pending() != 0 {
		t.Errorf("%d flows pending", p.a.Pending()+p.b.Pending())
	}
}

// A lost packet holds up everything that waits for its message, with either receiver, and with ACKs only for every
// second packet.
func TestWaitForWhatWasLost(t *testing.T) {
	ooo, seldom := profile.DefaultNIC(), profile.DefaultNIC()
	ooo.OutOfOrder, seldom.AckEvery = true, 2
	for name, n := range map[string]profile.NIC{"go-back-N": profile.DefaultNIC(), "out of order": ooo,
		"ack_every 2": seldom} {
		t.Run(name, func(t *testing.T) {
			p := pingPong(t, n)
			lost, answered, repaired := 0, unit.Time(0), unit.Time(0)
			p.touch = func(link fabric.LinkID, start unit.Time, f *wire.Frame) bool {
				switch {
				case link == 0 && f.IsData() && f.PSN == 0 && lost == 0:
					lost++
					return false
				case link == 0 && f.IsData() && f.PSN == 0:
					repaired = start
				case link == 1 && f.IsData() && answered == 0:
					answered = start
				}
				return true
			}
			p.run(at(unit.Second))
			if lost != 1 || repaired == 0 || answered < repaired.Add(us) {
				t.Errorf("%s: lost %d, sent again at %v, answered at %v", name, lost, repaired, answered)
			}
			if r := p.a.SenderRecord(FirstQP); r.Acked != 3000 || r.Completed == unit.Never {
				t.Errorf("%s: acked %v, completed %v", name, r.Acked, r.Completed)
			}
		})
	}
}

// The times of messages do not depend on where windows are cut.
func TestWaitingInAnyWindows(t *testing.T) {
	whole := pingPong(t, profile.DefaultNIC())
	whole.run(at(unit.Second))
	s := chance.New(1, "cut")
	cut := pingPong(t, profile.DefaultNIC())
	cut.cut = func() unit.Duration { return unit.Duration(s.Between(1, int64(us))) }
	cut.run(at(unit.Second))
	if whole.hash != cut.hash {
		t.Errorf("hashes %x in whole windows, %x in cut ones", whole.hash, cut.hash)
	}
}

func TestRanksThatCannotBe(t *testing.T) {
	for _, x := range []struct {
		rank RankConfig
		want string
	}{
		{RankConfig{Start: -1}, "start is"},
		{RankConfig{Phases: []Phase{{Duration: -1}}}, "phase 0 takes"},
		{RankConfig{Phases: []Phase{{After: []Await{{QP: 99, Count: 1}}}}}, "QP 0x63, which this NIC does not have"},
		{RankConfig{Phases: []Phase{{After: []Await{{QP: FirstQP, Count: 3}}}}},
			"waits for 3 messages of QP 0x11, allowed is 1 to 2"},
		{RankConfig{Phases: []Phase{{}, {After: []Await{{Count: 2}}}}}, "waits for 2 phases of the rank, allowed is 1 to 1"},
		{RankConfig{}, "message 0: it waits for 1 phases of the rank, allowed is 1 to 0"},
	} {
		t.Run(fmt.Sprintf("want=%s", x.want), func(t *testing.T) {
			p := newPair(t, profile.DefaultNIC())
			p.link(true, 500, []Await{{Count: 1}}, nil)
			x.rank.Name = "job"
			if err := p.a.AddRank(x.rank); err == nil || !strings.Contains(err.Error(), x.want) {
				t.Errorf("%+v: %v, want ..%s", x.rank, err, x.want)
			}
		})
	}
	p := newPair(t, profile.DefaultNIC())
	err := p.a.AddSender(SenderConfig{
		Name:       "f",
		QP:         FirstQP,
		Size:       900,
		Message:    500,
		MTU:        1000,
		Messages:   make([][]Await, 2),
		DSCP:       -1,
		Controller: decide(cc.Decision{}),
		Path:       fabric.PathOf(channel),
		Back:       fabric.PathOf(channel),
	})
	if err == nil || !strings.Contains(err.Error(), "allowed is a size of so many messages") {
		t.Errorf("a size that is not whole messages: %v", err)
	}
}
