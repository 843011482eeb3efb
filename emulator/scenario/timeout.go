package scenario

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// warnTimeouts warns of retransmission timeouts that run out before an ACK can come: of nic.rto.initial, before the
// first sample, and of a factor of 1, with which the timeout is the last RTT measured and any longer queue is taken for
// a loss. A timeout without a measurement is compared with the round trip behind a full queue, too: if it is shorter,
// all waiting packets are sent again, which keeps the queue full. Each warning appears once, for the flow with the
// longest round trip.
func (r *Report) warnTimeouts(planned *plan.Plan, samples samples) {
	type exchanged struct { // flows of one host pair share their paths
		there, back *fabric.Hop
		packets     *exchange
	}
	rtts := map[exchanged]unit.Duration{}
	var initial, later, constant, full lateTimeout
	key := ""
	for i := range planned.Flows {
		flow := &planned.Flows[i]
		if len(flow.Path) == 0 || len(flow.Back) == 0 {
			continue
		}
		packets := samples(flow.Algorithm)
		pair := exchanged{&flow.Path[0], &flow.Back[0], packets}
		rtt, ok := rtts[pair]
		if !ok {
			rtt = packets.baseRTT(planned.Accounting, flow.Path, flow.Back)
			rtts[pair] = rtt
		}
		nic := &planned.NICs[flow.Src].Profile
		timeout, of := constantTimeout(nic)
		behind := rtt + longestWait(planned, flow)
		switch {
		case of != "" && timeout <= rtt:
			constant.add(flow, timeout, rtt)
			key = of
		case of != "" && timeout <= behind:
			full.add(flow, timeout, behind)
			key = of
		case of == "" && nic.RTOInitial <= rtt:
			initial.add(flow, nic.RTOInitial, rtt)
		}
		if of == "" && nic.RTOFactor == 1 && nic.RTOFloor <= rtt {
			later.add(flow, nic.RTOFloor, rtt)
		}
	}
	if constant.flows > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("nic.rto.%s is %v, %s: everything is sent again before an ACK can "+
			"come", key, constant.timeout, constant.text()))
	}
	if full.flows > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("nic.rto.%s makes a timeout of %v, not above the %v that a round trip "+
			"of %s takes once a buffer on its way is full: all that waits there is then sent again", key, full.timeout, full.rtt,
			full.example))
	}
	if initial.flows > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("nic.rto.initial is %v, %s: everything is sent again before the "+
			"first ACK can come", initial.timeout, initial.text()))
	}
	if later.flows > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("nic.rto.floor is %v and factor is 1, %s: a packet that waits "+
			"longer than the last measured RTT is sent again", later.timeout, later.text()))
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

// constantTimeout is the least timeout of a NIC once nothing was lost for long, if it follows no measurement, and the
// key that makes it; "" if it follows the RTT.
func constantTimeout(nic *profile.NIC) (timeout unit.Duration, key string) {
	switch rto := &nic.RTO; rto.Mode {
	case profile.RTOFixed:
		return profile.AckTimeoutOf(rto.AckTimeout), "ack_timeout"
	case profile.RTOIRN:
		return rto.High, "high"
	case profile.RTOAdaptive:
		return rto.Timeout(rto.Ranges[0].Low), "ranges"
	}
	return 0, ""
}

// longestWait returns the wait of the last packet of the longest queue that a flow can meet: a queue holds
// alpha/(1+alpha) of a buffer, by the dynamic threshold, and leaves at the least rate of the way. Among several
// switches it takes the one with the longest.
func longestWait(planned *plan.Plan, flow *plan.Flow) (wait unit.Duration) {
	slowest := flow.Path[0].Rate
	for _, hop := range flow.Path {
		slowest = min(slowest, hop.Rate)
	}
	for i := range planned.Switches {
		settings := &planned.Switches[i].Profile
		alpha := settings.AlphaAt(slowest)
		queue := unit.Whole[unit.Bytes](float64(settings.Buffer) * alpha / (1 + alpha))
		wait = max(wait, slowest.SerialTime(queue))
	}
	return wait
}
