package nicd

// reorderWindow is how many packets an out-of-order receiver keeps track of,
// from the expected one on. A sender leaves no more outstanding, or what came
// beyond would have to be thrown away.
const reorderWindow = 256

// reorder is an out-of-order receiver's view of what lies beyond the expected
// packet. Payload goes straight to memory, as WRITE allows, so a bit a packet
// is all that is kept. (A Middle packet of real RoCE does not say where it
// goes; NICs that do this derive it from the PSN or repeat the address.)
type reorder struct {
	arrived, ends [reorderWindow / 64]uint64 // by packet number modulo the window
	kept          int
}

func bit(packet int64) (word int, mask uint64) {
	return int(packet>>6) & (reorderWindow/64 - 1), 1 << (packet & 63)
}

// has reports whether a packet of the window was kept; packets outside share
// their bits with those inside.
func (o *reorder) has(packet int64) bool {
	w, m := bit(packet)
	return o.arrived[w]&m != 0
}

func (o *reorder) keep(packet int64, endsMessage bool) {
	w, m := bit(packet)
	o.arrived[w] |= m
	if endsMessage {
		o.ends[w] |= m
	}
	o.kept++
}

// take forgets a packet that is now in order and reports whether it ends a
// message.
func (o *reorder) take(packet int64) bool {
	w, m := bit(packet)
	ends := o.ends[w]&m != 0
	o.arrived[w] &^= m
	o.ends[w] &^= m
	o.kept--
	return ends
}
