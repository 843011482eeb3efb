package nicd

import (
	"math/bits"

	"github.com/rocelab/rocelab/emulator/fifo"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// scoreboard is the sending end's knowledge, in selective repeat, of each packet from una on: whether the receiver has
// it, whether it is taken for lost, and whether it was sent again.
//
// A packet is lost once one that started later by more than reorder has arrived, and so, too, once reorder has passed
// since the arrival of any that started later: the rule of RACK (RFC 8985, section 6.2), by the starts of packets. A
// packet that was sent again and is lost again is found by the same rule, without a timeout; IRN and MRC, which go by
// PSN, leave it to one. Only lost packets are sent again.
//
// Memory: 8 bytes for each packet of the window in reliability.starts, 4 in again at the most, 4 bits
// here.
type scoreboard struct {
	account *reliability
	window  int64 // packets, a power of 2
	reorder unit.Duration
	baseRTT unit.Duration

	has, lost, resent bitmap
	// packets counts the packets that the receiver has beyond una or that are lost, kept the payload of the former.
	packets int64
	kept    unit.Bytes
	// again are the packets that were sent again, by the lower half of their numbers, in the order in which they
	// started. Packets below judged that were sent once have arrived or were lost.
	again  fifo.Queue[uint32]
	judged int64
	// top is the packet after the highest that is known to have arrived.
	top int64
	// newest is the latest start of a packet that arrived, heard when that became known, news when any
	// arrival did last.
	newest, heard, news unit.Time
	// rtt is the newest sample of the round trip, least the least, 0 before the first.
	rtt, least unit.Duration
	// resentAt is the latest start of a packet that was sent again.
	resentAt unit.Time
	// untold is the payload that arrived and was not yet reported to the algorithm.
	untold unit.Bytes
	newReport
	// A probe is the packet that started last, sent again since no ACK came: once until something arrives, when used is
	// set. It waits to leave while reliability.urgent is set. Its loss shows when it comes, and only then it counts as
	// a loss: probes are the ones on their way.
	used   bool
	probes bitmap
}

// newReport is the content of the newest ACK or NAK: the highest packet that came, -1 for none, and whether it had been
// sent again; the top before; payload that came, and payload that a probe showed to be lost; the sample of the round
// trip, 0 for none, and whether it is the first of its round trip.
type newReport struct {
	highest, before int64
	cameAgain       bool
	arrived, shown  unit.Bytes
	newRTT          unit.Duration
	perRound        bool
	// heardBeyond is set if it came from beyond a gap, beside if the ACK of the same packet follows.
	heardBeyond, beside bool
}

func newScoreboard(account *reliability, window int64, reorder, baseRTT unit.Duration) *scoreboard {
	return &scoreboard{
		account: account,
		window:  window,
		reorder: reorder,
		baseRTT: baseRTT,
		has:     newBitmap(window),
		lost:    newBitmap(window),
		resent:  newBitmap(window),
		probes:  newBitmap(window),
	}
}

// repairSelectively makes the account of a new flow do selective repeat.
func (r *reliability) repairSelectively(window int64, reorder, baseRTT unit.Duration) {
	r.board, r.outstanding, r.urgent = newScoreboard(r, window, reorder, baseRTT), window, false
	r.clean = 1<<62 - 1 // the board samples
}

// startOf returns when a packet on its way started last.
func (s *scoreboard) startOf(packet int64) *unit.Time {
	return &s.account.starts[packet&int64(len(s.account.starts)-1)]
}

// bytesOf returns the payload of a packet.
func (s *scoreboard) bytesOf(packet int64) unit.Bytes {
	return s.account.layout.offset(packet+1) - s.account.layout.offset(packet)
}

// report takes an ACK or NAK of all packets before to, which the account acknowledges after it.
func (s *scoreboard) report(to int64, now unit.Time) {
	s.highest, s.before = -1, s.top
	for p := s.account.una; p < to; p++ {
		if s.has.take(p) {
			s.packets--
			s.kept -= s.bytesOf(p)
			s.account.away -= s.bytesOf(p)
		} else {
			s.arrive(p, now)
		}
		s.resent.take(p)
	}
}

// reportBeyond takes what an ACK reports of the 64 packets from base on, all before una acknowledged.
func (s *scoreboard) reportBeyond(una, base int64, report uint64, now unit.Time) {
	for ; report != 0; report &= report - 1 {
		p := base + int64(bits.TrailingZeros64(report))
		if p < una || p >= s.account.high || s.has.has(p) {
			continue
		}
		s.arrive(p, now)
		s.has.put(p)
		s.packets++
		s.kept += s.bytesOf(p)
		s.account.away += s.bytesOf(p)
	}
}

// sample samples the round trip of the highest packet so far if it has just come, even if packets before it are
// missing, and was sent once (Karn's rule).
func (s *scoreboard) sample(now unit.Time) {
	s.newRTT, s.perRound = 0, false
	if s.highest < s.before || s.cameAgain {
		return
	}
	s.newRTT = now.Sub(*s.startOf(s.highest))
	if s.highest >= s.account.sampled {
		s.perRound, s.account.sampled = true, s.account.high
	}
	s.rtt = s.newRTT
	if s.least == 0 || s.rtt < s.least {
		s.least = s.rtt
	}
}

// told returns the arrived payload that was not yet reported to the algorithm, and marks it as reported.
func (s *scoreboard) told() (bytes unit.Bytes) {
	bytes, s.untold = s.untold, 0
	return bytes
}

// arrive takes a packet that is new at the receiver.
func (s *scoreboard) arrive(packet int64, now unit.Time) {
	start, again := *s.startOf(packet), s.resent.has(packet)
	s.highest, s.cameAgain = packet, again
	s.arrived += s.bytesOf(packet)
	s.recall()
	s.find(packet)
	s.used = false
	// What comes sooner after it was sent again than any packet did is the one that was sent first.
	genuine := !again || now.Sub(start) >= s.least
	if genuine && start > s.newest {
		s.newest, s.heard = start, now
	}
	if s.probes.take(packet) && genuine {
		s.shown += s.bytesOf(packet)
	}
	s.top, s.news = max(s.top, packet+1), now
}

// find takes a packet for not lost after all, if it is taken for lost.
func (s *scoreboard) find(packet int64) {
	if s.lost.take(packet) {
		s.packets--
		s.account.away -= s.bytesOf(packet)
		if s.account.repair == packet {
			s.account.repair = s.nextLost(s.account.una, s.account.high)
		}
	}
}

// judge finds the packets that are lost by now, and returns their payload.
func (s *scoreboard) judge(now unit.Time) (lost unit.Bytes) {
	for s.again.Len() > 0 {
		if p := s.wide(*s.again.First()); p >= s.account.una && !s.has.has(p) && !s.lost.has(p) {
			if !s.overtaken(*s.startOf(p), now) {
				break
			}
			lost += s.lose(p)
		}
		s.again.RemoveFirst()
	}
	for s.judged = max(s.judged, s.account.una); s.judged < s.account.high; s.judged++ {
		if p := s.judged; !s.has.has(p) && !s.resent.has(p) && !s.lost.has(p) {
			if !s.overtaken(*s.startOf(p), now) {
				break
			}
			lost += s.lose(p)
		}
	}
	return lost
}

// overtaken reports whether a packet that started then, and has not arrived, is lost.
func (s *scoreboard) overtaken(start, now unit.Time) bool {
	return start < s.newest && now >= s.lostAt(start)
}

// lostAt returns the time at which a packet that started then, before the newest that arrived, is lost.
func (s *scoreboard) lostAt(start unit.Time) unit.Time {
	return s.heard.Add(start.Sub(s.newest) + s.reorder + 1)
}

// wide returns the packet near una with that lower half of its number.
func (s *scoreboard) wide(low uint32) int64 {
	return s.account.una + int64(int32(low-uint32(s.account.una)))
}

// lose takes a packet on its way for lost, and returns its payload.
func (s *scoreboard) lose(packet int64) (lost unit.Bytes) {
	lost = s.bytesOf(packet)
	s.lost.put(packet)
	s.packets++
	s.account.away += lost
	if s.account.repair < 0 || packet < s.account.repair {
		s.account.repair = packet
	}
	s.probes.take(packet)
	return lost
}

// nextLost returns the first lost packet from one on, -1 if there is none before end.
func (s *scoreboard) nextLost(packet, end int64) int64 {
	if s.packets == 0 {
		return -1
	}
	return s.lost.next(packet, end)
}

// resend sends the repair again now. It reports whether that is the oldest packet.
func (s *scoreboard) resend(now unit.Time) (oldest bool) {
	p := s.account.repair
	s.lost.take(p)
	s.resent.put(p)
	s.packets--
	s.account.away -= s.bytesOf(p)
	*s.startOf(p) = now
	s.resentAt = now
	s.noteAgain(p)
	s.account.urgent = false
	s.account.asked = min(s.account.asked, p+1-s.account.ackEvery) // it asks for an ACK
	s.account.repair = s.nextLost(s.account.una, s.account.high)
	return p == s.account.una
}

// noteAgain puts a packet at the end of the resent ones. Arrived ones make room for it.
func (s *scoreboard) noteAgain(packet int64) {
	again := &s.again
	if n := again.Len(); n > 0 && *again.At(n - 1) == uint32(packet) { // the probe
		return
	}
	if again.Full() {
		for range again.Len() {
			if low := again.Pop(); s.wide(low) >= s.account.una && !s.has.has(s.wide(low)) {
				again.Put(low)
			}
		}
	}
	again.Push(uint32(packet))
}

// lastStart returns the start of the packet in flight that started last.
func (s *scoreboard) lastStart() unit.Time { return max(*s.startOf(s.account.high - 1), s.resentAt) }

// probeAt returns the time of the probe: two round trips after the last start, and no sooner than one after the last
// news.
func (s *scoreboard) probeAt() unit.Time {
	round := max(s.baseRTT, s.rtt)
	return max(s.lastStart().Add(2*round), s.news.Add(round))
}

// expire has all that is not known to have arrived sent again, and returns the payload that
// was not lost before.
func (s *scoreboard) expire() (lost unit.Bytes) {
	s.again = fifo.Queue[uint32]{}
	s.recall()
	s.used = false
	for p := s.account.una; p < s.account.high; p++ {
		if !s.has.has(p) && !s.lost.has(p) {
			lost += s.lose(p)
		}
	}
	s.judged = s.account.high
	return lost
}

// suspect returns the packet on its way that is judged next, -1 if there is none.
func (s *scoreboard) suspect() int64 {
	packet := int64(-1)
	if s.judged < s.account.high {
		packet = s.judged
	}
	if s.again.Len() > 0 {
		if p := s.wide(*s.again.First()); packet < 0 || *s.startOf(p) < *s.startOf(packet) {
			packet = p
		}
	}
	return packet
}

// due returns the time at which the scoreboard is to be checked without an ACK: when a packet is lost, or the probe is
// due; unit.Never for not at all.
func (s *scoreboard) due() unit.Time {
	if s.account.una == s.account.next.packet {
		return unit.Never
	}
	at := unit.Never
	if !s.used {
		at = s.probeAt()
	}
	if p := s.suspect(); p >= 0 && *s.startOf(p) < s.newest {
		at = min(at, s.lostAt(*s.startOf(p)))
	}
	return at
}

// look does everything due at now, and returns the payload that is lost by that.
func (s *scoreboard) look(now unit.Time) (lost unit.Bytes) {
	if lost = s.judge(now); lost > 0 || s.used || now < s.probeAt() {
		return lost
	}
	p := int64(-1)
	for q := s.account.una; q < s.account.high; q++ {
		if !s.has.has(q) && !s.lost.has(q) && (p < 0 || *s.startOf(q) >= *s.startOf(p)) {
			p = q
		}
	}
	s.used = true
	if p >= 0 {
		s.lose(p)
		s.probes.put(p)
		s.account.repair, s.account.urgent = p, true
	}
	return 0
}

// recall takes back a probe that has yet to leave.
func (s *scoreboard) recall() {
	if p := s.account.repair; s.account.urgent {
		s.probes.take(p)
		s.find(p)
		s.account.urgent = false
	}
}
