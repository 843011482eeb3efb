package report

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// labels are words for people of the names of columns and metrics, without their unit, as values have theirs, and most
// without their statistic. A name that is not here is its own words.
var labels = map[string]string{
	"algbw":                      "algorithm bandwidth",
	"at":                         "time",
	"at_model":                   "model time",
	"base_rtt":                   "round-trip time, empty",
	"begun":                      "begin",
	"beside":                     "shared with",
	"bound":                      "bound of an iteration",
	"buffer":                     "buffer",
	"busbw":                      "bus bandwidth",
	"busy":                       "time busy",
	"cnps":                       "CNPs",
	"clock_steps":                "clock steps",
	"collective":                 "collective",
	"congested":                  "first congested at",
	"dci_buffer":                 "DCI buffer",
	"depth":                      "queue",
	"depth_max":                  "longest queue",
	"discards_acl":               "discards: ACL",
	"discards_unknown_qp":        "discards: unknown QP",
	"done":                       "end",
	"drops_dci_buffer":           "drops: DCI buffer",
	"drops_nic_queue":            "drops: NIC queue",
	"drops_ttl":                  "drops: TTL",
	"drops_wred":                 "drops: WRED",
	"ecn_marked_frames":          "marked frames",
	"fct":                        "completion",
	"feedback":                   "time to feedback",
	"flow_rate":                  "rate of a flow",
	"flows":                      "flows",
	"foreign_in":                 "frames from hosts",
	"foreign_out":                "frames to hosts",
	"forgotten_flows":            "flows forgotten",
	"frames_share":               "share of frames",
	"free":                       "bound if jobs drift apart",
	"headroom":                   "headroom used",
	"incomplete":                 "incomplete flows",
	"ingress":                    "waiting input",
	"iterations_done":            "complete iterations",
	"jain":                       "fairness (Jain)",
	"kmax":                       "Kmax",
	"kmin":                       "Kmin",
	"learned_flows":              "flows learned",
	"message":                    "message",
	"naks":                       "NAKs",
	"naks_received":              "NAKs",
	"np_ecn_marked_roce_packets": "marked packets",
	"on time":                    "on time",
	"other_flows":                "other flows",
	"over":                       "measured over",
	"paused":                     "time paused",
	"preemptive_cnps":            "preemptive CNPs",
	"proximal_cnps":              "proximal CNPs",
	"queue_max":                  "longest queue",
	"queueing":                   "wait in queues",
	"ranks_done":                 "complete ranks",
	"received_xoff":              "XOFF received",
	"received_xon":               "XON received",
	"resent_packets":             "packets resent",
	"resent_share":               "share resent",
	"dropped_share":              "share dropped",
	"rp_cnp_handled":             "CNPs handled",
	"rtt":                        "round-trip time",
	"rtt_sample":                 "sampled round-trip time",
	"rtt_sample_swing":           "swing of sampled round-trip time",
	"rx_pfc_frames":              "PFC frames received",
	"sent_xoff":                  "XOFF sent",
	"silence":                    "longest silence",
	"steal_s":                    "stolen, s",
	"stuck":                      "incomplete",
	"throttled_s":                "throttled, s",
	"timer_p99.9_us":             "bare timer, p99.9, us",
	"took_ms":                    "length, ms",
	"tx":                         "sent",
	"tx_pfc_frames":              "PFC frames sent",
	"victims":                    "victims",
	"wait_share":                 "share of wait",
	"watchdog_fired":             "watchdog fired",
	"xoff":                       "XOFF",
}

// units are the ends of names that say in what values are, statistics those before them. A share of what a prefix
// counts by reason comes after the prefix.
var (
	units      = []string{"_us", "_gbps", "_gigabytes_s", "_bytes"}
	statistics = []struct{ end, word string }{
		{"_mean", "mean"}, {"_p50", "median"}, {"_p95", "p95"}, {"_p99", "p99"}, {"_p99.9", "p99.9"}, {"_min", "least"},
		{"_least", "least"}, {"_max", "most"}, {"_most", "most"},
	}
	prefixes = []struct{ begin, word string }{
		{"drops_", "drops"}, {"discards_", "discards"}, {"wait_share_", "share of wait"},
	}
)

// label is the name of a column or metric for people: completion, p99 for fct_p99_us. That of a job has the job first.
func label(name string) string {
	if at := strings.LastIndex(name, "."); at > 0 && !strings.Contains(name, "_p99.9") {
		return name[:at] + ": " + label(name[at+1:])
	}
	for _, unit := range units {
		name = strings.TrimSuffix(name, unit)
	}
	if word := labels[name]; word != "" {
		return word
	}
	for _, s := range statistics {
		if base, of := strings.CutSuffix(name, s.end); of {
			return noun(base) + ", " + s.word
		}
	}
	return noun(name)
}

// noun is the label of a name without its unit and its statistic.
func noun(base string) string {
	if word := labels[base]; word != "" {
		return word
	}
	for _, p := range prefixes {
		if reason, of := strings.CutPrefix(base, p.begin); of {
			return p.word + ": " + strings.ReplaceAll(reason, "_", " ")
		}
	}
	return strings.ReplaceAll(base, "_", " ")
}

// capital is a label at the beginning of a line.
func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// labelled is a cell whose text is the name of a column or metric, with its label.
func (c cell) labelled() cell {
	if text := label(c.Text); text != c.Text {
		c.Name, c.Text = c.Text, text
	}
	return c
}

// labelled is the table with labels of its columns.
func (t table) labelled() table {
	for i := range t.Head {
		t.Head[i] = t.Head[i].labelled()
	}
	return t
}

// rowsLabelled is the table, whose rows are metrics, with their labels.
func (t table) rowsLabelled() table {
	for i := range t.Rows {
		t.Rows[i].Head = t.Rows[i].Head.labelled()
	}
	return t
}

// Help is the text shown on pointing at a cell: its name in files, and its documentation.
func (c cell) Help() string {
	if c.Name == "" || c.Title == "" {
		return c.Name + c.Title
	}
	return c.Name + ": " + c.Title
}

// tableHelp explains tables whose captions do not, by their identifiers.
var tableHelp = map[string]string{
	"xoff": "Bytes of frames that came in at a port and may wait in the switch before the port requests a pause " +
		"from its peer: with the buffer as full as it was, and with an empty one. It is not the length of an " +
		"egress queue, so it has no line in the picture above.",
	"deadlocks":  "Cycles of egress queues: each waited for the next, the last for the first.",
	"pauses":     "Ports that were held by PFC, the longest first, and the peers that held them.",
	"slow-flows": "The flows with the largest slowdown, and their events.",
	"ecmp": "Ports of a switch that lead to the same hosts at the same cost are a group; ECMP chooses one of them for " +
		"each flow, by a hash. The most uneven come first, each with the member that sent most and the one that sent " +
		"least. A few large flows on one member while another is idle collide; paths: balanced or forwarding: spray of a " +
		"scenario avoid it.",
	"slow-ports": "Where the slowest flows waited, and the flows that shared the port.",
}

// Help is the explanation of a table, "" if its caption is enough.
func (t table) Help() string { return tableHelp[t.ID] }

// Word is the name of a number for people.
func (n number) Word() string { return capital(label(n.Name)) }
