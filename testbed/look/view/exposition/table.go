package exposition

import (
	"strings"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
)

// going are the families that say how far a run is.
func going() []Family {
	return []Family{
		{
			Name:  "rocelab_verdict",
			Type:  Gauge,
			Help:  "1 for the run's verdict, which is the label; for an unfinished run the verdict if it ended now.",
			Label: "verdict",
			While: true,
			When:  true,
			each: func(run *Run, yield func(string, float64)) {
				if word := run.verdict(); word != "" {
					yield(word, 1)
				}
			},
		},
		single("rocelab_ended", Gauge, "1 for a run that has ended, 0 for a run in progress or "+
			"killed.", ended, plain),
		single("rocelab_model_time_seconds", Gauge, "Elapsed model time. Rates of counters over the rate of this "+
			"are per model second.", modelTime, microseconds),
		single("rocelab_model_time_limit_seconds", Gauge, "Latest model time at which the run ends.", modelLimit,
			microseconds),
		single("rocelab_wall_time_seconds", Gauge, "Wall time of the run so far.", wall, milliseconds),
		documented("rocelab_flows", Gauge, "flows", plain),
		documented("rocelab_completed_flows_total", Counter, "completed", plain),
		single("rocelab_sent_bytes_total", Counter, "Payload that NICs sent, including "+
			"retransmissions.", sentBytes, plain),
		single("rocelab_delivered_bytes_total", Counter, "Payload that receivers accepted.", delivered, plain),
		single("rocelab_acked_bytes_total", Counter, "Payload that was acknowledged.", "acked_bytes", plain),
		single("rocelab_queue_bytes", Gauge, "Longest queue of a switch at this moment.", queueNow, plain),
		{
			Name:  "rocelab_port_queue_bytes",
			Type:  Gauge,
			Help:  "The longest queues of ports at this moment, at most 16, only on mem.",
			Label: "port",
			While: true,
			each: func(run *Run, yield func(string, float64)) {
				seen := map[string]bool{}
				for _, queue := range run.Queues[:min(len(run.Queues), mostQueues)] {
					if !seen[queue.Port] {
						seen[queue.Port] = true
						yield(queue.Port, float64(queue.Bytes))
					}
				}
			},
		},
	}
}

// mostQueues is the maximum number of queues of a line that are exposed.
const mostQueues = 16

// totals are the counters of summaries.
func totals() []Family {
	count := func(metric string) Family { return documented("rocelab_"+metric+"_total", Counter, metric, plain) }
	return []Family{
		count("marks"),
		count("cnps"),
		count("pauses"),
		documented("rocelab_paused_seconds_total", Counter, "paused_us", microseconds),
		single("rocelab_drops_total", Counter, "Frames that the fabric lost, for any reason.", "drops", plain),
		byReason("rocelab_dropped_frames_total", "Frames that the fabric lost, by reason; injected is a loss on a "+
			"link that the scenario requests.", "drops_", "injected"),
		single("rocelab_congestion_drops_total", Counter, "Frames that the fabric dropped for lack of room, a "+
			"part of the lost frames.", "drops_congestion", plain),
		byReason("rocelab_discarded_packets_total", "Packets that arrived and were discarded, by "+
			"reason.", "discards_"),
		count("retransmits"),
		count("naks"),
		count("timeouts"),
		count("qp_errors"),
		count("decisions"),
		documented("rocelab_foreign_in_frames_total", Counter, "foreign_in", plain),
		documented("rocelab_foreign_out_frames_total", Counter, "foreign_out", plain),
		count("watchdog_fired"),
		count("deadlocks"),
		count("notifications"),
		count("proximal_cnps"),
		single("rocelab_preemptive_cnps_total", Counter, "CNPs that switches sent to keep a learned flow at its "+
			"share.",
			"preemptive_cnps", plain),
		count("learned_flows"),
		single("rocelab_forgotten_flows_total", Counter, "Flows whose learned state switches "+
			"revoked.", "forgotten_flows", plain),
		single("rocelab_iterations_done_total", Counter, "Iterations of collectives that every rank has finished.",
			"iterations_done", plain),
	}
}

