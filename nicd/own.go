package nicd

import (
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
)

var ownKind = signalKind{
	name:  "an extension of its own",
	asked: func(s cc.Signals) bool { return s.OwnData != 0 || s.OwnAck != 0 },
	make:  func(s cc.Signals) signal { return &own{data: s.OwnData, ack: s.OwnAck} },
}

// own is cc.Signals.OwnData and OwnAck: bytes that mean something to the
// algorithm alone, from the sender's decision to the receiver and from the
// receiver's feedback to the sender.
type own struct {
	noSignal
	// data and ack are how many bytes data packets and ACKs carry.
	data, ack int
	// newest is what the newest ACK carried.
	newest [cc.OwnBytes]byte
}

func (o *own) setExtensions(data, ack *wire.Frame) {
	setOwn(data, o.data)
	setOwn(ack, o.ack)
}

// setOwn gives f an extension of n bytes, none for 0.
func setOwn(f *wire.Frame, n int) {
	if n > 0 {
		f.Rare = &wire.Rare{OwnLen: uint8(n)}
		f.SetExtension(wire.ExtOwn)
	}
}

func (o *own) fillData(f *wire.Frame, d departure) {
	if o.data > 0 {
		f.Rare.Own = *d.own
	}
}

func (o *own) readData(f *wire.Frame, a *cc.Arrival, _ *cc.Feedback, _ *record.Receiver) {
	if o.data > 0 {
		copyOwn(&a.Own, f)
	}
}

func (o *own) fillAck(f *wire.Frame, fb *cc.Feedback) {
	if o.ack > 0 {
		f.Rare.Own = fb.Own
	}
}

func (o *own) readAck(f *wire.Frame) { copyOwn(&o.newest, f) }

func (o *own) fillEvent(e *cc.Event) { e.Own = o.newest }

// copyOwn copies what f carries; the rest is zero.
func copyOwn(to *[cc.OwnBytes]byte, f *wire.Frame) {
	clear(to[copy(to[:], f.Rare.Own[:f.Rare.OwnLen]):])
}
