package oracle

import (
	"math"
	"slices"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// of is the naive mean, median, 99th percentile and maximum of samples, all NaN of none.
type of struct{ mean, p50, p99, most float64 }

func summed(samples []float64) of {
	if len(samples) == 0 {
		return of{math.NaN(), math.NaN(), math.NaN(), math.NaN()}
	}
	sorted := slices.Clone(samples)
	slices.Sort(sorted)
	sum := 0.0
	for _, x := range sorted {
		sum += x
	}
	return of{sum / float64(len(sorted)), nearestRank(sorted, 50), nearestRank(sorted, 99), sorted[len(sorted)-1]}
}

// nearestRank returns the least sample that the given percentage of all do not exceed, found by counting.
func nearestRank(sorted []float64, percent int) float64 {
	for i, x := range sorted {
		if 100*(i+1) >= percent*len(sorted) {
			return x
		}
	}
	panic("a percentage above 100")
}

// inMicroseconds are durations as metrics print them.
func inMicroseconds(list []unit.Duration) []float64 {
	out := make([]float64, len(list))
	for i, d := range list {
		out[i] = microseconds(d)
	}
	return out
}
