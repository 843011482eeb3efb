package nicd

import (
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
)

var ownKind = signalKind{
	name:  "an extension of its own",
	asked: func(signals cc.Signals) bool { return signals.OwnData != 0 || signals.OwnAck != 0 },
	make:  func(signals cc.Signals) signal { return &own{data: signals.OwnData, ack: signals.OwnAck} },
}

// own is cc.Signals.OwnData and OwnAck: bytes that mean something to the
// algorithm alone, from the sender's decision to the receiver and from the
// receiver's feedback to the sender.
type own struct {
	noSignal
	// data and ack are the numbers of bytes that data packets and ACKs carry.
	data, ack int
	// newest is the content of the newest ACK.
	newest [cc.OwnBytes]byte
}

func (o *own) setExtensions(data, ack *wire.Frame) {
	setOwn(data, o.data)
	setOwn(ack, o.ack)
}

// setOwn gives frame an extension of the given number of bytes, none for 0.
func setOwn(frame *wire.Frame, length int) {
	if length > 0 {
		frame.Rare = &wire.Rare{OwnLen: uint8(length)}
		frame.SetExtension(wire.ExtOwn)
	}
}

func (o *own) fillData(frame *wire.Frame, departure departure) {
	if o.data > 0 {
		frame.Rare.Own = *departure.own
	}
}

func (o *own) readData(frame *wire.Frame, arrival *cc.Arrival, _ *cc.Feedback, _ *record.Receiver) {
	if o.data > 0 {
		copyOwn(&arrival.Own, frame)
	}
}

func (o *own) fillAck(frame *wire.Frame, feedback *cc.Feedback) { o.fillFeedback(frame, feedback) }

func (o *own) fillFeedback(frame *wire.Frame, feedback *cc.Feedback) {
	if o.ack > 0 {
		frame.Rare.Own = feedback.Own
	}
}

func (o *own) readAck(frame *wire.Frame) { copyOwn(&o.newest, frame) }

func (o *own) fillEvent(event *cc.Event) { event.Own = o.newest }

// copyOwn copies the bytes that frame carries; the rest is zero.
func copyOwn(to *[cc.OwnBytes]byte, frame *wire.Frame) {
	clear(to[copy(to[:], frame.Rare.Own[:frame.Rare.OwnLen]):])
}
