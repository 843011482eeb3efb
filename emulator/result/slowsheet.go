package result

import (
	"iter"
	"math"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// slowRow is a port on the way of a slow flow.
type slowRow struct {
	portPlace
	*SlowPort
	flow *ranFlow
}

// measuredOver names the time that the numbers of a port cover.
func (r *slowRow) measuredOver() string {
	if r.Alone {
		return "flow"
	}
	return "run"
}

// slowSheetName is the file's name, which the page reads too.
const slowSheetName = "slow_flows.csv"

var slowSheet = sheet[slowRow]{slowSheetName, "Ports where the slowest flows waited: a row for each port that " +
	"their data leaves on its path, for at most 12 flows, the slowest first, and for each at most the 16 ports " +
	"with most of the wait. First are flows with a size that did not complete, then the flows with the largest " +
	"slowdown (for messages that wait for others: the largest of one), then the flows without a size that got " +
	"least. Marks, CNPs and retransmissions of the flows are in flows.csv.", []column[slowRow]{
	textColumn("flow", "Name of the flow.", func(r *slowRow) string { return r.flow.planned.Name }),
	floatColumn("slowdown", "As in flows.csv.", 4, func(r *slowRow) float64 { return r.flow.slowdown() }),
	intColumn("hop", "Number of the port on the path; 0 is the sender's NIC.", func(r *slowRow) int { return r.Hop }),
	textColumn("node", "NIC or switch.", func(r *slowRow) string { return r.node.Name }),
	intColumn("port", "Port of the node.", func(r *slowRow) int { return r.port }),
	textColumn("peer", "Node at the other end of the port's link.", func(r *slowRow) string { return r.peer() }),
	queueColumn(),
	floatColumn("frames_share", "Share of the flow's frames that take this path: 1 unless switches spread frames, "+
		"then an equal share.", 4, func(r *slowRow) float64 { return r.Share }),
	floatColumn("wait_share", "Share of a frame's wait on the path that it spent here; empty if no frame waited. "+
		"An estimate: for the time of the flow by the largest length of the queue in each bin, and by pauses; for "+
		"the run by the mean wait of all frames of the queue.", 4, func(r *slowRow) float64 { return r.WaitShare }),
	textColumn("over", "Time that wait_share and the next three columns are about: flow, from its start to its "+
		"end in bins of the series, or run, if ports have no series.", (*slowRow).measuredOver),
	intColumn("depth_max_bytes", "Longest that the queue was; 0 at a NIC.", func(r *slowRow) int64 { return r.Depth }),
	intColumn("ecn_marked_frames", "Frames that were marked CE at the port, of any flow.",
		func(r *slowRow) uint64 { return r.Marked }),
	timeColumn("paused_us", "Time during which the peer paused the port, summed over classes; for the run only "+
		"the class of the flow.", func(r *slowRow) unit.Duration { return r.Paused }),
	floatColumn("flows_mean", "Mean number of flows that shared the port while the flow was active, including "+
		"itself.", 2,
		func(r *slowRow) float64 { return r.Flows }),
	intColumn("other_flows", "Other flows that did so at any time.", func(r *slowRow) int { return r.Others }),
	textColumn("beside", "Names of up to three of them, in the order of that time, the longest first.",
		func(r *slowRow) string { return strings.Join(r.Beside, "; ") }),
}}

// queueColumn is the egress queue of the flow, nothing at a NIC.
func queueColumn() column[slowRow] {
	return floatColumn("queue", "Egress queue of the flow's data; empty at a NIC.", 0, func(r *slowRow) float64 {
		if r.Queue < 0 {
			return math.NaN()
		}
		return float64(r.Queue)
	})
}

// slowRows yields the rows of slowSheet.
func slowRows(o *Outcome) iter.Seq[*slowRow] {
	return func(yield func(*slowRow) bool) {
		for i := range o.Slow {
			slow := &o.Slow[i]
			flow := o.flow(slow.Flow)
			for j := range slow.Ports {
				port := &slow.Ports[j]
				node := o.Plan.Node(port.Node)
				if !yield(&slowRow{portPlace{o.Plan, &node, port.Port}, port, &flow}) {
					return
				}
			}
		}
	}
}
