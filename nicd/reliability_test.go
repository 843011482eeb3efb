package nicd

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// lose loses the data packets of the given PSNs, each the given number of
// times.
func (p *pair) lose(times map[uint32]int) {
	p.touch = func(_ fabric.LinkID, _ unit.Time, f *wire.Frame) bool {
		if f.IsData() && times[f.PSN] > 0 {
			times[f.PSN]--
			return false
		}
		return true
	}
}

func TestPSN(t *testing.T) {
	for _, c := range []struct {
		first, psn uint32
		near, want int64
	}{
		{0, 5, 3, 5}, {0xFFFFFE, 1, 0, 3}, {0xFFFFFE, 0xFFFFFD, 0, -1}, {5, 4, 1 << 24, 1<<24 - 1},
		{0, 0, 1<<24 + 3, 1 << 24},
	} {
		t.Run(fmt.Sprintf("first=%v,psn=%v", c.first, c.psn), func(t *testing.T) {
			if got := packetOf(c.first, c.psn, c.near); got != c.want {
				t.Errorf("PSN %d of a flow from %d near %d is packet %d, want %d", c.psn, c.first, c.near, got, c.want)
			}
			if c.want >= 0 && psnOf(c.first, c.want) != c.psn {
				t.Errorf("packet %d has PSN %d, want %d", c.want, psnOf(c.first, c.want), c.psn)
			}
		})
	}
}

// One ACK per four packets, at the last of a message at once. A flow that is stopped asks for what is left
// over with one more packet, and a receiver with a flush does not wait to be asked.
func TestCoalescedAcks(t *testing.T) {
	prof := profile.DefaultNIC()
	prof.AckEvery = 4
	p := newPair(t, prof)
	p.add(flow{size: 10000, message: 10000}, decide(cc.Decision{Rate: 100 * unit.Gbps}))
	p.run(at(ms))
	if r := p.b.ReceiverRecord(FirstQP); r.ACKs != 3 { // 4, 8, last
		t.Errorf("%d ACKs for 10 packets, want 3", r.ACKs)
	}
	p = newPair(t, prof)
	p.add(flow{stop: at(150 * ns)}, decide(cc.Decision{Rate: 100 * unit.Gbps}))
	p.record()
	p.run(at(ms))
	p.wantLog(`
		0.000 a First 0 len 1000
		87.840 a Middle 1 len 1000
		174.400 a Middle 2 len 1000 ackreq
		1260.960 b ACK 2 msn 0`)
	if s := p.a.SenderRecord(FirstQP); s.Acked != 3000 || s.Completed == unit.Never || s.Timeouts != 0 {
		t.Errorf("stopped flow: %+v", s)
	}
	// The flush comes 3 us after the first packet's arrival at 1087.84 ns.
	prof.AckFlush = 3 * us
	p = newPair(t, prof)
	p.add(flow{size: 3000, message: 3000}, decide(cc.Decision{Rate: 2 * unit.Gbps})) // a packet in 4.328 us
	p.record()
	p.run(at(ms))
	p.wantLog(`
		0.000 a First 0 len 1000
		4087.840 b ACK 0 msn 0
		4392.000 a Middle 1 len 1000
		8478.560 b ACK 1 msn 0
		8720.000 a Last 2 len 1000 ackreq
		9806.560 b ACK 2 msn 1`)
}

