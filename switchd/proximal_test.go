package switchd

import (
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/notification"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

const (
	firstLoopback = 172<<24 | 16<<16 | 1
	self, peer    = 7, 8
	// nearLoop is the feedback loop of a queue here, farLoop that of one at the peer.
	nearLoop, farLoop = 4 * unit.Microsecond, 1200 * unit.Microsecond
)

// leaf returns the configuration of a switch with NICs 0 and 1 at its ports of
// that number, and the peer, with NICs 2 and 3, behind ports 2 and 3. Its queues
// are congested above 4000 B.
func leaf(change ...func(*profile.Proximal)) Config {
	c := star(4)
	p := &c.Profile.Proximal
	p.Enabled, p.Threshold = true, 4000
	for _, f := range change {
		f(p)
	}
	c.NextHops[3] = []uint16{2}
	c.NextHops = append(c.NextHops, []uint16{3}, nil)
	c.FirstLoopback, c.Loopbacks = firstLoopback, []uint16{5, 5, 5, 5, 5, 5, 5, 5, 2}
	c.Proximity = &Proximity{Nearest: []uint16{self, self, peer, peer}, Edge: []bool{true, true, false, false},
		Loops:       []unit.Duration{0, 0, 0, 0, 0, 0, 0, nearLoop, farLoop},
		Connections: []Connection{{SrcIP: firstIP, DstIP: firstIP + 2, SrcQP: 0x100, DstQP: 0x20}, {SrcIP: firstIP + 1, DstIP: firstIP + 2, SrcQP: 0x101, DstQP: 0x21}}}
	return c
}

// packet is one of the flow from NIC src to NIC dst, whose receiver has QP qp.
func packet(src, dst int, qp, psn uint32) *wire.Frame {
	f := data(dst, psn)
	f.SrcIP, f.DestQP = firstIP+uint32(src), qp
	f.Src, f.Dst = wire.NodeMAC(uint32(100+src), 0), wire.NodeMAC(uint32(100+dst), 0)
	f.SrcPort = 0xC000 + uint16(src)
	return f
}

// burst lets n packets of two flows into NIC dst each, at ports 0 and 1 or 2 and
// 3, one a frame time at each: twice what the port drains.
func (b *bench) burst(from int, dst int, at unit.Time, n int) {
	for i := range n {
		for s := range 2 {
			b.arrive(from+s, at.Add(unit.Duration(i)*frameTime), packet(from+s, dst, 0x20+uint32(s), uint32(i)))
		}
	}
}

// cnps are the CNPs sent to a port since the last call of run's transcript.
func (b *bench) cnps(port int) (list []fabric.Departure) {
	for _, d := range b.sent {
		if d.Frame.Opcode == wire.CNP && d.Link == fabric.LinkID(port) {
			list = append(list, d)
		}
	}
	return list
}

// messages are the notifications sent.
func (b *bench) messages() (list []notification.Message) {
	b.Helper()
	for _, d := range b.sent {
		if !d.Frame.IsDatagram() {
			continue
		}
		var m notification.Message
		if err := notification.Decode(d.Frame.Rare.Payload, &m); err != nil {
			b.Fatal(err)
		}
		if d.Link != 2 || d.Frame.SrcIP != firstLoopback+self || d.Frame.DstIP != firstLoopback+peer || d.Frame.DSCP() != 48 {
			b.Errorf("message %s by port %d, want one from here to the peer by port 2", d.Frame, d.Link)
		}
		list = append(list, m)
	}
	return list
}

// tell lets a message of the peer arrive at a port.
func (b *bench) tell(port int, at unit.Time, m notification.Message) {
	f := &wire.Frame{EtherType: wire.EtherTypeIPv4, SrcIP: firstLoopback + m.Origin, DstIP: firstLoopback + self, TOS: 48 << 2, TTL: 64, SrcPort: 0xC000}
	f.SetDatagram(m.AppendTo(nil))
	b.arrive(port, at, f)
}

// congestion is a message of the peer about both flows: 400 Gb/s arrive at a
// port of 100.
func congestion(sequence uint32, at unit.Time) notification.Message {
	m := notification.Message{Type: notification.Congestion, Origin: peer, Sequence: sequence, Time: at, Port: 5, Priority: 3,
		Depth: 1150 * unit.KB, Before: 400 * unit.KB, Elapsed: 20 * unit.Microsecond, Rate: 100 * unit.Gbps, Kmin: 400 * unit.KB, Kmax: 1600 * unit.KB,
		Lifetime: 1250 * unit.Microsecond, Count: 2}
	for s := range uint32(2) {
		m.Flows[s] = notification.Flow{SrcIP: firstIP + s, DstIP: firstIP + 2, DstQP: 0x20 + s, SrcPort: 0xC000 + uint16(s), Bytes: 500 * unit.KB, Share: 1 << 15}
	}
	return m
}

func (b *bench) wantIgnored(reason record.ProximalIgnored, n uint64) {
	b.Helper()
	if got := b.s.ProximalRecord().Ignored[reason]; got != n {
		b.Errorf("%d ignored as %s, want %d", got, record.ProximalIgnoredNames[reason], n)
	}
}

// A switch that is congested and next to the senders sends them CNPs at once:
// one of each that a NIC takes for its receiver's.
func TestProximalReactsToItself(t *testing.T) {
	b := newBench(t, leaf())
	b.checked = true
	b.burst(0, 2, 10*us, 8)
	b.run(30 * us)
	for port := range 2 {
		list := b.cnps(port)
		if len(list) == 0 {
			t.Fatalf("no CNP for NIC %d", port)
		}
		f := list[0].Frame
		// Five frames, 5290 B, stand above 4000 B when the third of port 1 arrives.
		if at := (10 * us).Add(3 * frameTime); list[0].Start > at {
			t.Errorf("the first CNP left at %v, want %v at the latest", list[0].Start, at)
		}
		want := wire.Frame{EtherType: wire.EtherTypeIPv4, Src: wire.NodeMAC(102, 0), Dst: wire.NodeMAC(uint32(100+port), 0), SrcIP: firstIP + 2, DstIP: firstIP + uint32(port),
			TOS: 48 << 2, TTL: 64, Fragment: wire.DontFragment, SrcPort: 0xC000 + uint16(port), Opcode: wire.CNP, Notify: wire.BECN, Flags: wire.FlagMigReq,
			PKey: wire.DefaultPKey, DestQP: 0x100 + uint32(port)}
		if got, want := f.AppendTo(nil), want.AppendTo(nil); string(got) != string(want) {
			t.Errorf("CNP\n%x, want\n%x", got, want)
		}
	}
	if m := b.messages(); len(m) != 0 {
		t.Errorf("%d messages to others", len(m))
	}
	if r := b.record(0); r.SourcedFrames != uint64(len(b.cnps(0))) || r.SourcedBytes != r.SourcedFrames*74 {
		t.Errorf("%d frames of %d B made for port 0, want the CNPs of 74 B", r.SourcedFrames, r.SourcedBytes)
	}
}

// Senders elsewhere are their own switches' business: that of NICs 2 and 3 is
// told, once an interval, what it needs to know.
func TestProximalNotifies(t *testing.T) {
	b := newBench(t, leaf())
	b.checked = true
	b.burst(2, 0, 10*us, 800)
	b.run(85 * us) // they come until 79.2 us
	list := b.messages()
	if len(list) < 2 || list[0].Type != notification.Congestion || list[1].Type != notification.Congestion {
		t.Fatalf("messages %+v, want two of congestion", list)
	}
	m := &list[0]
	// The first frame leaves at once; then 4 of 1058 B stand above 4000 B.
	if m.Origin != self || m.Port != 0 || m.Priority != 3 || m.Depth != 4*frameLen || m.Before != 0 || m.Rate != 100*unit.Gbps || m.Kmin != 4000 || m.Count != 2 || m.Sequence != 1 {
		t.Errorf("message %+v", m)
	}
	if want := m.Elapsed; want <= 0 || want > 3*frameTime {
		t.Errorf("the queue grew for %v", m.Elapsed)
	}
	if f := m.Flows[0]; f.SrcIP != firstIP+2 && f.SrcIP != firstIP+3 || f.DstIP != firstIP || f.SrcPort != uint16(0xC000+f.SrcIP-firstIP) || f.Bytes != 2*frameLen || f.Share != 1<<15-1 {
		t.Errorf("flow %+v, want one with half of the queue", f)
	}
	if gap := list[1].Time.Sub(list[0].Time); gap < 50*unit.Microsecond || gap > 50*unit.Microsecond+frameTime {
		t.Errorf("the second message is %v after the first, want an interval", gap)
	}
	if len(b.cnps(2)) != 0 {
		t.Error("CNPs for senders that are elsewhere")
	}
	b.run(500 * us)
	list = b.messages()
	if last := list[len(list)-1]; last.Type != notification.Clear || last.Port != 0 {
		t.Errorf("the last message is %+v, want the end of congestion", last)
	}
}

// What a switch makes itself takes no ingress's memory, whatever its class.
func TestProximalInADataClass(t *testing.T) {
	b := newBench(t, leaf(func(p *profile.Proximal) { p.DSCP = 26 }))
	b.checked = true
	b.burst(0, 2, 10*us, 8)
	b.burst(2, 0, 10*us, 8)
	b.run(100 * us)
	if len(b.cnps(0)) == 0 || b.s.mmu.resident != 0 {
		t.Errorf("%d CNPs, %v in the buffer", len(b.cnps(0)), b.s.mmu.resident)
	}
}

func TestProximalDoesNotNotify(t *testing.T) {
	b := newBench(t, leaf(func(p *profile.Proximal) { p.Notify = false }))
	b.burst(2, 0, 10*us, 100)
	b.run(500 * us)
	if n := len(b.messages()); n != 0 {
		t.Errorf("%d messages", n)
	}
}

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
	b.tell(2, 60*us, notification.Message{Type: notification.Clear, Origin: peer, Sequence: 2, Time: 59 * us, Port: 5, Priority: 3})
	b.tell(2, 70*us, congestion(3, 69*us))
	b.run(100 * us)
	b.wantIgnored(record.IgnoredHeld, 0)
	if n := len(b.cnps(0)); n <= 3 {
		t.Errorf("%d CNPs, want more than those of one message", n)
	}
}

