package result

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
)

// Metric documents one number of a Summary. Its name carries its unit; a name
// without one is a count or a ratio.
type Metric struct {
	// Name is how expectations and files call it.
	Name string
	// Doc says what it is.
	Doc string
	// Better is the direction in which it is the better.
	Better Direction
	// Decimals is how many are printed.
	Decimals int

	of func(*Summary) float64
}

func counter(name, doc string, better Direction, of func(*Summary) uint64) Metric {
	return measure(name, doc, better, 0, func(s *Summary) float64 { return float64(of(s)) })
}

func measure(name, doc string, better Direction, decimals int, of func(*Summary) float64) Metric {
	return Metric{
		Name:     name,
		Doc:      doc,
		Better:   better,
		Decimals: decimals,
		of:       of,
	}
}

// spread gives the metrics of a distribution of times or of what grows with
// them, all the better the lower they are.
func spread(name, unit, doc string, decimals int, of func(*Summary) *Distribution) []Metric {
	part := func(label, of2 string, get func(*Distribution) float64) Metric {
		return measure(name+"_"+label+unit, of2+" "+doc, Lower, decimals, func(s *Summary) float64 { return get(of(s)) })
	}
	return []Metric{
		part("mean", "Mean", func(d *Distribution) float64 { return d.Mean }),
		part("p50", "Median", func(d *Distribution) float64 { return d.P50 }),
		part("p99", "99th percentile of the", func(d *Distribution) float64 { return d.P99 }),
		part("max", "Largest", func(d *Distribution) float64 { return d.Max }),
	}
}

// sampleMetrics begins the names of a second reading of what the rows of rtt
// show.
const sampleMetrics = "rtt_sample"

// waitMetrics begins the names of the shares of waiting, tierWords says where each is.
const waitMetrics = "wait_share_"

var tierWords = [plan.NumTiers]string{
	plan.TierHost:  "to hosts",
	plan.TierLeaf:  "to switches that have ports to hosts",
	plan.TierSpine: "to other switches",
	plan.TierDCI:   "over a long-haul path to a switch",
}

