package nicd

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// cut is the division of a flow's bytes into packets, computed for each packet separately. size is 0 for a flow without
// end.
type cut struct{ size, message, mtu unit.Bytes }

// perMessage returns the number of packets of a whole message.
func (c cut) perMessage() int64 { return int64((c.message + c.mtu - 1) / c.mtu) }

// of returns the beginning of a packet in the flow, its length, 0 for one beyond the flow's end, and whether it ends a
// message.
func (c cut) of(packet int64) (from, length unit.Bytes, last bool) {
	message := unit.Bytes(packet / c.perMessage())
	within := unit.Bytes(packet%c.perMessage()) * c.mtu
	end := (message + 1) * c.message
	if c.size > 0 {
		end = min(end, c.size)
	}
	from = message*c.message + within
	if from >= end {
		return end, 0, false
	}
	return from, min(c.mtu, end-from), from+c.mtu >= end
}

// arrival is a frame that arrived, as a model sees it: its packet, by a number that does not wrap, and its kind. One
// that is neither ACK nor NAK has an undefined syndrome, or is data.
type arrival struct {
	number   int64
	ack, nak bool
}

func arrivalOf(f *flight) *arrival {
	response := f.frame.Opcode == wire.Acknowledge
	return &arrival{
		number: f.number,
		ack:    response && f.frame.Syndrome>>5 == 0,
		nak:    response && f.frame.Syndrome == wire.SyndromeNAKSequence,
	}
}

// modelSender is the specified behaviour of the sending end of a flow (IBA volume 1, 9.7): it follows the end's input
// and output, with numbers that never wrap.
type modelSender struct {
	cut
	first      uint32 // PSN of packet 0
	outOfOrder bool
	end        *sender
	// begin is the first packet; una, next and high are the oldest unacknowledged one, the one that goes next and the
	// first never sent; limit ends the requested packets. repair is the one packet that an out-of-order receiver
	// misses, -1 for none.
	begin, una, next, high, limit, repair int64
	stop                                  unit.Time
	// progress is the time at which the timeout began to count; after is the timeout.
	progress      unit.Time
	after, floor  unit.Duration
	factor        unit.Duration
	starts        map[int64]unit.Time // of the first transmission
	times         map[int64]int       // transmissions
	samples       uint64
	timeouts      uint64
	refused       uint64 // ACKs and NAKs of what was never sent, or of what was acknowledged
	wentBack      bool   // at least once
	quiet         bool   // the newest packet does not ask for an ACK
	outstandingTo int64
}

func newModelSender(end *sender, prof *profile.NIC, f flow, begin int64) *modelSender {
	m := &modelSender{
		cut:           cut{f.size, f.message, f.mtu},
		first:         f.psn,
		outOfOrder:    prof.OutOfOrder,
		end:           end,
		begin:         begin,
		una:           begin,
		next:          begin,
		high:          begin,
		limit:         1 << 40,
		repair:        -1,
		stop:          f.stop,
		after:         prof.RTOInitial,
		floor:         prof.RTOFloor,
		factor:        unit.Duration(prof.RTOFactor),
		starts:        map[int64]unit.Time{},
		times:         map[int64]int{},
		outstandingTo: 1 << 23, // IBA volume 1, 9.7.1
	}
	if m.outOfOrder {
		m.outstandingTo = 256
	}
	if f.size > 0 {
		for m.limit = begin; ; m.limit++ {
			if _, length, _ := m.of(m.limit); length == 0 {
				break
			}
		}
	}
	return m
}

func (m *modelSender) String() string {
	return fmt.Sprintf("out of order %t, %d messages of %v; packets %d to %d, oldest %d, next %d, repair %d, "+
		"never sent %d; timeout %v from %v", m.outOfOrder, m.limit/m.perMessage(), m.message, m.begin, m.limit, m.una,
		m.next, m.repair, m.high, m.after, m.progress)
}

// instant takes what the end did at an instant but its departures: the arrival, nil for none, or the
// timeout or the flow's stop.
func (m *modelSender) instant(now unit.Time, a *arrival) error {
	if m.stop > 0 && now >= m.stop {
		m.limit, m.stop = min(m.limit, m.high), 0
		if m.quiet && m.una < m.high && m.next == m.high { // one more, to ask for the ACK
			m.limit++
		}
	}
	fired := m.end.record.Timeouts - m.timeouts
	m.timeouts = m.end.record.Timeouts
	switch {
	case fired > 1 || fired == 1 && a != nil:
		return fmt.Errorf("%d timeouts at once", fired)
	case fired == 1 && m.next == m.una:
		return fmt.Errorf("a timeout while nothing is on its way")
	case fired == 1 && now != m.progress.Add(m.after):
		return fmt.Errorf("the RTO fires %v after the last progress, want %v", now.Sub(m.progress), m.after)
	case fired == 1:
		m.next, m.repair, m.wentBack = m.una, -1, true
	}
	if a == nil {
		return nil
	}
	before := m.una
	m.take(now, a)
	if err := m.sample(now, before); err != nil {
		return err
	}
	if from, _, _ := m.of(m.una); m.end.reliability.una != m.una || m.end.reliability.acked != from {
		return fmt.Errorf("after an arrival of number %d all before %d (%v) is taken for acknowledged, want before %d (%v)",
			a.number, m.end.reliability.una, m.end.reliability.acked, m.una, from)
	}
	return nil
}

