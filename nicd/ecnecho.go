package nicd

import (
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
)

var ecnEchoKind = signalKind{
	name:  "ECN echo",
	asked: func(signals cc.Signals) bool { return signals.ECNEcho },
	make:  func(cc.Signals) signal { return new(ecnEcho) },
}

// ecnEcho is cc.Signals.ECNEcho: each ACK carries whether its data packet came
// marked.
type ecnEcho struct {
	noSignal
	// marked describes the newest packet at the receiver, the newest ACK at the sender.
	marked bool
}

func (e *ecnEcho) setExtensions(_, ack *wire.Frame) { ack.SetExtension(wire.ExtECNEcho) }

// splitsAck reports whether the mark changes: the ACK of the packets before
// leaves at once (RFC 8257, section 3.2).
func (e *ecnEcho) splitsAck(frame *wire.Frame) bool { return (frame.ECN() == wire.CE) != e.marked }

func (e *ecnEcho) readData(frame *wire.Frame, _ *cc.Arrival, _ *cc.Feedback, _ *record.Receiver) {
	e.marked = frame.ECN() == wire.CE
}

func (e *ecnEcho) fillAck(frame *wire.Frame, _ *cc.Feedback) {
	if e.marked {
		frame.ExtFlags = wire.ExtCE
	}
}

func (e *ecnEcho) readAck(frame *wire.Frame) { e.marked = frame.ExtFlags&wire.ExtCE != 0 }

func (e *ecnEcho) fillEvent(ev *cc.Event) { ev.CE = ev.Kind == cc.EventAck && e.marked }
