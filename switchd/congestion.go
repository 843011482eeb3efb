package switchd

import (
	"github.com/rocelab/rocelab/emulator/notification"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/switchd/proximal"
)

// This is the congested device of proximal CNP: it watches its queues and notifies the proximal devices of the flows in
// them. If it is a flow's proximal device itself it reacts at once.

// enqueued takes note of a frame that was taken into a queue of a port, and notifies
// devices if the queue is due.
func (x *proximity) enqueued(port *port, queue *queue, entry entry) (flow uint16) {
	m := x.watched[port.index][queue.index&7]
	if m == nil {
		return 0
	}
	if f := entry.frame; f.IsData() && f.EtherType == wire.EtherTypeIPv4 {
		flow = m.Add(proximal.Flow{SrcIP: f.SrcIP, DstIP: f.DstIP, DstQP: f.DestQP}, f.SrcPort, unit.Bytes(entry.len),
			func(f proximal.Flow) int { return x.nearest(f.SrcIP) })
	}
	limits := &x.limits[port.index][entry.class&7]
	if m.Enqueued(queue.bytes, unit.Bytes(entry.len), x.occupancy(port).used, x.sw.now, limits) {
		x.reportCongestion(port, queue, entry.class)
	}
	if x.silence.Any() {
		if live, lately, known := m.Senders(x.sw.now, x.profile.Interval); known {
			x.reportSenders(port, queue, entry.class, live, lately)
		}
	}
	return flow
}

// dequeued takes note of a frame that is no longer in its queue. Frames of flows without a
// proximal device are not counted, but their going may end a congestion too.
func (x *proximity) dequeued(port *port, queue *queue, entry entry) {
	monitor := x.watched[port.index][queue.index&7]
	if monitor == nil {
		return
	}
	if entry.flow != 0 {
		monitor.Remove(entry.flow, unit.Bytes(entry.len))
	}
	if !monitor.Dequeued(queue.bytes, x.occupancy(port).used, &x.limits[port.index][entry.class&7]) {
		return
	}
	x.note(record.ProximalAction{
		At:    x.sw.now,
		Kind:  record.ProximalClear,
		Peer:  int(x.id),
		Port:  uint16(port.index),
		Class: entry.class,
		Depth: queue.bytes,
	})
	for _, device := range monitor.TakeNotified() {
		if uint32(device) == x.id {
			x.table.Clear(proximal.Point{Device: x.id, Port: uint16(port.index), Class: entry.class}, x.sw.now)
			continue
		}
		over := x.message(notification.Clear, port, entry.class)
		x.sendMessage(device, &over)
	}
}

// occupancy is the use of the memory from which a port sends: bytes used, and its size.
type occupancy struct{ used, size unit.Bytes }

func (x *proximity) occupancy(port *port) occupancy {
	if port.pool != nil && port.pool.lossless == 0 {
		return occupancy{port.pool.used, port.pool.size}
	}
	return occupancy{x.sw.mmu.resident, x.sw.mmu.shared}
}

// reportCongestion notifies each device that has flows in a queue of a port, but for the
// flows about which it is to be silent: up to the ceiling, and while there is memory.
func (x *proximity) reportCongestion(port *port, queue *queue, class uint8) {
	limits := &x.limits[port.index][class&7]
	loud := queue.bytes > limits.Ceiling || x.occupancy(port).used > limits.High
	monitor := x.watched[port.index][queue.index&7]
	x.report(port, queue, class, monitor.Live(), record.ProximalCongested, func(f *proximal.QueuedFlow) bool {
		return f.Bytes > 0 && (loud || !x.silence.Covers(f.Flow, x.sw.now))
	})
}

// reportSenders sends the present number of flows to each device that holds its flows to shares of another number.
func (x *proximity) reportSenders(port *port, queue *queue, class uint8, live, lately int) {
	x.report(port, queue, class, live, record.ProximalShare, func(f *proximal.QueuedFlow) bool {
		return x.silence.Misled(f.Flow, x.sw.now, live, lately)
	})
}

