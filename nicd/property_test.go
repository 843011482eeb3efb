package nicd

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// wander is an algorithm that changes everything at random, from its flow's
// own stream.
type wander struct{ signals cc.Signals }

type wanderer struct{ s *chance.Stream }

func (w wander) Signals() cc.Signals { return w.signals }
func (w wander) NewSender(f cc.Facts) cc.Sender {
	return &wanderer{f.Chance}
}
func (w wander) NewReceiver(f cc.Facts) cc.Receiver { return &wanderer{f.Chance} }

func (w *wanderer) Data(a *cc.Arrival, fb *cc.Feedback) {
	fb.BaseRate = unit.BitRate(a.Active) * unit.Gbps
}
func (w *wanderer) Group(cc.Group) {}
func (w *wanderer) Handle(e *cc.Event, d *cc.Decision) {
	switch w.s.Below(6) {
	case 0:
		d.Rate = unit.BitRate(w.s.Between(int64(unit.Gbps), int64(120*unit.Gbps)))
	case 1:
		d.Window = unit.Bytes(w.s.Between(0, 60000))
	case 2:
		d.Gap = unit.Duration(w.s.Between(0, int64(us)))
	case 3:
		d.WakeAt = e.Now.Add(unit.Duration(w.s.Between(1, int64(20*us))))
	case 4:
		d.WakeBytes = e.Sent + unit.Bytes(w.s.Between(1, 20000))
	}
}

// tempest is a pair with everything on: several flows, loss, marks, pauses,
// noisy clocks, an outage, PFC storms.
func tempest(t testing.TB, mode int, cut func() unit.Duration, restless bool) *pair {
	prof := profile.DefaultNIC()
	prof.OutOfOrder = mode&1 != 0
	prof.AckEvery = 1 + 3*(mode>>1&1)
	prof.AckWithData = mode>>2&1 != 0
	if mode>>3&1 != 0 {
		prof.DecisionDelay = 3 * us
	}
	prof.RTOInitial, prof.RTOFloor = 200*us, 100*us
	prof.Clock = profile.Clock{
		Offset:   us,
		DriftPPM: 50,
		Resync:   ms,
		Noise:    100 * ns,
		BothEnds: true,
	}
	a, b := config("a", 0, 1, prof), config("b", 1, 2, prof)
	outages := []fabric.Outage{{From: at(300 * us), To: at(320 * us)}}
	b.Profile.Storms = []profile.Storm{{Class: 3, From: at(400 * us), To: at(450 * us)},
		{Class: 3, From: at(450 * us), To: at(900 * us)}, {Class: 6, From: at(500 * us), To: unit.Never}}
	a.Attachment.Loss, b.Attachment.Loss = 0.01, 0.01
	a.Attachment.Outages, b.Attachment.Outages = outages, outages
	p := pairOf(t, a, b)
	p.cut = cut
	p.a.completion.restless, p.b.completion.restless = restless, restless
	signals := []cc.Signals{{ECT: true, CNP: true, CNPInterval: 5 * us}, {Acks: true, OneWayDelay: true},
		{Acks: true, Timestamp: true}, {Acks: true, ECT: true, ECNEcho: true}}
	for i := range 8 {
		p.add(flow{
			size:    unit.Bytes(50000 + 12345*i),
			message: 7000,
			psn:     0xFFFFF0,
			start:   at(unit.Duration(i) * 777 * ns),
			latency: 10 * us,
		}, wander{signals[i%4]})
	}
	p.add(flow{stop: at(200 * us)}, wander{signals[0]})
	p.touch = func(_ fabric.LinkID, start unit.Time, f *wire.Frame) bool {
		if f.ECN() == wire.ECT0 && f.PSN%7 == 0 {
			f.MarkCE()
		}
		// Some of b's answers reach a as pauses: a switch between would send
		// such. The same answer some time later does not.
		if f.SrcIP == 2 && (uint64(f.PSN)+uint64(start/at(100*us)))%19 == 3 {
			f.SetPFC(p.b.address.mac, 3, uint16(start%3)*300)
		}
		return true
	}
	return p
}

// The cuts between windows never show: not in the trace, not in the counters. Nor does it show that ends of flows rest,
// which they do except in the reference run.
func TestHorizonCuts(t *testing.T) {
	l := config("a", 0, 1, profile.DefaultNIC()).Attachment
	lookahead := l.Lookahead()
	s := chance.New(7, "cuts")
	for mode := range 16 {
		var want string
		for _, cut := range []func() unit.Duration{nil,
			func() unit.Duration { return lookahead / 2 },
			func() unit.Duration { return lookahead / 7 },
			func() unit.Duration { return unit.Duration(s.Between(1, int64(lookahead))) },
		} {
			p := tempest(t, mode, cut, want == "")
			p.run(at(20 * ms))
			got := fmt.Sprint(p.hash, p.a.Events(), p.b.Events(), p.a.Pending(), p.a.LastCompletion(),
				p.a.PortRecord(at(20*ms)), p.b.PortRecord(at(20*ms)))
			for i := range p.a.qps {
				qp := FirstQP + uint32(i)
				r, received := *p.a.SenderRecord(qp), *p.b.ReceiverRecord(qp)
				r.Spent = p.a.SenderOver(qp, at(20*ms)).Spent
				got += senderText(r) + receiverText(received)
				if whole := min(r.Completed, at(20*ms)).Sub(r.Started); r.Spent.Total() != whole {
					t.Errorf("mode %d: flow %d: states take %v of %v: %v", mode, i, r.Spent.Total(), whole, r.Spent)
				}
				for state, time := range r.Spent {
					if time < 0 {
						t.Errorf("mode %d: flow %d: state %d takes %v", mode, i, state, time)
					}
				}
			}
			if want == "" {
				want = got
				if p.a.Pending() != 0 {
					t.Errorf("mode %d: %d flows incomplete", mode, p.a.Pending())
				}
				must(t, p.a.Fault())
				p.conserved()
			}
			if got != want {
				t.Fatalf("mode %d: a cut changed the run:\n%s\n%s", mode, got, want)
			}
		}
	}
}

