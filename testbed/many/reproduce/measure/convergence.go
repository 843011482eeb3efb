package measure

import (
	"math"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

// goodputs are each flow's goodputs between two times, in microseconds.
func goodputs(run *reproduce.Run, from, until float64) (list [][]float64) {
	for _, flow := range run.Flows() {
		series := run.Series("series_flows.csv", "goodput_gbps", "flow="+flow.Name)
		list = append(list, series.Between(from, until))
	}
	return list
}

// converged is the time in ms from the late flows' start to the first ms in which all shares are alike.
func converged(run *reproduce.Run, _ reproduce.Arguments) float64 {
	const start, end, bins = 5000, 25000, 10
	flows := goodputs(run, start, end)
	alike := 0
	for bin := range (end - start) / 100 {
		rates := make([]float64, len(flows))
		for i := range flows {
			rates[i] = flows[i][bin]
		}
		if result.Jain(rates) < 0.9 {
			alike = 0
		} else if alike++; alike == bins {
			return float64(bin+1-bins) / 10
		}
	}
	return (end - start) / 1000
}

// swing is the mean over flows of a goodput's standard deviation over its mean.
func swing(run *reproduce.Run, _ reproduce.Arguments) float64 {
	var swings []float64
	for _, rates := range goodputs(run, 15000, 25000) {
		mean, squares := reproduce.Mean(rates), 0.0
		for _, rate := range rates {
			squares += float64((rate - mean) * (rate - mean))
		}
		swings = append(swings, math.Sqrt(squares/float64(len(rates)))/mean)
	}
	return reproduce.Mean(swings)
}