// Whatever is wrong with a message is counted and has no effect.
func TestProximalIgnores(t *testing.T) {
	for _, x := range []struct {
		name   string
		port   int
		change func(*notification.Message, *wire.Frame)
		reason record.ProximalIgnored
		n      uint64
	}{
		{"another magic", 2, func(_ *notification.Message, f *wire.Frame) { f.Rare.Payload[0]++ }, record.IgnoredMalformed, 1},
		{"cut short", 2, func(_ *notification.Message, f *wire.Frame) { f.SetDatagram(f.Rare.Payload[:80]) }, record.IgnoredMalformed, 1},
		{"empty", 2, func(_ *notification.Message, f *wire.Frame) { f.SetDatagram(nil) }, record.IgnoredMalformed, 1},
		{"from a NIC's port", 0, func(*notification.Message, *wire.Frame) {}, record.IgnoredSpoofed, 1},
		{"from a NIC's port, to another switch", 0, func(_ *notification.Message, f *wire.Frame) { f.DstIP = firstLoopback + peer }, record.IgnoredSpoofed, 1},
		{"from a NIC's address", 2, func(_ *notification.Message, f *wire.Frame) { f.SrcIP = firstIP + 2 }, record.IgnoredSpoofed, 1},
		{"of a switch that there is not", 2, func(m *notification.Message, _ *wire.Frame) { m.Origin = 1 << 31 }, record.IgnoredSpoofed, 1},
		{"of this switch itself", 2, func(m *notification.Message, _ *wire.Frame) { m.Origin = self }, record.IgnoredSpoofed, 1},
		{"a number that came before", 2, func(m *notification.Message, _ *wire.Frame) { m.Sequence = 1 }, record.IgnoredReplayed, 1},
		{"too old", 2, func(m *notification.Message, _ *wire.Frame) { m.Lifetime = 10 * unit.Microsecond }, record.IgnoredStale, 1},
		{"from the future", 2, func(m *notification.Message, _ *wire.Frame) { m.Time = 21 * us }, record.IgnoredStale, 1},
		{"about flows that sent nothing", 2, func(m *notification.Message, _ *wire.Frame) { m.Flows[0].DstQP, m.Flows[1].DstQP = 1, 2 }, record.IgnoredUnknownFlow, 2},
		{"about senders elsewhere", 2, func(m *notification.Message, _ *wire.Frame) {
			m.Flows[0].SrcIP, m.Flows[1].SrcIP = firstIP+2, firstIP+3
		}, record.IgnoredUnknownFlow, 2},
	} {
		t.Run(x.name, func(t *testing.T) {
			b := newBench(t, leaf())
			b.checked = true
			b.burst(0, 2, 8*us, 1)
			b.tell(2, 9*us, notification.Message{Type: notification.Clear, Origin: peer, Sequence: 1, Time: 8 * us})
			m := congestion(2, 9*us)
			var f wire.Frame
			x.change(&m, &wire.Frame{Rare: &wire.Rare{Payload: make([]byte, 104)}})
			f = wire.Frame{EtherType: wire.EtherTypeIPv4, SrcIP: firstLoopback + m.Origin, DstIP: firstLoopback + self, TOS: 48 << 2, TTL: 64, SrcPort: 0xC000}
			f.SetDatagram(m.AppendTo(nil))
			x.change(&notification.Message{}, &f)
			b.arrive(x.port, 20*us, &f)
			b.run(100 * us)
			for reason, n := range b.s.ProximalRecord().Ignored {
				want := uint64(0)
				if record.ProximalIgnored(reason) == x.reason {
					want = x.n
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
	c.Proximity = &Proximity{Nearest: make([]uint16, n), Edge: make([]bool, n), Loops: []unit.Duration{peer: farLoop}}
	for i := range n {
		c.Proximity.Nearest[i], c.Proximity.Edge[i] = self, i < n-1
	}
	c.FirstLoopback, c.Loopbacks = firstLoopback, make([]uint16, peer+1)
	m := congestion(1, 19*us)
	m.Count = 3
	for i, f := range []struct{ src, qp uint32 }{{0, 0x20}, {64, 0x21}, {0, 0x22}} {
		c.Proximity.Connections = append(c.Proximity.Connections, Connection{SrcIP: firstIP + f.src, DstIP: firstIP + 2, SrcQP: f.qp, DstQP: f.qp})
		m.Flows[i] = notification.Flow{SrcIP: firstIP + f.src, DstIP: firstIP + 2, DstQP: f.qp, SrcPort: 0xC000, Share: 1 << 14}
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
			if cnps == 0 || len(messages) != 2 || messages[0].Type != notification.Learned || messages[0].Lifetime != 30*unit.Millisecond ||
				messages[0].Flows[0].DstQP != 0x20 || messages[0].Flows[0].SrcQP != 0x100 || messages[0].Port != 5 {
				t.Errorf("period %d: %d CNPs, messages %+v; want one for each flow", period, cnps, messages)
			}
			if first := b.cnps(0); period == 2 && first[0].Start > at.Add(frameTime) {
				t.Errorf("period %d: the first CNP left at %v, want with the first packet", period, first[0].Start)
			}
		}
	}
}

// A congested switch says nothing of flows that their own switch foresees.
func TestProximalIsSilent(t *testing.T) {
	b := newBench(t, leaf())
	quiet := notification.Message{Type: notification.Learned, Origin: peer, Sequence: 1, Time: us, Lifetime: 30 * unit.Millisecond, Count: 1}
	quiet.Flows[0] = notification.Flow{SrcIP: firstIP + 2, DstIP: firstIP, DstQP: 0x20}
	b.tell(2, 2*us, quiet)
	b.burst(2, 0, 10*us, 20)
	b.run(5 * ms)
	if m := b.messages(); len(m) == 0 || m[0].Count != 1 || m[0].Flows[0].SrcIP != firstIP+3 {
		t.Errorf("messages %+v, want the other flow alone", m)
	}
	b.sent = nil
	quiet.Type, quiet.Sequence, quiet.Time, quiet.Lifetime = notification.Release, 2, 5*ms, 0
	b.tell(2, 5*ms+us, quiet)
	b.burst(2, 0, 6*ms, 20)
	b.run(10 * ms)
	if m := b.messages(); len(m) == 0 || m[0].Count != 2 {
		t.Errorf("messages %+v, want both flows again", m)
	}
}

func TestProximalConfig(t *testing.T) {
	for _, x := range []struct {
		change func(*Config)
		want   string
	}{
		{func(c *Config) { c.Proximity = nil }, "it needs the proximal device of each of 4 NICs"},
		{func(c *Config) { c.Proximity.Edge = nil }, "each of 4 ports"},
		{func(c *Config) { c.Profile.Proximal.MaxCNPs = 17 }, "allowed are 1 to 16"},
		{func(c *Config) { c.Profile.Proximal.Interval = 0 }, "must be above 0"},
		{func(c *Config) { c.Profile.Proximal.BufferShare = 1.1 }, "buffer share 1.1"},
		{func(c *Config) { c.Profile.Proximal.Learning.Recheck = 1 }, "recheck every 1"},
		{func(c *Config) { c.Profile.Proximal.Map = 9 }, "map 9"},
		{func(c *Config) { c.Loopbacks[0] = 99 }, "there are 6 sets"},
	} {
		c := leaf()
		x.change(&c)
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("error %v, want one with %q", err, x.want)
		}
	}
}
