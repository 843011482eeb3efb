package switchd

import (
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/notification"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

// A message brings as many CNPs as the map says, four microseconds apart; the
// next one about the same queue comes to nothing for a feedback loop.
func TestProximalReactsToMessages(t *testing.T) {
	b := newBench(t, leaf())
	b.checked = true
	b.burst(0, 2, 10*us, 1)
	b.tell(2, 20*us, congestion(1, 19*us))
	b.tell(2, 30*us, congestion(2, 29*us))
	b.run(2000 * us)
	for port := range 2 {
		list := b.cnps(port)
		if len(list) != 3 { // 95/400 of the arrivals: see TestCNPs
			t.Fatalf("%d CNPs for NIC %d, want 3", len(list), port)
		}
		for i, d := range list {
			if want := (20 * us).Add(unit.Duration(i) * 4 * unit.Microsecond); d.Start != want {
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
	if r := b.record(2); r.SunkFrames != 3 || r.SunkBytes != 3*(14+20+8+56+48) {
		t.Errorf("%d frames of %d B ended at port 2, want three messages of 146 B", r.SunkFrames, r.SunkBytes)
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
	if n := len(b.cnps(0)); n <= 3 {
		t.Errorf("%d CNPs, want more than those of one message", n)
	}
}

// Whatever is wrong with a message is counted and has no effect.
func TestProximalIgnores(t *testing.T) {
	for _, c := range []struct {
		name string
		// nic says that the message comes in at a NIC's port.
		nic bool
		// message and frame change what is right, the frame once it carries the
		// message.
		message func(*notification.Message)
		frame   func(*wire.Frame)
		reason  record.ProximalIgnored
		// flows is how many are ignored in place of the message; 0 for none.
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

// What only looks like a flow's, being TCP between the same addresses and ports, teaches nothing and makes nothing
// forgotten: it is no data, is no answer and is in no queue's flows. Tier: -short.
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

// Where the receiver hangs on the same switch its answers come in at a NIC's port.
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

// Flows whose switch takes no part are not counted, yet the last of their frames
// ends a congestion as any other does.
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

func TestProximalFiltersReceiversCNPs(t *testing.T) {
	for _, filter := range []bool{false, true} {
		b := newBench(t, leaf(func(p *profile.Proximal) { p.Filter = filter }))
		cnp := func() *wire.Frame {
			f := packet(2, 0, 0x100, 0)
			f.Opcode, f.SrcPort, f.TOS = wire.CNP, 0xC000, 48<<2
			f.SetPayload(0)
			return f
		}
		b.burst(0, 2, 10*us, 1)
		b.arrive(2, 15*us, cnp())
		b.tell(2, 20*us, congestion(1, 19*us))
		b.arrive(2, 40*us, cnp())
		b.arrive(2, 1300*us, cnp()) // the loop is over
		b.run(2000 * us)
		want := map[bool]uint64{true: 1}[filter]
		b.wantDrops(2, fabric.DropFiltered, want)
		// The map starts from the alpha that the first CNP left: 3 cuts, as from 1.
		if got := len(b.cnps(0)); got != 6-int(want) {
			t.Errorf("filter %t: %d CNPs reached NIC 0, want %d", filter, got, 6-want)
		}
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

// Each port is paused once for a message, however many ports there are.
func TestProximalPausesManyPorts(t *testing.T) {
	const n = 66
	c := star(n)
	c.Profile.Proximal.Enabled, c.Profile.Proximal.Pause, c.Profile.Proximal.Threshold = true, true, 1*unit.MB
	c.Proximity = &Proximity{
		Nearest: make([]uint16, n),
		Edge:    make([]bool, n),
		Loops:   []unit.Duration{peer: farLoop},
		Access:  make([]unit.Duration, n),
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

// In the third of equal periods the switch acts as the burst begins, and asks
// the congested one to be silent; at the test it asks it to speak again.
func TestProximalForesees(t *testing.T) {
	b := newBench(t, leaf(func(p *profile.Proximal) { p.Learning.Recheck = 3 }))
	b.checked = true
	for period := range unit.Time(7) {
		at := 10*us + period*10*ms
		b.burst(0, 2, at, 1)
		if period < 2 {
			b.tell(2, at+650*us, congestion(uint32(period+1), at+50*us))
		}
		b.sent = nil
		b.run(at + 5*ms)
		cnps, messages := len(b.cnps(0)), b.messages()
		switch period {
		case 0, 1:
			// After 9 ms alpha is near 0, so that one cut does little: 5 are the most.
			if want := []int{3, 5}[period]; cnps != want || len(messages) != 0 {
				t.Errorf("period %d: %d CNPs, %d messages", period, cnps, len(messages))
			}
		case 5: // three bursts after it was learned
			if cnps != 0 || len(messages) != 2 || messages[0].Type != notification.Release {
				t.Errorf("period %d: %d CNPs, messages %+v; want one release for each flow", period, cnps, messages)
			}
		default:
			if cnps == 0 || len(messages) != 2 || messages[0].Type != notification.Learned ||
				messages[0].Lifetime != 30*unit.Millisecond ||
				messages[0].Flows[0].DstQP != 0x20 || messages[0].Flows[0].SrcQP != 0x100 || messages[0].Port != 5 {
				t.Errorf("period %d: %d CNPs, messages %+v; want one for each flow", period, cnps, messages)
			}
			if first := b.cnps(0); period == 2 && first[0].Start > at.Add(frameTime) {
				t.Errorf("period %d: the first CNP left at %v, want with the first packet", period, first[0].Start)
			}
		}
	}
}

// Where pauses are sent in place of CNPs, a burst whose congestion is foreseen
// begins with one too: that of the last message.
func TestProximalForeseesByPausing(t *testing.T) {
	// QPs from answers, which no pause needs.
	b := newBench(t, leaf(func(p *profile.Proximal) { p.Pause, p.QPs = true, profile.QPsFromAnswers }))
	for period := range unit.Time(3) {
		at := 10*us + period*10*ms
		b.burst(0, 2, at, 1)
		if period < 2 {
			b.tell(2, at+650*us, congestion(uint32(period+1), at+50*us))
		}
		b.sent = nil
		b.run(at + 5*ms)
	}
	if r := b.s.ProximalRecord(); r.Pauses != 6 || r.CNPs != 0 || r.Ignored[record.IgnoredUnknownQP] != 0 {
		t.Errorf("%d pauses, %d CNPs, %d unknown QPs; want a pause for each flow and period",
			r.Pauses, r.CNPs, r.Ignored[record.IgnoredUnknownQP])
	}
	for _, d := range b.sent {
		if f := d.Frame; f.IsPFC() && (d.Start > 10*us+20*ms+unit.Time(frameTime) || f.Pause[3] != 7447) {
			t.Errorf("%s at %v, want 7447 quanta as the burst begins", f, d.Start)
		}
	}
}

// A congested switch says nothing of flows that their own switch foresees.
func TestProximalIsSilent(t *testing.T) {
	b := newBench(t, leaf())
	quiet := notification.Message{
		Type:     notification.Learned,
		Origin:   peer,
		Sequence: 1,
		Time:     us,
		Lifetime: 30 * unit.Millisecond,
		Count:    1,
	}
	quiet.Flows[0] = notification.Flow{SrcIP: firstIP + 2, DstIP: firstIP, DstQP: 0x20}
	b.tell(2, 2*us, quiet)
	b.burst(2, 0, 10*us, 20)
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
