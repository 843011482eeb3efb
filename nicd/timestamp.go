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
	asked: func(s cc.Signals) bool { return s.Timestamp || s.RTTInCNP },
	make:  func(s cc.Signals) signal { return &timestamp{echoes: s.Timestamp} },
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

func (t *timestamp) fillData(f *wire.Frame, d departure) {
	f.ExtA = uint32(min(max(d.rtt.Nanoseconds(), 0), rttMask))
	d.stamp(f)
}

func (t *timestamp) readData(f *wire.Frame, a *cc.Arrival, _ *cc.Feedback, _ *record.Receiver) {
	t.echo, t.hops, t.marked = int64(f.ExtTime), ttl-f.TTL, f.ECN() == wire.CE
	a.TxTime, a.Resent = t.echo, f.ExtFlags&wire.ExtRetransmission != 0
}

func (t *timestamp) fillAck(f *wire.Frame, _ *cc.Feedback) {
	if !t.echoes {
		return
	}
	f.ExtTime = uint64(t.echo)
	f.ExtB = uint32(t.hops) << 24
	if t.marked {
		f.ExtB |= 1 << 16
	}
}

var _ ackFinisher = (*timestamp)(nil)

func (t *timestamp) finishAck(f *wire.Frame, waited int64) {
	if t.echoes {
		f.ExtA = uint32(min(max(waited, 0), 1<<32-1))
	}
}

func (t *timestamp) readAck(f *wire.Frame) {
	t.echo = int64(f.ExtTime)
	t.remote = unit.Duration(f.ExtA) * unit.Nanosecond
}

func (t *timestamp) fillEvent(e *cc.Event) {
	if t.echoes {
		e.RTT = echoedRTT(e, t.echo)
	}
	e.Echo, e.RemoteDelay = t.echo, t.remote
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
	rare.Reserved, rare.Payload, rare.Unpadded = [16]byte{}, nil, false
	binary.BigEndian.PutUint32(rare.Reserved[4:], ns)
	return rare
}

// rttInCNP returns the RTT that a CNP carries, for an algorithm that asks for
// it.
func rttInCNP(s cc.Signals, f *wire.Frame) unit.Duration {
	if f.Rare == nil || !s.RTTInCNP {
		return 0
	}
	return unit.Duration(binary.BigEndian.Uint32(f.Rare.Reserved[4:])) * unit.Nanosecond
}
