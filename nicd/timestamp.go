package nicd

import (
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
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
	// echoes is set if ACKs carry the extension.
	echoes bool
	// echo is the departure of the packet by the sender's clock: at the sender for the one acknowledged last, at the
	// receiver for the newest.
	echo int64
	// remote is the wait of the newest ACK at the receiver.
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

var _ finisher = (*timestamp)(nil)

func (t *timestamp) finish(frame *wire.Frame, waited int64) {
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

// rttMask covers the RTT in the data packet's extension, in ns; 0 is none.
const rttMask = 1<<24 - 1
