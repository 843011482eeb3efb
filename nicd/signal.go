package nicd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/nicd/internal/clock"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// signal carries what an algorithm asks for between the two ends of a flow, in
// one extension of the data packets and one of the ACKs. Each end has its own
// signal: the sender's fills data packets and reads ACKs, the receiver's
// reads data packets and fills ACKs.
//
// A new signal is a file with a type that embeds noSignal and has the methods that it
// needs, and a line in signalKinds.
type signal interface {
	// setExtensions gives a data packet and an ACK the signal's extensions, empty.
	setExtensions(data, ack *wire.Frame)
	// clocked reports whether the NIC's clock is read for every event of the
	// sender and for every data packet at the receiver.
	clocked() bool

	// fillData fills the extension of a data packet that leaves.
	fillData(frame *wire.Frame, departure departure)
	// readAck keeps the content of an ACK.
	readAck(frame *wire.Frame)
	// fillEvent puts the content of the newest ACK into an event that is complete otherwise. It may replace the RTT.
	fillEvent(event *cc.Event)

	// splitsAck reports whether a delayed ACK must leave before the data packet is
	// accepted, since it could not describe both.
	splitsAck(frame *wire.Frame) bool
	// readData keeps the content of an accepted data packet, shows it to the receiver's algorithm, puts the NIC's own
	// part into its feedback, and counts it. The arrival has Clock and nothing else.
	readData(frame *wire.Frame, arrival *cc.Arrival, feedback *cc.Feedback, rec *record.Receiver)
	// fillAck fills the extension of an ACK, which describes the newest accepted data
	// packet.
	fillAck(frame *wire.Frame, feedback *cc.Feedback)
	// fillFeedback fills the part that is the receiver's feedback again, if there is one.
	fillFeedback(frame *wire.Frame, feedback *cc.Feedback)
}

// finisher completes a response when it leaves: a signal whose ACKs carry their waiting time at the receiver, or a
// connection that counts its waiting frames.
type finisher interface {
	// finish takes the time in ns, by the NIC's clock, from the arrival of
	// the data packet to the start of its ACK.
	finish(frame *wire.Frame, waited int64)
}

// departure is a data packet that leaves.
type departure struct {
	clock *clock.Clock
	at    unit.Time
	// baseline is the one-way delay of a packet of this length on empty queues,
	// in ns.
	baseline uint32
	// resent is set if the packet was sent before.
	resent bool
	// rtt is the sender's latest sample, 0 for none.
	rtt unit.Duration
	// own is the algorithm's content for data.
	own *[cc.OwnBytes]byte
}

// stamp writes the clock's reading into ExtTime, and whether the packet was sent
// before into the flags.
func (d *departure) stamp(frame *wire.Frame) {
	frame.ExtTime = uint64(d.clock.ReadSender(d.at))
	if d.resent {
		frame.ExtFlags = wire.ExtRetransmission
	}
}

// signalKind is a signal as the NIC finds it.
type signalKind struct {
	// name is for messages.
	name string
	// asked reports whether a controller asks for the signal.
	asked func(cc.Signals) bool
	// make returns an end's signal for a controller that asks for it.
	make func(cc.Signals) signal
}

// signalKinds are all signals; a controller may ask for one of them.
var signalKinds = [...]signalKind{oneWayDelayKind, timestampKind, ecnEchoKind, telemetryKind, ownKind}

// noSignal carries nothing.
type noSignal struct{}

func (noSignal) setExtensions(_, _ *wire.Frame)                                    {}
func (noSignal) clocked() bool                                                     { return false }
func (noSignal) fillData(*wire.Frame, departure)                                   {}
func (noSignal) readAck(*wire.Frame)                                               {}
func (noSignal) fillEvent(*cc.Event)                                               {}
func (noSignal) splitsAck(*wire.Frame) bool                                        { return false }
func (noSignal) readData(*wire.Frame, *cc.Arrival, *cc.Feedback, *record.Receiver) {}
func (noSignal) fillFeedback(*wire.Frame, *cc.Feedback)                            {}
func (noSignal) fillAck(*wire.Frame, *cc.Feedback)                                 {}

