package nicd

import (
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// reliability is the sending end's account of a reliable connection (IBA
// volume 1, 9.7): which packets were sent, which are acknowledged, and which goes
// next. In go-back-N all that follows a missing packet is sent again; a receiver
// that keeps what comes early misses one packet, the repair; in selective repeat a
// scoreboard knows what it misses. Which of them follows from the receiver's mode, which is one for
// both ends.
//
// Packets are numbered from 0, without wrapping; PSNs are those on the wire. Make
// one with newReliability. While sendable, call take for each packet that starts.
// Call acknowledge for an ACK, and for a NAK acknowledge and then goBack; expire
// when nothing was heard for a retransmission timeout.
type reliability struct {
	layout   layout
	firstPSN uint32

	// next is the packet that goes next, high the first that was never sent, una the
	// oldest unacknowledged, acked the bytes before una, limit the end of the flow in
	// packets, open the end of what may be sent so far.
	next                   cursor
	high, una, limit, open int64
	acked                  unit.Bytes
	// repair is the one packet that an out-of-order receiver misses, -1 for none; with a board it is
	// the lost packet that goes next.
	repair int64
	// urgent is set if the repair may exceed the window: always without a board, and with one for the probe.
	urgent bool
	// board is that of selective repeat, else nil. away is the payload beyond acked that the receiver
	// has, or that is lost and was not sent again.
	board *scoreboard
	away  unit.Bytes

	// clean is the first packet from which on all were sent once; RTT is sampled from there (Karn's rule). starts holds
	// the starts of packets una to high, at the packet's number modulo its length.
	clean  int64
	starts []unit.Time
	// sampled is the first packet never sent when the last RTT sample of one a
	// round trip was taken: the next is of that packet or a later one.
	sampled int64

	outOfOrder bool // the receiver keeps packets that come early
	// outstanding is the number of packets that may be unacknowledged; ackEvery the number that share an ACK.
	outstanding, ackEvery int64
	// asked is the packet after the newest one on its way that asks for an ACK; it stays 0 if ackEvery is 1.
	asked int64
}

// newReliability returns the account of a new flow, in packets with PSNs from firstPSN on, ackEvery of which share an
// ACK.
func newReliability(layout layout, firstPSN uint32, ackEvery int, outOfOrder bool) reliability {
	account := reliability{
		layout:      layout,
		firstPSN:    firstPSN,
		next:        layout.at(0),
		limit:       1<<62 - 1,
		repair:      -1,
		urgent:      true,
		starts:      make([]unit.Time, 16),
		outOfOrder:  outOfOrder,
		outstanding: maxOutstanding,
		ackEvery:    int64(max(ackEvery, 1)),
	}
	if outOfOrder {
		account.outstanding = reorderWindow
	}
	if layout.size > 0 {
		account.limit = layout.packets()
	}
	account.open = account.limit
	return account
}

// psn returns the PSN of a packet.
func (r *reliability) psn(packet int64) uint32 { return psnOf(r.firstPSN, packet) }

// packet returns the packet of a PSN that an ACK or a NAK carries.
func (r *reliability) packet(psn uint32) int64 { return packetOf(r.firstPSN, psn, r.una) }

// inflight returns the payload that was sent and is not acknowledged; going back takes it for lost. In selective repeat
// it does not include packets reported beyond a gap or lost.
func (r *reliability) inflight() unit.Bytes { return r.next.from - r.acked - r.away }

// sendable reports whether a packet may leave with that window, 0 for none. The
// window rule is inflight < W, so that less than a packet may exceed it (public
// RDMA simulator, alibaba-edu HPCC ns-3).
//
// A window that became smaller may close behind packets that do not ask for an ACK; one more may leave then, which asks
// for it, or the flow would wait for its timeout.
func (r *reliability) sendable(window unit.Bytes) bool {
	switch {
	case r.repair < 0 && (r.next.packet >= r.open || r.next.packet-r.una >= r.outstanding):
		return false
	case r.fills(window):
		return r.repair >= 0 && r.urgent || r.ackEvery > 1 && r.asked <= r.una
	}
	return true
}

// fills reports whether the data in flight fills a window, 0 for none.
func (r *reliability) fills(window unit.Bytes) bool { return window > 0 && r.inflight() >= window }

// asksForAck reports whether the packet at cursor, which was taken last, asks for an ACK: as the ackEvery-th since the
// last that did, as the last of its message, as a repair, as the last that the window or the flow lets through, or
// because it is overdue. So a sender never waits for an ACK that it did not ask for, and a full window has at most one
// ACK more than whole groups of ackEvery packets.
func (r *reliability) asksForAck(cursor *cursor, window unit.Bytes, overdue bool) bool {
	if r.ackEvery == 1 {
		return true
	}
	asks := overdue || cursor.packet-r.asked >= r.ackEvery-1 ||
		cursor.from+r.layout.mtu >= cursor.end || cursor.packet+1 != r.next.packet ||
		r.next.packet >= r.open || r.next.packet-r.una >= r.outstanding || r.fills(window)
	if asks {
		r.asked = max(r.asked, cursor.packet+1)
	}
	return asks
}

// take returns the place of the packet that starts now and moves on. resent is set if it was sent before; oldest if it
// is the one that an ACK must cover first, not counting a repair.
func (r *reliability) take(now unit.Time) (cursor cursor, resent, oldest bool) {
	if r.repair >= 0 {
		cursor = r.layout.at(r.repair)
		if r.board != nil {
			return cursor, true, r.board.resend(now)
		}
		r.repair = -1
	} else {
		cursor = r.next
		oldest = cursor.packet == r.una
		r.layout.advance(&r.next)
	}
	if cursor.packet < r.high {
		return cursor, true, oldest
	}
	if cursor.packet-r.una >= int64(len(r.starts)) {
		r.growStarts(cursor.packet)
	}
	r.high = cursor.packet + 1
	r.starts[cursor.packet&int64(len(r.starts)-1)] = now
	return cursor, false, oldest
}

// growStarts makes room for the start of the given packet, the first that was
// never sent.
func (r *reliability) growStarts(packet int64) {
	old := r.starts
	r.starts = make([]unit.Time, 2*len(old))
	for i := r.una; i < packet; i++ {
		r.starts[i&int64(len(r.starts)-1)] = old[i&int64(len(old)-1)]
	}
}

// progress is the newly acknowledged part of an ACK or a NAK.
type progress struct {
	bytes unit.Bytes
	// rtt is the round trip of the newest packet by the NIC's timer, 0 if it gives no sample; perRound is set if it is
	// the first of its round trip.
	rtt      unit.Duration
	perRound bool
}

// acknowledge takes all packets before to for acknowledged. There is no sample of the round trip if a packet was sent
// twice, or if an out-of-order receiver delayed the ACK for a gap.
func (r *reliability) acknowledge(to int64, now unit.Time) (progress progress) {
	if to <= r.una {
		return progress
	}
	if r.una >= r.clean && !(r.outOfOrder && to-r.una > r.ackEvery) {
		progress.rtt = now.Sub(r.starts[(to-1)&int64(len(r.starts)-1)])
		if to > r.sampled {
			progress.perRound = true
			r.sampled = r.high
		}
	}
	offset := r.layout.offset(to)
	progress.bytes = offset - r.acked
	r.una, r.acked = to, offset
	if r.next.packet < to { // went back for what had arrived after all
		r.next = r.layout.at(to)
	}
	if r.repair < to {
		r.repair = -1
	}
	return progress
}

// goBack makes packet to, and in go-back-N all after it, be sent again. It returns the payload that is lost by that.
func (r *reliability) goBack(to int64) (lost unit.Bytes) {
	if s := r.board; s != nil {
		if s.has.has(to) || s.lost.has(to) {
			return 0
		}
		return s.lose(to)
	}
	if r.outOfOrder {
		r.repair = to
		r.clean = max(r.clean, to+1)
		return r.layout.offset(to+1) - r.layout.offset(to)
	}
	return r.rewind(to)
}

// expire goes back to the oldest unacknowledged packet, in out-of-order mode too, since nothing is known of the others
// any more; in selective repeat packets not known to have arrived are lost. It returns the payload that is lost by
// that.
func (r *reliability) expire() (lost unit.Bytes) {
	if r.board != nil {
		return r.board.expire()
	}
	r.repair = -1
	return r.rewind(r.una)
}

func (r *reliability) rewind(to int64) (lost unit.Bytes) {
	if r.next.packet > to {
		from := r.next.from
		r.next = r.layout.at(to)
		r.clean = r.high
		r.asked = min(r.asked, to)
		lost = from - r.next.from
	}
	return lost
}

// blockMessages lets nothing be sent until admitMessage lets the flow's messages go, one
// after the other.
func (r *reliability) blockMessages() { r.open = 0 }
func (r *reliability) admitMessage()  { r.open += r.layout.packetsPerMessage }

// onTheWay returns the number of packets that were sent and are not acknowledged, nor known to have arrived or to be
// lost.
func (r *reliability) onTheWay() int64 {
	out := r.next.packet - r.una
	if r.board != nil {
		out -= r.board.packets
	}
	return out
}

// waiting reports whether a packet is on its way that no ACK covered.
func (r *reliability) waiting() bool { return r.una != r.next.packet }

// resending reports whether the next packet was sent before.
func (r *reliability) resending() bool { return r.repair >= 0 || r.next.packet < r.high }

// stop ends the flow in place: sent packets are still acknowledged and, if lost, sent again, but nothing new, except
// for one packet if the last one did not ask for an ACK. It reports whether that shortens the flow.
func (r *reliability) stop() bool {
	end := r.high
	if r.ackEvery > 1 && r.asked < end && r.una < end && r.next.packet == end {
		end++
	}
	if end >= r.limit {
		return false
	}
	r.limit, r.open = end, end
	return true
}

// ended reports whether all of the flow is acknowledged; complete that this is
// all that it was to send, which a sized flow that was stopped short has not.
func (r *reliability) ended() bool    { return r.una >= r.limit }
func (r *reliability) complete() bool { return r.layout.size == 0 || r.acked == r.layout.size }

// maxOutstanding is half the PSN space: a requester never has more
// outstanding, so that PSNs can be told apart (IBA volume 1, 9.7.1).
const maxOutstanding = 1 << 23

// psnOf returns the PSN of packet i of a flow whose packet 0 has PSN first.
// Inside the NIC packets are numbered from 0 by 64-bit numbers that do not
// wrap.
func psnOf(first uint32, i int64) uint32 { return (first + uint32(i)) & wire.PSNMask }

// packetOf returns the packet with the given PSN that is nearest to packet
// near.
func packetOf(first, psn uint32, near int64) int64 {
	return near + int64(wire.DiffPSN(psn, psnOf(first, near)))
}
