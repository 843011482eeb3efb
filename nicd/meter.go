package nicd

import (
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Recording selects the records that a NIC keeps over time.
type Recording struct {
	// Grid is zero if nothing is kept.
	Grid record.Grid
	// Values is the grid of the values that algorithms report about themselves.
	Values record.Grid
	// Sends is the grid of the states of senders.
	Sends record.Grid
	// Port is set if the port has series of its own beside its transmission time.
	Port bool
	// Together is set if several flows may have the same series.
	Together bool
}

// closeBin writes what the port did in the open bin and turns to that of now, before anything is sent there.
func (p *port) closeBin(now unit.Time) {
	p.meter.Sent += p.record.TxBytes - p.sent
	p.sent = p.record.TxBytes
	p.meter.Close(now)
	p.load.Close(now, p.record.Busy, p.busyUntil)
}

// meterAt returns the flow's meter, turned to the bin of now.
func (f *sender) meterAt(now unit.Time) *record.ProgressMeter { return turned(f.meter, now) }

func turned(meter *record.ProgressMeter, now unit.Time) *record.ProgressMeter {
	if now >= meter.End {
		meter.Close(now)
	}
	return meter
}

// meterOf returns the meter of the flows whose series have a number.
func (n *NIC) meterOf(series int) *record.ProgressMeter {
	if !n.recording.Grid.On() {
		series = 0
	}
	if n.meters[series] == nil {
		n.meters[series] = record.NewProgressMeter(n.recording.Grid, !n.recording.Together)
	}
	return n.meters[series]
}

// newValuesMeter returns the meter of the values of a sender, nil if none are recorded.
func (n *NIC) newValuesMeter(named []cc.Value, sender cc.Sender) *record.ValuesMeter {
	if !n.recording.Values.On() || len(named) == 0 {
		return nil
	}
	list := make([]record.Value, len(named))
	for i := range named {
		list[i].Name, list[i].Unit = named[i].Name, named[i].Unit
	}
	read := func(into []float64) {
		hosting.ReadValues(sender, into)
		if f, ok := sender.(hosting.Failing); ok && f.Err() != nil {
			n.nonsense.record(sender, f.Err())
		}
	}
	return record.NewValuesMeter(n.recording.Values, list, read)
}

// Progress returns the series of a number up to at, nil if nothing is recorded. They are the NIC's own: they grow if it
// goes on.
func (n *NIC) Progress(series int, at unit.Time) *record.Progress {
	return n.meterOf(series).Until(at, n.recording.Grid)
}
