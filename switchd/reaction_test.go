package switchd

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/notification"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// A message brings the map's number of CNPs, four microseconds between them, but six after the first, which starts the
// sender's clocks; the next one about the same queue has no effect for a feedback loop.
func TestProximalReactsToMessages(t *testing.T) {
	b := newBench(t, leaf())
	b.checked = true
	b.burst(0, 2, 10*us, 1)
	b.tell(2, 20*us, congestion(1, 19*us))
	b.tell(2, 30*us, congestion(2, 29*us))
	b.run(2000 * us)
	for port := range 2 {
		list := b.cnps(port)
		if len(list) != 3 {
			t.Fatalf("%d CNPs for NIC %d, want 3", len(list), port)
		}
		for i, d := range list {
			if want := []unit.Time{20 * us, 26 * us, 30 * us}[i]; d.Start != want {
				t.Errorf("CNP %d left at %v, want %v", i, d.Start, want)
			}
		}
	}
	b.wantIgnored(record.IgnoredHeld, 2)
	b.sent = nil
	b.tell(2, 2010*us, congestion(3, 2000*us))
	b.run(2100 * us)
	if len(b.cnps(0)) == 0 {
		t.Error("no CNP after the loop")
	}
	if r := b.record(2); r.SunkFrames != 3 || r.SunkBytes != 3*(14+20+8+60+48) {
		t.Errorf("%d frames of %d B ended at port 2, want three messages of 150 B", r.SunkFrames, r.SunkBytes)
	}
}

func TestProximalClearEndsTheHold(t *testing.T) {
	b := newBench(t, leaf())
	b.burst(0, 2, 10*us, 1)
	b.tell(2, 20*us, congestion(1, 19*us))
	b.tell(2, 60*us, notification.Message{
		Type:     notification.Clear,
		Origin:   peer,
		Sequence: 2,
		Time:     59 * us,
		Port:     5,
		Priority: 3,
	})
	b.tell(2, 70*us, congestion(3, 69*us))
	b.run(100 * us)
	b.wantIgnored(record.IgnoredHeld, 0)
	if n := len(b.cnps(0)); n != 6 {
		t.Errorf("%d CNPs, want those of two messages", n)
	}
}

