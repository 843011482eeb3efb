package result

import (
	"math"
	"slices"

	"github.com/rocelab/rocelab/emulator/record"
)

// Distribution is a set of samples in four numbers.
type Distribution struct{ Mean, P50, P99, Max float64 }

// distribution sorts the samples and takes their mean and nearest-rank quantiles.
func distribution(samples []float64) Distribution {
	if len(samples) == 0 {
		return Distribution{math.NaN(), math.NaN(), math.NaN(), math.NaN()}
	}
	slices.Sort(samples)
	sum := 0.0
	for _, x := range samples {
		sum += x
	}
	return Distribution{sum / float64(len(samples)), Quantile(samples, 50), Quantile(samples, 99), samples[len(samples)-1]}
}

// Quantile is the nearest-rank quantile: the least of sorted samples that percent of them, 1 to 100, do not exceed.
// NaN of none.
func Quantile(samples []float64, percent int) float64 {
	if len(samples) == 0 {
		return math.NaN()
	}
	return samples[Rank(len(samples), percent)-1]
}

// Rank returns the place, from 1, of a quantile, in percent, among the given number of sorted samples.
func Rank(samples, percent int) int { return (samples*percent + 99) / 100 }

func ofHistogram(histogram *record.Histogram) Distribution {
	if histogram.Count() == 0 {
		return distribution(nil)
	}
	return Distribution{
		Mean: histogram.Mean().Microseconds(),
		P50:  histogram.Quantile(0.5).Microseconds(),
		P99:  histogram.Quantile(0.99).Microseconds(),
		Max:  histogram.Max().Microseconds(),
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
