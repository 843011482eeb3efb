package nicd

import (
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

// ttl is the TTL of what a NIC sends, Linux's default.
const ttl = 64

// shape is one of the few kinds of packets that a flow has: a frame with all
// but PSN, times and addresses in memory filled in, and what follows from its
// length. Sending is a copy of it and a few stores.
type shape struct {
	frame   wire.Frame
	payload unit.Bytes
	// bytes is what it counts for on a wire, serial the time on this NIC's.
	bytes  unit.Bytes
	serial unit.Duration
	// baseline is the one-way delay of a packet of this length on empty
	// queues, in whole ns, rounded down.
	baseline uint32
}

// The shapes: by place in the message, and for the last message of a flow,
// which may be shorter, by its length too.
const (
	shapeMiddle = iota
	shapeFirst
	shapeLast
	shapeOnly
	shapeFinalLast
	shapeFinalOnly
	numShapes
)

// shapeAt returns the shape of the packet at c.
func (l *layout) shapeAt(c *cursor) int {
	k := shapeMiddle
	if c.from == c.start {
		k = shapeFirst
	}
	if c.end-c.from <= l.mtu {
		k += shapeLast
		if c.end-c.start != l.message {
			k += shapeFinalLast - shapeLast
		}
	}
	return k
}

// newShapes returns the shapes that the layout of a flow can have.
func (n *NIC) newShapes(r *reliability, c *SenderConfig, dscp uint8) (shapes [numShapes]shape) {
	l := &r.layout
	last := func(message unit.Bytes) unit.Bytes {
		if rest := message % l.mtu; rest > 0 {
			return rest
		}
		return l.mtu
	}
	payload := [numShapes]unit.Bytes{
		shapeMiddle: l.mtu,
		shapeFirst:  l.mtu,
		shapeLast:   last(l.message),
		shapeOnly:   last(l.message),
	}
	if l.size > 0 {
		final := last(l.size % l.message)
		payload[shapeFinalLast], payload[shapeFinalOnly] = final, final
	}
	opcode := [numShapes]wire.Opcode{
		shapeMiddle:    wire.WriteMiddle,
		shapeFirst:     wire.WriteFirst,
		shapeLast:      wire.WriteLast,
		shapeOnly:      wire.WriteOnly,
		shapeFinalLast: wire.WriteLast,
		shapeFinalOnly: wire.WriteOnly,
	}
	f := wire.Frame{
		EtherType: wire.EtherTypeIPv4,
		Src:       n.mac,
		Dst:       c.Peer.MAC,
		SrcIP:     n.ip,
		DstIP:     c.Peer.IP,
		TOS:       dscp << 2,
		TTL:       ttl,
		Fragment:  wire.DontFragment,
		SrcPort:   c.SrcPort,
		DestQP:    c.Peer.QP,
		PKey:      wire.DefaultPKey,
		Flags:     wire.FlagMigReq,
		RKey:      c.Peer.QP<<8 | 1,
	}
	signals := c.Controller.Signals()
	if signals.ECT {
		f.TOS |= wire.ECT0
	}
	var ack wire.Frame
	SetExtensions(signals, &f, &ack)
	for k := range shapes {
		p := &shapes[k]
		p.frame, p.payload = f, payload[k]
		p.frame.Opcode = opcode[k]
		p.frame.SetPayload(int(p.payload))
		if r.ackEvery == 1 || k != shapeMiddle && k != shapeFirst {
			p.frame.AckExt |= wire.AckReq
		}
		p.bytes = n.tx.Accounting().Bytes(&p.frame)
		p.serial = n.tx.Time(p.frame.Len(), &p.frame)
		p.baseline = uint32(oneWay(c.Path, p.bytes, n.tx.Accounting()).Nanoseconds())
	}
	return shapes
}