// metrics is the one table from which summaries, tables, expectations and
// documentation are made.
var metrics = func() []Metric {
	list := []Metric{
		counter("flows", "Flows of the plan.", None, func(s *Summary) uint64 { return s.Flows }),
		counter("completed", "Flows whose last byte was acknowledged.", Higher,
			func(s *Summary) uint64 { return s.Completed }),
		counter("incomplete", "Flows with a size that did not complete.", Lower,
			func(s *Summary) uint64 { return s.Incomplete }),
		measure("duration_us", "Time from the first flow's start to the last completion, or to the end of the run where a "+
			"flow had not completed.", Lower, 3,
			func(s *Summary) float64 { return s.DurationUS }),
	}
	list = append(list, spread("fct", "_us", "flow completion time, from the flow's start to the acknowledgement of its "+
		"last byte. Of a flow whose messages wait for others each message counts, from when it might be sent.", 3,
		func(s *Summary) *Distribution { return &s.FCT })...)
	list = append(list, spread("slowdown", "", "slowdown: FCT over base RTT + wire bytes / line rate; a flow alone is "+
		"just below 1, for that counts a packet twice.", 4,
		func(s *Summary) *Distribution { return &s.Slowdown })...)
	list = append(list,
		measure("goodput_gbps", "Payload acknowledged, all flows, over duration_us.", Higher, 3,
			func(s *Summary) float64 { return s.GoodputGbps }),
		measure("resent_share", "Data packets that were sent again, over all data packets that senders sent. Range 0 to 1.",
			Lower, 4, func(s *Summary) float64 { return s.ResentShare }),
		measure("dropped_share", "drops, over drops and the frames that came to NICs or left at edges, pauses excepted. "+
			"Range 0 to 1.", Lower, 4, func(s *Summary) float64 { return s.DroppedShare }),
		flowRateMetric,
		measure("utilisation", "Time for which the busiest switch port (NIC port, where there is no switch) transmitted, "+
			"over duration_us, at most 1. What it transmitted after the last completion counts, too, such as packets that "+
			"were sent twice; with edges also what it transmitted before the first flow.", Higher, 4,
			func(s *Summary) float64 { return s.Utilisation }),
		measure("jain", "Jain's fairness index of the goodputs of flows active at one time. Range 1/n to 1. See "+
			"Fairness below.", Higher, 4,
			func(s *Summary) float64 { return s.Jain }))
	list = append(list, spread("rtt", "_us", "true round-trip time of packets that were sent once.", 3,
		func(s *Summary) *Distribution { return &s.RTT })...)
	list = append(list, spread(sampleMetrics, "_us", "true round-trip time where a flow is sampled once a round trip, by "+
		"the first packet sent after the last sample's ACK: long ones count for less.", 3,
		func(s *Summary) *Distribution { return &s.RTTSample })...)
	list = append(list, measure(sampleMetrics+"_swing_mean", "How far such a sample is off the running average of its "+
		"flow, on average, as a share of that: rtt_swing.csv has the distribution.", Lower, 4,
		func(s *Summary) float64 { return s.Swing }))
	list = append(list, spread("queueing", "_us", "wait of a frame in a switch's egress queue, one hop, control classes "+
		"apart.", 3,
		func(s *Summary) *Distribution { return &s.Queueing })...)
	for tier := range plan.NumTiers {
		list = append(list, measure(waitMetrics+tier.String(), "Share of all that waiting which took place at ports that "+
			"lead "+tierWords[tier]+". Range 0 to 1; not measured where there is no such port.", None, 4,
			func(s *Summary) float64 { return s.WaitShare[tier] }))
	}
	list = append(list,
		counter("queue_max_bytes", "Longest egress queue of any switch, control classes apart.",
			Lower, func(s *Summary) uint64 { return s.QueueMaxBytes }),
		measure("queue_p50_bytes", "Length that the worst such queue did not exceed during half of the run: at most 4 KiB "+
			"or 6.25 % too low, and 0 below 8 KiB. Not measured with --no-record.", Lower, 0,
			func(s *Summary) float64 { return s.QueueP50Bytes }),
		measure("queue_p99_bytes", "Length that the worst such queue did not exceed during 99 % of the run.", Lower, 0,
			func(s *Summary) float64 { return s.QueueP99Bytes }),
		counter("buffer_max_bytes", "Fullest shared buffer of any switch.",
			Lower, func(s *Summary) uint64 { return s.BufferMaxBytes }),
		counter("dci_buffer_max_bytes", "Fullest memory of any DCI port.",
			Lower, func(s *Summary) uint64 { return s.DCIBufferMaxBytes }),
		counter("marks", "Frames that switches marked CE.", None, func(s *Summary) uint64 { return s.Marks }),
		counter("cnps", "CNPs that receivers sent.", None, func(s *Summary) uint64 { return s.CNPs }),
		counter("pauses", "PFC XOFF that ports sent, by class, refreshes included.",
			Lower, func(s *Summary) uint64 { return s.Pauses }),
		measure("paused_us", "Time during which a class of a port was held, summed over classes and ports.", Lower, 3,
			func(s *Summary) float64 { return s.PausedUS }),
		counter("drops", "Frames that the fabric lost, for whatever reason: the sum of drops_injected and of drops_ by "+
			"reason.",
			Lower, func(s *Summary) uint64 { return s.Drops }),
		counter("drops_congestion", "Frames that the fabric dropped for want of room: the sum of drops_no_buffer, "+
			"drops_headroom, drops_wred, drops_dci_buffer and drops_nic_queue.",
			Lower, func(s *Summary) uint64 { return s.droppedFor(wantOfRoom...) }),
		counter("drops_injected", "Frames lost on links, by a loss rate or an outage of the scenario, which no congestion "+
			"control prevents.",
			Lower, func(s *Summary) uint64 { return s.LinkLost }),
	)
	for r := fabric.DropNone + 1; r < fabric.NumDropReasons; r++ {
		if r.IsLinkLoss() {
			continue
		}
		prefix, doc, better := "drops_", "Frames that switches and NICs dropped: ", Lower
		if r.IsDiscard() {
			prefix, doc, better = "discards_", "Packets that arrived and were not wanted: ", None
		}
		list = append(list, counter(prefix+r.String(), doc+reasons[r]+".", better,
			func(s *Summary) uint64 { return s.ByReason[r] }))
	}
	list = append(list,
		counter("retransmits", "Packets sent again.", Lower, func(s *Summary) uint64 { return s.Retransmits }),
		counter("naks", "NAKs that receivers sent.", Lower, func(s *Summary) uint64 { return s.NAKs }),
		counter("timeouts", "Retransmission timers that expired.", Lower, func(s *Summary) uint64 { return s.Timeouts }),
		counter("decisions", "Events after which an algorithm's rate, window or gap differed.",
			None, func(s *Summary) uint64 { return s.Decisions }),
		counter("foreign_in", "Frames of others that came in at edges.", None,
			func(s *Summary) uint64 { return s.ForeignIn }),
		counter("foreign_out", "Frames that left at edges.", None, func(s *Summary) uint64 { return s.ForeignOut }),
		counter("watchdog_fired", "PFC storms that a watchdog broke.", Lower,
			func(s *Summary) uint64 { return s.WatchdogFired }),
		counter("victims", "Flows that stood still, or lost packets to a watchdog, in a PFC storm of the scenario though "+
			"they do not end at the storming NIC.",
			Lower, func(s *Summary) uint64 { return s.Victims }),
		counter("deadlocks", "Cycles of egress queues that waited for each other.",
			Lower, func(s *Summary) uint64 { return s.Deadlocks }),
	)
	list = append(list, proximalMetrics()...)
	return append(list, collectiveMetrics(func(s *Summary) *Collectives { return &s.Collectives }, boundMetrics()...)...)
}()