// Nothing waits for a timer when ACKs are coalesced: a window of three packets moves once a round trip
// though 32 share an ACK, a window that shrinks behind packets that do not ask lets one more go, and a flow so slow
// that 32 packets take longer than the timeout asks before. Tier: -short. Red without fills in asksForAck, with
// sendable false if the window is full, without overdue.
func TestCoalescedWindow(t *testing.T) {
	prof := profile.DefaultNIC()
	prof.AckEvery = 32
	t.Run("full", func(t *testing.T) {
		p := newPair(t, prof)
		p.add(flow{size: 3 * unit.MB}, decide(cc.Decision{Rate: 100 * unit.Gbps, Window: 3000}))
		p.run(at(10 * ms))
		// A round trip is 2 us of links, an ACK of 6.88 ns and three packets of 86.56 ns, a First of 87.84 ns.
		s, r := p.a.SenderRecord(FirstQP), p.b.ReceiverRecord(FirstQP)
		if s.Timeouts != 0 || r.ACKs < 1000 || r.ACKs > 1004 || s.Completed > at(1000*2270*ns) {
			t.Errorf("%d ACKs, %d timeouts, completed at %v", r.ACKs, s.Timeouts, s.Completed)
		}
	})
	t.Run("shrinking", func(t *testing.T) {
		window := unit.Bytes(40_000)
		shrink := &script{handle: func(e *cc.Event, d *cc.Decision) {
			if e.Kind == cc.EventAck { // of 32 packets, while 8 that do not ask are on their way
				window = 5000
			}
			*d = cc.Decision{Rate: 100 * unit.Gbps, Window: window}
		}}
		shrink.signals.Acks = true
		p := newPair(t, prof)
		p.add(flow{size: 100 * unit.KB}, shrink)
		p.run(at(10 * ms))
		if s := p.a.SenderRecord(FirstQP); s.Timeouts != 0 || s.Completed == unit.Never || s.Completed > at(40*us) {
			t.Errorf("%d timeouts, completed at %v", s.Timeouts, s.Completed)
		}
	})
	t.Run("slow", func(t *testing.T) {
		p := newPair(t, prof)
		p.add(flow{size: 100 * unit.KB}, decide(cc.Decision{Rate: 10 * unit.Mbps})) // a packet in 0.87 ms
		p.run(at(200 * ms))
		if s := p.a.SenderRecord(FirstQP); s.Timeouts != 0 || s.Completed == unit.Never {
			t.Errorf("%d timeouts, completed at %v", s.Timeouts, s.Completed)
		}
	})
}

// A lost tail is found by the timeout: RTOInitial while there is no sample,
// else the floor.
func TestTimeout(t *testing.T) {
	p := newPair(t, profile.DefaultNIC())
	p.add(flow{size: 1000}, decide(cc.Decision{Rate: 100 * unit.Gbps}))
	p.lose(map[uint32]int{0: 1})
	p.record()
	p.run(at(unit.Second))
	p.wantLog(`
		0.000 a Only 0 len 1000 ackreq lost
		16000000.000 a Only 0 len 1000 ackreq
		16001087.840 b ACK 0 msn 1`)

	// The last ACK's progress at 2094.72 ns + 86.56 ns starts the 4 ms.
	var kinds []cc.EventKind
	alg := &script{handle: func(e *cc.Event, d *cc.Decision) { kinds = append(kinds, e.Kind) }}
	p = newPair(t, profile.DefaultNIC())
	p.add(flow{size: 3000}, alg)
	p.lose(map[uint32]int{2: 2})
	p.record()
	p.run(at(unit.Second))
	p.wantLog(`
		0.000 a First 0 len 1000 ackreq
		87.840 a Middle 1 len 1000 ackreq
		174.400 a Last 2 len 1000 ackreq lost
		1087.840 b ACK 0 msn 0
		1174.400 b ACK 1 msn 0
		4002181.280 a Last 2 len 1000 ackreq lost
		8002181.280 a Last 2 len 1000 ackreq
		8003267.840 b ACK 2 msn 1`)
	s := p.a.SenderRecord(FirstQP)
	if s.Timeouts != 2 || s.Resent != 2 || s.RTT.Count() != 2 || len(kinds) != 3 || kinds[1] != cc.EventTimeout {
		t.Errorf("timeouts %d, resent %d, RTT samples %d, events %v", s.Timeouts, s.Resent, s.RTT.Count(), kinds)
	}
}

