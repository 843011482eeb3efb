package result

import (
	"iter"
	"math"
	"strconv"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// depth returns a percentile over time of the queue's length, NaN if it was not recorded.
func (r *ranPort) depth(q float64) float64 {
	if r.plan.Record.Off || !r.hasData(r.index) {
		return math.NaN()
	}
	return float64(r.queue().Depths.Quantile(q))
}

func nodeColumn() column[ranPort] {
	return textColumn("node", "Switch, NIC or long-haul path.", func(r *ranPort) string { return r.node.Name })
}

func portColumn() column[ranPort] {
	return intColumn("port", "Port of the node.", func(r *ranPort) int { return r.port })
}

func peerColumn() column[ranPort] {
	return textColumn("peer", "Node at the other end of the port's link.", func(r *ranPort) string { return r.peer() })
}

// treatmentDoc explains the words of portPlace.
const treatmentDoc = "control (neither counted nor paused), lossless (PFC protects it here) or lossy; for a NIC " +
	"as at the switch port that it is connected to."

var portSheet = sheet[ranPort]{"ports.csv", "One row per port of switches, NICs and long-haul paths. Bytes are " +
	"those of frames without FCS, preamble and gap.", []column[ranPort]{
	nodeColumn(), portColumn(), peerColumn(),
	intColumn("tx_frames", "Frames sent, PFC included.", func(r *ranPort) uint64 { return r.TxFrames }),
	intColumn("tx_bytes", "Their bytes.", func(r *ranPort) uint64 { return r.TxBytes }),
	intColumn("rx_frames", "Frames received, PFC included.", func(r *ranPort) uint64 { return r.RxFrames }),
	intColumn("rx_bytes", "Their bytes.", func(r *ranPort) uint64 { return r.RxBytes }),
	intColumn("tx_pfc_frames", "PFC frames among those sent.", func(r *ranPort) uint64 { return r.TxPFCFrames }),
	intColumn("rx_pfc_frames", "PFC frames among those received.", func(r *ranPort) uint64 { return r.RxPFCFrames }),
	intColumn("rx_lost_frames", "Frames lost on the link towards this port; not counted as received.",
		func(r *ranPort) uint64 { return r.RxLostFrames }),
	intColumn("rx_lost_bytes", "Their bytes.", func(r *ranPort) uint64 { return r.RxLostBytes }),
	intColumn("dropped_frames", "Frames that arrived here and were dropped, including receivers' discards; "+
		"drops.csv has the reasons.",
		func(r *ranPort) uint64 { return dropped(r.Port) }),
	intColumn("dropped_bytes", "Their bytes.", func(r *ranPort) uint64 { return r.DropBytes }),
	intColumn("dci_buffer_max_bytes", "High-water mark of a DCI port's own memory; 0 at any other port.",
		func(r *ranPort) unit.Bytes { return r.PoolMax }),
	intColumn("rx_discards_phy", "Frames that came to the full receive buffer of a NIC with a receive_rate.",
		func(r *ranPort) uint64 { return r.Drops[fabric.DropIntake] }),
	timeColumn("busy_us", "Time during which the port transmitted.", func(r *ranPort) unit.Duration { return r.Busy }),
	floatColumn("utilisation", "busy_us over the whole run.", 4, func(r *ranPort) float64 {
		if r.runEnd <= 0 {
			return math.NaN()
		}
		return math.Min(1, float64(r.Busy)/float64(r.runEnd))
	}),
	floatColumn("rate_gbps", "Rate of the port's link, outwards.", 3, func(r *ranPort) float64 { return r.rate().Gbps() }),
	intColumn("stations", "Stations of others that a bridge knew behind the port at the end; 0 without edges.",
		func(r *ranPort) uint64 { return r.Bridge.Stations }),
	intColumn("station_moves", "Number of times that a station known behind another port moved here.",
		func(r *ranPort) uint64 { return r.Bridge.Moved }),
	intColumn("unlearned_frames", "Frames whose sender it did not learn, because the port had its share of stations.",
		func(r *ranPort) uint64 { return r.Bridge.Unlearned }),
	intColumn("held_frames", "Frames whose sender it kept at another port, because it had moved there within the "+
		"last second.",
		func(r *ranPort) uint64 { return r.Bridge.Held }),
}}

var queueSheet = sheet[ranPort]{"queues.csv", "One row per egress queue that a frame passed.", []column[ranPort]{
	nodeColumn(), portColumn(), peerColumn(),
	intColumn("queue", "Egress queue.", func(r *ranPort) int { return r.index }),
	textColumn("treatment", "Treatment of the classes of the queue: "+treatmentDoc,
		func(r *ranPort) string { return r.ofQueue(r.index) }),
	intColumn("frames", "Frames that passed it.", func(r *ranPort) uint64 { return r.queue().Frames }),
	intColumn("bytes", "Their bytes.", func(r *ranPort) uint64 { return r.queue().Bytes }),
	intColumn("ecn_marked_frames", "Frames that it marked CE.", func(r *ranPort) uint64 { return r.queue().Marked }),
	intColumn("ecn_markable_frames", "Frames that were ECN-capable and could have been marked.",
		func(r *ranPort) uint64 { return r.queue().Markable }),
	intColumn("depth_max_bytes", "Longest that it was.", func(r *ranPort) unit.Bytes { return r.queue().MaxBytes }),
	floatColumn("depth_p50_bytes", "Length that it did not exceed during half of the run: at most 4 KiB or 6.25 % too "+
		"low, and 0 below 8 KiB; empty with --no-record and for queues of control classes.", 0,
		func(r *ranPort) float64 { return r.depth(0.5) }).within(lowerEdge("depth_max_bytes")),
	floatColumn("depth_p99_bytes", "The same during 99 % of the run.", 0,
		func(r *ranPort) float64 { return r.depth(0.99) }).within(lowerEdge("depth_max_bytes")),
	thresholdColumn("kmin_bytes", "Kmin of the queue, above which frames are marked at random; empty if "+
		"frames are not marked.",
		func(kmin, _ unit.Bytes) unit.Bytes { return kmin }),
	thresholdColumn("kmax_bytes", "Kmax of the queue, above which all frames are marked.",
		func(_, kmax unit.Bytes) unit.Bytes { return kmax }),
	timeColumn("congested_us", "Time at which a frame first left it longer than Kmin; empty for never.",
		func(r *ranPort) unit.Time { return orNever(r.queue().Congested) }),
	floatColumn("wait_mean_us", "Mean true time between a frame's last bit in and first bit out.", 3,
		func(r *ranPort) float64 { return microsecondsOf(r.queue().Wait.Count(), r.queue().Wait.Mean()) }),
	floatColumn("wait_p99_us", "99th percentile, at most 3.2 % high.", 3,
		func(r *ranPort) float64 { return microsecondsOf(r.queue().Wait.Count(), r.queue().Wait.Quantile(0.99)) }).
		within(upperEdge("wait_max_us")),
	floatColumn("wait_max_us", "Largest.", 3, func(r *ranPort) float64 {
		return microsecondsOf(r.queue().Wait.Count(), r.queue().Wait.Max())
	}),
}}

// thresholdColumn prints a threshold of marking, nothing for a queue that marks none.
func thresholdColumn(name, doc string, of func(kmin, kmax unit.Bytes) unit.Bytes) column[ranPort] {
	return column[ranPort]{name: name, doc: doc, kind: NumberColumn, cell: func(buffer []byte, r *ranPort) []byte {
		kmin, kmax, marks := r.marking(r.index)
		if !marks {
			return buffer
		}
		return strconv.AppendInt(buffer, int64(of(kmin, kmax)), 10)
	}}
}

var pfcSheet = sheet[ranPort]{"pfc.csv",
	"One row per port and class that sent or received pauses, or had bytes in an ingress account.", []column[ranPort]{
		nodeColumn(), portColumn(), peerColumn(),
		intColumn("class", "Traffic class, the priority of IEEE 802.1Q.", func(r *ranPort) int { return r.index }),
		textColumn("treatment", "How the class is treated: "+treatmentDoc,
			func(r *ranPort) string { return r.ofClass(r.index) }),
		intColumn("sent_xoff", "Pauses that this port sent, including refreshes.",
			func(r *ranPort) uint64 { return r.class().SentXOFF }),
		intColumn("sent_xon", "Resumes that it sent.", func(r *ranPort) uint64 { return r.class().SentXON }),
		intColumn("received_xoff", "Pauses that it received.", func(r *ranPort) uint64 { return r.class().ReceivedXOFF }),
		intColumn("received_xon", "Resumes that it received.", func(r *ranPort) uint64 { return r.class().ReceivedXON }),
		timeColumn("paused_us", "Time during which the peer paused the class.",
			func(r *ranPort) unit.Duration { return r.class().Paused }),
		intColumn("ingress_max_bytes", "High-water mark of the ingress account.",
			func(r *ranPort) unit.Bytes { return r.class().IngressMax }),
		intColumn("headroom_max_bytes", "High-water mark of its headroom.",
			func(r *ranPort) unit.Bytes { return r.class().HeadroomMax }),
		xoffColumn("xoff_least_bytes", "Bytes that the ingress account may hold before the port requests a pause, "+
			"with the buffer at its fullest; empty if it requests none.",
			func(r *ranPort) unit.Bytes { return r.fullest }),
		xoffColumn("xoff_most_bytes", "The same with an empty buffer. At a DCI port both are one fixed length.",
			func(*ranPort) unit.Bytes { return 0 }),
		intColumn("watchdog_fired", "Storms that the PFC watchdog broke.",
			func(r *ranPort) uint64 { return r.class().WatchdogFired }),
	}}

// xoffColumn prints a threshold of pausing for a given use of the buffer.
func xoffColumn(name, doc string, used func(*ranPort) unit.Bytes) column[ranPort] {
	return column[ranPort]{name: name, doc: doc, kind: NumberColumn, cell: func(buffer []byte, r *ranPort) []byte {
		if xoff, pauses := r.xoff(r.index, used(r)); pauses {
			return strconv.AppendInt(buffer, int64(xoff), 10)
		}
		return buffer
	}}
}

// stormRow is a storm that a watchdog broke, at a port.
type stormRow struct {
	*ranPort
	*record.BrokenStorm
}

var watchdogSheet = sheet[stormRow]{"watchdog.csv", "One row per PFC storm that a switch's watchdog broke.",
	[]column[stormRow]{
		textColumn("node", "Switch.", func(r *stormRow) string { return r.node.Name }),
		intColumn("port", "Port of the switch.", func(r *stormRow) int { return r.port }),
		textColumn("peer", "Node at the other end of its link.", func(r *stormRow) string { return r.peer() }),
		intColumn("class", "Class that the peer paused; the lowest of the queue's if it paused several.",
			func(r *stormRow) uint8 { return r.BrokenStorm.Class }),
		timeColumn("fired_us", "When the watchdog broke the storm.", func(r *stormRow) unit.Time { return r.At }),
		timeColumn("restored_us", "Time at which the queue was normal again; empty if it was not.",
			func(r *stormRow) unit.Time { return r.Until }),
		intColumn("flushed_frames", "Frames that it found in the queue and dropped.",
			func(r *stormRow) uint64 { return r.Flushed }),
		intColumn("dropped_frames", "Frames that arrived for the queue until it was normal again, and were dropped.",
			func(r *stormRow) uint64 { return r.Dropped }),
	}}

var dropSheet = sheet[ranPort]{"drops.csv", "One row per port and reason of loss. Losses on a link are listed at " +
	"the port that they did not reach.", []column[ranPort]{
	nodeColumn(), portColumn(), peerColumn(),
	textColumn("reason", "Reason; link for losses on a link.", func(r *ranPort) string {
		if r.index == 0 {
			return "link"
		}
		return fabric.DropReason(r.index).String()
	}),
	intColumn("frames", "Frames.", func(r *ranPort) uint64 {
		if r.index == 0 {
			return r.RxLostFrames
		}
		return r.Drops[fabric.DropReason(r.index)]
	}),
}}

// indexedRows yields a row for each port and each index below n that keep accepts.
func indexedRows(o *Outcome, n int, keep func(*ranPort) bool) iter.Seq[*ranPort] {
	return func(yield func(*ranPort) bool) {
		for r := range o.eachPort {
			for r.index = 0; r.index < n; r.index++ {
				if keep(r) && !yield(r) {
					return
				}
			}
		}
	}
}

func queueRows(o *Outcome) iter.Seq[*ranPort] {
	return indexedRows(o, profile.Classes, func(r *ranPort) bool { return r.queue().Frames > 0 })
}

func classRows(o *Outcome) iter.Seq[*ranPort] {
	return indexedRows(o, profile.Classes, func(r *ranPort) bool { return *r.class() != record.Class{} })
}

// stormRows yields the rows of watchdogSheet: what the watchdogs of switches did, port by port.
func stormRows(o *Outcome) iter.Seq[*stormRow] {
	return func(yield func(*stormRow) bool) {
		for r := range o.eachPort {
			for i := range r.Storms {
				if r.rules() != nil && !yield(&stormRow{r, &r.Storms[i]}) {
					return
				}
			}
		}
	}
}

func dropRows(o *Outcome) iter.Seq[*ranPort] {
	return indexedRows(o, int(fabric.NumDropReasons), func(r *ranPort) bool {
		reason := fabric.DropReason(r.index)
		return r.index == 0 && r.RxLostFrames > 0 || r.Drops[reason] > 0 && !reason.IsLinkLoss()
	})
}
