package result

import (
	"iter"
	"math"
	"strconv"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/unit"
)

// portRow is a port, with the class, queue or drop reason that a row is about.
type portRow struct {
	*record.Port
	portPlace
	index int
	end   unit.Time
	// fullest is how full the switch's buffer was at most.
	fullest unit.Bytes
}

func (r *portRow) class() *record.Class { return &r.Class[r.index] }
func (r *portRow) queue() *record.Queue { return &r.Queue[r.index] }

// depth is a percentile over time of the queue's length, NaN where it was not recorded.
func (r *portRow) depth(q float64) float64 {
	if r.plan.Record.Off || !r.hasData(r.index) {
		return math.NaN()
	}
	return float64(r.queue().Depths.Quantile(q))
}

func nodeColumn() column[portRow] {
	return textColumn("node", "Switch, NIC or long-haul path.", func(r *portRow) string { return r.node.Name })
}

func portColumn() column[portRow] {
	return intColumn("port", "Port of the node.", func(r *portRow) int { return r.port })
}

func peerColumn() column[portRow] {
	return textColumn("peer", "Node at the other end of the port's link.", func(r *portRow) string { return r.peer() })
}

// treatmentDoc explains the words of portPlace.
const treatmentDoc = "control (neither counted nor paused), lossless (PFC protects it here) or lossy; of a NIC as " +
	"the switch treats it that hears the NIC."

var portSheet = sheet[portRow]{"ports.csv", "One row per port of switches, NICs and long-haul paths. Bytes are " +
	"those of frames without FCS, preamble and gap.", []column[portRow]{
	nodeColumn(), portColumn(), peerColumn(),
	intColumn("tx_frames", "Frames sent, PFC included.", func(r *portRow) uint64 { return r.TxFrames }),
	intColumn("tx_bytes", "Their bytes.", func(r *portRow) uint64 { return r.TxBytes }),
	intColumn("rx_frames", "Frames received, PFC included.", func(r *portRow) uint64 { return r.RxFrames }),
	intColumn("rx_bytes", "Their bytes.", func(r *portRow) uint64 { return r.RxBytes }),
	intColumn("tx_pfc_frames", "PFC frames among those sent.", func(r *portRow) uint64 { return r.TxPFCFrames }),
	intColumn("rx_pfc_frames", "PFC frames among those received.", func(r *portRow) uint64 { return r.RxPFCFrames }),
	intColumn("rx_lost_frames", "Frames lost on the link towards this port; not among those received.",
		func(r *portRow) uint64 { return r.RxLostFrames }),
	intColumn("rx_lost_bytes", "Their bytes.", func(r *portRow) uint64 { return r.RxLostBytes }),
	intColumn("dropped_frames", "Frames that arrived here and were dropped, receivers' discards included; drops.csv "+
		"has the reasons.",
		func(r *portRow) uint64 { return dropped(r.Port) }),
	intColumn("dropped_bytes", "Their bytes.", func(r *portRow) uint64 { return r.DropBytes }),
	intColumn("dci_buffer_max_bytes", "High-water mark of a DCI port's own memory; 0 at any other port.",
		func(r *portRow) unit.Bytes { return r.PoolMax }),
	timeColumn("busy_us", "Time during which the port transmitted.", func(r *portRow) unit.Duration { return r.Busy }),
	floatColumn("utilisation", "busy_us over the whole run.", 4, func(r *portRow) float64 {
		if r.end <= 0 {
			return math.NaN()
		}
		return math.Min(1, float64(r.Busy)/float64(r.end))
	}),
	floatColumn("rate_gbps", "Rate of the port's link, outwards.", 3, func(r *portRow) float64 { return r.rate().Gbps() }),
	intColumn("stations", "Stations of others that a bridge knew behind the port at the end; 0 without edges.",
		func(r *portRow) uint64 { return r.Bridge.Stations }),
	intColumn("station_moves", "How often one that it knew behind another port moved here.",
		func(r *portRow) uint64 { return r.Bridge.Moved }),
	intColumn("unlearned_frames", "Frames whose sender it did not learn, since the port had its share of stations.",
		func(r *portRow) uint64 { return r.Bridge.Unlearned }),
	intColumn("held_frames", "Frames whose sender it left at another port, to which it had moved within a second.",
		func(r *portRow) uint64 { return r.Bridge.Held }),
}}

