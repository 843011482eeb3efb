package switchd

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/notification"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

const (
	firstLoopback = 172<<24 | 16<<16 | 1
	self, peer    = 7, 8
	// nearLoop is the feedback loop of a queue here, farLoop of a queue at the peer.
	nearLoop, farLoop = 4 * unit.Microsecond, 1200 * unit.Microsecond
)

// leaf returns the configuration of a switch with NICs 0 and 1 at its ports of
// that number, and the peer, with NICs 2 and 3, behind ports 2 and 3. Its queues
// are congested above 4000 B, and each message brings three CNPs to a flow.
func leaf(change ...func(*profile.Proximal)) Config {
	c := star(4)
	p := &c.Profile.Proximal
	p.Enabled, p.Threshold, p.Notify = true, 4000, profile.NotifyAlways
	p.Map, p.CNPs = profile.MapFixed, 3
	for _, f := range change {
		f(p)
	}
	c.NextHops[3] = []uint16{2}
	c.NextHops = append(c.NextHops, []uint16{3}, nil)
	c.FirstLoopback, c.Loopbacks = firstLoopback, []uint16{5, 5, 5, 5, 5, 5, 5, 5, 2}
	c.Proximity = &Proximity{
		Nearest: []uint16{self, self, peer, peer},
		Edge:    []bool{true, true, false, false},
		Longest: []unit.Duration{farLoop, farLoop, nearLoop, nearLoop},
		Loops:   []unit.Duration{0, 0, 0, 0, 0, 0, 0, 0, farLoop - nearLoop},
		Access:  []unit.Duration{nearLoop, nearLoop, nearLoop, nearLoop},
		Home:    []uint16{self, self, peer, peer},
		Onward:  []unit.Duration{0, 0, 0, 0, 0, 0, 0, 0, farLoop - nearLoop},
		Receipt: []unit.Duration{nearLoop, nearLoop, nearLoop, nearLoop},
		Latency: make([]unit.Duration, peer+1),
		Connections: []Connection{{SrcIP: firstIP, DstIP: firstIP + 2, SrcQP: 0x100, DstQP: 0x20},
			{SrcIP: firstIP + 1, DstIP: firstIP + 2, SrcQP: 0x101, DstQP: 0x21}},
	}
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

// tell delivers a message of the peer to a port.
func (b *bench) tell(port int, at unit.Time, m notification.Message) {
	b.arrive(port, at, datagram(&m))
}

// datagram returns the frame that carries m from its origin to this switch.
func datagram(m *notification.Message) *wire.Frame {
	f := &wire.Frame{
		EtherType: wire.EtherTypeIPv4,
		SrcIP:     firstLoopback + m.Origin,
		DstIP:     firstLoopback + self,
		TOS:       48 << 2,
		TTL:       64,
		SrcPort:   0xC000,
	}
	f.SetDatagram(m.AppendTo(nil))
	return f
}

// congestion is a message of the peer about both flows: 400 Gb/s arrive at a
// port of 100.
func congestion(sequence uint32, at unit.Time) notification.Message {
	m := notification.Message{
		Type:      notification.Congestion,
		Origin:    peer,
		Sequence:  sequence,
		Time:      at,
		Port:      5,
		Priority:  3,
		Depth:     1150 * unit.KB,
		Before:    400 * unit.KB,
		Elapsed:   20 * unit.Microsecond,
		Rate:      100 * unit.Gbps,
		Threshold: 400 * unit.KB,
		Kmax:      1600 * unit.KB,
		Lifetime:  1250 * unit.Microsecond,
		Live:      4,
		Count:     2,
	}
	for s := range uint32(2) {
		m.Flows[s] = notification.Flow{
			SrcIP:   firstIP + s,
			DstIP:   firstIP + 2,
			DstQP:   0x20 + s,
			SrcPort: 0xC000 + uint16(s),
			Bytes:   500 * unit.KB,
			Share:   1 << 15,
		}
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
		// Five frames, 5290 B, are above 4000 B when the third of port 1 arrives.
		if at := (10 * us).Add(3 * frameTime); list[0].Start > at {
			t.Errorf("the first CNP left at %v, want %v at the latest", list[0].Start, at)
		}
		want := wire.Frame{
			EtherType: wire.EtherTypeIPv4,
			Src:       wire.NodeMAC(102, 0),
			Dst:       wire.NodeMAC(uint32(100+port), 0),
			SrcIP:     firstIP + 2,
			DstIP:     firstIP + uint32(port),
			TOS:       48 << 2,
			TTL:       64,
			Fragment:  wire.DontFragment,
			SrcPort:   0xC000 + uint16(port),
			Opcode:    wire.CNP,
			Notify:    wire.BECN,
			Flags:     wire.FlagMigReq,
			PKey:      wire.DefaultPKey,
			DestQP:    0x100 + uint32(port),
		}
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

// Senders elsewhere are left to their own switches: the switch of NICs 2 and 3 is notified, once an interval, with the
// data that it needs.
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
	// The first frame leaves at once; then 4 of 1058 B are above 4000 B.
	if m.Origin != self || m.Port != 0 || m.Priority != 3 || m.Depth != 4*frameLen || m.Before != 0 ||
		m.Rate != 100*unit.Gbps || m.Threshold != 4000 || m.Count != 2 || m.Live != 2 || m.Sequence != 1 {
		t.Errorf("message %+v", m)
	}
	if want := m.Elapsed; want <= 0 || want > 3*frameTime {
		t.Errorf("the queue grew for %v", m.Elapsed)
	}
	if f := m.Flows[0]; f.SrcIP != firstIP+2 && f.SrcIP != firstIP+3 || f.DstIP != firstIP ||
		f.SrcPort != uint16(0xC000+f.SrcIP-firstIP) || f.Bytes != 2*frameLen || f.Share != 1<<15-1 {
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

// Frames that a switch makes itself do not use any ingress's memory, in any class.
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

// Frames of flows without a proximal device fill a queue too; it stops being congested when they have left.
func TestProximalCongestionOfOthersEnds(t *testing.T) {
	b := newBench(t, leaf())
	for i := range 20 {
		for port := range 2 {
			f := packet(2+port, 0, 0x20, uint32(i))
			f.SrcIP = firstIP + 50 // no NIC of the fabric
			b.arrive(2+port, (10 * us).Add(unit.Duration(i)*frameTime), f)
		}
	}
	b.arrive(2, 100*us, packet(2, 0, 0x20, 99))
	b.run(200 * us)
	if n := len(b.messages()); n != 0 {
		t.Errorf("%d messages about a queue of one frame", n)
	}
}

// The sender's device, whose loop is 1200 us, is notified if the loop from the receiver is twice that; or always, or
// never.
func TestProximalNotifiesWhereItIsNearer(t *testing.T) {
	for _, x := range []struct {
		notify  profile.ProximalNotify
		receipt unit.Duration // from here to the receiver and back
		told    bool
	}{
		{profile.NotifyNearer, farLoop, true},
		{profile.NotifyNearer, farLoop - 1, false},
		{profile.NotifyAlways, nearLoop, true},
		{profile.NotifyNever, farLoop, false},
	} {
		t.Run(fmt.Sprintf("notify=%v,receipt=%v", x.notify, x.receipt), func(t *testing.T) {
			c := leaf(func(p *profile.Proximal) { p.Notify = x.notify })
			c.Proximity.Receipt[0] = x.receipt
			b := newBench(t, c)
			b.burst(2, 0, 10*us, 100)
			b.run(500 * us)
			if n := len(b.messages()); n > 0 != x.told {
				t.Errorf("%s, %v to the receiver: %d messages", profile.ProximalNotifyNames[x.notify], x.receipt, n)
			}
		})
	}
}

func TestProximalConfig(t *testing.T) {
	for _, x := range []struct {
		change func(*Config)
		want   string
	}{
		{func(c *Config) { c.Proximity = nil }, "it needs the proximal device of each of 4 NICs"},
		{func(c *Config) { c.Proximity.Edge = nil }, "each of 4 ports"},
		{func(c *Config) { c.Profile.Proximal.MaxCNPs = 129 }, "allowed are 1 to 128"},
		{func(c *Config) { c.Profile.Proximal.Interval = 0 }, "must be above 0"},
		{func(c *Config) { c.Profile.Proximal.BufferShare = 1.1 }, "buffer share 1.1"},
		{func(c *Config) { c.Profile.Proximal.Learning.Gap = 0 }, "gap of 0s: must be above 0"},
		{func(c *Config) { c.Profile.Proximal.Map = 9 }, "map 9"},
		{func(c *Config) { c.Profile.Proximal.Notify = 3 }, "notify 3"},
		{func(c *Config) { c.Proximity.Onward = nil }, "each of 9 switches"},
		{func(c *Config) { c.Loopbacks[0] = 99 }, "there are 6 sets"},
	} {
		t.Run(fmt.Sprintf("want=%s", x.want), func(t *testing.T) {
			c := leaf()
			x.change(&c)
			if _, err := New(c); err == nil || !strings.Contains(err.Error(), x.want) {
				t.Errorf("error %v, want one with %q", err, x.want)
			}
		})
	}
}