// byReason is a family of the metrics that begin so, with the rest as reason.
func byReason(name, help, prefix string, more ...string) Family {
	f := Family{
		Name:  name,
		Type:  Counter,
		Help:  help,
		Label: "reason",
	}
	for r := fabric.DropNone + 1; r < fabric.NumDropReasons; r++ {
		more = append(more, r.String())
	}
	for _, reason := range more {
		if _, known := result.MetricOf(prefix + reason); known {
			f.parts = append(f.parts, part{reason, prefix + reason, plain})
		}
	}
	return f
}

// figures are the numbers that a run comes to.
func figures() []Family {
	return []Family{
		documented("rocelab_incomplete_flows", Gauge, "incomplete", plain),
		documented("rocelab_duration_seconds", Gauge, "duration_us", microseconds),
		spread("rocelab_fct_seconds", "fct_mean_us", microseconds),
		spread("rocelab_slowdown_ratio", "slowdown_mean", plain),
		single("rocelab_goodput_bytes_per_second", Gauge, "Payload acknowledged, all flows, over rocelab_duration_seconds.",
			"goodput_gbps", gigabits),
		single("rocelab_resent_ratio", Gauge, "Data packets that were sent again, over all that senders sent.",
			"resent_share", plain),
		single("rocelab_dropped_ratio", Gauge, "Frames that the fabric lost, over those and the frames that arrived.",
			"dropped_share", plain),
		documented("rocelab_flow_rate_bytes_per_second", Gauge, "flow_rate_gbps", gigabits),
		single("rocelab_utilisation_ratio", Gauge, "Time during which the busiest switch port (NIC port, if there "+
			"is no switch) transmitted, over rocelab_duration_seconds, at most 1.", "utilisation", plain),
		single("rocelab_jain_ratio", Gauge, "Jain's fairness index of the goodputs of flows active at the same "+
			"time.", "jain",
			plain),
		spread("rocelab_rtt_seconds", "rtt_mean_us", microseconds),
		spread("rocelab_rtt_sample_seconds", "rtt_sample_mean_us", microseconds),
		single("rocelab_rtt_sample_swing_ratio", Gauge, "Mean deviation of such a sample from the running average "+
			"of its flow, as a share of that average.", "rtt_sample_swing_mean", plain),
		spread("rocelab_queueing_seconds", "queueing_mean_us", microseconds),
		waitShare(),
		{
			Name:  "rocelab_queue_depth_bytes",
			Type:  Gauge,
			Help:  "Length of the worst queue of any switch: over half of the run, over 99 % of it, and the longest.",
			Label: "stat",
			parts: []part{{"p50", "queue_p50_bytes", plain}, {"p99", "queue_p99_bytes", plain},
				{"max", "queue_max_bytes", plain}},
		},
		documented("rocelab_buffer_max_bytes", Gauge, "buffer_max_bytes", plain),
		documented("rocelab_dci_buffer_max_bytes", Gauge, "dci_buffer_max_bytes", plain),
		documented("rocelab_feedback_seconds", Gauge, "feedback_us", microseconds),
		documented("rocelab_victims", Gauge, "victims", plain),
		documented("rocelab_outage_recovery_max_seconds", Gauge, "outage_recovery_max_us", microseconds),
		documented("rocelab_outage_settled_seconds", Gauge, "outage_settled_us", microseconds),
		single("rocelab_outage_lost_bytes", Gauge, "Bytes of frames that outages of links lost.", "outage_lost_bytes", plain),
		{
			Name:  "rocelab_outage_lost_by_cause_bytes",
			Type:  Gauge,
			Help:  "Bytes of frames that outages of links lost, by cause.",
			Label: "cause",
			parts: []part{{"void", "outage_lost_void_bytes", plain}, {"flushed", "outage_lost_flushed_bytes", plain},
				{"no_route", "outage_lost_no_route_bytes", plain}},
		},
		documented("rocelab_outage_flows", Gauge, "outage_flows", plain),
		single("rocelab_outage_unrecovered_flows", Gauge, "Flows that did not resume after an outage of a link.",
			"outage_unrecovered_flows", plain),
		documented("rocelab_iterations", Gauge, "iterations", plain),
		spread("rocelab_iteration_seconds", "iteration_mean_us", microseconds),
		single("rocelab_bound_seconds", Gauge, "Shortest possible time of an iteration of collectives whose data "+
			"cross long-haul paths, if all reach the fibre at the same time.", "bound_us", microseconds),
		single("rocelab_free_seconds", Gauge, "The same if collectives may drift apart.", "free_us", microseconds),
		spread("rocelab_collective_seconds", "collective_mean_us", microseconds),
		documented("rocelab_algbw_bytes_per_second", Gauge, "algbw_gigabytes_s", gigabytes),
		documented("rocelab_busbw_bytes_per_second", Gauge, "busbw_gigabytes_s", gigabytes),
	}
}

