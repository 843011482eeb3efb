package nicd

import (
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

var packetGapsKind = signalKind{
	name:  "packet gaps",
	asked: func(s cc.Signals) bool { return s.PacketGaps },
	make:  func(cc.Signals) signal { return new(packetGaps) },
}

// packetGaps is cc.Signals.PacketGaps: data carry how long after the packet before
// they left, ACKs that and how long after it they arrived.
type packetGaps struct {
	noSignal
	last          int64 // when the packet before left, or arrived; 0 for none
	sent, arrived uint32
}

func (p *packetGaps) setExtensions(data, ack *wire.Frame) {
	data.SetExtension(wire.ExtPacketGaps)
	ack.SetExtension(wire.ExtPacketGapsAck)
}

func (p *packetGaps) clocked() bool { return true }

// since returns the time since the packet before in ns.
func (p *packetGaps) since(now int64) uint32 {
	gap := now - p.last
	if p.last == 0 {
		gap = 0
	}
	p.last = now
	return uint32(min(max(gap, 0), 1<<32-1))
}

func (p *packetGaps) fillData(f *wire.Frame, d departure) { f.ExtA = p.since(d.clock.ReadSender(d.at)) }

func (p *packetGaps) readData(f *wire.Frame, a *cc.Arrival, _ *cc.Feedback, _ *record.Receiver) {
	p.sent, p.arrived = f.ExtA, p.since(a.Clock)
}

func (p *packetGaps) fillAck(f *wire.Frame, _ *cc.Feedback) { f.ExtA, f.ExtB = p.sent, p.arrived }

func (p *packetGaps) readAck(f *wire.Frame) { p.sent, p.arrived = f.ExtA, f.ExtB }

func (p *packetGaps) fillEvent(e *cc.Event) {
	e.SentGap = unit.Duration(p.sent) * unit.Nanosecond
	e.ArrivalGap = unit.Duration(p.arrived) * unit.Nanosecond
}
