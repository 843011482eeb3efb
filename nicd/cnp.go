package nicd

import (
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// receiveCNP takes a congestion notification for a flow that this NIC sends, and hands it to the
// flow's algorithm, with what its reserved bytes say if the algorithm asks for that. The sending of
// CNPs is sendCNP's.
func (n *NIC) receiveCNP(flow *sender, now unit.Time, frame *wire.Frame) {
	countCNP(&flow.record, flow.meter, now)
	rtt := unit.Duration(0)
	if flow.signals.RTTInCNP {
		rtt = frame.CNPRTT()
	}
	event := &flow.scratch.event
	if flow.signals.RateInCNP {
		event.CNPRate = min(countRate(&flow.record, frame), n.tx.Rate()) // anybody may have written it
	}
	n.notifyAlgorithm(flow, cc.EventCNP, now, 0, rtt)
	event.CNPRate = 0 // which is of this event alone
}

func countCNP(rec *record.Sender, meter *record.ProgressMeter, now unit.Time) {
	if rec.CNPs == 0 {
		rec.FirstCNP = now
	}
	rec.CNPs++
	turned(meter, now).CNPs++
}

// countRate counts a CNP that carries a rate, which it returns; 0 for none.
func countRate(rec *record.Sender, frame *wire.Frame) unit.BitRate {
	rate, carried := frame.CNPRate()
	if !carried {
		return 0
	}
	rec.RatedCNPs++
	return rate
}

// notifier is the notification point of DCQCN for one flow (Zhu et al.,
// SIGCOMM 2015, section 3.1): the first packet that arrives marked CE is
// answered with a CNP at once, and while marked packets keep arriving there is
// at most one CNP per interval. Nothing runs between packets: a CNP is always
// the answer to the marked packet that arrives when one may be sent.
type notifier struct {
	interval unit.Duration
	next     unit.Time // when the next CNP may leave
}

// allow reports whether the marked packet that arrives now gets a CNP.
func (p *notifier) allow(now unit.Time) bool {
	if now < p.next {
		return false
	}
	p.next = now.Add(p.interval)
	return true
}