var queueSheet = sheet[portRow]{"queues.csv", "One row per egress queue that a frame passed.", []column[portRow]{
	nodeColumn(), portColumn(), peerColumn(),
	intColumn("queue", "Egress queue.", func(r *portRow) int { return r.index }),
	textColumn("treatment", "How the classes of the queue are treated: "+treatmentDoc,
		func(r *portRow) string { return r.ofQueue(r.index) }),
	intColumn("frames", "Frames that passed it.", func(r *portRow) uint64 { return r.queue().Frames }),
	intColumn("bytes", "Their bytes.", func(r *portRow) uint64 { return r.queue().Bytes }),
	intColumn("ecn_marked_frames", "Frames that it marked CE.", func(r *portRow) uint64 { return r.queue().Marked }),
	intColumn("ecn_markable_frames", "Frames that were ECN-capable and could have been marked.",
		func(r *portRow) uint64 { return r.queue().Markable }),
	intColumn("depth_max_bytes", "Longest that it was.", func(r *portRow) unit.Bytes { return r.queue().MaxBytes }),
	floatColumn("depth_p50_bytes", "Length that it did not exceed during half of the run: at most 4 KiB or 6.25 % too "+
		"low, and 0 below 8 KiB; empty with --no-record and for queues of control classes.", 0,
		func(r *portRow) float64 { return r.depth(0.5) }),
	floatColumn("depth_p99_bytes", "The same during 99 % of the run.", 0,
		func(r *portRow) float64 { return r.depth(0.99) }),
	thresholdColumn("kmin_bytes", "Kmin of the queue, above which frames are marked by chance; empty where none are.",
		func(kmin, _ unit.Bytes) unit.Bytes { return kmin }),
	thresholdColumn("kmax_bytes", "Kmax of the queue, above which all are marked.",
		func(_, kmax unit.Bytes) unit.Bytes { return kmax }),
	timeColumn("congested_us", "When a frame first left it longer than Kmin; empty for never.",
		func(r *portRow) unit.Time { return orNever(r.queue().Congested) }),
	floatColumn("wait_mean_us", "Mean true time between a frame's last bit in and first bit out.", 3,
		func(r *portRow) float64 { return microsecondsOf(r.queue().Wait.Count(), r.queue().Wait.Mean()) }),
	floatColumn("wait_p99_us", "99th percentile, at most 3.2 % high.", 3,
		func(r *portRow) float64 { return microsecondsOf(r.queue().Wait.Count(), r.queue().Wait.Quantile(0.99)) }),
	floatColumn("wait_max_us", "Largest.", 3, func(r *portRow) float64 {
		return microsecondsOf(r.queue().Wait.Count(), r.queue().Wait.Max())
	}),
}}

// thresholdColumn prints a threshold of marking, nothing for a queue that marks none.
func thresholdColumn(name, doc string, of func(kmin, kmax unit.Bytes) unit.Bytes) column[portRow] {
	return column[portRow]{name, doc, func(buffer []byte, r *portRow) []byte {
		kmin, kmax, marks := r.marking(r.index)
		if !marks {
			return buffer
		}
		return strconv.AppendInt(buffer, int64(of(kmin, kmax)), 10)
	}}
}

var pfcSheet = sheet[portRow]{"pfc.csv",
	"One row per port and class on which PFC acted or an ingress account held a byte.", []column[portRow]{
		nodeColumn(), portColumn(), peerColumn(),
		intColumn("class", "Traffic class, the priority of IEEE 802.1Q.", func(r *portRow) int { return r.index }),
		textColumn("treatment", "How the class is treated: "+treatmentDoc,
			func(r *portRow) string { return r.ofClass(r.index) }),
		intColumn("sent_xoff", "Pauses that this port sent, refreshes included.",
			func(r *portRow) uint64 { return r.class().SentXOFF }),
		intColumn("sent_xon", "Resumes that it sent.", func(r *portRow) uint64 { return r.class().SentXON }),
		intColumn("received_xoff", "Pauses that it received.", func(r *portRow) uint64 { return r.class().ReceivedXOFF }),
		intColumn("received_xon", "Resumes that it received.", func(r *portRow) uint64 { return r.class().ReceivedXON }),
		timeColumn("paused_us", "Time during which the peer held the class.",
			func(r *portRow) unit.Duration { return r.class().Paused }),
		intColumn("ingress_max_bytes", "High-water mark of the ingress account.",
			func(r *portRow) unit.Bytes { return r.class().IngressMax }),
		intColumn("headroom_max_bytes", "High-water mark of its headroom.",
			func(r *portRow) unit.Bytes { return r.class().HeadroomMax }),
		xoffColumn("xoff_least_bytes", "What the ingress account may hold before the port asks for a pause, with the buffer "+
			"as full as it was at most; empty where it asks for none.",
			func(r *portRow) unit.Bytes { return r.fullest }),
		xoffColumn("xoff_most_bytes", "The same with an empty buffer. At a DCI port both are one fixed length.",
			func(*portRow) unit.Bytes { return 0 }),
		intColumn("watchdog_fired", "Storms that the PFC watchdog broke.",
			func(r *portRow) uint64 { return r.class().WatchdogFired }),
	}}

