package contract

import "github.com/rocelab/rocelab/plugins/cc"

//go:generate go run ../control/generate

// Signals are the fields of cc.Signals. Number 1 of their message is the
// controller's; 18 and 19 are kept for trims and credits.
var Signals = []Field[cc.Signals]{
	{Name: "ECT", Number: 2, Silent: true, At: func(s *cc.Signals) any { return &s.ECT }},
	{Name: "CNP", Number: 3, At: func(s *cc.Signals) any { return &s.CNP }},
	{
		Name:   "CNPInterval",
		Number: 4,
		Doc:    "Picoseconds.",
		Silent: true,
		At:     func(s *cc.Signals) any { return &s.CNPInterval },
	},
	{Name: "Acks", Number: 5, At: func(s *cc.Signals) any { return &s.Acks }},
	{Name: "OneWayDelay", Number: 6, At: func(s *cc.Signals) any { return &s.OneWayDelay }},
	{Name: "Timestamp", Number: 7, At: func(s *cc.Signals) any { return &s.Timestamp }},
	{Name: "ECNEcho", Number: 8, At: func(s *cc.Signals) any { return &s.ECNEcho }},
	{Name: "INT", Number: 9, At: func(s *cc.Signals) any { return &s.INT }},
	{Name: "RTTInCNP", Number: 10, At: func(s *cc.Signals) any { return &s.RTTInCNP }},
	{Name: "RateInCNP", Number: 14, At: func(s *cc.Signals) any { return &s.RateInCNP }},
	{Name: "Group", Number: 13, At: func(s *cc.Signals) any { return &s.Group }},
	{Name: "Loss", Number: 15, At: func(s *cc.Signals) any { return &s.Loss }},
	{Name: "Received", Number: 16, At: func(s *cc.Signals) any { return &s.Received }},
	{Name: "Path", Number: 17, At: func(s *cc.Signals) any { return &s.Path }},
	{Name: "OwnData", Number: 11, Proto: "int32", At: func(s *cc.Signals) any { return &s.OwnData }},
	{Name: "OwnAck", Number: 12, Proto: "int32", At: func(s *cc.Signals) any { return &s.OwnAck }},
}

// Event are the fields of cc.Event. Numbers 23 to 25 are kept for trims and credits.
var Event = []Field[cc.Event]{
	{Name: "Kind", Number: 1, Doc: "As cc.EventKind.", At: func(e *cc.Event) any { return &e.Kind }},
	{
		Name:   "CE",
		Number: 2,
		Log:    "ce",
		Script: "ce",
		Signal: "ECNEcho",
		At:     func(e *cc.Event) any { return &e.CE },
	},
	{
		Name:   "Resent",
		Number: 21,
		Log:    "resent",
		Script: "resent",
		Signal: "Path",
		Most:   1,
		At:     func(e *cc.Event) any { return &e.Resent },
	},
	{
		Name:   "OOO",
		Number: 22,
		Log:    "ooo",
		Script: "ooo",
		Signal: "Path",
		Most:   1,
		At:     func(e *cc.Event) any { return &e.OOO },
	},
	{
		Name:   "Path",
		Number: 20,
		Log:    "path",
		Script: "path",
		Signal: "Path",
		Least:  1 << 15,
		Most:   1<<16 - 1,
		At:     func(e *cc.Event) any { return &e.Path },
	},
	{
		Name:   "Cause",
		Number: 17,
		Doc:    "As cc.LossCause; only of a loss event, as lost.",
		Log:    "cause",
		Script: "cause",
		Signal: "Loss",
		At:     func(e *cc.Event) any { return &e.Cause },
	},
	{
		Name:   "Lost",
		Number: 18,
		Log:    "lost_bytes",
		Script: "lost",
		Signal: "Loss",
		At:     func(e *cc.Event) any { return &e.Lost },
	},
	{
		Name:   "Received",
		Number: 19,
		Log:    "received_bytes",
		Script: "received",
		Signal: "Received",
		Most:   1 << 40,
		At:     func(e *cc.Event) any { return &e.Received },
	},
	{
		Name:   "Flows",
		Number: 15,
		Doc:    "Only of a group event.",
		Log:    "flows",
		Script: "flows",
		Signal: "Group",
		At:     func(e *cc.Event) any { return &e.Flows },
	},
	{Name: "Now", Number: 3, At: func(e *cc.Event) any { return &e.Now }},
	{
		Name:   "Clock",
		Number: 4,
		Doc:    "ns, as is echo.",
		Log:    "clock_ns",
		At:     func(e *cc.Event) any { return &e.Clock },
	},
	{
		Name:   "Acked",
		Number: 5,
		Log:    "acked_bytes",
		Script: "acked",
		At:     func(e *cc.Event) any { return &e.Acked },
	},
	{Name: "Inflight", Number: 6, Log: "inflight_bytes", At: func(e *cc.Event) any { return &e.Inflight }},
	{Name: "Sent", Number: 7, Log: "sent_bytes", At: func(e *cc.Event) any { return &e.Sent }},
	{
		Name:   "RTT",
		Number: 8,
		Log:    "rtt_ps",
		Script: "rtt",
		At:     func(e *cc.Event) any { return &e.RTT },
	},
	{
		Name:   "OneWayDelay",
		Number: 9,
		Proto:  "sint64",
		Log:    "one_way_delay_ps",
		Script: "owd",
		Signal: "OneWayDelay",
		At:     func(e *cc.Event) any { return &e.OneWayDelay },
	},
	{
		Name:   "Echo",
		Number: 10,
		Log:    "echo_ns",
		Script: "echo",
		At:     func(e *cc.Event) any { return &e.Echo },
	},
	{
		Name:   "BaseRate",
		Number: 11,
		Log:    "base_rate_bps",
		Script: "base_rate",
		Signal: "OneWayDelay",
		At:     func(e *cc.Event) any { return &e.BaseRate },
	},
	{
		Name:   "CNPRate",
		Number: 16,
		Doc:    "Only for a CNP event; 0 if the CNP carries no rate.",
		Log:    "cnp_rate_bps",
		Script: "rate",
		Signal: "RateInCNP",
		At:     func(e *cc.Event) any { return &e.CNPRate },
	},
	{
		Name:   "RemoteDelay",
		Number: 12,
		Log:    "remote_delay_ps",
		Script: "remote_delay",
		Signal: "Timestamp",
		At:     func(e *cc.Event) any { return &e.RemoteDelay },
	},
	{
		Name:   "INT",
		Number: 13,
		Doc:    "Absent without Signals.INT.",
		Log:    "int",
		Signal: "INT",
		At:     func(e *cc.Event) any { return &e.INT },
	},
	{
		Name:   "Own",
		Number: 14,
		Doc:    "All of cc.OwnBytes; empty if all are zero.",
		Log:    "own",
		Signal: "OwnAck",
		At:     func(e *cc.Event) any { return &e.Own },
	},
}

