package oracle

import (
	"math"
	"slices"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// until returns the end of a flow: its completion, or the end of the run.
func (f *flow) until(end unit.Time) unit.Time { return min(f.completed, end) }

// jainOf is (sum x)^2 / (n sum x^2).
func jainOf(rates []float64) float64 {
	sum, squares := 0.0, 0.0
	for _, x := range rates {
		sum += x
		squares += x * x
	}
	switch {
	case len(rates) < 2:
		return math.NaN()
	case squares == 0:
		return 1
	}
	return sum * sum / (float64(len(rates)) * squares)
}

// jain is Jain's index of flows that were active together, and its basis.
func (s *seen) jain(flows []*flow) (float64, string) {
	flows = slices.DeleteFunc(slices.Clone(flows), func(f *flow) bool { return f.started >= f.until(s.end) })
	if s.plan.Record.Interval > 0 && !s.plan.Record.Off {
		return s.jainOfPieces(flows), "epochs"
	}
	return s.jainOfMost(flows), "lifetimes"
}

// jainOfPieces cuts the run at each start and end of a flow, and takes the index of the acknowledged bytes in the whole
// bins of each piece; the mean of these is weighted by the number of bins.
func (s *seen) jainOfPieces(flows []*flow) float64 {
	var cuts []unit.Time
	for _, f := range flows {
		cuts = append(cuts, f.started, f.until(s.end))
	}
	slices.Sort(cuts)
	width := unit.Time(s.plan.Record.Interval)
	sum, weight := 0.0, 0.0
	for i := 1; i < len(cuts); i++ {
		from, to := cuts[i-1], cuts[i]
		first := (from + width - 1) / width * width
		last := to / width * width
		var rates []float64
		for _, f := range flows {
			if f.started <= from && to <= f.until(s.end) {
				rates = append(rates, f.ackedIn(first, last))
			}
		}
		if last > first && len(rates) > 1 {
			bins := float64((last - first) / width)
			sum, weight = sum+bins*jainOf(rates), weight+bins
		}
	}
	if weight == 0 {
		return math.NaN()
	}
	return sum / weight
}

// ackedIn is the payload that was acknowledged from one instant to before another.
func (f *flow) ackedIn(from, to unit.Time) (sum float64) {
	for _, a := range f.acks {
		if from <= a.at && a.at < to {
			sum += float64(a.bytes)
		}
	}
	return sum
}

// jainOfMost is the index of the goodputs, over their lives, of the flows that were active when most were first.
func (s *seen) jainOfMost(flows []*flow) float64 {
	starts := make([]unit.Time, len(flows))
	for i, f := range flows {
		starts[i] = f.started
	}
	slices.Sort(starts)
	var best []float64
	for _, at := range starts {
		var rates []float64
		for _, f := range flows {
			if end := f.until(s.end); f.started <= at && at < end {
				rates = append(rates, float64(f.acknowledged)/end.Sub(f.started).Seconds())
			}
		}
		if len(rates) > len(best) {
			best = rates
		}
	}
	return jainOf(best)
}
