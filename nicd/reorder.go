package nicd

// reorderWindow is the number of packets that an out-of-order receiver keeps track of, from the expected one on. A
// sender leaves no more outstanding, or packets beyond it would have to be discarded.
const reorderWindow = 256

// reorder is the record that a receiver which keeps early packets has of the packets beyond the expected one. Payload
// goes straight to memory, as WRITE allows, so it only keeps a bit a packet, and one for the ends of messages. (A
// Middle packet of real RoCE does not carry its address; NICs that do this derive it from the PSN or repeat the
// address.)
type reorder struct {
	arrived, ends bitmap
	kept          int
}

func newReorder(window int64) reorder {
	return reorder{arrived: newBitmap(window), ends: newBitmap(window)}
}

// has reports whether a packet of the window was kept.
func (o *reorder) has(packet int64) bool { return o.arrived.has(packet) }

func (o *reorder) keep(packet int64, endsMessage bool) {
	o.arrived.put(packet)
	if endsMessage {
		o.ends.put(packet)
	}
	o.kept++
}

// take forgets a packet that is now in order and reports whether it ends a
// message.
func (o *reorder) take(packet int64) bool {
	o.arrived.take(packet)
	o.kept--
	return o.ends.take(packet)
}