// Decision are the fields of cc.Decision. Numbers 7 and 8 are kept for a request of an ACK and for a
// credit's target.
var Decision = []Field[cc.Decision]{
	{
		Name:   "Rate",
		Number: 1,
		Log:    "rate_bps",
		Always: true,
		At:     func(d *cc.Decision) any { return &d.Rate },
	},
	{Name: "Window", Number: 2, Log: "window_bytes", At: func(d *cc.Decision) any { return &d.Window }},
	{Name: "Gap", Number: 3, Log: "gap_ps", At: func(d *cc.Decision) any { return &d.Gap }},
	{Name: "WakeAt", Number: 4, Log: "wake_at_ps", At: func(d *cc.Decision) any { return &d.WakeAt }},
	{Name: "WakeBytes", Number: 5, Log: "wake_bytes", At: func(d *cc.Decision) any { return &d.WakeBytes }},
	{
		Name:   "Own",
		Number: 6,
		Doc:    "At most cc.OwnBytes; missing bytes are zero.",
		Log:    "own",
		Signal: "OwnData",
		At:     func(d *cc.Decision) any { return &d.Own },
	},
}

// Arrival are the fields of cc.Arrival.
var Arrival = []Field[cc.Arrival]{
	{Name: "Now", Number: 1, At: func(a *cc.Arrival) any { return &a.Now }},
	{
		Name:   "Clock",
		Number: 2,
		Doc:    "ns, as are tx_time and baseline.",
		Log:    "clock_ns",
		At:     func(a *cc.Arrival) any { return &a.Clock },
	},
	{Name: "TxTime", Number: 3, Log: "tx_time_ns", At: func(a *cc.Arrival) any { return &a.TxTime }},
	{
		Name:   "Baseline",
		Number: 4,
		Log:    "baseline_ns",
		Signal: "OneWayDelay",
		At:     func(a *cc.Arrival) any { return &a.Baseline },
	},
	{Name: "Bytes", Number: 5, Log: "payload_bytes", At: func(a *cc.Arrival) any { return &a.Bytes }},
	{Name: "Active", Number: 6, Log: "active", At: func(a *cc.Arrival) any { return &a.Active }},
	{
		Name:   "Own",
		Number: 7,
		Log:    "own",
		Signal: "OwnData",
		At:     func(a *cc.Arrival) any { return &a.Own },
	},
	{Name: "CE", Number: 8, Log: "ce", At: func(a *cc.Arrival) any { return &a.CE }},
	{Name: "Last", Number: 9, Log: "last", At: func(a *cc.Arrival) any { return &a.Last }},
	{Name: "Resent", Number: 10, Log: "resent", At: func(a *cc.Arrival) any { return &a.Resent }},
}

// Feedback are the fields of cc.Feedback.
var Feedback = []Field[cc.Feedback]{
	{
		Name:   "BaseRate",
		Number: 1,
		Log:    "base_rate_bps",
		Signal: "OneWayDelay",
		At:     func(f *cc.Feedback) any { return &f.BaseRate },
	},
	{
		Name:    "OneWayDelay",
		Number:  2,
		Proto:   "sint64",
		Log:     "one_way_delay_ps",
		Signal:  "OneWayDelay",
		FromNIC: true,
		At:      func(f *cc.Feedback) any { return &f.OneWayDelay },
	},
	{
		Name:   "Own",
		Number: 3,
		Log:    "own",
		Signal: "OwnAck",
		At:     func(f *cc.Feedback) any { return &f.Own },
	},
}

// LossNames are the causes of a loss in words, by cc.LossCause.
var LossNames = []string{"none", "gap", "timeout", "nak"}