// A faulty message is counted and has no effect.
func TestProximalIgnores(t *testing.T) {
	for _, c := range []struct {
		name string
		// nic is set if the message comes in at a NIC's port.
		nic bool
		// message and frame change a valid message, the frame once it carries the message.
		message func(*notification.Message)
		frame   func(*wire.Frame)
		reason  record.ProximalIgnored
		// flows is the number of flows ignored in place of the message; 0 for none.
		flows uint64
	}{
		{
			name:   "another magic",
			frame:  func(f *wire.Frame) { f.Rare.Payload[0]++ },
			reason: record.IgnoredMalformed,
		},
		{
			name:   "cut short",
			frame:  func(f *wire.Frame) { f.SetDatagram(f.Rare.Payload[:80]) },
			reason: record.IgnoredMalformed,
		},
		{
			name:   "empty",
			frame:  func(f *wire.Frame) { f.SetDatagram(nil) },
			reason: record.IgnoredMalformed,
		},
		{
			name:    "of fewer flows than it names",
			message: func(m *notification.Message) { m.Live = 1 },
			reason:  record.IgnoredMalformed,
		},
		{
			name:    "of no flows",
			message: func(m *notification.Message) { m.Live = 0 },
			reason:  record.IgnoredMalformed,
		},
		{
			name:    "of a port without a rate",
			message: func(m *notification.Message) { m.Rate = 0 },
			reason:  record.IgnoredMalformed,
		},
		{
			name:   "from a NIC's port",
			nic:    true,
			reason: record.IgnoredSpoofed,
		},
		{
			name:   "from a NIC's port, to another switch",
			nic:    true,
			frame:  func(f *wire.Frame) { f.DstIP = firstLoopback + peer },
			reason: record.IgnoredSpoofed,
		},
		{
			name:   "from a NIC's address",
			frame:  func(f *wire.Frame) { f.SrcIP = firstIP + 2 },
			reason: record.IgnoredSpoofed,
		},
		{
			name:    "of a switch that there is not",
			message: func(m *notification.Message) { m.Origin = 1 << 31 },
			reason:  record.IgnoredSpoofed,
		},
		{
			name:    "of this switch itself",
			message: func(m *notification.Message) { m.Origin = self },
			reason:  record.IgnoredSpoofed,
		},
		{
			name:    "a number that came before",
			message: func(m *notification.Message) { m.Sequence = 1 },
			reason:  record.IgnoredReplayed,
		},
		{
			name:    "too old",
			message: func(m *notification.Message) { m.Lifetime = 10 * unit.Microsecond },
			reason:  record.IgnoredStale,
		},
		{
			name:    "from the future",
			message: func(m *notification.Message) { m.Time = 21 * us },
			reason:  record.IgnoredStale,
		},
		{
			name:    "about flows that sent nothing",
			message: func(m *notification.Message) { m.Flows[0].DstQP, m.Flows[1].DstQP = 1, 2 },
			reason:  record.IgnoredUnknownFlow,
			flows:   2,
		},
		{
			name:    "about senders elsewhere",
			message: func(m *notification.Message) { m.Flows[0].SrcIP, m.Flows[1].SrcIP = firstIP+2, firstIP+3 },
			reason:  record.IgnoredUnknownFlow,
			flows:   2,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, leaf())
			b.checked = true
			b.burst(0, 2, 8*us, 1)
			b.tell(2, 9*us, notification.Message{Type: notification.Clear, Origin: peer, Sequence: 1, Time: 8 * us})
			m := congestion(2, 9*us)
			if c.message != nil {
				c.message(&m)
			}
			f := datagram(&m)
			if c.frame != nil {
				c.frame(f)
			}
			port := 2
			if c.nic {
				port = 0
			}
			b.arrive(port, 20*us, f)
			b.run(100 * us)
			for reason, n := range b.s.ProximalRecord().Ignored {
				want := uint64(0)
				if record.ProximalIgnored(reason) == c.reason {
					want = max(1, c.flows)
				}
				if n != want {
					t.Errorf("%d ignored as %s, want %d", n, record.ProximalIgnoredNames[reason], want)
				}
			}
			if len(b.cnps(0))+len(b.cnps(1)) != 0 || len(b.messages()) != 0 {
				t.Error("it had an effect")
			}
		})
	}
}

// Without the set-up of connections a switch knows a sender's QP from the first
// packet that comes back.
func TestProximalLearnsQPsFromAnswers(t *testing.T) {
	b := newBench(t, leaf(func(p *profile.Proximal) { p.QPs = profile.QPsFromAnswers }))
	b.burst(0, 2, 10*us, 1)
	b.tell(2, 20*us, congestion(1, 19*us))
	b.run(30 * us)
	b.wantIgnored(record.IgnoredUnknownQP, 2)
	ack := packet(2, 0, 0x100, 0)
	ack.Opcode, ack.SrcPort, ack.TOS = wire.Acknowledge, 0xC000, 48<<2
	ack.SetPayload(0)
	b.arrive(2, 40*us, ack)
	b.tell(2, 50*us, congestion(2, 49*us))
	b.run(100 * us)
	b.wantIgnored(record.IgnoredUnknownQP, 3)
	if list := b.cnps(0); len(list) != 3 || list[0].Frame.DestQP != 0x100 {
		t.Errorf("CNPs %v, want three to QP 0x100", list)
	}
}

