package verdicts

import "strings"

// scenarioOf names, for each metric, the scenario of testdata whose variant ill turns an expectation of it red that its
// variant calm meets.
var scenarioOf = func() map[string]string {
	of := map[string]string{}
	for scenario, metrics := range map[string]string{
		"incast": `flows completed duration_us goodput_gbps flow_rate_gbps utilisation marks cnps pauses paused_us
			decisions queue_max_bytes queue_p50_bytes queue_p99_bytes buffer_max_bytes
			fct_mean_us fct_p50_us fct_p99_us fct_max_us slowdown_mean slowdown_p50 slowdown_p99 slowdown_max
			rtt_mean_us rtt_p50_us rtt_p99_us rtt_max_us rtt_sample_swing_mean
			rtt_sample_mean_us rtt_sample_p50_us rtt_sample_p99_us rtt_sample_max_us
			queueing_mean_us queueing_p50_us queueing_p99_us queueing_max_us`,
		"broken": `qp_errors`,
		"outage": `outage_recovery_max_us outage_lost_bytes outage_lost_void_bytes outage_lost_flushed_bytes outage_flows`,
		"cut":    `outage_unrecovered_flows`,
		"lossy": `incomplete resent_share dropped_share drops drops_injected retransmits naks timeouts
			discards_out_of_order discards_duplicate`,
		"crowded":  `drops_congestion drops_no_buffer drops_wred`,
		"headroom": `drops_headroom`,
		"host":     `drops_receive_buffer`,
		"shares":   `jain`,
		"feedback": `feedback_us`,
		"tiers":    `wait_share_host wait_share_leaf wait_share_spine`,
		"storm":    `watchdog_fired victims drops_watchdog`,
		"ring":     `deadlocks`,
		"sites": `notifications proximal_cnps preemptive_cnps learned_flows discards_filtered drops_dci_buffer
			dci_buffer_max_bytes bound_us free_us wait_share_dci forgotten_flows`,
		"jobs": `iterations iterations_done iteration_mean_us iteration_p50_us iteration_p99_us iteration_max_us
			collective_mean_us collective_p50_us collective_p99_us collective_max_us algbw_gigabytes_s busbw_gigabytes_s
			job0.iterations job0.iterations_done job1.iteration_mean_us job1.iteration_p50_us job1.iteration_p99_us
			job1.iteration_max_us job0.collective_mean_us job0.collective_p50_us job0.collective_p99_us
			job0.collective_max_us job1.algbw_gigabytes_s job1.busbw_gigabytes_s`,
	} {
		for _, metric := range strings.Fields(metrics) {
			of[metric] = scenario
		}
	}
	return of
}()

// elsewhere are the metrics that no scenario on mem makes, and the tests that do.
var elsewhere = map[string]test{
	"outage_settled_us": {"emulator/result/outagesheet_test.go", "TestOutageFigures", "outage_settled_us"},
	"outage_lost_no_route_bytes": {"emulator/result/outagesheet_test.go", "TestOutageFigures",
		"outage_lost_no_route_bytes"},
	"drops_no_route":      {"switchd/switch_test.go", "TestTTLAndRoute", ""},
	"drops_ttl":           {"cmd/rocelab/edges_cnp_test.go", "TestForeignFramesThatLeadNowhere", "drops_ttl == "},
	"drops_flood":         {"switchd/bridge_test.go", "TestWhatIsDroppedTeachesNothing", "DropFlood"},
	"discards_link_local": {"switchd/bridge_test.go", "TestLinkLocalEndsHere", ""},
	"discards_same_port":  {"switchd/bridge_test.go", "TestBridgeLearns", "DropSamePort"},
	"discards_unknown_qp": {"cmd/rocelab/edges_cnp_test.go", "TestForeignFramesThatLeadNowhere",
		"discards_unknown_qp == "},
	"drops_nic_queue": {"specs/live/storm_test.go",
		"has its storm of broadcasts cut to 1 % of its link, and others' pings go on", "DropNICQueue"},
	"discards_wrong_peer": {"cmd/rocelab/edges_cnp_test.go", "TestForeignCNPs", "discards_wrong_peer == 50"},
	"discards_acl":        {"cmd/rocelab/edges_cnp_test.go", "TestForeignCNPs", "discards_acl == 50"},
	"foreign_in": {"specs/live/tcp_test.go", "loses to RED alone, with ECN off, and sends again what was lost",
		"foreign_in"},
	"foreign_out": {"specs/live/tcp_test.go", "loses to RED alone, with ECN off, and sends again what was lost",
		"foreign_out"},
}