// conserved checks that every byte that left a is counted in b's Rx or RxLost or is
// in flight, that the tempest was one, and that flows delivered what they sent.
func (p *pair) conserved() {
	p.t.Helper()
	tx, rx := p.a.PortRecord(at(20*ms)), p.b.PortRecord(at(20*ms))
	flying := uint64(0)
	p.b.InFlight(func(_ int, f *wire.Frame) { flying += uint64(f.Len()) })
	if tx.TxBytes != rx.RxBytes+rx.RxLostBytes+flying {
		p.t.Errorf("sent %d B, received %d, lost %d, in flight %d", tx.TxBytes, rx.RxBytes, rx.RxLostBytes, flying)
	}
	if c := p.a.PortRecord(at(20 * ms)).Classes.At(3); rx.RxLostFrames == 0 || c.ReceivedXOFF == 0 ||
		c.ReceivedXON == 0 || c.Paused == 0 {
		p.t.Errorf("a mild tempest: lost %d, class 3 %+v", rx.RxLostFrames, c)
	}
	for i, q := range p.a.qps {
		s, r := q.send().record, receiving(p.b, uint32(i)).record
		if s.Acked != r.Bytes || q.send().reliability.layout.size > 0 && s.Acked != q.send().reliability.layout.size {
			p.t.Errorf("flow %d: acknowledged %v, received %v of %v", i, s.Acked, r.Bytes, q.send().reliability.layout.size)
		}
		if s.Packets-s.Resent != uint64(q.send().reliability.high) {
			p.t.Errorf("flow %d: %d packets, %d resent, %d distinct", i, s.Packets, s.Resent, q.send().reliability.high)
		}
	}
}

// The same run twice is the same, and another seed is not.
func TestRepeats(t *testing.T) {
	var hashes [3][2]trace.Hash
	for i := range hashes {
		prof := profile.DefaultNIC()
		prof.Clock.Noise = us
		a, b := config("a", 0, 1, prof), config("b", 1, 2, prof)
		if i == 2 {
			b.Seed = 2
		}
		p := pairOf(t, a, b)
		p.add(flow{size: 100 * unit.KB}, wander{cc.Signals{Acks: true, OneWayDelay: true}})
		p.run(at(ms))
		hashes[i] = p.hash
	}
	if hashes[0] != hashes[1] || hashes[0] == hashes[2] {
		t.Errorf("hashes %x", hashes)
	}
}

// Any frame whatsoever is taken without a panic and counted once.
func FuzzArrive(f *testing.F) {
	f.Add(uint32(FirstQP), uint32(3), uint8(wire.Acknowledge), uint8(wire.SyndromeACK), uint8(2), uint16(0))
	f.Add(uint32(FirstQP), uint32(3), uint8(wire.Acknowledge), uint8(0x61), uint8(2), uint16(0))
	f.Add(uint32(FirstQP+1), uint32(9), uint8(wire.WriteOnly), uint8(0), uint8(0x81), uint16(4096))
	f.Fuzz(func(t *testing.T, qp, psn uint32, op, syndrome, ext uint8, length uint16) {
		if wire.Opcode(op) == wire.NoOpcode {
			t.Skip("an opaque frame has bytes: see FuzzForeign")
		}
		prof := profile.DefaultNIC()
		prof.OutOfOrder = psn&1 != 0
		l := newLone(t, config("nic", 0, 1, prof))
		l.send(10000, 0, wander2{})
		l.receive(wander2{})
		l.run(at(us))
		g := wire.Frame{
			EtherType:  wire.EtherTypeIPv4,
			SrcIP:      9 - psn>>24&1, // 9 is the peer
			DstIP:      1,
			DestQP:     qp,
			PSN:        psn & wire.PSNMask,
			Opcode:     wire.Opcode(op),
			Syndrome:   syndrome,
			AckExt:     ext,
			PayloadLen: length,
			Rare:       new(wire.Rare),
		}
		for i := range 4 {
			c := g
			l.arrive(at(2*us+unit.Duration(i)*unit.Duration(length+1)), c)
		}
		l.run(at(20 * ms))
		if err := l.n.Fault(); err != nil {
			t.Error(err)
		}
		s, r, p := l.n.SenderRecord(FirstQP), l.n.ReceiverRecord(FirstQP+1), l.n.PortRecord(at(20*ms))
		if n := s.Acks + s.NAKs + s.CNPs + r.Packets + r.OutOfOrder + r.Duplicate +
			p.Drops[fabric.DropUnknownQP] + p.Drops[fabric.DropWrongPeer]; n != p.RxFrames {
			t.Errorf("%d frames arrived, %d counted", p.RxFrames, n)
		}
	})
}

// wander2 is quiet but asks for everything.
type wander2 struct{}

func (wander2) Signals() cc.Signals {
	return cc.Signals{ECT: true, CNP: true, Acks: true, OneWayDelay: true}
}
func (wander2) NewSender(cc.Facts) cc.Sender     { return wander2{} }
func (wander2) NewReceiver(cc.Facts) cc.Receiver { return wander2{} }
func (wander2) Handle(*cc.Event, *cc.Decision)   {}
func (wander2) Data(*cc.Arrival, *cc.Feedback)   {}
func (wander2) Group(cc.Group)                   {}