// A frame that only looks like a flow's, being TCP between the same addresses and ports, does not teach anything or
// make anything forgotten: it counts neither as data nor as an answer, and not among a queue's flows.
func TestProximalIsBlindForForeignFrames(t *testing.T) {
	c := leaf(func(p *profile.Proximal) { p.QPs = profile.QPsFromAnswers })
	b := newBench(t, c)
	b.burst(0, 2, 10*us, 1)
	b.tell(2, 20*us, congestion(1, 19*us))
	b.run(30 * us)
	b.wantIgnored(record.IgnoredUnknownQP, 2)
	known := b.s.observer.(*proximity).table.Len()
	ack := packet(2, 0, 0x100, 0)
	ack.Opcode, ack.SrcPort, ack.TOS = wire.Acknowledge, 0xC000, 48<<2
	ack.SetPayload(0)
	b.arrive(2, 35*us, ack) // from now on one QP is known
	for i := range 20 {
		answer := tcp(0, 0, 64, host(0))
		answer.SrcIP, answer.SrcPort = firstIP+2, 0xC000
		b.arrive(2, 40*us+unit.Time(i)*us, answer)
		data := tcp(2, 0, 64, host(0))
		data.SrcIP, data.SrcPort = firstIP+1, 0xC123
		b.arrive(0, 40*us+unit.Time(i)*us, data)
	}
	b.tell(2, 70*us, congestion(2, 69*us))
	b.run(100 * us)
	b.wantIgnored(record.IgnoredUnknownQP, 3)
	if got := b.s.observer.(*proximity).table.Len(); got != known {
		t.Errorf("%d flows are known, want %d", got, known)
	}
}

// If the receiver hangs on the same switch its answers come in at a NIC's port.
func TestProximalLearnsQPsFromAnswersOfItsOwnNICs(t *testing.T) {
	b := newBench(t, leaf(func(p *profile.Proximal) { p.QPs = profile.QPsFromAnswers }))
	b.arrive(0, 10*us, packet(0, 1, 0x20, 0))
	ack := packet(1, 0, 0x100, 0)
	ack.Opcode, ack.SrcPort, ack.TOS = wire.Acknowledge, 0xC000, 48<<2
	ack.SetPayload(0)
	b.arrive(1, 20*us, ack)
	m := congestion(1, 29*us)
	m.Count, m.Flows[0].DstIP = 1, firstIP+1
	b.tell(2, 30*us, m)
	b.run(100 * us)
	b.wantIgnored(record.IgnoredUnknownQP, 0)
	if list := b.cnps(0); len(list) != 3 || list[0].Frame.DestQP != 0x100 {
		t.Errorf("CNPs %v, want three to QP 0x100", list)
	}
}

// Flows whose switch does not take part are not counted, yet the last of their frames ends a congestion as any other
// does.
func TestProximalClearsBehindOthers(t *testing.T) {
	c := leaf()
	c.Proximity.Nearest[3] = Nobody
	b := newBench(t, c)
	b.checked = true
	b.burst(2, 0, 10*us, 8)
	for i := range 8 {
		b.arrive(3, (10 * us).Add(unit.Duration(8+i)*frameTime), packet(3, 0, 0x21, uint32(8+i)))
	}
	b.run(500 * us)
	list := b.messages()
	if len(list) != 2 || list[0].Type != notification.Congestion || list[1].Type != notification.Clear {
		t.Fatalf("messages %+v, want that it began and that it is over", list)
	}
	if list[0].Count != 1 {
		t.Errorf("%d flows named, want the one of the peer", list[0].Count)
	}
}

