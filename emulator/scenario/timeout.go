package scenario

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/unit"
)

// warnTimeouts warns of retransmission timeouts that run out before an ACK can come: of
// nic.rto.initial, before the first sample, and of a factor of 1, by which the timeout is
// the last RTT measured and any longer queue is taken for a loss. Each is said once, of
// the flow whose round trip is the longest.
func (r *Report) warnTimeouts(planned *plan.Plan, samples samples) {
	type exchanged struct { // flows of one host pair share their paths
		there, back *fabric.Channel
		packets     *exchange
	}
	rtts := map[exchanged]unit.Duration{}
	var initial, later lateTimeout
	for i := range planned.Flows {
		flow := &planned.Flows[i]
		if len(flow.Path) == 0 || len(flow.Back) == 0 {
			continue
		}
		packets := samples(flow.Algorithm)
		key := exchanged{&flow.Path[0], &flow.Back[0], packets}
		rtt, ok := rtts[key]
		if !ok {
			rtt = oneWay(planned.Accounting, &packets.data, flow.Path) + oneWay(planned.Accounting, &packets.ack, flow.Back)
			rtts[key] = rtt
		}
		nic := &planned.NICs[flow.Src].Profile
		if nic.RTOInitial <= rtt {
			initial.add(flow, nic.RTOInitial, rtt)
		}
		if nic.RTOFactor == 1 && nic.RTOFloor <= rtt {
			later.add(flow, nic.RTOFloor, rtt)
		}
	}
	if initial.flows > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("nic.rto.initial is %v, %s: everything is sent again before the "+
			"first ACK can come", initial.timeout, initial.text()))
	}
	if later.flows > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("nic.rto.floor is %v and factor is 1, %s: whatever waits longer than "+
			"what was measured last is sent again", later.timeout, later.text()))
	}
}

// lateTimeout is the flows that have a timeout which runs out early, and the worst of them.
type lateTimeout struct {
	flows        int
	example      string
	timeout, rtt unit.Duration
}

func (l *lateTimeout) add(flow *plan.Flow, timeout, rtt unit.Duration) {
	l.flows++
	if rtt > l.rtt {
		l.example, l.timeout, l.rtt = flow.Name, timeout, rtt
	}
}

func (l *lateTimeout) text() string {
	return fmt.Sprintf("not above the base RTT of %v of %s and %d other flows", l.rtt, l.example, l.flows-1)
}
