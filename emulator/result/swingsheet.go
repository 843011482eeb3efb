package result

import (
	"math"

	"github.com/rocelab/rocelab/emulator/record"
)

// swingStep is the number of RTT samples at a distance from the running average of their flow.
type swingStep struct {
	// low and high bound the step, low included; high is infinite of the last one.
	low, high float64
	samples   uint64
	// below is the share of all samples that were less than high off.
	below float64
}

// swingOf merges the swings of flows.
func swingOf(flows []Flow) (all record.Swing) {
	for i := range flows {
		all.Merge(flows[i].Sender.Swing)
	}
	return all
}

// swingSteps returns the steps up to the last that has a sample; none unless a flow has two samples.
func swingSteps(flows []Flow) (steps []swingStep) {
	all := swingOf(flows)
	total, so, low := all.Count(), uint64(0), 0.0
	for i, n := range all.Counts {
		if so == total {
			break
		}
		so += uint64(n)
		high := math.Inf(1)
		if i < len(record.SwingEdges) {
			high = record.SwingEdges[i]
		}
		steps = append(steps, swingStep{low, high, uint64(n), float64(so) / float64(total)})
		low = high
	}
	return steps
}

var swingSheet = sheet[swingStep]{"rtt_swing.csv",
	"Steadiness of RTTs: each row counts the samples, one per round trip of a flow, that are off_min to off_max " +
		"away from the running average of their flow: |R - S|/S, with S = 0.2 R + 0.8 of the S before. The " +
		"first sample does not count.",
	[]column[swingStep]{
		floatColumn("off_min", "Least distance from the average, as a share of it.", 2,
			func(s *swingStep) float64 { return s.low }),
		floatColumn("off_max", "All distances are less than this; empty in the last "+
			"row.", 2, func(s *swingStep) float64 {
			if math.IsInf(s.high, 1) {
				return math.NaN()
			}
			return s.high
		}),
		intColumn("samples", "RTT samples.", func(s *swingStep) uint64 { return s.samples }),
		floatColumn("share_below", "Share of all samples that are less than off_max off.", 6,
			func(s *swingStep) float64 { return s.below }),
	}}