// The receiver's CNPs are held back while a near point is congested for the flow and one end-to-end loop after; if the
// point is as far as the receiver they are not.
func TestProximalHoldsReceiversCNPsBack(t *testing.T) {
	const spine = peer - 2 // as near as this switch, so that the receiver's loop is 1204 us
	about := func(origin, sequence uint32, at unit.Time) notification.Message {
		m := congestion(sequence, at)
		m.Origin, m.Lifetime = origin, 54*unit.Microsecond
		return m
	}
	over := notification.Message{
		Type:     notification.Clear,
		Origin:   spine,
		Sequence: 9,
		Time:     89 * us,
		Port:     5,
		Priority: 3,
	}
	once := []notification.Message{about(spine, 1, 19*us)}
	for _, x := range []struct {
		name   string
		filter bool
		told   []notification.Message // each a microsecond after its time
		held   unit.Time              // until when CNPs are
	}{
		{"off", false, once, 0},
		{"once", true, once, (19 + 54 + 1204) * us},
		{"still", true, append(once, about(spine, 2, 69*us)), (69 + 54 + 1204) * us},
		{"over", true, append(once, about(spine, 2, 69*us), over), (90 + 1204) * us},
		{"over long after the last message", true, []notification.Message{once[0], func() notification.Message {
			late := over
			late.Time = 99 * us
			return late
		}()}, (19 + 54 + 1204) * us},
		{"far", true, []notification.Message{about(peer, 1, 19*us)}, 0},
		{"for long", true, []notification.Message{func() notification.Message {
			long := once[0]
			long.Lifetime = unit.Second
			return long
		}()}, (20 + 1204 + 50 + 1204) * us},
	} {
		t.Run(x.name, func(t *testing.T) {
			b := newBench(t, leaf(func(p *profile.Proximal) { p.Filter = x.filter }))
			cnp := func() *wire.Frame {
				f := packet(2, 0, 0x100, 0)
				f.Opcode, f.SrcPort, f.TOS = wire.CNP, 0xC000, 48<<2
				f.SetPayload(0)
				return f
			}
			b.burst(0, 2, 10*us, 1)
			b.arrive(2, 15*us, cnp())
			for _, m := range x.told {
				b.tell(2, m.Time+us, m)
			}
			want := uint64(0)
			for _, at := range []unit.Time{100 * us, 600 * us, x.held - us/2, x.held, 3000 * us} {
				if at < 100*us {
					continue
				}
				b.arrive(2, at, cnp())
				if at < x.held {
					want++
				}
			}
			b.run(4000 * us)
			if got := b.s.ProximalRecord().Filtered; got != want {
				t.Errorf("%s: %d CNPs held back, want %d", x.name, got, want)
			}
			b.wantDrops(2, fabric.DropFiltered, want)
		})
	}
}

// The pause is (1 - r) of an interval: r = 95/400, 50 us at 100 Gb/s, 512 bits a
// quantum: 7446.3, rounded up.
func TestProximalPauses(t *testing.T) {
	b := newBench(t, leaf(func(p *profile.Proximal) { p.Pause = true }))
	b.burst(0, 2, 10*us, 1)
	b.run(19 * us)
	b.sent = nil
	b.tell(2, 20*us, congestion(1, 19*us))
	b.run(2000 * us)
	b.want(`20000000 ps port 0 pause class 3 for 7447
		20000000 ps port 1 pause class 3 for 7447`)
	if r := b.s.ProximalRecord(); r.Pauses != 2 || r.CNPs != 0 {
		t.Errorf("%d pauses and %d CNPs", r.Pauses, r.CNPs)
	}
	for _, a := range b.s.ProximalRecord().Actions {
		if a.CNPs != 0 {
			t.Errorf("action %+v tells of CNPs", a)
		}
	}
}

// A pause names the class in which the flow comes from its sender, for any class in the message: two classes of a NIC
// whose flows meet in one queue are paused both, and a control class is not.
func TestProximalPausesTheFlowsOwnClass(t *testing.T) {
	const other, control = 34, 48
	for _, x := range []struct {
		dscp [2]uint8 // of the flow from NIC 0 and of that from NIC 1
		want string
	}{
		{[2]uint8{26, other}, "20000000 ps port 0 pause class 3 for 7447\n20000000 ps port 1 pause class 4 for 7447"},
		{[2]uint8{other, other}, "20000000 ps port 0 pause class 4 for 7447\n20000000 ps port 1 pause class 4 for 7447"},
		{[2]uint8{control, 26}, "20000000 ps port 1 pause class 3 for 7447"},
	} {
		c := leaf(func(p *profile.Proximal) { p.Pause = true })
		c.Profile.ClassOf[other] = 4
		b := newBench(t, c)
		for s, dscp := range x.dscp {
			f := packet(s, 2, 0x20+uint32(s), 0)
			f.TOS = dscp<<2 | f.TOS&3
			b.arrive(s, 10*us, f)
		}
		b.run(19 * us)
		b.sent = nil
		b.tell(2, 20*us, congestion(1, 19*us))
		b.run(2000 * us)
		b.want(x.want)
	}
}