// spread returns a family of the four metrics of a distribution; mean names the first.
func spread(name, mean string, in measure) Family {
	f := documented(name, Gauge, mean, in)
	f.Label = "stat"
	// The text begins "Mean"; the label selects one of the four.
	about := strings.TrimPrefix(f.Help, "Mean ")
	f.Help = strings.ToUpper(about[:1]) + about[1:]
	f.parts = nil
	for _, stat := range []string{"mean", "p50", "p99", "max"} {
		f.parts = append(f.parts, part{stat, strings.Replace(mean, "mean", stat, 1), in})
	}
	return f
}

// waitShare is where frames waited.
func waitShare() Family {
	f := Family{
		Name:  "rocelab_wait_share_ratio",
		Type:  Gauge,
		Help:  "Share of all waiting in switches, by the tier that the port leads to.",
		Label: "tier",
	}
	for tier := range plan.NumTiers {
		f.parts = append(f.parts, part{tier.String(), "wait_share_" + tier.String(), plain})
	}
	return f
}

// aliases are the field's own names. The package's documentation has their source.
func aliases() []Family {
	return []Family{
		single("np_cnp_sent", Untyped, "mlx5: CNPs sent, here by all NICs.", "cnps", plain),
		single("rp_cnp_handled", Untyped, "mlx5: CNPs handled, here by all NICs.", "rp_cnp_handled", plain),
		single("np_ecn_marked_roce_packets", Untyped, "mlx5: packets that arrived marked, here at all NICs.",
			"np_ecn_marked_roce_packets", plain),
		single("out_of_sequence", Untyped, "mlx5: packets that arrived out of sequence, here at all NICs.",
			outOfSequence, plain),
		single("duplicate_request", Untyped, "mlx5: requests that had been carried out before, here at all NICs.",
			"duplicate_packets", plain),
		single("packet_seq_err", Untyped, "mlx5: NAKs for a sequence error received, here by all NICs.", "naks_received",
			plain),
		single("rx_discards_phy", Untyped, "mlx5: packets that found the receive buffer full, here at all NICs.",
			"drops_receive_buffer", plain),
		single("roce_slow_restart_cnps", Untyped, "mlx5: CNPs that slow restart made, here those along with the NAK of a "+
			"gap.", "roce_slow_restart_cnps", plain),
		single("roce_adp_retrans_to", Untyped, "mlx5: adaptive timeouts that ran out, here at all NICs.",
			"roce_adp_retrans_to", plain),
		single("local_ack_timeout_err", Untyped, "mlx5: ACK timers that expired, here at all NICs.", "timeouts", plain),
	}
}
