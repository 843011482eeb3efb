package result

import (
	"iter"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// queueBin is one bin of a queue's series.
type queueBin struct {
	*ranPort
	at    unit.Time
	depth int64
}

var queueSeriesSheet = sheet[queueBin]{"series_queues.csv", "Time series per egress queue of a switch, without " +
	"the bins in which it was empty. Recording below lists the recorded queues.", []column[queueBin]{
	shortTimeColumn("time_us", "Start of the bin.", func(r *queueBin) unit.Time { return r.at }),
	textColumn("node", "Switch.", func(r *queueBin) string { return r.node.Name }),
	intColumn("port", "Port of the switch.", func(r *queueBin) int { return r.port }),
	intColumn("queue", "Egress queue.", func(r *queueBin) int { return r.index }),
	intColumn("depth_max_bytes", "Longest length in the bin, in bytes.", func(r *queueBin) int64 { return r.depth }),
}}

func (r *queueBin) size() int {
	return len(",,,,") + timeDigits(int64(r.at)) + textSize(r.node.Name) + digits(int64(r.port)) + digits(int64(r.index)) +
		digits(r.depth)
}

// queueBins yields the rows of queueSeriesSheet with bins of a width.
func queueBins(o *Outcome, width unit.Duration) iter.Seq[*queueBin] {
	times := doublings(o.Recorded.Width, width)
	return func(yield func(*queueBin) bool) {
		var room record.Series
		for r := range queueRows(o) {
			if r.queue().Depth == nil {
				continue
			}
			depth := r.queue().Depth.Folded(times, &room)
			for bin := range depth.Len() {
				if v := depth.At(bin); v != 0 && !yield(&queueBin{r, startOf(bin, width), v}) {
					return
				}
			}
		}
	}
}

// startOf is the start of a bin.
func startOf(bin int, width unit.Duration) unit.Time { return unit.Time(bin) * unit.Time(width) }

// activityBin is one bin of the series of a port, or of the ports of a tier.
type activityBin struct {
	node                  string
	port                  int
	tier                  plan.Tier
	at                    unit.Time
	sent, marked, dropped int64
	paused                unit.Duration
}

// activityColumns are the columns common to the series of ports and of tiers.
func activityColumns(sent string) []column[activityBin] {
	return []column[activityBin]{
		intColumn("tx_bytes", sent+" Without FCS, preamble and gap.",
			func(r *activityBin) int64 { return r.sent }),
		intColumn("ecn_marked_frames", "Frames that were marked CE there.", func(r *activityBin) int64 { return r.marked }),
		shortTimeColumn("paused_us", "Time during which the peer paused a class in the bin, summed over classes: "+
			"at most eight times its width for a port.", func(r *activityBin) unit.Duration { return r.paused }),
		intColumn("dropped_frames", "Frames that arrived there and were dropped, including receivers' discards, "+
			"without losses on links.", func(r *activityBin) int64 { return r.dropped }),
	}
}

var portSeriesSheet = sheet[activityBin]{"series_ports.csv", "Time series per port of switches, NICs, edges and " +
	"long-haul paths, without the bins in which all values are 0. The columns are sums over the bin. The lengths " +
	"of queues are in series_queues.csv.", append([]column[activityBin]{
	shortTimeColumn("time_us", "Start of the bin.", func(r *activityBin) unit.Time { return r.at }),
	textColumn("node", "Switch, NIC, edge or long-haul path.", func(r *activityBin) string { return r.node }),
	intColumn("port", "Port of the node.", func(r *activityBin) int { return r.port }),
}, activityColumns("Bytes that left by the port in the bin: a frame in transmission at its end counts partly in "+
	"this bin and partly in the next. The last bin has all bytes of a frame in transmission at the end of the "+
	"run.")...)}

var tierSeriesSheet = sheet[activityBin]{"series_tiers.csv", "Time series of the ports of each switch by the tier " +
	"that they lead to, in place of series_ports.csv in a fabric of more than 256 ports, without the bins in " +
	"which all values are 0. The columns are sums over the bin and the ports.", append([]column[activityBin]{
	shortTimeColumn("time_us", "Start of the bin.", func(r *activityBin) unit.Time { return r.at }),
	textColumn("node", "Switch.", func(r *activityBin) string { return r.node }),
	textColumn("tier", tierDoc, func(r *activityBin) string { return r.tier.String() }),
}, activityColumns("Bytes of the frames whose first bit left by the ports in the bin.")...)}

// tierDoc explains the tiers.
const tierDoc = "Tier that the ports lead to: host, a NIC or an edge; leaf, a switch that has ports to hosts; " +
	"spine, any other switch; dci, over a long-haul path to a switch."

func (r *activityBin) portSize() int { return r.size() + digits(int64(r.port)) }
func (r *activityBin) tierSize() int { return r.size() + len(r.tier.String()) }

func (r *activityBin) size() int {
	return len(",,,,,,") + timeDigits(int64(r.at)) + textSize(r.node) + digits(r.sent) + digits(r.marked) +
		timeDigits(int64(r.paused)) + digits(r.dropped)
}

// activityBins folds the series of ports or tiers to bins of one width, one after the other.
type activityBins struct {
	width unit.Duration
	times int
	room  [4]record.Series
}

func newActivityBins(recorded *recorded, width unit.Duration) *activityBins {
	return &activityBins{width: width, times: doublings(recorded.Width, width)}
}

// each yields the bins of an activity that are not all 0.
func (a *activityBins) each(over *record.Activity, row activityBin, yield func(*activityBin) bool) bool {
	sent, marked := over.Sent.Folded(a.times, &a.room[0]), over.Marked.Folded(a.times, &a.room[1])
	dropped, paused := over.Dropped.Folded(a.times, &a.room[2]), over.Paused.Folded(a.times, &a.room[3])
	for bin := range max(sent.Len(), marked.Len(), dropped.Len(), paused.Len()) {
		row.at = startOf(bin, a.width)
		row.sent, row.marked, row.dropped = sent.At(bin), marked.At(bin), dropped.At(bin)
		row.paused = unit.Duration(paused.At(bin))
		if row.sent|row.marked|row.dropped|int64(row.paused) != 0 && !yield(&row) {
			return false
		}
	}
	return true
}

// portBins yields the rows of portSeriesSheet with bins of a width.
func portBins(o *Outcome, width unit.Duration) iter.Seq[*activityBin] {
	return func(yield func(*activityBin) bool) {
		bins := newActivityBins(o.Recorded, width)
		for r := range o.eachPort {
			if r.Over != nil && !bins.each(r.Over, activityBin{node: r.node.Name, port: r.port}, yield) {
				return
			}
		}
	}
}

// tierBins yields the rows of tierSeriesSheet with bins of a width.
func tierBins(o *Outcome, width unit.Duration) iter.Seq[*activityBin] {
	return func(yield func(*activityBin) bool) {
		bins := newActivityBins(o.Recorded, width)
		for i := range o.Switches {
			for t := range o.Switches[i].Tiers {
				tier := &o.Switches[i].Tiers[t]
				row := activityBin{node: o.Plan.Switches[i].Name, tier: tier.Tier}
				if !bins.each(&tier.Over, row, yield) {
					return
				}
			}
		}
	}
}

// progressBin is one bin of the series of a flow, or of a group of flows.
type progressBin struct {
	name                                string
	at                                  unit.Time
	width                               unit.Duration
	acked, rateMb, cnps, naks, timeouts int64
}

// progressColumns are the columns common to the series of flows and of groups.
func progressColumns() []column[progressBin] {
	return []column[progressBin]{
		intColumn("acked_bytes", "Payload acknowledged in the bin, in bytes.", func(r *progressBin) int64 { return r.acked }),
		intColumn("cnps_received", "CNPs that reached the sender in the "+
			"bin.", func(r *progressBin) int64 { return r.cnps }),
		intColumn("naks_received", "NAKs that came to it.", func(r *progressBin) int64 { return r.naks }),
		intColumn("timeouts", "Retransmission timers that expired.", func(r *progressBin) int64 { return r.timeouts }),
	}
}

var flowSeriesSheet = sheet[progressBin]{"series_flows.csv", "Time series per flow, from its start to its end.",
	append([]column[progressBin]{
		shortTimeColumn("time_us", "Start of the bin.", func(r *progressBin) unit.Time { return r.at }),
		textColumn("flow", "Name of the flow.", func(r *progressBin) string { return r.name }),
		floatColumn("goodput_gbps", "Payload acknowledged in the bin, over the bin's width.", 3, (*progressBin).goodput),
		floatColumn("rate_gbps", "Decided rate at the end of the bin.", 3,
			func(r *progressBin) float64 { return float64(r.rateMb) / 1000 }),
	}, progressColumns()...)}

var groupSeriesSheet = sheet[progressBin]{"series_groups.csv", "Time series per group of flows, in place of " +
	"series_flows.csv if there are more than 256 flows: sums over the flows, from the start of the first to the " +
	"end of the last.", append([]column[progressBin]{
	shortTimeColumn("time_us", "Start of the bin.", func(r *progressBin) unit.Time { return r.at }),
	textColumn("group", "Traffic entry that the flows came from.", func(r *progressBin) string { return r.name }),
	floatColumn("goodput_gbps", "Payload acknowledged in the bin, over the bin's width.", 3, (*progressBin).goodput),
}, progressColumns()...)}

func (r *progressBin) goodput() float64 { return unit.RateOf(unit.Bytes(r.acked), r.width).Gbps() }

func (r *progressBin) size() int {
	// A rate is rounded to three decimals: perhaps up to one digit more.
	return len(",,9.000,9.000,,,,") + timeDigits(int64(r.at)) + textSize(r.name) + digits(unit.Whole[int64](r.goodput())) +
		digits(r.rateMb/1000) + digits(r.acked) + digits(r.cnps) + digits(r.naks) + digits(r.timeouts)
}

// flowBins yields the rows of flowSeriesSheet with bins of a width.
func flowBins(o *Outcome, width unit.Duration) iter.Seq[*progressBin] {
	return func(yield func(*progressBin) bool) {
		bins := newProgressBins(o.Recorded, width)
		for flow := range o.eachFlow {
			over, started := flow.Sender.Over, flow.Sender.Started
			if over != nil && !bins.each(over, flow.planned.Name, started, flow.end(), yield) {
				return
			}
		}
	}
}

// groupBins yields the rows of groupSeriesSheet with bins of a width.
func groupBins(o *Outcome, width unit.Duration) iter.Seq[*progressBin] {
	return func(yield func(*progressBin) bool) {
		bins := newProgressBins(o.Recorded, width)
		for g, name := range o.Plan.Groups() {
			if g >= len(o.Groups) {
				return
			}
			start, end := unit.Never, unit.Time(0)
			for flow := range o.eachFlow {
				if flow.planned.Group == name {
					start, end = min(start, flow.Sender.Started), max(end, flow.end())
				}
			}
			if !bins.each(&o.Groups[g], name, start, end, yield) {
				return
			}
		}
	}
}

// progressBins folds the series of flows or groups to bins of one width, one after the other.
type progressBins struct {
	width unit.Duration
	times int
	room  [5]record.Series
}

func newProgressBins(recorded *recorded, width unit.Duration) *progressBins {
	return &progressBins{width: width, times: doublings(recorded.Width, width)}
}

// each yields the bins of a flow or group that began and ended at the given instants.
func (p *progressBins) each(over *record.Progress, name string, start, end unit.Time,
	yield func(*progressBin) bool) bool {
	if start >= end {
		return true
	}
	acked, decided := over.Acked.Folded(p.times, &p.room[0]), over.Decided.Folded(p.times, &p.room[1])
	cnps, naks := over.CNPs.Folded(p.times, &p.room[2]), over.NAKs.Folded(p.times, &p.room[3])
	timeouts := over.Timeouts.Folded(p.times, &p.room[4])
	width := unit.Time(p.width)
	row := progressBin{name: name, width: p.width}
	for bin := int(start / width); bin <= int((end-1)/width); bin++ {
		row.at, row.acked, row.rateMb = startOf(bin, p.width), acked.At(bin), decided.At(bin)
		row.cnps, row.naks, row.timeouts = cnps.At(bin), naks.At(bin), timeouts.At(bin)
		if !yield(&row) {
			return false
		}
	}
	return true
}
