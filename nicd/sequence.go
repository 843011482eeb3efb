package nicd

import (
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// sequence is the receiving end's account of a reliable connection (IBA volume 1, 9.7.2 and 9.7.5.2): the next packet
// in order, the packets kept beyond a gap, and the last report of the gap.
//
// Make one with newSequence. For each packet call place and, for one that is taken,
// accept; of a receiver that keeps what comes early then watch. Call mayNAK before
// each NAK.
type sequence struct {
	firstPSN uint32
	// expected is the packet that comes next in order; msn counts the
	// messages that are complete.
	expected int64
	msn      uint32

	// keeps is set if early packets are kept in reorder, up to window of them from the expected one on, and selective
	// if they are reported, so that there are no NAKs.
	keeps, selective bool
	window           int64
	reorder          reorder
	// A gap is reported once it is depth packets deep or patience old; timer fires then. since is the time at which the
	// expected packet was found missing, unit.Never while it is not.
	depth    int64
	patience unit.Duration
	since    unit.Time
	timer    link.Timer

	// A NAK for packet nakFor was last sent at nakAt. rule decides when it may be repeated, and refused is the packet
	// that was refused last.
	nakFor  int64
	nakAt   unit.Time
	rule    profile.NAKRule
	refused int64
}

// newSequence returns the account of a flow whose packets have PSNs from firstPSN on; window is that of
// selective repeat.
func newSequence(firstPSN uint32, nic *profile.NIC, window int64) sequence {
	s := sequence{
		firstPSN:  firstPSN,
		keeps:     nic.OutOfOrder || nic.Selective,
		selective: nic.Selective,
		depth:     int64(nic.ReorderDepth),
		patience:  nic.ReorderTime,
		since:     unit.Never,
		nakFor:    -1,
		rule:      nic.NAK,
	}
	if s.keeps {
		s.window = reorderWindow
		if s.selective {
			s.window = window
		}
		s.reorder = newReorder(s.window)
	}
	return s
}

// psn returns the PSN of a packet.
func (s *sequence) psn(packet int64) uint32 { return psnOf(s.firstPSN, packet) }

// place is where a data packet comes in the sequence.
type place uint8

// The places.
const (
	taken     place = iota // in order, or early and kept
	duplicate              // taken before
	ahead                  // early and not kept
)

// place returns the packet of a PSN and where it comes.
func (s *sequence) place(psn uint32) (packet int64, where place) {
	packet = packetOf(s.firstPSN, psn, s.expected)
	switch early := packet - s.expected; {
	case early == 0:
		return packet, taken
	case early < 0:
		return packet, duplicate
	case early >= s.window:
		return packet, ahead
	case s.reorder.has(packet):
		return packet, duplicate
	}
	return packet, taken
}

// reports reports whether a packet that was accepted is acknowledged though it does not ask for it: by a selective
// receiver while there is a gap, and when one closed.
func (s *sequence) reports(packet int64) bool {
	return s.selective && (s.reorder.kept > 0 || packet+1 < s.expected)
}

// block returns what a selective receiver reports once the given packet came: which packets it keeps of
// the 64 up to that one, or from the expected one on.
func (s *sequence) block(packet int64) (first int64, bits uint64) {
	first = max(s.expected, packet-63)
	return first, s.reorder.arrived.block(first)
}

// accept takes a packet and reports whether it is in order; last is set if it ends a message.
func (s *sequence) accept(packet int64, last bool) (inOrder bool) {
	if packet != s.expected {
		s.reorder.keep(packet, last)
		return false
	}
	s.advance(last)
	for s.reorder.kept > 0 && s.reorder.has(s.expected) { // over what was kept beyond it too
		s.advance(s.reorder.take(s.expected))
	}
	return true
}

// plain reports whether the given packet is the expected one and none is kept beyond it: then advance is all of accept.
func (s *sequence) plain(packet int64) bool { return packet == s.expected && s.reorder.kept == 0 }

func (s *sequence) advance(endsMessage bool) {
	if endsMessage {
		s.msn = (s.msn + 1) & wire.PSNMask
	}
	s.expected++
}

// watch follows the first gap after a packet was accepted: its age counts from
// the moment when it became the first. It reports whether the gap is a new one,
// so that the timer is to fire at due, and whether it is to be reported now.
func (s *sequence) watch(packet int64, now unit.Time) (found, report bool) {
	if s.reorder.kept == 0 {
		s.since = unit.Never
		return false, false
	}
	if packet < s.expected || s.since == unit.Never {
		found, s.since = true, now
	}
	return found, packet-s.expected >= s.depth || now >= s.due()
}

// due returns the time at which the first gap is old enough to be reported.
func (s *sequence) due() unit.Time { return s.since.Add(s.patience) }

// refuse takes a packet that is not kept, and returns how long after a NAK another one may report
// the same gap, by the rule.
func (s *sequence) refuse(packet int64, interval unit.Duration) unit.Duration {
	fallsBack := packet <= s.refused
	s.refused = packet
	switch {
	case s.rule == profile.NAKEachInterval:
		return interval
	case s.rule == profile.NAKEachRound && fallsBack:
		return 0
	}
	return unit.Duration(unit.Never)
}

// mayNAK reports whether a NAK for the expected packet may be sent now, and takes it
// for sent: once for each gap, and again only when an interval has
// passed, for the packet that was sent again may be lost too. Repetitions come with
// arriving packets; if none arrive, the sender's timeout remains.
func (s *sequence) mayNAK(now unit.Time, interval unit.Duration) bool {
	if s.nakFor == s.expected && now < s.nakAt.Add(interval) {
		return false
	}
	s.nakFor, s.nakAt = s.expected, now
	return true
}

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