// Each port is paused once for a message, however many ports there are.
func TestProximalPausesManyPorts(t *testing.T) {
	const n = 66
	c := star(n)
	c.Profile.Proximal.Enabled, c.Profile.Proximal.Pause, c.Profile.Proximal.Threshold = true, true, 1*unit.MB
	c.Proximity = &Proximity{
		Nearest: make([]uint16, n),
		Edge:    make([]bool, n),
		Longest: make([]unit.Duration, n),
		Loops:   []unit.Duration{peer: farLoop},
		Access:  make([]unit.Duration, n),
		Home:    make([]uint16, n),
		Onward:  make([]unit.Duration, peer+1),
		Receipt: make([]unit.Duration, n),
		Latency: make([]unit.Duration, peer+1),
	}
	for i := range n {
		c.Proximity.Nearest[i], c.Proximity.Edge[i] = self, i < n-1
	}
	c.FirstLoopback, c.Loopbacks = firstLoopback, make([]uint16, peer+1)
	m := congestion(1, 19*us)
	m.Count = 3
	for i, f := range []struct{ src, qp uint32 }{{0, 0x20}, {64, 0x21}, {0, 0x22}} {
		c.Proximity.Connections = append(c.Proximity.Connections,
			Connection{SrcIP: firstIP + f.src, DstIP: firstIP + 2, SrcQP: f.qp, DstQP: f.qp})
		m.Flows[i] = notification.Flow{
			SrcIP:   firstIP + f.src,
			DstIP:   firstIP + 2,
			DstQP:   f.qp,
			SrcPort: 0xC000,
			Share:   1 << 14,
		}
	}
	b := newBench(t, c)
	for _, k := range c.Proximity.Connections {
		b.arrive(int(k.SrcIP-firstIP), 10*us, packet(int(k.SrcIP-firstIP), 2, k.DstQP, 0))
	}
	b.run(19 * us)
	b.sent = nil
	b.tell(n-1, 20*us, m)
	b.run(100 * us)
	b.want(`20000000 ps port 0 pause class 3 for 7447
		20000000 ps port 64 pause class 3 for 7447`)
}

// busy makes NICs 0 and 1 send a burst of n packets each to NIC 2, with gap between packets.
func (b *bench) busy(at unit.Time, n int, gap unit.Duration) {
	for i := range n {
		for s := range 2 {
			b.arrive(s, at.Add(unit.Duration(i)*gap), packet(s, 2, 0x20+uint32(s), uint32(i)))
		}
	}
}

// The burst after two that met congestion is foreseen: the congested switch is asked to be silent, with four flows, so
// that 25 Gb/s are each flow's share. One that sends more gets CNPs once its rate is known, and one that sends less
// gets none; after three bursts without any the congested switch is to speak again.
func TestProximalForesees(t *testing.T) {
	b := newBench(t, leaf())
	b.checked = true
	for period := range unit.Time(8) {
		at := 10*us + period*10*ms
		fast := period < 4
		if fast {
			b.busy(at, 300, 9*frameTime/4) // 44 Gb/s
		} else {
			b.busy(at, 300, 6*frameTime) // 17 Gb/s
		}
		if period < 2 {
			b.tell(2, at+150*us, congestion(uint32(1+period), at+50*us))
		}
		b.sent = nil
		b.run(at + 5*ms)
		cnps, messages := b.cnps(0), b.messages()
		switch {
		case period < 2:
			if len(cnps) != 3 || len(messages) != 0 {
				t.Errorf("period %d: %d CNPs, %d messages", period, len(cnps), len(messages))
			}
		case period == 7: // after three that were needless
			if len(cnps) != 0 || len(messages) != 2 || messages[0].Type != notification.Release {
				t.Errorf("period %d: %d CNPs, messages %+v; want one release for each flow", period, len(cnps), messages)
			}
		default:
			if len(messages) != 2 || messages[0].Type != notification.Learned || messages[0].Live != 4 ||
				messages[0].Lifetime != 30*unit.Millisecond || messages[0].Flows[0].DstQP != 0x20 ||
				messages[0].Flows[0].SrcQP != 0x100 || messages[0].Port != 5 {
				t.Errorf("period %d: messages %+v; want one for each flow", period, messages)
			}
			if fast != (len(cnps) > 0) {
				t.Errorf("period %d: %d CNPs", period, len(cnps))
			}
			if fast && (cnps[0].Start < at+20*us || cnps[0].Start > at+60*us) {
				t.Errorf("period %d: the first CNP left at %v, want it once the rate is known", period, cnps[0].Start)
			}
		}
	}
	for _, a := range b.s.ProximalRecord().Actions {
		if a.Kind == record.ProximalPreempt && a.CNPs == 0 {
			t.Errorf("%+v without CNPs", a)
		}
	}
}