// An out-of-order receiver keeps what comes after the gap, and the sender
// resends the one packet when the gap is ReorderTime old.
func TestOutOfOrder(t *testing.T) {
	prof := profile.DefaultNIC()
	prof.OutOfOrder = true
	p := newPair(t, prof)
	p.add(flow{size: 5000, message: 2500}, decide(cc.Decision{Rate: 100 * unit.Gbps}))
	p.lose(map[uint32]int{1: 1})
	p.record()
	p.run(at(unit.Second))
	p.wantLog(`
		0.000 a First 0 len 1000 ackreq
		87.840 a Middle 1 len 1000 ackreq lost
		174.400 a Last 2 len 500 ackreq
		220.960 a First 3 len 1000 ackreq
		308.800 a Middle 4 len 1000 ackreq
		395.360 a Last 5 len 500 ackreq
		1087.840 b ACK 0 msn 0
		1220.960 b ACK 0 msn 0
		1308.800 b ACK 0 msn 0
		1395.360 b ACK 0 msn 0
		1441.920 b ACK 0 msn 0
		11220.960 b NAK 1 msn 0
		12227.840 a Middle 1 len 1000 ackreq
		13314.400 b ACK 5 msn 2`)
	s, r := p.a.SenderRecord(FirstQP), p.b.ReceiverRecord(FirstQP)
	if s.Resent != 1 || r.Reordered != 4 || r.Bytes != 5000 || r.OutOfOrder != 0 || s.RTT.Count() != 1 {
		t.Errorf("sender %+v receiver %+v", s, r)
	}
}

// A gap that is ReorderDepth deep is reported before it is old.
func TestReorderDepth(t *testing.T) {
	prof := profile.DefaultNIC()
	prof.OutOfOrder, prof.ReorderDepth = true, 8
	p := newPair(t, prof)
	p.add(flow{size: 100 * unit.KB}, decide(cc.Decision{Rate: 100 * unit.Gbps}))
	p.lose(map[uint32]int{1: 1, 50: 1, 51: 1, 52: 1})
	p.run(at(unit.Second))
	s, r := p.a.SenderRecord(FirstQP), p.b.ReceiverRecord(FirstQP)
	if s.Acked != 100*unit.KB || r.Bytes != 100*unit.KB || s.Resent != 4 || s.NAKs != 4 || s.Timeouts != 0 {
		t.Errorf("acked %v, received %v, resent %d for %d NAKs, %d timeouts", s.Acked, r.Bytes, s.Resent, s.NAKs, s.Timeouts)
	}
}

// A packet that is kept beyond a gap and comes again is a duplicate, and one
// beyond the window is dropped, one at its end kept: bits must not be taken for another packet's.
func TestReorderDuplicates(t *testing.T) {
	prof := profile.DefaultNIC()
	prof.OutOfOrder = true
	l := newLone(t, config("nic", 0, 1, prof))
	qp := l.receive(&script{})
	for i, psn := range []uint32{0, 2, 2, 258, 1, 2, 258, 3} {
		l.data(at(us+unit.Duration(i)*100*ns), qp, psn, wire.WriteMiddle, 0)
	}
	l.wantSent(at(5*us), "1000.000 ACK 0 msn 0", "1100.000 ACK 0 msn 0", "1200.000 ACK 0 msn 0", "1300.000 NAK 1 msn 0",
		"1400.000 ACK 2 msn 0", "1500.000 ACK 2 msn 0", "1600.000 ACK 2 msn 0", "1606.880 NAK 3 msn 0",
		"1700.000 ACK 3 msn 0")
	r := l.n.ReceiverRecord(qp)
	if r.Packets != 5 || r.Duplicate != 2 || r.OutOfOrder != 1 || r.Reordered != 2 ||
		receiving(l.n, 0).sequence.reorder.kept != 1 {
		t.Errorf("%+v", r)
	}
}

