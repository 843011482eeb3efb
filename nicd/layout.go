package nicd

import "github.com/rocelab/rocelab/emulator/unit"

// layout says how a flow is cut into messages and packets. Every message but
// the last of a sized flow has the same size, and every packet but the last of
// a message carries one MTU.
type layout struct {
	size, message, mtu unit.Bytes // size 0: without end
	perMessage         int64
}

func newLayout(size, message, mtu unit.Bytes) layout {
	switch {
	case message > 0:
	case size > 0:
		message = min(size, maxMessage)
	default:
		message = endlessMessage
	}
	return layout{size, message, mtu, int64((message + mtu - 1) / mtu)}
}

// cursor is a packet's place in the flow.
type cursor struct {
	packet int64
	// from is the offset of the packet's first byte in the flow, start and
	// end those of its message.
	from, start, end unit.Bytes
}

// packets returns the number of packets of a sized flow.
func (l *layout) packets() int64 {
	whole := l.size / l.message
	rest := l.size - whole*l.message
	return int64(whole)*l.perMessage + int64((rest+l.mtu-1)/l.mtu)
}

// offset returns the number of bytes before a packet.
func (l *layout) offset(packet int64) unit.Bytes {
	m := int64(0)
	if packet >= l.perMessage {
		m = packet / l.perMessage
	}
	b := unit.Bytes(m)*l.message + unit.Bytes(packet-m*l.perMessage)*l.mtu
	if l.size > 0 {
		b = min(b, l.size)
	}
	return b
}

// at returns the place of a packet.
func (l *layout) at(packet int64) cursor {
	c := cursor{packet: packet, from: l.offset(packet), start: unit.Bytes(packet/l.perMessage) * l.message}
	c.end = l.endOf(c.start)
	return c
}

func (l *layout) endOf(start unit.Bytes) unit.Bytes {
	if end := start + l.message; l.size == 0 || end < l.size {
		return end
	}
	return l.size
}

// advance moves c to the next packet.
func (l *layout) advance(c *cursor) {
	c.packet++
	if c.from += l.mtu; c.from >= c.end {
		c.from, c.start = c.end, c.end
		c.end = l.endOf(c.start)
	}
}
