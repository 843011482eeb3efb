package nicd

import (
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/unit"
)

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
	held          int
	// since is when the expected packet was found missing, unit.Never while it
	// is not.
	since unit.Time
	timer link.Timer
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
	o.held++
}

// take forgets a packet that is now in order and reports whether it ends a
// message.
func (o *reorder) take(packet int64) bool {
	w, m := bit(packet)
	ends := o.ends[w]&m != 0
	o.arrived[w] &^= m
	o.ends[w] &^= m
	o.held--
	return ends
}

// watchGap follows the first gap after a packet arrived: its age counts from
// the moment when it became the first. It is reported when it is ReorderTime
// old, or ReorderDepth packets deep.
func (n *NIC) watchGap(r *receiver, now unit.Time, packet int64) {
	o := &r.reorder
	switch {
	case o.held == 0:
		o.since = unit.Never
		return
	case packet < r.expected || o.since == unit.Never: // the first gap is a new one
		o.since = now
		n.arm(&o.timer, now.Add(n.profile.ReorderTime), jobReorder, r.index)
	}
	if packet-r.expected >= int64(n.profile.ReorderDepth) || now >= o.since.Add(n.profile.ReorderTime) {
		n.nakGap(r, now)
	}
}

// nakGap asks for the first missing packet, at most once per base RTT.
// Repetitions come with arriving packets; where none arrive, the sender's
// timeout remains.
func (n *NIC) nakGap(r *receiver, now unit.Time) {
	if r.nakFor == r.expected && now < r.nakAt.Add(r.baseRTT) {
		return
	}
	n.sendNAK(r, now)
}

func (n *NIC) reorderExpired(r *receiver, now unit.Time) {
	o := &r.reorder
	if !o.timer.Fired(now) || o.since == unit.Never {
		return
	}
	if deadline := o.since.Add(n.profile.ReorderTime); now < deadline {
		n.arm(&o.timer, deadline, jobReorder, r.index)
		return
	}
	n.nakGap(r, now)
}