// flowSignal is the signal of an end of a flow.
type flowSignal struct {
	// signal is nil where the controller asks for none.
	signal signal
	// kind is the index in signalKinds, len(signalKinds) for none.
	kind int
	// clocked is the signal's.
	clocked bool
	// inData and inAck are the extensions of data packets and ACKs.
	inData, inAck wire.ExtType
	details       details
}

// newFlowSignal returns the signal that a controller asks for.
func newFlowSignal(signals cc.Signals) flowSignal {
	for k := range signalKinds {
		if kind := &signalKinds[k]; kind.asked(signals) {
			f := flowSignal{signal: kind.make(signals), kind: k}
			var data, ack wire.Frame
			f.signal.setExtensions(&data, &ack)
			f.clocked, f.inData, f.inAck = f.signal.clocked(), data.Extension(), ack.Extension()
			return f
		}
	}
	return flowSignal{kind: len(signalKinds)}
}

// readAck keeps the content of an ACK or NAK. One without the extension changes nothing.
func (s *flowSignal) readAck(frame *wire.Frame) {
	if s.inAck != wire.ExtNone && frame.Extension() == s.inAck {
		s.signal.readAck(frame)
	}
}

// readData lets the signal read an accepted data packet. One without the extension, such as a foreign sender's, has no
// content.
func (s *flowSignal) readData(frame *wire.Frame, arrival *cc.Arrival, feedback *cc.Feedback, rec *record.Receiver) {
	switch {
	case s.signal == nil:
	case frame.Extension() == s.inData:
		s.signal.readData(frame, arrival, feedback, rec)
	default:
		*arrival = cc.Arrival{Clock: arrival.Clock}
	}
}

// SetExtensions gives a data packet and an ACK the extensions that carry a
// controller's signals, empty ones.
func SetExtensions(signals cc.Signals, data, ack *wire.Frame) {
	if f := newFlowSignal(signals); f.signal != nil {
		f.signal.setExtensions(data, ack)
	}
}

// EchoOf names the signal of a controller that a receiver must send back in an extension, "" for none: a real stack
// knows no extension.
func EchoOf(signals cc.Signals) string {
	for _, kind := range signalKinds {
		if kind.asked(signals) {
			return kind.name
		}
	}
	return ""
}

// checkSignals refuses what the one extension of a frame cannot carry.
func checkSignals(signals cc.Signals) error {
	asked := 0
	var names []string
	for _, kind := range signalKinds {
		names = append(names, kind.name)
		if kind.asked(signals) {
			asked++
		}
	}
	if last := len(names) - 1; asked > 1 {
		return fmt.Errorf("the algorithm asks for several of %s and %s; a frame carries one extension, allowed is "+
			"one of them",
			strings.Join(names[:last], ", "), names[last])
	}
	for _, n := range []int{signals.OwnData, signals.OwnAck} {
		if n < 0 || n > cc.OwnBytes || n%4 != 0 {
			return fmt.Errorf("the algorithm asks for an extension of %d bytes, allowed are 0 to %d in steps of 4",
				n, cc.OwnBytes)
		}
	}
	if signals.RTTInCNP && !signals.CNP {
		return errors.New("the algorithm asks for RTTs in CNPs and for no CNPs; allowed is RTTInCNP with CNP")
	}
	if signals.RateInCNP && !signals.CNP {
		return errors.New("the algorithm asks for rates in CNPs and for no CNPs; allowed is RateInCNP with CNP")
	}
	if signals.CNPInterval < 0 {
		return fmt.Errorf("the algorithm asks for a CNP interval of %v, allowed is 0 and more", signals.CNPInterval)
	}
	return nil
}

// hears reports whether an event is a sign of congestion that the algorithm asks for and is to react to: a CNP, or
// the ACK of a marked packet.
func (q *sender) hears(event *cc.Event) bool {
	return (event.CE || event.Kind == cc.EventCNP && q.signals.CNP) && !q.uncontrolled
}

// scratch is where the events and arrivals of one kind of signal are made. What
// one signal fills in is never seen by a flow that asks for another or for none.
type scratch struct {
	event   cc.Event
	arrival cc.Arrival
}

// scratchOf returns the scratch of a kind of signal.
func (n *NIC) scratchOf(kind int) *scratch {
	if n.scratch[kind] == nil {
		n.scratch[kind] = new(scratch)
	}
	return n.scratch[kind]
}
