package nicd

import "github.com/rocelab/rocelab/plugins/cc/unit"

// layout is the division of a flow into messages and packets. Every message but the last of a sized flow has the same
// size, and every packet but the last of a message carries one MTU.
type layout struct {
	size, message, mtu unit.Bytes // size 0: without end
	packetsPerMessage  int64
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
	// end are its message's.
	from, start, end unit.Bytes
}

// packets returns the number of packets of a sized flow.
func (l *layout) packets() int64 {
	whole := l.size / l.message
	rest := l.size - whole*l.message
	return int64(whole)*l.packetsPerMessage + int64((rest+l.mtu-1)/l.mtu)
}

// offset returns the number of bytes before a packet.
func (l *layout) offset(packet int64) unit.Bytes {
	m := int64(0)
	if packet >= l.packetsPerMessage {
		m = packet / l.packetsPerMessage
	}
	bytes := unit.Bytes(m)*l.message + unit.Bytes(packet-m*l.packetsPerMessage)*l.mtu
	if l.size > 0 {
		bytes = min(bytes, l.size)
	}
	return bytes
}

// at returns the place of a packet.
func (l *layout) at(packet int64) cursor {
	cursor := cursor{packet: packet, from: l.offset(packet), start: unit.Bytes(packet/l.packetsPerMessage) * l.message}
	cursor.end = l.endOf(cursor.start)
	return cursor
}

func (l *layout) endOf(start unit.Bytes) unit.Bytes {
	if end := start + l.message; l.size == 0 || end < l.size {
		return end
	}
	return l.size
}

// advance moves the cursor to the next packet.
func (l *layout) advance(cursor *cursor) {
	cursor.packet++
	if cursor.from += l.mtu; cursor.from >= cursor.end {
		cursor.from, cursor.start = cursor.end, cursor.end
		cursor.end = l.endOf(cursor.start)
	}
}