// report sends a message about a queue of a port, which live flows share, to each device with flows that pick selects.
// It is recorded with the given kind.
func (x *proximity) report(port *port, queue *queue, class uint8, live int, kind record.ProximalKind,
	pick func(*proximal.QueuedFlow) bool) {
	message := x.message(notification.Congestion, port, class)
	threshold := x.limits[port.index][class&7].Threshold
	monitor := x.watched[port.index][queue.index&7]
	before, ago := monitor.Before(x.sw.now)
	mem := x.occupancy(port)
	message.Depth, message.Before, message.Elapsed = queue.bytes, before, unit.Duration(ago.Nanoseconds())*unit.Nanosecond
	message.Rate = port.tx.RateAt(x.sw.now) / unit.Mbps * unit.Mbps
	message.Threshold, message.Kmax = threshold, max(threshold, port.marks[class&7].kmax)
	message.Usage = share(mem.used, mem.size)
	message.Level = uint16(unit.Whole[int64](monitor.Level() * (1<<16 - 1)))
	reading := readingOf(&message)
	message.Degree = uint16(unit.Whole[int64](reading.Degree() * (1<<16 - 1)))
	told := func(f *proximal.QueuedFlow) bool {
		return (uint32(f.Device) == x.id || x.tells(f.Device, f.Flow)) && pick(f)
	}
	monitor.ByDevice(told, func(device int, flows []*proximal.QueuedFlow) {
		local := uint32(device) == x.id
		message.Count, message.Lifetime = uint8(min(len(flows), len(message.Flows))), 0
		message.Live = uint16(max(live, int(message.Count)))
		for i, f := range flows[:message.Count] {
			message.Flows[i] = notification.Flow{
				SrcIP:   f.SrcIP,
				DstIP:   f.DstIP,
				DstQP:   f.DstQP,
				SrcPort: f.SrcPort,
				Bytes:   f.Bytes,
				Share:   share(f.Bytes, queue.bytes),
			}
			message.Lifetime = max(message.Lifetime, lifetime(x.loop(device, f.SrcIP)+x.profile.Interval))
			x.silence.Told(f.Flow, live)
		}
		if kind == record.ProximalCongested {
			monitor.MarkNotified(device)
		}
		x.note(record.ProximalAction{
			At:    x.sw.now,
			Kind:  kind,
			Peer:  device,
			Port:  message.Port,
			Class: class,
			Depth: message.Depth,
			Flows: int(message.Count),
		})
		if local {
			x.react(&message)
			return
		}
		x.sendMessage(device, &message)
	})
}

// share is part of whole, in 1/65535.
func share(part, whole unit.Bytes) uint16 {
	if whole <= 0 {
		return 0
	}
	return uint16(min(part, whole).Scale(1<<16-1, int64(whole)))
}

// lifetime is a span in whole microseconds, rounded up, as a message has it.
func lifetime(span unit.Duration) unit.Duration {
	return (span + unit.Microsecond - 1) / unit.Microsecond * unit.Microsecond
}

// message begins a message about a class's queue of a port.
func (x *proximity) message(kind notification.Type, port *port, class uint8) notification.Message {
	return notification.Message{
		Type:     kind,
		Origin:   x.id,
		Time:     unit.Time(x.sw.now.Nanoseconds()) * unit.Time(unit.Nanosecond),
		Port:     uint16(port.index),
		Priority: class,
	}
}

// sendMessage sends a message to a device. It is not acknowledged: important messages are repeated while their cause
// lasts.
func (x *proximity) sendMessage(device int, message *notification.Message) {
	x.sequence++
	message.Sequence = x.sequence
	frame := x.sw.out.New()
	*frame = wire.Frame{
		EtherType: wire.EtherTypeIPv4,
		Src:       wire.NodeMAC(x.sw.id, 0),
		Dst:       wire.NodeMAC(uint32(device), 0),
		SrcIP:     x.loopback + x.id,
		DstIP:     x.loopback + uint32(device),
		TOS:       x.profile.DSCP << 2,
		TTL:       timeToLive,
		Fragment:  wire.DontFragment,
		SrcPort:   ephemeral | message.Port&^ephemeral,
	}
	frame.SetDatagram(message.AppendTo(nil))
	x.rec.Sent[message.Type]++
	x.sw.originate(frame)
}

const (
	// timeToLive is the usual first TTL.
	timeToLive = 64
	// ephemeral is the beginning of the unassigned ports of RFC 6335; messages of one queue take one path.
	ephemeral = 0xC000
)
