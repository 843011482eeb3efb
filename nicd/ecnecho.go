package nicd

import (
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
)

var ecnEchoKind = signalKind{
	name:  "ECN echo",
	asked: func(s cc.Signals) bool { return s.ECNEcho },
	make:  func(cc.Signals) signal { return new(ecnEcho) },
}

// ecnEcho is cc.Signals.ECNEcho: each ACK says whether its data packet came
// marked.
type ecnEcho struct {
	noSignal
	// marked is of the newest packet at the receiver, of the newest ACK at the
	// sender.
	marked bool
}

func (e *ecnEcho) setExtensions(_, ack *wire.Frame) { ack.SetExtension(wire.ExtECNEcho) }

// splitsAck reports whether the mark changes: the ACK of the packets before
// leaves at once (RFC 8257, section 3.2).
func (e *ecnEcho) splitsAck(f *wire.Frame) bool { return (f.ECN() == wire.CE) != e.marked }

func (e *ecnEcho) readData(f *wire.Frame, _ *cc.Arrival, _ *cc.Feedback, _ *record.Receiver) {
	e.marked = f.ECN() == wire.CE
}

func (e *ecnEcho) fillAck(f *wire.Frame, _ *cc.Feedback) {
	if e.marked {
		f.ExtFlags = wire.ExtCE
	}
}

func (e *ecnEcho) readAck(f *wire.Frame) { e.marked = f.ExtFlags&wire.ExtCE != 0 }

func (e *ecnEcho) fillEvent(ev *cc.Event) { ev.CE = ev.Kind == cc.EventAck && e.marked }