// reasons explains fabric's drop reasons to readers of a result.
var reasons = [fabric.NumDropReasons]string{
	fabric.DropNoBuffer:   "shared buffer exhausted, lossy class",
	fabric.DropHeadroom:   "headroom exhausted, lossless class",
	fabric.DropWRED:       "not ECN-capable and chosen by WRED, lossy class",
	fabric.DropNoRoute:    "no route to the destination",
	fabric.DropTTL:        "TTL of 1 or 0 where a frame is routed",
	fabric.DropLinkLoss:   "lost on a link, as the scenario asked",
	fabric.DropLinkDown:   "on a link that was down",
	fabric.DropWatchdog:   "flushed by the PFC watchdog",
	fabric.DropOutOfOrder: "ahead of the expected PSN at a go-back-N receiver",
	fabric.DropDuplicate:  "PSN already received",
	fabric.DropUnknownQP:  "no such QP",
	fabric.DropFiltered:   "a CNP for a flow that the proximal switch slowed down itself",
	fabric.DropDCIBuffer:  "memory of a DCI port exhausted, lossy there",
	fabric.DropNICQueue:   "the NIC queue of an edge was full, as a host's own would be",
	fabric.DropFlood:      "bridged, to all or to an unknown station, above the port's bound",
	fabric.DropLinkLocal:  "bridged, to a link-local group, which ends at a switch",
	fabric.DropSamePort:   "bridged, to a station at the port by which it came",
	fabric.DropWrongPeer:  "for a QP, from an address that is not its peer's",
	fabric.DropACL:        "a CNP from outside, at an edge with cnp: drop",
}

// wantOfRoom are the reasons of drops that congestion causes.
var wantOfRoom = []fabric.DropReason{fabric.DropNoBuffer, fabric.DropHeadroom, fabric.DropWRED, fabric.DropDCIBuffer,
	fabric.DropNICQueue}

// droppedFor counts the frames that were dropped for any of the reasons.
func (s *Summary) droppedFor(reasons ...fabric.DropReason) (n uint64) {
	for _, r := range reasons {
		n += s.ByReason[r]
	}
	return n
}

// Metrics returns the documentation of every metric, in the order of tables.
func Metrics() []Metric { return metrics }

// MetricNames returns the names that expectations may name, in the same order.
func MetricNames() (names []string) {
	for _, m := range metrics {
		names = append(names, m.Name)
	}
	return names
}

var metricIndex = func() map[string]int {
	index := make(map[string]int, len(metrics))
	for i, m := range metrics {
		index[m.Name] = i
	}
	return index
}()

// MetricOf returns the metric of a name, which may be that of a job; false if there is none.
func MetricOf(name string) (Metric, bool) {
	if i, ok := metricIndex[name]; ok {
		return metrics[i], true
	}
	job, rest, _ := cutJob(name)
	for _, m := range jobMetrics(job) {
		if job != "" && m.Name == job+"."+rest {
			return m, true
		}
	}
	return Metric{}, false
}

// Value returns a metric by its name: NaN if it was not measured, false if
// there is no such metric.
func (s *Summary) Value(name string) (float64, bool) {
	m, ok := MetricOf(name)
	if !ok {
		return math.NaN(), false
	}
	return m.of(s), true
}

// Of returns the metric's value in s, NaN if it was not measured.
func (m Metric) Of(summary *Summary) float64 { return m.of(summary) }

// FilesOnly reports whether expectations and files alone have the metric, and
// no table: it is a second reading of what another row shows, or says where.
func (m Metric) FilesOnly() bool {
	return strings.HasPrefix(m.Name, sampleMetrics) || strings.HasPrefix(m.Name, waitMetrics) ||
		slices.Contains([]string{"queue_p50_bytes", "drops_congestion"}, m.Name)
}

// Format prints a value of the metric with its decimals; "" if not measured.
func (m Metric) Format(value float64) string {
	if math.IsNaN(value) {
		return ""
	}
	return strconv.FormatFloat(value, 'f', m.Decimals, 64)
}

// Rounded is a value of the metric with its decimals, as summary.json has it.
func (m Metric) Rounded(value float64) float64 {
	rounded, err := strconv.ParseFloat(m.Format(value), 64)
	if err != nil {
		return math.NaN() // not measured
	}
	return rounded
}
