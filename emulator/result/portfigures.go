package result

import (
	"math"
	"slices"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// PortFigures are the load of ports and the lengths of their queues.
type PortFigures struct {
	Utilisation float64
	// Bottleneck is the port that Utilisation is about, "switch:port".
	Bottleneck string

	Queueing Distribution
	// WaitShare is by plan.Tier, NaN where the fabric has no such port.
	WaitShare                     [plan.NumTiers]float64
	QueueMaxBytes, BufferMaxBytes uint64
	// QueueP50Bytes and QueueP99Bytes belong to the queue with the largest value of each, NaN if nothing was recorded.
	QueueP50Bytes, QueueP99Bytes float64
	DCIBufferMaxBytes            uint64
}

var utilisationMetric = measure("utilisation", "Time during which the busiest switch port (NIC port, if there is "+
	"no switch) transmitted, over duration_us, at most 1. Transmissions after the last completion count, too, "+
	"such as packets that were sent twice; with edges also those before the first flow.", Higher, 4,
	func(s *Summary) float64 { return s.Utilisation })

// waitMetrics begins the names of the shares of waiting, tierWords describes the place of each.
const waitMetrics = "wait_share_"

var tierWords = [plan.NumTiers]string{
	plan.TierHost:  "to hosts",
	plan.TierLeaf:  "to switches that have ports to hosts",
	plan.TierSpine: "to other switches",
	plan.TierDCI:   "over a long-haul path to a switch",
}

var queueMetrics = slices.Concat(
	binned(spread("queueing", "_us", "wait of a frame in a switch's egress queue, one hop, without control "+
		"classes.", 3,
		func(s *Summary) *Distribution { return &s.Queueing })),
	waitShareMetrics(),
	[]Metric{
		counter("queue_max_bytes", "Longest egress queue of any switch, without control classes.",
			Lower, func(s *Summary) uint64 { return s.QueueMaxBytes }),
		measure("queue_p50_bytes", "Length that the worst such queue did not exceed during half of the run: at most 4 KiB "+
			"or 6.25 % too low, and 0 below 8 KiB. Not measured with --no-record.", Lower, 0,
			func(s *Summary) float64 { return s.QueueP50Bytes }).within(lowerEdge("queue_max_bytes")),
		measure("queue_p99_bytes", "Length that the worst such queue did not exceed during 99 % of the run.", Lower, 0,
			func(s *Summary) float64 { return s.QueueP99Bytes }).within(lowerEdge("queue_max_bytes")),
		counter("buffer_max_bytes", "Fullest shared buffer of any switch.",
			Lower, func(s *Summary) uint64 { return s.BufferMaxBytes }),
		counter("dci_buffer_max_bytes", "Fullest memory of any DCI port.",
			Lower, func(s *Summary) uint64 { return s.DCIBufferMaxBytes }),
	},
)

func waitShareMetrics() (list []Metric) {
	for tier := range plan.NumTiers {
		list = append(list, measure(waitMetrics+tier.String(), "Share of all that waiting at ports that "+
			"lead "+tierWords[tier]+". Range 0 to 1; not measured without such a port.", None, 4,
			func(s *Summary) float64 { return s.WaitShare[tier] }))
	}
	return list
}

func portFigures(outcome *Outcome) (f PortFigures) {
	f.Utilisation, f.Bottleneck = busiest(outcome)
	f.QueueP50Bytes, f.QueueP99Bytes = math.NaN(), math.NaN()
	if outcome.Recorded != nil && len(outcome.Switches) > 0 {
		f.QueueP50Bytes, f.QueueP99Bytes = 0, 0
	}
	var wait record.Histogram
	waited, tiers := newWaits(), outcome.Plan.Tiers()
	for r := range outcome.eachPort {
		f.BufferMaxBytes = max(f.BufferMaxBytes, uint64(r.fullest))
		f.DCIBufferMaxBytes = max(f.DCIBufferMaxBytes, uint64(r.PoolMax))
		for q := range profile.Classes {
			if queue := r.Queues.At(q); r.hasData(q) {
				wait.Merge(&queue.Wait)
				waited.add(tiers[r.node.Index][r.port], &queue.Wait)
				f.addDepths(queue.Depths)
				f.QueueMaxBytes = max(f.QueueMaxBytes, uint64(queue.MaxBytes))
			}
		}
	}
	f.Queueing = ofHistogram(&wait)
	f.WaitShare = waited.shares()
	return f
}

// busiest returns the utilisation of the port that transmitted longest, and its name: NaN if no time passed.
func busiest(outcome *Outcome) (utilisation float64, name string) {
	from, to := outcome.activeSpan()
	utilisation = math.NaN()
	longest := unit.Duration(0)
	for port := range outcome.eachPort {
		if to <= from || port.node.Kind != plan.KindSwitch && len(outcome.Switches) > 0 {
			continue
		}
		if port.Busy > longest || name == "" {
			longest, name = port.Busy, port.name()
			utilisation = math.Min(1, float64(longest)/float64(to.Sub(from)))
		}
	}
	return utilisation, name
}

// addDepths raises the percentiles of the worst queue to those of another one.
func (f *PortFigures) addDepths(depths *record.Depths) {
	f.QueueP50Bytes = max(f.QueueP50Bytes, float64(depths.Quantile(0.5)))
	f.QueueP99Bytes = max(f.QueueP99Bytes, float64(depths.Quantile(0.99)))
}

// waits is the waiting time of frames at the ports of each tier, NaN if it has none.
type waits [plan.NumTiers]float64

func newWaits() (w waits) {
	for tier := range w {
		w[tier] = math.NaN()
	}
	return w
}

// add counts what waited at a queue of a port that leads to a tier.
func (w *waits) add(tier plan.Tier, wait *record.Histogram) {
	if math.IsNaN(w[tier]) {
		w[tier] = 0
	}
	w[tier] += wait.Total()
}

// shares returns each tier's share of the whole, NaN for all if nothing waited.
func (w *waits) shares() (shares [plan.NumTiers]float64) {
	total := 0.0
	for _, t := range w {
		if !math.IsNaN(t) {
			total += t
		}
	}
	for tier, t := range w {
		if shares[tier] = math.NaN(); total > 0 {
			shares[tier] = t / total
		}
	}
	return shares
}
