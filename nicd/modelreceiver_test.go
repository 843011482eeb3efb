package nicd

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// modelReceiver is the specified behaviour of the receiving end of a flow (IBA volume 1, 9.7.2 and 9.7.5.2): it follows
// the end's input and answers, with numbers that never wrap.
type modelReceiver struct {
	cut
	keeps    bool
	depth    int64
	patience unit.Duration
	end      *receiver
	// Two NAKs for one packet are at least this apart: for a gap that is watched, and for an early packet that is not
	// kept.
	watched, refused unit.Duration
	rule             profile.NAKRule
	lastRefused      int64
	handed           []unit.Bytes // what its algorithm was handed since the last instant

	begin, expected int64
	kept            map[int64]bool // beyond the expected packet
	since           unit.Time      // when the expected packet was found missing
	naks            uint64
	nakFor          int64
	nakAt           unit.Time
	answered        int64 // what the last ACK or NAK covered
}

func newModelReceiver(end *receiver, prof *profile.NIC, c cut, begin int64) *modelReceiver {
	return &modelReceiver{
		cut:      c,
		keeps:    prof.OutOfOrder,
		depth:    int64(prof.ReorderDepth),
		patience: prof.ReorderTime,
		end:      end,
		watched:  end.baseRTT,
		refused:  prof.NAKInterval,
		rule:     prof.NAK,
		begin:    begin,
		expected: begin,
		kept:     map[int64]bool{},
		since:    unit.Never,
		nakFor:   -1,
		answered: begin - 1,
	}
}

// instant takes what the end did at an instant but its departures.
func (m *modelReceiver) instant(now unit.Time, a *arrival) error {
	handed := m.handed
	m.handed = nil
	naks := m.end.record.NAKs - m.naks
	m.naks += naks
	if a == nil {
		if len(handed) > 0 {
			return fmt.Errorf("%v delivered, but nothing arrived", handed)
		}
		return m.reported(now, naks, false, m.watched)
	}
	early := a.number - m.expected
	takes := early == 0 || m.keeps && early > 0 && early < 256 && !m.kept[a.number]
	_, length, _ := m.of(max(a.number, 0))
	switch {
	case takes && (len(handed) != 1 || handed[0] != length):
		return fmt.Errorf("packet %d of %v arrived, %v delivered", a.number, length, handed)
	case !takes && len(handed) > 0:
		return fmt.Errorf("packet %d is not to be taken while %d is expected, %v delivered", a.number, m.expected, handed)
	}
	due, interval := false, m.watched
	if takes {
		m.take(now, a.number)
		due = m.since != unit.Never && (a.number-m.expected >= m.depth || now >= m.since.Add(m.patience))
	} else if early > 0 && !m.kept[a.number] {
		due, interval = true, m.refused
		switch {
		case m.rule == profile.NAKOnce, m.rule == profile.NAKEachRound && a.number > m.lastRefused:
			interval = unit.Duration(unit.Never)
		case m.rule == profile.NAKEachRound:
			interval = 0
		}
		m.lastRefused = a.number
	}
	if m.end.sequence.expected != m.expected {
		return fmt.Errorf("packet %d is expected, want %d", m.end.sequence.expected, m.expected)
	}
	return m.reported(now, naks, due, interval)
}

// take takes a packet in order or keeps it, and follows the age of the first gap.
func (m *modelReceiver) take(now unit.Time, packet int64) {
	before := m.expected
	m.kept[packet] = true
	for m.kept[m.expected] {
		delete(m.kept, m.expected)
		m.expected++
	}
	switch {
	case len(m.kept) == 0:
		m.since = unit.Never
	case m.expected != before || m.since == unit.Never:
		m.since = now
	}
}

// reported compares the NAKs of an instant with the gap: none without a gap, one when it is due
// and none was sent for an interval.
func (m *modelReceiver) reported(now unit.Time, naks uint64, due bool, interval unit.Duration) error {
	again := m.nakFor == m.expected && now < m.nakAt.Add(interval)
	aged := m.since != unit.Never && now >= m.since.Add(m.patience)
	switch {
	case naks > 1:
		return fmt.Errorf("%d NAKs at once", naks)
	case naks == 1 && again:
		return fmt.Errorf("a NAK for packet %d, %v after the last, want at least %v", m.expected, now.Sub(m.nakAt), interval)
	case naks == 1 && !due && !aged:
		return fmt.Errorf("a NAK for packet %d, which is not due", m.expected)
	case naks == 0 && due && !again:
		return fmt.Errorf("no NAK for packet %d", m.expected)
	case naks == 0 && aged && m.nakFor != m.expected:
		return fmt.Errorf("no NAK for packet %d, missing since %v", m.expected, m.since)
	case naks == 1:
		m.nakFor, m.nakAt = m.expected, now
	}
	return nil
}

// sent takes an ACK or a NAK that leaves and returns the first packet that it does not cover.
func (m *modelReceiver) sent(frame *wire.Frame) (int64, error) {
	psn := int64(frame.PSN)
	if frame.Syndrome != wire.SyndromeNAKSequence {
		psn++
	}
	// Answers speak of the newest packets: of those before the expected one, count back to it.
	covers := m.expected - ((m.expected+int64(m.end.sequence.firstPSN)-psn)%(1<<24)+1<<24)%(1<<24)
	if covers < m.answered || covers < m.begin {
		return 0, fmt.Errorf("answer for PSN %d: %d is expected, and all before %d was acknowledged before", frame.PSN,
			m.expected, m.answered)
	}
	if msn := uint32(m.messages(covers) % (1 << 24)); frame.MSN != msn {
		return 0, fmt.Errorf("answer for all before packet %d has MSN %d, want %d", covers, frame.MSN, msn)
	}
	m.answered = covers
	return covers, nil
}

// messages returns the number of messages that end before a packet.
func (m *modelReceiver) messages(packet int64) int64 {
	whole := packet / m.perMessage()
	if m.size > 0 && packet > 0 {
		if _, _, last := m.of(packet - 1); last && packet%m.perMessage() != 0 {
			whole++ // the last message is shorter
		}
	}
	return whole
}

// ended checks an end to which all packets before limit were sent and acknowledged.
func (m *modelReceiver) ended(limit int64) error {
	from, _, _ := m.of(m.begin)
	to, _, _ := m.of(limit)
	if r := m.end.record; m.expected != limit || len(m.kept) > 0 || r.Bytes != to || r.Packets != uint64(limit-m.begin) {
		return fmt.Errorf("%d packets and %v delivered, %d kept, %d expected; want %d and %v, none, %d", r.Packets,
			r.Bytes-from, len(m.kept), m.expected, limit-m.begin, to-from, limit)
	}
	return nil
}