// take takes an ACK of all before a packet, or a NAK for it. One for a packet never sent is ignored, and so is a NAK
// for an acknowledged one.
func (m *modelSender) take(now unit.Time, a *arrival) {
	to := a.number
	if !a.ack && !a.nak || to > m.high || a.nak && (to >= m.high || to < m.una) {
		m.refused++
		return
	}
	if to > m.una {
		m.una, m.progress = to, now
		m.next = max(m.next, to)
		if m.repair < to {
			m.repair = -1
		}
	}
	if !a.nak {
		return
	}
	if m.wentBack = true; m.outOfOrder {
		m.repair = to
	} else {
		m.next = min(m.next, to)
	}
}

// sample follows the RTT: a sample is taken for the newest newly acknowledged packet, and only if it was sent once
// (Karn). Until it goes back, go-back-N samples each.
func (m *modelSender) sample(now unit.Time, before int64) error {
	got := m.end.record.RTT.Count() - m.samples
	m.samples += got
	switch {
	case got == 0 && m.una > before && !m.wentBack && !m.outOfOrder:
		return fmt.Errorf("no RTT sample of packet %d", m.una-1)
	case got == 0:
	case got > 1 || m.una == before:
		return fmt.Errorf("%d RTT samples, packets before %d acknowledged", got, m.una)
	case m.times[m.una-1] != 1:
		return fmt.Errorf("RTT sample of packet %d, which was sent %d times", m.una-1, m.times[m.una-1])
	default:
		m.after = max(m.floor, m.factor*now.Sub(m.starts[m.una-1]))
	}
	return nil
}

// sent takes a data packet that leaves now, which is to be the repair or the next in order, and
// returns its number.
func (m *modelSender) sent(now unit.Time, frame *wire.Frame) (int64, error) {
	packet := m.next
	if m.repair >= 0 {
		packet, m.repair = m.repair, -1
	} else {
		m.next++
		if packet == m.una {
			m.progress = now
		}
		oldest, _, _ := m.of(m.una)
		if from, _, _ := m.of(packet); m.end.decisions.window > 0 && from-oldest >= m.end.decisions.window {
			return 0, fmt.Errorf("packet %d leaves with %v in flight", packet, from-oldest)
		}
	}
	if packet-m.una >= m.outstandingTo {
		return 0, fmt.Errorf("packet %d leaves while %d is unacknowledged", packet, m.una)
	}
	if packet >= m.limit {
		return 0, fmt.Errorf("packet %d leaves, but %d was the last that was asked for", packet, m.limit-1)
	}
	_, length, last := m.of(packet)
	if psn := uint32((int64(m.first) + packet) % (1 << 24)); frame.PSN != psn || unit.Bytes(frame.PayloadLen) != length ||
		requests[frame.Opcode].ends != last {
		return 0, fmt.Errorf("sent PSN %d of %d B, ends a message %t; want PSN %d of %v, %t: packet %d", frame.PSN,
			frame.PayloadLen, requests[frame.Opcode].ends, psn, length, last, packet)
	}
	if m.times[packet]++; m.times[packet] == 1 {
		m.starts[packet] = now
		m.high = packet + 1
	}
	if packet == m.high-1 {
		m.quiet = frame.AckExt&wire.AckReq == 0
	}
	return packet, nil
}

// settled looks at the end after an instant: a timeout that was due has come.
func (m *modelSender) settled(now unit.Time) error {
	if due := m.progress.Add(m.after); m.next > m.una && now >= due && m.una < m.limit {
		return fmt.Errorf("the RTO was due at %v, %v after the last progress", due, m.after)
	}
	return nil
}

// ended looks at an end that has nothing more to do.
func (m *modelSender) ended() error {
	if m.una != m.limit || m.high != m.limit {
		return fmt.Errorf("the flow ended with packets before %d of %d acknowledged", m.una, m.limit)
	}
	from, _, _ := m.of(m.begin)
	to, _, _ := m.of(m.limit)
	once := uint64(m.limit - m.begin)
	if r := m.end.record; r.Acked != to-from || r.Completed == unit.Never || r.Packets-r.Resent != once {
		return fmt.Errorf("%v acknowledged, want %v; %d packets, %d of them again, want %d once", r.Acked, to-from,
			r.Packets, r.Resent, once)
	}
	return nil
}
