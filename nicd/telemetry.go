package nicd

import (
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/inband"
)

var telemetryKind = signalKind{
	name:  "in-band telemetry",
	asked: func(signals cc.Signals) bool { return signals.INT },
	make:  func(cc.Signals) signal { return new(inBand) },
}

// inBand is cc.Signals.INT: data carry an empty stack for the records of switches, and ACKs bring it back.
type inBand struct {
	noSignal
	// stack belongs to the newest packet at the receiver, to the newest ACK at the sender.
	stack inband.Stack
}

func (i *inBand) setExtensions(data, ack *wire.Frame) {
	empty := inband.Stack{Max: inband.MaxHops}
	data.Rare, ack.Rare = &wire.Rare{INT: empty}, &wire.Rare{INT: empty}
	data.SetExtension(wire.ExtINT)
	ack.SetExtension(wire.ExtINTEcho)
}

func (i *inBand) readData(frame *wire.Frame, _ *cc.Arrival, _ *cc.Feedback, _ *record.Receiver) {
	i.stack = frame.Rare.INT
}

func (i *inBand) fillAck(frame *wire.Frame, _ *cc.Feedback) { frame.Rare.INT = i.stack }

func (i *inBand) readAck(frame *wire.Frame) { i.stack = frame.Rare.INT }

func (i *inBand) fillEvent(event *cc.Event) { event.INT = i.stack }
