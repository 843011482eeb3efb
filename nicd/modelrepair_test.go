package nicd

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// modelRepair is the specified behaviour of the sending end of selective repeat, by looking at all packets each time:
// which it takes for lost, what it sends, and what it counts as in flight.
type modelRepair struct {
	cut
	end              *sender
	reorder, baseRTT unit.Duration
	packets          []modelPacket
	// newest is the latest start of what arrived, heard when that became known, least the least round trip and
	// rtt the newest, by Karn's rule.
	newest, heard, news unit.Time
	least, rtt          unit.Duration
	una                 int64
	probed              bool // since something arrived
	timeouts            uint64
	// losses, probes and again count packets taken for lost, probes, and packets that were lost when sent again.
	losses, probes, again int
	told                  unit.Bytes
	lostBytes             unit.Bytes
}

// modelPacket is a packet: how often it was sent, last at start, and whether it arrived, is lost, known from since on,
// and waits to be sent again, or is the probe on its way.
type modelPacket struct {
	start, since         unit.Time
	times                int
	arrived, lost, probe bool
}

// report takes an ACK of all packets before to that reports bits from packet base on.
func (m *modelRepair) report(now unit.Time, to, base int64, bits uint64) {
	var came []int64
	for p := range int64(len(m.packets)) {
		in := p < to || p >= base && p < base+64 && bits>>(p-base)&1 == 1
		if in && !m.packets[p].arrived {
			came = append(came, p)
		}
	}
	highest := int64(-1)
	for p := range m.packets {
		if m.packets[p].arrived {
			highest = int64(p)
		}
	}
	for _, p := range came {
		one := &m.packets[p]
		one.arrived, one.lost, m.probed, m.news = true, false, false, now
		round := now.Sub(one.start)
		genuine := one.times == 1 || round >= m.least
		if genuine && one.start > m.newest {
			m.newest, m.heard = one.start, now
		}
		if genuine && one.probe {
			m.lostBytes += m.bytes(p)
		}
		one.probe = false
	}
	if n := len(came); n > 0 && came[n-1] > highest && m.packets[came[n-1]].times == 1 {
		m.rtt = now.Sub(m.packets[came[n-1]].start)
		if m.least == 0 || m.rtt < m.least {
			m.least = m.rtt
		}
	}
	m.una = max(m.una, to)
}

func (m *modelRepair) bytes(p int64) unit.Bytes {
	_, length, _ := m.of(p)
	return length
}

// judge takes packets for lost by what has arrived, and all after a timeout.
func (m *modelRepair) judge(now unit.Time) {
	expired := m.end.record.Timeouts > m.timeouts
	m.timeouts = m.end.record.Timeouts
	for p := range m.packets {
		one := &m.packets[p]
		overtaken := one.start < m.newest && now.Sub(m.heard) > m.reorder-m.newest.Sub(one.start)
		if one.arrived || one.lost || !overtaken && !expired {
			continue
		}
		one.lost, one.since, one.probe = true, now, false
		m.losses++
		if one.times > 1 {
			m.again++
		}
		m.lostBytes += m.bytes(int64(p))
	}
	if expired {
		m.probed = false
	}
}

// sent takes a data packet that leaves now: the first that is lost, else the probe, else the next. A loss that becomes
// known at this very instant may do so before or after the packet leaves.
func (m *modelRepair) sent(now unit.Time, frame *wire.Frame) error {
	p := packetOf(m.end.reliability.firstPSN, frame.PSN, m.una)
	if p == int64(len(m.packets)) {
		if p-m.una >= m.end.reliability.outstanding {
			return fmt.Errorf("packet %d leaves while %d is unacknowledged", p, m.una)
		}
		m.packets = append(m.packets, modelPacket{start: now, times: 1})
		return nil
	}
	if p < m.una || p > int64(len(m.packets)) {
		return fmt.Errorf("packet %d leaves, %d is the oldest and %d the next", p, m.una, len(m.packets))
	}
	one := &m.packets[p]
	first, before, latest := int64(-1), int64(-1), int64(-1)
	for q := range int64(len(m.packets)) {
		o := &m.packets[q]
		if o.lost && o.since < now && before < 0 {
			before = q
		}
		switch {
		case o.lost && first < 0:
			first = q
		case !o.arrived && !o.lost && (latest < 0 || o.start >= m.packets[latest].start):
			latest = q
		}
	}
	last := unit.Time(0)
	for q := range m.packets {
		last = max(last, m.packets[q].start)
	}
	quiet := now >= last.Add(2*max(m.baseRTT, m.rtt)) && now >= m.news.Add(max(m.baseRTT, m.rtt))
	switch {
	case p == first || p == before:
		one.lost = false
	case one.arrived:
		return fmt.Errorf("packet %d is sent again, and had arrived", p)
	case quiet && !m.probed && p == latest:
		one.probe, m.probed = true, true
		m.probes++
	default:
		return fmt.Errorf("packet %d is sent again, want %d, which is lost, or %d after a round trip and another without "+
			"an ACK (%t)", p, first, latest, quiet)
	}
	one.start, one.times = now, one.times+1
	return nil
}

// compare checks that the end agrees with the model after an instant. A probe that waits for the port counts as lost
// there.
func (m *modelRepair) compare() error {
	r := &m.end.reliability
	inflight, received := unit.Bytes(0), unit.Bytes(0)
	for p := range int64(len(m.packets)) {
		one := &m.packets[p]
		if one.arrived {
			received += m.bytes(p)
		} else if !one.lost {
			inflight += m.bytes(p)
		}
	}
	if r.urgent {
		inflight -= m.bytes(r.repair)
	}
	switch {
	case r.inflight() != inflight:
		return fmt.Errorf("%v in flight, want %v", r.inflight(), inflight)
	case r.acked+r.board.kept != received:
		return fmt.Errorf("%v received, want %v", r.acked+r.board.kept, received)
	case m.told != m.lostBytes:
		return fmt.Errorf("heard of %v as lost, want %v", m.told, m.lostBytes)
	case r.board.rtt != m.rtt:
		return fmt.Errorf("an RTT of %v, want %v", r.board.rtt, m.rtt)
	}
	return nil
}
