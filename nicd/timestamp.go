package nicd

import (
	"encoding/binary"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
)

var timestampKind = signalKind{
	name:  "timestamp (or RTT in CNPs)",
	asked: func(signals cc.Signals) bool { return signals.Timestamp || signals.RTTInCNP },
	make:  func(signals cc.Signals) signal { return &timestamp{echoes: signals.Timestamp} },
}

// timestamp is cc.Signals.Timestamp and RTTInCNP: data carry when they left and
// the sender's latest RTT. With Timestamp, ACKs carry when the data packet left,
// how long they waited at the receiver, how many switches the packet passed, and
// whether it came marked. With RTTInCNP, CNPs carry the RTT back.
type timestamp struct {
	noSignal
	// echoes says that ACKs carry the extension.
	echoes bool
	// echo is when the packet left by the sender's clock: at the sender the one
	// that was acknowledged last, at the receiver the newest.
	echo int64
	// remote is how long the newest ACK waited at the receiver.
	remote unit.Duration
	// hops and marked are of the newest packet at the receiver.
	hops   uint8
	marked bool
}

func (t *timestamp) setExtensions(data, ack *wire.Frame) {
	data.SetExtension(wire.ExtTimestamp)
	if t.echoes {
		ack.SetExtension(wire.ExtTimestampAck)
	}
}

func (t *timestamp) clocked() bool { return t.echoes }

func (t *timestamp) fillData(frame *wire.Frame, departure departure) {
	frame.ExtA = uint32(min(max(departure.rtt.Nanoseconds(), 0), rttMask))
	departure.stamp(frame)
}

func (t *timestamp) readData(frame *wire.Frame, arrival *cc.Arrival, _ *cc.Feedback, _ *record.Receiver) {
	t.echo, t.hops, t.marked = int64(frame.ExtTime), ttl-frame.TTL, frame.ECN() == wire.CE
	arrival.TxTime, arrival.Resent = t.echo, frame.ExtFlags&wire.ExtRetransmission != 0
}

func (t *timestamp) fillAck(frame *wire.Frame, _ *cc.Feedback) {
	if !t.echoes {
		return
	}
	frame.ExtTime = uint64(t.echo)
	frame.ExtB = uint32(t.hops) << 24
	if t.marked {
		frame.ExtB |= 1 << 16
	}
}

var _ ackFinisher = (*timestamp)(nil)

func (t *timestamp) finishAck(frame *wire.Frame, waited int64) {
	if t.echoes {
		frame.ExtA = uint32(min(max(waited, 0), 1<<32-1))
	}
}

func (t *timestamp) readAck(frame *wire.Frame) {
	t.echo = int64(frame.ExtTime)
	t.remote = unit.Duration(frame.ExtA) * unit.Nanosecond
}

func (t *timestamp) fillEvent(event *cc.Event) {
	if t.echoes {
		event.RTT = echoedRTT(event, t.echo)
	}
	event.Echo, event.RemoteDelay = t.echo, t.remote
}

// rttMask covers the RTT in the data packet's extension; the CNP's second four
// reserved bytes hold it in ns, 0 for none.
const rttMask = 1<<24 - 1

// rareWithRTT returns the rare parts of a CNP that carries an RTT, made of those
// that its frame brought along.
func rareWithRTT(rare *wire.Rare, ns uint32) *wire.Rare {
	if rare == nil {
		rare = new(wire.Rare)
	}
	rare.Reserved, rare.Payload, rare.Unpadded, rare.DstPort = [16]byte{}, nil, false, 0
	binary.BigEndian.PutUint32(rare.Reserved[4:], ns)
	return rare
}

// rttInCNP returns the RTT that a CNP carries, for an algorithm that asks for
// it.
func rttInCNP(signals cc.Signals, frame *wire.Frame) unit.Duration {
	if frame.Rare == nil || !signals.RTTInCNP {
		return 0
	}
	return unit.Duration(binary.BigEndian.Uint32(frame.Rare.Reserved[4:])) * unit.Nanosecond
}
