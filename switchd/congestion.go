package switchd

import (
	"github.com/rocelab/rocelab/emulator/notification"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/switchd/proximal"
)

// This is the congested device of proximal CNP: it watches its queues and tells
// the proximal devices of the flows in them. Where it is a flow's proximal
// device itself it reacts at once.

// enqueued takes note of a frame that was taken into queue q of port p, and tells
// devices if the queue is due.
func (x *proximity) enqueued(p *port, q *queue, e entry) (flow uint16) {
	m := x.watched[p.index][q.index&7]
	if m == nil {
		return 0
	}
	if f := e.frame; f.IsData() && f.EtherType == wire.EtherTypeIPv4 {
		flow = m.Add(proximal.Flow{SrcIP: f.SrcIP, DstIP: f.DstIP, DstQP: f.DestQP}, f.SrcPort, unit.Bytes(e.len),
			func(f proximal.Flow) int { return x.nearest(f.SrcIP) })
	}
	if m.Arrived(q.bytes, unit.Bytes(e.len), x.occupancy(p).used, x.sw.now, &x.limits[p.index][e.class&7]) {
		x.tellCongestion(p, q, e.class)
	}
	return flow
}

// dequeued takes note of a frame that is no longer in q. Frames of flows without a
// proximal device are not counted, but their going may end a congestion too.
func (x *proximity) dequeued(p *port, q *queue, e entry) {
	m := x.watched[p.index][q.index&7]
	if m == nil {
		return
	}
	if e.flow != 0 {
		m.Remove(e.flow, unit.Bytes(e.len))
	}
	if !m.Left(q.bytes, x.occupancy(p).used, &x.limits[p.index][e.class&7]) {
		return
	}
	x.note(record.ProximalAction{
		At:    x.sw.now,
		Kind:  record.ProximalClear,
		Peer:  int(x.id),
		Port:  uint16(p.index),
		Class: e.class,
		Depth: q.bytes,
	})
	for _, device := range m.Told() {
		if uint32(device) == x.id {
			x.table.EndHolds(proximal.Point{Device: x.id, Port: uint16(p.index), Class: e.class})
			continue
		}
		over := x.message(notification.Clear, p, e.class)
		x.sendMessage(device, &over)
	}
}

// occupancy is of the memory that holds the frames which go out by a port.
type occupancy struct{ used, size unit.Bytes }

func (x *proximity) occupancy(p *port) occupancy {
	if p.pool != nil && p.pool.lossless == 0 {
		return occupancy{p.pool.used, p.pool.size}
	}
	return occupancy{x.sw.mmu.resident, x.sw.mmu.shared}
}

// tellCongestion tells each device that has flows in queue q of port p.
func (x *proximity) tellCongestion(p *port, q *queue, c uint8) {
	m := x.message(notification.Congestion, p, c)
	threshold := x.limits[p.index][c&7].Threshold
	queue := x.watched[p.index][q.index&7]
	before, ago := queue.Before(x.sw.now)
	mem := x.occupancy(p)
	m.Depth, m.Before, m.Elapsed = q.bytes, before, unit.Duration(ago.Nanoseconds())*unit.Nanosecond
	m.Rate, m.Kmin, m.Kmax = p.tx.Rate()/unit.Mbps*unit.Mbps, threshold, max(threshold, p.marks[c&7].kmax)
	m.Usage = share(mem.used, mem.size)
	reading := readingOf(&m)
	m.Degree = uint16(reading.Degree() * (1<<16 - 1))
	silent := func(f proximal.Flow) bool { return x.silence.About(f, x.sw.now) }
	queue.ByDevice(silent, func(device int, flows []*proximal.Standing) {
		local := uint32(device) == x.id
		if !local && !x.profile.Notify {
			return
		}
		m.Count, m.Lifetime = uint8(min(len(flows), len(m.Flows))), 0
		for i, f := range flows[:m.Count] {
			m.Flows[i] = notification.Flow{
				SrcIP:   f.SrcIP,
				DstIP:   f.DstIP,
				DstQP:   f.DstQP,
				SrcPort: f.SrcPort,
				Bytes:   f.Bytes,
				Share:   share(f.Bytes, q.bytes),
			}
			m.Lifetime = max(m.Lifetime, lifetime(x.loop(device, f.SrcIP)+x.profile.Interval))
		}
		queue.Tell(device)
		x.note(record.ProximalAction{
			At:    x.sw.now,
			Kind:  record.ProximalCongested,
			Peer:  device,
			Port:  m.Port,
			Class: c,
			Depth: m.Depth,
			Flows: int(m.Count),
		})
		if local {
			x.react(&m)
			return
		}
		x.sendMessage(device, &m)
	})
}

// share is part of whole, in 1/65535.
func share(part, whole unit.Bytes) uint16 {
	if whole <= 0 {
		return 0
	}
	return uint16(min(part, whole).Scale(1<<16-1, int64(whole)))
}

// lifetime is d in whole microseconds, rounded up, as a message has it.
func lifetime(d unit.Duration) unit.Duration {
	return (d + unit.Microsecond - 1) / unit.Microsecond * unit.Microsecond
}

// message begins a message about queue c of port p.
func (x *proximity) message(t notification.Type, p *port, c uint8) notification.Message {
	return notification.Message{
		Type:     t,
		Origin:   x.id,
		Time:     unit.Time(x.sw.now.Nanoseconds()) * unit.Time(unit.Nanosecond),
		Port:     uint16(p.index),
		Priority: c,
	}
}

// sendMessage sends m to a device. Nothing acknowledges it: what matters is said
// again while it lasts.
func (x *proximity) sendMessage(device int, m *notification.Message) {
	x.sequence++
	m.Sequence = x.sequence
	f := x.sw.out.New()
	*f = wire.Frame{
		EtherType: wire.EtherTypeIPv4,
		Src:       wire.NodeMAC(x.sw.id, 0),
		Dst:       wire.NodeMAC(uint32(device), 0),
		SrcIP:     x.loopback + x.id,
		DstIP:     x.loopback + uint32(device),
		TOS:       x.profile.DSCP << 2,
		TTL:       timeToLive,
		Fragment:  wire.DontFragment,
		SrcPort:   ephemeral | m.Port&^ephemeral,
	}
	f.SetDatagram(m.AppendTo(nil))
	x.rec.Sent[m.Type]++
	x.sw.originate(f)
}

const (
	// timeToLive is the usual first TTL.
	timeToLive = 64
	// ephemeral is where the ports of RFC 6335 that are nobody's begin; messages
	// of one queue take one path.
	ephemeral = 0xC000
)
