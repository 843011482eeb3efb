package nicd

import (
	"errors"
	"fmt"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/telemetry"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
)

// Dress gives a data packet and an ACK the extensions that carry a controller's
// signals, empty ones.
func Dress(s cc.Signals, data, ack *wire.Frame) {
	switch {
	case s.OneWayDelay:
		data.SetExtension(wire.ExtPC4Data)
		ack.SetExtension(wire.ExtPC4Ack)
	case s.INT:
		stack := telemetry.Stack{Max: telemetry.MaxHops}
		data.Rare, ack.Rare = &wire.Rare{INT: stack}, &wire.Rare{INT: stack}
		data.SetExtension(wire.ExtINT)
		ack.SetExtension(wire.ExtINTEcho)
	case s.OwnData > 0 || s.OwnAck > 0:
		dressOwn(data, s.OwnData)
		dressOwn(ack, s.OwnAck)
	case s.ECNEcho:
		ack.SetExtension(wire.ExtECNEcho)
	case s.Timestamp:
		data.SetExtension(wire.ExtTimestamp)
		ack.SetExtension(wire.ExtTimestampAck)
	case s.RTTInCNP:
		data.SetExtension(wire.ExtTimestamp)
	}
}

func dressOwn(f *wire.Frame, n int) {
	if n > 0 {
		f.Rare = &wire.Rare{OwnLen: uint8(n)}
		f.SetExtension(wire.ExtOwn)
	}
}

// checkSignals refuses what the one extension of a frame cannot carry.
func checkSignals(s cc.Signals) error {
	asked := 0
	for _, want := range []bool{s.OneWayDelay, s.Timestamp || s.RTTInCNP, s.ECNEcho, s.INT, s.OwnData != 0 || s.OwnAck != 0} {
		if want {
			asked++
		}
	}
	if asked > 1 {
		return errors.New("the algorithm asks for several of one-way delay, timestamp (or RTT in CNPs), ECN echo, in-band telemetry and an extension of its own; a frame carries one extension, allowed is one of them")
	}
	for _, n := range []int{s.OwnData, s.OwnAck} {
		if n < 0 || n > cc.OwnBytes || n%4 != 0 {
			return fmt.Errorf("the algorithm asks for an extension of %d bytes, allowed are 0 to %d in steps of 4", n, cc.OwnBytes)
		}
	}
	if s.RTTInCNP && !s.CNP {
		return errors.New("the algorithm asks for RTTs in CNPs and for no CNPs; allowed is RTTInCNP with CNP")
	}
	if s.CNPInterval < 0 {
		return fmt.Errorf("the algorithm asks for a CNP interval of %v, allowed is 0 and more", s.CNPInterval)
	}
	return nil
}

// newFrame returns a copy of a frame that the caller may change, with a Rare of
// its own where the frame has one: the usual frames have none, and those that
// have one bring it along from use to use.
func newFrame(out *fabric.Outbox, template *wire.Frame) *wire.Frame {
	f := out.New()
	rare := f.Rare
	*f = *template
	if template.Rare == nil {
		return f
	}
	if rare == nil {
		rare = new(wire.Rare)
	}
	rare.INT, rare.OwnLen, rare.Payload, rare.Unpadded = template.Rare.INT, template.Rare.OwnLen, nil, false
	f.Rare = rare
	return f
}

// heard is what the newest ACK's extension said, for the few senders that
// asked for what is long.
type heard struct {
	stack telemetry.Stack
	own   [cc.OwnBytes]byte
}

// newHeard returns where a sender with such signals keeps it, nil for others.
func newHeard(s cc.Signals) *heard {
	if s.INT || s.OwnAck > 0 {
		return new(heard)
	}
	return nil
}

// keep notes what an ACK says.
func (h *heard) keep(f *wire.Frame) {
	switch f.Extension() {
	case wire.ExtINTEcho:
		h.stack = f.Rare.INT
	case wire.ExtOwn:
		clear(h.own[copy(h.own[:], f.Rare.Own[:f.Rare.OwnLen]):])
	}
}

// show puts it into an event; an event of a sender that asked for nothing shows
// nothing of another's.
func (n *NIC) show(h *heard, e *cc.Event) {
	switch {
	case h != nil:
		e.INT, e.Own = h.stack, h.own
		n.shown = true
	case n.shown:
		e.INT, e.Own = telemetry.Stack{}, [cc.OwnBytes]byte{}
		n.shown = false
	}
}

// showOwn puts a packet's own extension into an arrival; one of a receiver that
// asked for none shows nothing of another's.
func (n *NIC) showOwn(r *receiver, f *wire.Frame, a *cc.Arrival) {
	if r.signals.OwnData == 0 && !n.ownArrived {
		return
	}
	a.Own, n.ownArrived = [cc.OwnBytes]byte{}, false
	if r.signals.OwnData > 0 && f.Extension() == wire.ExtOwn {
		copy(a.Own[:], f.Rare.Own[:f.Rare.OwnLen])
		n.ownArrived = true
	}
}
