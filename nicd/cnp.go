package nicd

import (
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// receiveCNP takes a congestion notification for a flow that this NIC sends, and hands it to the
// flow's algorithm, with what its reserved bytes say if the algorithm asks for that. The sending of
// CNPs is sendCNP's.
func (n *NIC) receiveCNP(flow *sender, now unit.Time, frame *wire.Frame) {
	rec := &flow.record
	if rec.CNPs == 0 {
		rec.FirstCNP = now
	}
	rec.CNPs++
	flow.meterAt(now).CNPs++
	rtt := unit.Duration(0)
	if flow.signals.RTTInCNP {
		rtt = frame.CNPRTT()
	}
	event := &flow.scratch.event
	if flow.signals.RateInCNP {
		if rate, carried := frame.CNPRate(); carried {
			event.CNPRate = min(rate, n.tx.Rate()) // anybody may have written it
			rec.RatedCNPs++
		}
	}
	n.notifyAlgorithm(flow, cc.EventCNP, now, 0, rtt)
	event.CNPRate = 0 // which is of this event alone
}