// The share follows the reported number of flows while the burst lasts: among 16 a flow of 17 Gb/s sends too much,
// although nothing is congested.
func TestProximalHoldsToTheShareItIsToldOf(t *testing.T) {
	b := newBench(t, leaf())
	for period := range unit.Time(2) {
		at := 10*us + period*10*ms
		b.busy(at, 10, 6*frameTime)
		b.tell(2, at+5*us, congestion(uint32(1+period), at+4*us))
		b.run(at + 5*ms)
	}
	third := 10*us + 20*ms
	b.busy(third, 600, 6*frameTime)
	b.run(third + 100*us)
	b.sent = nil
	b.run(third + 150*us)
	if n := len(b.cnps(0)); n != 0 {
		t.Fatalf("%d CNPs for a flow below its share", n)
	}
	more := congestion(3, third+150*us)
	more.Live, more.Depth = 16, 0
	more.Flows[0].Share, more.Flows[1].Share = 0, 0
	b.tell(2, third+151*us, more)
	b.run(third + 300*us)
	if n := len(b.cnps(0)); n == 0 {
		t.Error("no CNP for a flow above the share of sixteen")
	}
}

// If pauses are sent in place of CNPs, a flow is held to its share by them: of 44.4 Gb/s 24.25 are left, so that 0.454
// of 50 us are paused, 4434 quanta.
func TestProximalForeseesByPausing(t *testing.T) {
	// QPs from answers, which no pause needs.
	b := newBench(t, leaf(func(p *profile.Proximal) { p.Pause, p.QPs = true, profile.QPsFromAnswers }))
	for period := range unit.Time(3) {
		at := 10*us + period*10*ms
		b.busy(at, 300, 9*frameTime/4)
		if period < 2 {
			b.tell(2, at+150*us, congestion(uint32(1+period), at+50*us))
		}
		b.sent = nil
		b.run(at + 5*ms)
	}
	if r := b.s.ProximalRecord(); r.Pauses != 6 || r.CNPs != 0 || r.Ignored[record.IgnoredUnknownQP] != 0 {
		t.Errorf("%d pauses, %d CNPs, %d unknown QPs; want a pause for each flow and burst of 35 us",
			r.Pauses, r.CNPs, r.Ignored[record.IgnoredUnknownQP])
	}
	for _, d := range b.sent {
		if f := d.Frame; f.IsPFC() && (d.Start < 10*us+20*ms+20*us || f.Pause[3] < 4300 || f.Pause[3] > 4500) {
			t.Errorf("%s at %v, want 0.454 of 9766 quanta once the rate is known", f, d.Start)
		}
	}
}

// silence asks for silence about NIC 2's flow to NIC 0, for which the peer believes that one flow shares the port.
func silence(sequence uint32, at unit.Time) notification.Message {
	quiet := notification.Message{
		Type:     notification.Learned,
		Origin:   peer,
		Sequence: sequence,
		Time:     at,
		Lifetime: 30 * unit.Millisecond,
		Live:     2,
		Count:    1,
	}
	quiet.Flows[0] = notification.Flow{SrcIP: firstIP + 2, DstIP: firstIP, DstQP: 0x20}
	return quiet
}

