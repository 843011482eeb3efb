package nicd

import (
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
)

var oneWayDelayKind = signalKind{
	name:  "one-way delay",
	asked: func(s cc.Signals) bool { return s.OneWayDelay },
	make:  func(cc.Signals) signal { return new(oneWayDelay) },
}

// oneWayDelay is cc.Signals.OneWayDelay: data carry when they left and how long
// they take on empty queues, ACKs the queueing time that the receiver reads off
// the two clocks, the rate that it offers, and when the data packet left.
type oneWayDelay struct {
	noSignal
	// echo is when the packet left by the sender's clock: at the sender the one
	// that was acknowledged last, at the receiver the newest.
	echo     int64
	queueing unit.Duration
	rate     unit.BitRate
}

func (o *oneWayDelay) setExtensions(data, ack *wire.Frame) {
	data.SetExtension(wire.ExtOneWayData)
	ack.SetExtension(wire.ExtOneWayAck)
}

func (o *oneWayDelay) clocked() bool { return true }

func (o *oneWayDelay) fillData(f *wire.Frame, d departure) {
	f.ExtA = d.baseline
	d.stamp(f)
}

func (o *oneWayDelay) readData(f *wire.Frame, a *cc.Arrival, fb *cc.Feedback, r *record.Receiver) {
	o.echo = int64(f.ExtTime)
	a.TxTime, a.Baseline, a.Resent = o.echo, int64(f.ExtA), f.ExtFlags&wire.ExtRetransmission != 0
	fb.OneWayDelay = unit.Duration(a.Clock-a.TxTime-a.Baseline) * unit.Nanosecond
	r.Queueing.Add(fb.OneWayDelay)
}

func (o *oneWayDelay) fillAck(f *wire.Frame, fb *cc.Feedback) {
	f.ExtTime = uint64(o.echo)
	f.ExtA = uint32(min(max(fb.BaseRate/unit.Kbps, 0), 1<<32-1))
	f.ExtB = uint32(int32(min(max(fb.OneWayDelay.Nanoseconds(), -1<<31), 1<<31-1)))
}

func (o *oneWayDelay) readAck(f *wire.Frame) {
	o.echo = int64(f.ExtTime)
	o.rate = unit.BitRate(f.ExtA) * unit.Kbps
	o.queueing = unit.Duration(int32(f.ExtB)) * unit.Nanosecond
}

func (o *oneWayDelay) fillEvent(e *cc.Event) {
	e.RTT = echoedRTT(e, o.echo)
	e.Echo, e.BaseRate, e.OneWayDelay = o.echo, o.rate, o.queueing
}

// echoedRTT is the RTT of an event by the NIC's clock, in place of that by its
// timer: from the reading that the newest ACK echoes to the present one. A noisy
// clock may read an ACK before its packet; an RTT is at least 1 ns. Where the
// timer has no sample there is none, and a CNP's is its own.
func echoedRTT(e *cc.Event, echo int64) unit.Duration {
	if e.RTT == 0 || e.Kind == cc.EventCNP {
		return e.RTT
	}
	return max(unit.Duration(e.Clock-echo)*unit.Nanosecond, unit.Nanosecond)
}
