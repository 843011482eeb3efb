package result

import (
	"math/bits"

	"github.com/rocelab/rocelab/emulator/attribution"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// spansOf are the stretches of one flow with the states of its sender, from the beginning of their iterations on.
func (d *jobDivision) spansOf(list []onPath) (spans []attribution.Span) {
	flow := list[0].flow
	sender := d.Flows[flow].Sender
	// What the clocks showed at the end of each message, and what of it was repair at its ACK.
	var sent []record.Spent
	var repair []record.Spent
	shown, resent := record.Spent{}, record.Spent{}
	for lap := range sender.Laps.Sent.Each {
		for state, time := range lap {
			shown[state] += time
		}
		sent = append(sent, shown)
	}
	for lap := range sender.Laps.Acked.Each {
		for state, time := range lap {
			resent[state] += time
		}
		repair = append(repair, resent)
	}
	acked := d.fabric.Flows[flow].Travel
	arrived := d.arrival(flow)
	for i := range list {
		s := &list[i]
		before, ended := record.Spent{}, sender.Started
		if s.first > 0 {
			before = sent[s.first-1]
			ended = ended.Add(before.Total())
		}
		span := attribution.Span{
			From:    s.from,
			Sent:    sender.Started.Add(sent[s.last].Total()),
			Spent:   sent[s.last],
			Travel:  arrived,
			Repair:  repair[s.last][record.Repairing] - sent[s.last][record.Repairing],
			NoRoute: repair[s.last][record.NoRoute] - sent[s.last][record.NoRoute],
		}
		if s.acked {
			span.Travel = acked
		}
		span.Tail = s.to.Sub(span.Sent)
		for state, time := range before {
			span.Spent[state] -= time
		}
		removeGap(&span.Spent, s.from.Sub(ended))
		if s.begun > s.from {
			span.From = s.begun
			keepLast(&span, s.to.Sub(s.begun))
		}
		spans = append(spans, span)
	}
	return spans
}

// arrival is the time from the end of a message's last packet at the NIC to its arrival, on empty queues.
func (d *jobDivision) arrival(flow int) unit.Duration {
	path := d.path(d.way(flow))
	last, _ := lastPacket(d.Plan.MTU, &d.Plan.Flows[flow])
	bytes := d.packetBytes(flow, last)
	return path.Delay(bytes, d.Plan.Accounting) - d.Plan.Accounting.SerialTimeOf(bytes, path[0].Rate)
}

// gapStates are the states that a flow may be in between two messages, beginning with the states that occur only there.
var gapStates = [...]record.SendState{
	record.NothingToSend, record.InFlight, record.Repairing, record.NoRoute, record.Paused, record.PortBusy, record.Paced,
	record.WindowClosed, record.Sending,
}

// removeGap takes the time between the end of a message and the next, which might be sent later, from the states of
// both. A state that lost time to repair, by a timeout, is made good from there.
func removeGap(spent *record.Spent, gap unit.Duration) {
	for state, time := range spent {
		if time < 0 {
			gap -= time
			spent[state] = 0
		}
	}
	for _, state := range gapStates {
		time := max(0, min(gap, spent[state]))
		spent[state] -= time
		gap -= time
	}
}

// keepLast leaves of a span the last part of it, with its states in proportion.
func keepLast(span *attribution.Span, last unit.Duration) {
	span.Tail = min(span.Tail, last)
	rest, total, largest := last-span.Tail, span.Spent.Total(), record.Sending
	left := rest
	for state, time := range span.Spent {
		if time > span.Spent[largest] {
			largest = record.SendState(state)
		}
	}
	for state, time := range span.Spent {
		high, low := bits.Mul64(uint64(time), uint64(rest))
		quotient, _ := bits.Div64(high, low, uint64(max(1, total)))
		span.Spent[state] = unit.Duration(quotient)
		left -= span.Spent[state]
	}
	span.Spent[largest] += left
}
