// Package exposition writes the state of runs in the text format that Prometheus scrapes.
//
// Model. A Run is the six labels that identify it, and readings: numbers by the names that run folders give them.
// OfEnded reads them from the files of a complete folder, Unfinished from the lines of one that is being written. A
// Family has the name, type and unit of readings; Write prints families one after another. An Exposition does this for
// a list of folders on each request, and remembers complete ones.
//
// Contract. The same folders give the same bytes: families stand in the order of Families, runs in the order of their
// labels. Unmeasured values are left out, never 0. A run has the same labels while it goes on and when it has ended, so
// its series go on. Units are base units: seconds, bytes, ratios from 0 to 1. Counters start with the run and end in
// _total.
//
// Folders may come from others: names in them are cut, escaped and kept to the folder's root, irregular or too large
// files are refused, and an unreadable folder is counted and does not hold the others up.
//
// Aliases. The field has names for some counters, and users with a panel for real adapters want those. If a counter
// here has exactly the meaning, it is exposed under that name too, without a type. All are of the mlx5 driver, by
// "Understanding mlx5 Linux Counters and Status Parameters" (NVIDIA), section RDMA counters; each is the sum over all
// NICs of the run:
//
//	np_cnp_sent                  CNPs that the notification point sent
//	rp_cnp_handled               CNPs that the reaction point handled
//	np_ecn_marked_roce_packets   RoCEv2 packets that arrived marked for congestion
//	out_of_sequence              packets that arrived out of sequence
//	duplicate_request            requests that had been carried out before
//	packet_seq_err               NAKs for a sequence error that the sender received
//	rx_discards_phy              packets that found the receive buffer of an adapter full
//	roce_slow_restart_cnps       CNPs that slow restart generated
//	roce_adp_retrans_to          timeouts of adaptive retransmission
//	local_ack_timeout_err        times that a QP's ACK timer expired at the sender
//
// The three from rx_discards_phy on are in Linux' documentation of the driver's counters. Drops of switches are not in
// any counter of an adapter, but in rocelab_dropped_frames_total. Left out are pause counters by priority, for the
// driver does not document whether a resume counts; rnr_nak_retry_err, since senders here do not retry after an RNR
// NAK; and roce_adp_retrans and roce_slow_restart, whose documentation leaves the meaning of one count open.
//
// Sources. "Exposition formats" of Prometheus' documentation, text format 0.0.4; "Metric and
// label naming" there.
//
// Limits. A run is as fresh as its last line. At most MaxRuns are exposed.
package exposition