// A congested switch does not report flows that their own switch foresees.
func TestProximalIsSilent(t *testing.T) {
	b := newBench(t, leaf())
	quiet := silence(1, us)
	b.tell(2, 2*us, quiet)
	b.burst(2, 0, 10*us, 20) // up to 20 frames of 4 times the threshold, 15 of them
	b.run(5 * ms)
	if m := b.messages(); len(m) == 0 || m[0].Count != 1 || m[0].Flows[0].SrcIP != firstIP+3 {
		t.Errorf("messages %+v, want the other flow alone", m)
	}
	// Another switch cannot silence it about senders that are not its own.
	other := quiet
	other.Sequence, other.Time, other.Flows[0].SrcIP = 9, 5*ms, firstIP
	b.tell(2, 5*ms, other)
	b.run(5 * ms)
	b.wantIgnored(record.IgnoredSpoofed, 1)
	b.sent = nil
	quiet.Type, quiet.Sequence, quiet.Time, quiet.Lifetime = notification.Release, 2, 5*ms, 0
	b.tell(2, 5*ms+us, quiet)
	b.burst(2, 0, 6*ms, 20)
	b.run(10 * ms)
	if m := b.messages(); len(m) == 0 || m[0].Count != 2 {
		t.Errorf("messages %+v, want both flows again", m)
	}
}

// The silence ends if the queue is longer than four times the threshold of 4000 B: a flow that is held to its share
// does not fill it, but the others do not empty it by themselves. Mutant: no ceiling but Kmin.
func TestProximalSilenceHasACeiling(t *testing.T) {
	for _, x := range []struct {
		packets int // a port drains one of two, and Kmin is beyond 200
		want    bool
	}{{14, false}, {200, true}} {
		t.Run(fmt.Sprintf("packets=%v", x.packets), func(t *testing.T) {
			b := newBench(t, leaf(func(p *profile.Proximal) { p.Interval = 5 * unit.Microsecond }))
			b.tell(2, 2*us, silence(1, us))
			b.burst(2, 0, 10*us, x.packets)
			b.run(5 * ms)
			told := false
			for _, m := range b.messages() {
				for _, f := range m.Flows[:m.Count] {
					told = told || f.SrcIP == firstIP+2
					if f.SrcIP == firstIP+2 && m.Depth <= 16_000 {
						t.Errorf("told of the flow at %v", m.Depth)
					}
				}
			}
			if told != x.want {
				t.Errorf("%d packets: told of the flow %t, want %t", x.packets, told, x.want)
			}
		})
	}
}

// A switch that is silent about a flow reports the number of flows that share the port if the flow's device believes
// that they are fewer, and once: two of a fifth of its rate each are no congestion. A smaller number is reported after
// a millisecond or two.
func TestProximalTellsOfMoreFlows(t *testing.T) {
	for _, x := range []struct {
		live  uint16
		count int // packets
		tells bool
	}{{1, 100, true}, {2, 100, false}, {4, 100, false}, {4, 5000, true}} {
		t.Run(fmt.Sprintf("live=%v,count=%v", x.live, x.count), func(t *testing.T) {
			b := newBench(t, leaf())
			quiet := silence(1, us)
			quiet.Live = x.live
			b.tell(2, 2*us, quiet)
			for i := range x.count {
				for s := range 2 {
					b.arrive(2+s, 10*us+unit.Time(i)*us, packet(2+s, 0, 0x20+uint32(s), uint32(i)))
				}
			}
			b.run(10 * ms)
			m := b.messages()
			if !x.tells {
				if len(m) != 0 {
					t.Errorf("believes in %d: messages %+v", x.live, m)
				}
				return
			}
			if len(m) != 1 || m[0].Type != notification.Congestion || m[0].Live != 2 || m[0].Count != 1 ||
				m[0].Flows[0].SrcIP != firstIP+2 || m[0].Depth > 4000 {
				t.Errorf("believes in %d: messages %+v, want one that two flows share the port", x.live, m)
			}
			shares := 0
			for _, a := range b.s.ProximalRecord().Actions {
				if a.Kind == record.ProximalShare {
					shares++
				}
			}
			if shares != 1 {
				t.Errorf("%d actions of that kind, want 1", shares)
			}
		})
	}
}