// A datagram is not for a QP: with any content of its RoCE fields, it is dropped as one for an unknown QP, and changes
// nothing.
func TestDatagramIsForNoQP(t *testing.T) {
	l := lone100(t)
	from, to := l.send(3000, 0, decide(cc.Decision{Rate: 100 * unit.Gbps})), l.receive(&script{})
	l.run(at(us))
	for i, qp := range []uint32{0, from, to} {
		for j, op := range []wire.Opcode{wire.SendFirst, wire.WriteOnly, wire.Acknowledge, wire.CNP} {
			f := ackFrame(qp, 1, wire.SyndromeACK)
			f.SetDatagram([]byte{1, 2, 3})
			f.DestQP, f.Opcode = qp, op
			l.arrive(at(2*us+unit.Duration(4*i+j)*ns), f)
		}
	}
	if sent := l.run(at(3 * us)); len(sent) != 0 {
		t.Errorf("sent %v", sent)
	}
	s, r, p := l.n.SenderRecord(from), l.n.ReceiverRecord(to), l.n.PortRecord(at(3*us))
	if p.RxFrames != 12 || p.RxBytes != 12*60 || p.Drops[fabric.DropUnknownQP] != 12 || p.DropBytes != 12*60 ||
		s.Acks+s.NAKs+s.CNPs+r.Packets != 0 {
		t.Errorf("%+v, %+v, %+v", p, s, r)
	}
}

// What never was sent is ignored; a syndrome that no peer sends drops, as
// unknown QPs do.
func TestNonsense(t *testing.T) {
	l := lone100(t)
	qp := l.send(3000, 0, decide(cc.Decision{Rate: 100 * unit.Gbps}))
	l.run(at(us))
	l.ack(at(2*us), qp, 3)
	l.nak(at(2*us+1), qp, 7)
	l.nak(at(2*us+2), qp, 0xFFFFFF)
	l.arrive(at(2*us+3), ackFrame(qp, 1, 0x61))
	l.ack(at(2*us+4), qp+1, 0)
	l.ack(at(2*us+5), 0, 0)
	l.data(at(2*us+6), qp, 0, wire.WriteOnly, 0)
	if sent := l.run(at(3 * us)); len(sent) != 0 {
		t.Errorf("sent %v", sent)
	}
	r := l.n.PortRecord(at(3 * us))
	if s := l.n.SenderRecord(qp); s.Acked != 0 || s.Acks != 1 || s.NAKs != 2 || r.RxFrames != 7 ||
		r.Drops[fabric.DropUnknownQP] != 4 {
		t.Errorf("acked %v by %d ACKs and %d NAKs of %d frames, %d drops", s.Acked, s.Acks, s.NAKs, r.RxFrames,
			r.Drops[fabric.DropUnknownQP])
	}
}

// CNPs: at once for the first marked packet, then at most one per interval,
// and only as the answer to a marked packet.
func TestCNPSpacing(t *testing.T) {
	l := lone100(t)
	qp := l.receive(&script{signals: cc.Signals{ECT: true, CNP: true, CNPInterval: 50 * us}})
	for i := range 8 {
		l.data(at(us+unit.Duration(i)*20*us), qp, uint32(i), wire.WriteOnly, wire.CE)
	}
	l.data(at(300*us), qp, 8, wire.WriteOnly, wire.ECT0)
	var cnps []string
	for _, d := range l.run(at(ms)) {
		if d.Frame.Opcode == wire.CNP {
			cnps = append(cnps, picoseconds(d.Start))
		}
	}
	if len(cnps) != 3 || cnps[0] > "1010" || l.n.ReceiverRecord(qp).CNPs != 3 || l.n.ReceiverRecord(qp).Marked != 8 {
		t.Errorf("CNPs at %v", cnps) // 1, 61, 121 us
	}
}

// One RTT in a round trip is a sample: with ten packets in flight and ACKs that
// clock the next ones out, that of each tenth packet.
func TestOneSampleARoundTrip(t *testing.T) {
	for window, want := range map[unit.Bytes]uint64{10_000: 10, 1000: 100} {
		t.Run(fmt.Sprintf("window=%v", window), func(t *testing.T) {
			p := newPair(t, profile.DefaultNIC())
			qp := p.add(flow{size: 100_000}, decide(cc.Decision{Rate: 100 * unit.Gbps, Window: window}))
			p.run(at(ms))
			r := p.a.SenderRecord(qp)
			if r.RTT.Count() != 100 || r.Sampled.Count() != want || r.Swing.Count() != want-1 {
				t.Errorf("window %v: %d samples of %d RTTs, want %d of 100", window, r.Sampled.Count(), r.RTT.Count(), want)
			}
		})
	}
}