// xoffColumn prints a threshold of pausing with so much of the buffer in use.
func xoffColumn(name, doc string, used func(*portRow) unit.Bytes) column[portRow] {
	return column[portRow]{name, doc, func(buffer []byte, r *portRow) []byte {
		if xoff, pauses := r.xoff(r.index, used(r)); pauses {
			return strconv.AppendInt(buffer, int64(xoff), 10)
		}
		return buffer
	}}
}

// stormRow is a storm that a watchdog broke, at a port.
type stormRow struct {
	*portRow
	*record.BrokenStorm
}

var watchdogSheet = sheet[stormRow]{"watchdog.csv", "One row per PFC storm that a switch's watchdog broke.",
	[]column[stormRow]{
		textColumn("node", "Switch.", func(r *stormRow) string { return r.node.Name }),
		intColumn("port", "Port of the switch.", func(r *stormRow) int { return r.port }),
		textColumn("peer", "Node at the other end of its link.", func(r *stormRow) string { return r.peer() }),
		intColumn("class", "Class that the peer held; the lowest of the queue's, where it held several.",
			func(r *stormRow) uint8 { return r.BrokenStorm.Class }),
		timeColumn("fired_us", "When the watchdog broke the storm.", func(r *stormRow) unit.Time { return r.At }),
		timeColumn("restored_us", "When the queue was normal again; empty where it was not.",
			func(r *stormRow) unit.Time { return r.Until }),
		intColumn("flushed_frames", "Frames that it found in the queue and dropped.",
			func(r *stormRow) uint64 { return r.Flushed }),
		intColumn("dropped_frames", "Frames that came for the queue until it was normal again, and were dropped.",
			func(r *stormRow) uint64 { return r.Dropped }),
	}}

var dropSheet = sheet[portRow]{"drops.csv", "One row per port and reason for which a frame was lost. Losses on a " +
	"link stand at the port that they did not reach.", []column[portRow]{
	nodeColumn(), portColumn(), peerColumn(),
	textColumn("reason", "Reason; link for losses on a link.", func(r *portRow) string {
		if r.index == 0 {
			return "link"
		}
		return fabric.DropReason(r.index).String()
	}),
	intColumn("frames", "Frames.", func(r *portRow) uint64 {
		if r.index == 0 {
			return r.RxLostFrames
		}
		return r.Drops[r.index]
	}),
}}

// eachPort yields the rows of portSheet.
func (o *Outcome) eachPort(yield func(*portRow) bool) {
	for node := range o.Plan.EachNode {
		ports := o.portsOf(&node)
		fullest := unit.Bytes(0)
		if node.Kind == plan.KindSwitch {
			fullest = o.Switches[node.Index].BufferMax
		}
		for i := range ports {
			if !yield(&portRow{&ports[i], portPlace{o.Plan, &node, i}, 0, o.End, fullest}) {
				return
			}
		}
	}
}

// indexedRows yields a row for each port and each index below n that keep accepts.
func indexedRows(o *Outcome, n int, keep func(*portRow) bool) func(func(*portRow) bool) {
	return func(yield func(*portRow) bool) {
		for r := range o.eachPort {
			for r.index = 0; r.index < n; r.index++ {
				if keep(r) && !yield(r) {
					return
				}
			}
		}
	}
}

func queueRows(o *Outcome) func(func(*portRow) bool) {
	return indexedRows(o, profile.Classes, func(r *portRow) bool { return r.queue().Frames > 0 })
}

func classRows(o *Outcome) func(func(*portRow) bool) {
	return indexedRows(o, profile.Classes, func(r *portRow) bool { return *r.class() != record.Class{} })
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

func dropRows(o *Outcome) func(func(*portRow) bool) {
	return indexedRows(o, int(fabric.NumDropReasons), func(r *portRow) bool {
		return r.index == 0 && r.RxLostFrames > 0 || r.Drops[r.index] > 0 && !fabric.DropReason(r.index).IsLinkLoss()
	})
}
