package nicd

import (
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

var oneWayDelayKind = signalKind{
	name:  "one-way delay",
	asked: func(signals cc.Signals) bool { return signals.OneWayDelay },
	make:  func(cc.Signals) signal { return new(oneWayDelay) },
}

// oneWayDelay is cc.Signals.OneWayDelay: data carry when they left and how long
// they take on empty queues, ACKs the queueing time that the receiver reads off
// the two clocks, the rate that it offers, and when the data packet left.
type oneWayDelay struct {
	noSignal
	// echo is the departure of the packet by the sender's clock: at the sender for the one acknowledged last, at the
	// receiver for the newest.
	echo     int64
	queueing unit.Duration
	rate     unit.BitRate
}

func (o *oneWayDelay) setExtensions(data, ack *wire.Frame) {
	data.SetExtension(wire.ExtOneWayData)
	ack.SetExtension(wire.ExtOneWayAck)
}

func (o *oneWayDelay) clocked() bool { return true }

func (o *oneWayDelay) fillData(frame *wire.Frame, departure departure) {
	frame.ExtA = departure.baseline
	departure.stamp(frame)
}

func (o *oneWayDelay) readData(frame *wire.Frame, arrival *cc.Arrival, feedback *cc.Feedback, rec *record.Receiver) {
	o.echo = int64(frame.ExtTime)
	arrival.TxTime, arrival.Baseline = o.echo, int64(frame.ExtA)
	arrival.Resent = frame.ExtFlags&wire.ExtRetransmission != 0
	feedback.OneWayDelay = unit.Duration(arrival.Clock-arrival.TxTime-arrival.Baseline) * unit.Nanosecond
	rec.Queueing.Add(feedback.OneWayDelay)
}

func (o *oneWayDelay) fillAck(frame *wire.Frame, feedback *cc.Feedback) {
	frame.ExtTime = uint64(o.echo)
	o.fillFeedback(frame, feedback)
}

func (o *oneWayDelay) fillFeedback(frame *wire.Frame, feedback *cc.Feedback) {
	frame.ExtA = uint32(min(max(feedback.BaseRate/unit.Kbps, 0), 1<<32-1))
	frame.ExtB = uint32(int32(min(max(feedback.OneWayDelay.Nanoseconds(), -1<<31), 1<<31-1)))
}

func (o *oneWayDelay) readAck(frame *wire.Frame) {
	o.echo = int64(frame.ExtTime)
	o.rate = unit.BitRate(frame.ExtA) * unit.Kbps
	o.queueing = unit.Duration(int32(frame.ExtB)) * unit.Nanosecond
}

func (o *oneWayDelay) fillEvent(event *cc.Event) {
	event.RTT = echoedRTT(event, o.echo)
	event.Echo, event.BaseRate, event.OneWayDelay = o.echo, o.rate, o.queueing
}

// echoedRTT is the RTT of an event by the NIC's clock, in place of the RTT by its timer: from the reading that the
// newest ACK echoes to the present one. A noisy clock may read an ACK before its packet; an RTT is at least 1 ns. If
// the timer has no sample there is none, and a CNP's is its own.
func echoedRTT(event *cc.Event, echo int64) unit.Duration {
	if event.RTT == 0 || event.Kind == cc.EventCNP {
		return event.RTT
	}
	return max(unit.Duration(event.Clock-echo)*unit.Nanosecond, unit.Nanosecond)
}
