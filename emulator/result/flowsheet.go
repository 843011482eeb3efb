package result

import (
	"math"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// microsecondsOf turns the empty histogram's 0 into an absent value.
func microsecondsOf(n uint64, duration unit.Duration) float64 {
	if n == 0 {
		return math.NaN()
	}
	return duration.Microseconds()
}

func (r *ranFlow) algorithm() string {
	if r.planned.Algorithm == nil {
		return ""
	}
	return r.planned.Algorithm.Name
}

var flowSheet = sheet[ranFlow]{"flows.csv", "One row per flow, in the order of the plan.", append([]column[ranFlow]{
	textColumn("flow", "Name of the flow.", func(r *ranFlow) string { return r.planned.Name }),
	textColumn("group", "Traffic entry that it came from.", func(r *ranFlow) string { return r.planned.Group }),
	textColumn("algorithm", "Congestion control.", (*ranFlow).algorithm),
	textColumn("from", "Sending NIC.", func(r *ranFlow) string { return r.plan.NICs[r.planned.Src].Name }),
	textColumn("to", "Receiving NIC, or edge.", func(r *ranFlow) string { return r.plan.StationName(r.planned.Dst) }),
	intColumn("size_bytes", "Payload; 0 for a flow that runs until stopped.",
		func(r *ranFlow) unit.Bytes { return r.planned.Size }),
	timeColumn("start_us", "Time at which the flow was due; if its messages wait, time at which the first could "+
		"be sent.",
		func(r *ranFlow) unit.Time { return r.Sender.Started }),
	timeColumn("first_sent_us", "When its first bit left.", func(r *ranFlow) unit.Time { return r.Sender.FirstSent }),
	timeColumn("completed_us", "Time at which its last byte was acknowledged; empty if it was not.",
		func(r *ranFlow) unit.Time { return r.Sender.Completed }),
	floatColumn("fct_us", "Flow completion time, completed_us - start_us.", 3, (*ranFlow).fct),
	timeColumn("ideal_us", "Denominator of the slowdown: base RTT + wire bytes / narrowest rate. It counts one "+
		"packet twice, so a flow without other traffic takes a little "+
		"less.", func(r *ranFlow) unit.Duration { return r.Ideal }),
	floatColumn("slowdown", "fct_us / ideal_us.", 4, (*ranFlow).slowdown),
	floatColumn("goodput_gbps", "Payload acknowledged over the flow's lifetime, which ends at completed_us, else when "+
		"the flow was stopped or the run ended.", 3, (*ranFlow).goodput),
	timeColumn("base_rtt_us", "Round-trip time of a full-size packet on empty queues.",
		func(r *ranFlow) unit.Duration { return r.BaseRTT }),
	floatColumn("rtt_mean_us", "Mean true round-trip time of packets that were sent once.", 3,
		func(r *ranFlow) float64 { return microsecondsOf(r.Sender.RTT.Count(), r.Sender.RTT.Mean()) }),
	floatColumn("rtt_p99_us", "99th percentile, at most 3.2 % high.", 3,
		func(r *ranFlow) float64 { return microsecondsOf(r.Sender.RTT.Count(), r.Sender.RTT.Quantile(0.99)) }).
		within(upperEdge("rtt_max_us")),
	floatColumn("rtt_max_us", "Largest.", 3, func(r *ranFlow) float64 {
		return microsecondsOf(r.Sender.RTT.Count(), r.Sender.RTT.Max())
	}),
	floatColumn("owd_mean_us", "Mean one-way delay less the baseline by the receiver's clock; empty if the "+
		"algorithm does not request it.", 3,
		func(r *ranFlow) float64 {
			return microsecondsOf(r.Receiver.Queueing.Count(), r.Receiver.Queueing.Mean())
		}),
	floatColumn("owd_p99_us", "99th percentile of it.", 3,
		func(r *ranFlow) float64 {
			return microsecondsOf(r.Receiver.Queueing.Count(), r.Receiver.Queueing.Quantile(0.99))
		}).within(upperEdge("")),
	intColumn("sent_packets", "Data packets sent, including retransmissions.",
		func(r *ranFlow) uint64 { return r.Sender.Packets }),
	intColumn("sent_wire_bytes", "Their bytes on the wire, by the run's accounting.",
		func(r *ranFlow) unit.Bytes { return r.Sender.WireBytes }),
	intColumn("resent_packets", "Those among them that were sent before.",
		func(r *ranFlow) uint64 { return r.Sender.Resent }),
	intColumn("acked_bytes", "Payload acknowledged.", func(r *ranFlow) unit.Bytes { return r.Sender.Acked }),
	intColumn("received_packets", "Packets accepted by the receiver.",
		func(r *ranFlow) uint64 { return r.Receiver.Packets }),
	intColumn("received_bytes", "Their payload.", func(r *ranFlow) unit.Bytes { return r.Receiver.Bytes }),
	timeColumn("silence_us", "Longest time between one packet accepted by the receiver and the next.",
		func(r *ranFlow) unit.Duration { return r.Receiver.Silence }),
	timeColumn("silent_from_us", "When that began.", func(r *ranFlow) unit.Time { return r.Receiver.SilentFrom }),
	intColumn("out_of_sequence", "Packets that arrived ahead of the expected PSN and were discarded.",
		func(r *ranFlow) uint64 { return r.Receiver.OutOfOrder }),
	intColumn("duplicate_packets", "Packets that had been received before.",
		func(r *ranFlow) uint64 { return r.Receiver.Duplicate }),
	intColumn("reordered_packets", "Packets that an out-of-order receiver kept until the gap closed.",
		func(r *ranFlow) uint64 { return r.Receiver.Reordered }),
	intColumn("np_ecn_marked_roce_packets", "Data packets that arrived CE.",
		func(r *ranFlow) uint64 { return r.Receiver.Marked }),
	intColumn("np_cnp_sent", "CNPs that the receiver sent.", func(r *ranFlow) uint64 { return r.Receiver.CNPs }),
	intColumn("roce_slow_restart_cnps", "CNPs among them that were sent along with the NAK of a gap.",
		func(r *ranFlow) uint64 { return r.Receiver.GapCNPs }),
	intColumn("rp_cnp_handled", "CNPs that the sender received.", func(r *ranFlow) uint64 { return r.Sender.CNPs }),
	intColumn("rated_cnps", "CNPs among them that carried a rate from a switch, which the algorithm got.",
		func(r *ranFlow) uint64 { return r.Sender.RatedCNPs }),
	timeColumn("first_cnp_us", "Arrival time of the sender's first CNP; empty if there was none.",
		func(r *ranFlow) unit.Time { return orNever(r.Sender.FirstCNP) }),
	intColumn("acks_sent", "ACKs that the receiver sent.", func(r *ranFlow) uint64 { return r.Receiver.ACKs }),
	intColumn("naks_sent", "NAKs that the receiver sent.", func(r *ranFlow) uint64 { return r.Receiver.NAKs }),
	intColumn("acks_received", "ACKs that the sender received.", func(r *ranFlow) uint64 { return r.Sender.Acks }),
	intColumn("naks_received", "NAKs that the sender received.", func(r *ranFlow) uint64 { return r.Sender.NAKs }),
	intColumn("timeouts", "Retransmission timers that expired.", func(r *ranFlow) uint64 { return r.Sender.Timeouts }),
	intColumn("roce_adp_retrans_to", "Timeouts among them of a NIC with an adaptive timeout.",
		func(r *ranFlow) uint64 {
			if r.plan.NICs[r.planned.Src].Profile.RTO.Mode != profile.RTOAdaptive {
				return 0
			}
			return r.Sender.Timeouts
		}),
	intColumn("idle_restarts", "Number of times that the NIC restarted the flow after an idle time by line or "+
		"slow of idle_restart.", func(r *ranFlow) uint64 { return r.Sender.IdleRestarts }),
	timeColumn("failed_us", "Time at which its QP went into the error state, after more timeouts without progress "+
		"than the NIC allows; empty if it did not.", func(r *ranFlow) unit.Time { return orNever(r.Sender.Failed) }),
	intColumn("algorithm_events", "Calls of the algorithm.", func(r *ranFlow) uint64 { return r.Sender.Events }),
	intColumn("decisions", "Calls after which rate, window or gap differed.",
		func(r *ranFlow) uint64 { return r.Sender.Decisions }),
	floatColumn("rate_min_gbps", "Least decided rate after the first decision.", 6,
		func(r *ranFlow) float64 { return r.Sender.RateMin.Gbps() }),
	floatColumn("rate_max_gbps", "Largest.", 6, func(r *ranFlow) float64 { return r.Sender.RateMax.Gbps() }),
	intColumn("messages", "Messages that waited for others and could then be sent; 0 for a flow whose messages do "+
		"not wait.",
		func(r *ranFlow) int { return len(r.Sender.Messages) }),
	floatColumn("message_mean_us", "Mean time from the moment such a message could be sent until its last byte "+
		"was acknowledged.", 3, func(r *ranFlow) float64 {
		return r.messageDistribution().Mean
	}),
	floatColumn("message_max_us", "Largest.", 3, func(r *ranFlow) float64 { return r.messageDistribution().Max }),
}, stateColumns()...)}

// states are the columns of the states of a sender.
var states = [record.SendStates]struct{ column, doc string }{
	record.Sending: {"sending_us", "Time during which the NIC sent packets of the flow for the first time. This " +
		"and the next seven columns, and no_route_us if present, add up to the time from start_us to completed_us " +
		"or to the end of the run, to the picosecond."},
	record.PortBusy: {"port_busy_us", "Time during which the next packet was due and the NIC sent frames of others."},
	record.Paced: {"paced_us", "Time during which the rate or the gap in force, or the NIC's work on a message, " +
		"delayed the next packet."},
	record.WindowClosed: {"window_closed_us", "Time during which the window in force, or the limit of " +
		"unacknowledged packets, delayed it."},
	record.Paused: {"pause_us", "Time during which it was due and the peer of the NIC paused its class by PFC."},
	record.Repairing: {"repair_us", "Time of retransmissions, of waiting for a timeout since the last progress, " +
		"and during which the link was down and the next packet due."},
	record.NothingToSend: {"nothing_to_send_us", "Time during which the next message waited for others."},
	record.InFlight: {"in_flight_us", "Time during which everything was sent and acknowledgements were " +
		"missing."},
	record.NoRoute: {"no_route_us", "Time as in sending_us and repair_us while a link on the flow's path was down, or a " +
		"switch on it had no route; empty for none."},
}

func stateColumns() (columns []column[ranFlow]) {
	for state, s := range states {
		columns = append(columns, timeColumn(s.column, s.doc,
			func(r *ranFlow) unit.Duration {
				if time := r.Sender.Spent[state]; time > 0 || record.SendState(state) != record.NoRoute {
					return time
				}
				return unit.Duration(unit.Never)
			}))
	}
	return columns
}
