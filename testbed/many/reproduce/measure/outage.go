package measure

import (
	"math"
	"strings"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

// maxMDF is the constant of that name by column.
var maxMDF = map[string]float64{"earlier": 0.5, "evidence": 0.25, "return-to-base": 0.25}

// measureOutage is a number of an outage that ends at 1300 us, such as "rate cut".
func measureOutage(run *reproduce.Run, arguments reproduce.Arguments) float64 {
	o := reproduce.Once(run, "outage", func(run *reproduce.Run) outage { return outageOf(run, 1300) })
	switch arguments.Text(0) {
	case "rate cut":
		return farthest(o.rateCuts, 1-maxMDF[run.Column])
	case "window cut":
		return farthest(o.windowCuts, 1-maxMDF[run.Column])
	case "recorded":
		return o.recorded
	case "back":
		return reproduce.Least(o.back)
	}
	return math.NaN()
}

// farthest is the value that is farthest from another, 0 of none.
func farthest(values []float64, from float64) (far float64) {
	for i, value := range values {
		if i == 0 || math.Abs(value-from) > math.Abs(far-from) {
			far = value
		}
	}
	return far
}

// outage describes the flows while a link was down, and after.
type outage struct {
	// rateCuts and windowCuts are, for each timeout, rate and window after it over those before; recorded counts the
	// timeouts that were followed by the record of a base rate.
	rateCuts, windowCuts []float64
	recorded             float64
	// back is each flow's rate in Gb/s one RTT after its first ACK after the outage.
	back []float64
}

// outageOf reads an outage that ends at a time, in microseconds.
func outageOf(run *reproduce.Run, end float64) (o outage) {
	windows, bases := map[string][]change{}, map[string][]change{}
	for line := range run.Lines("series_values.csv") {
		flow := strings.Clone(line.Text("flow"))
		switch step := (change{line.Microseconds("time_us"), line.Number("value")}); line.Text("name") {
		case "cwnd":
			windows[flow] = append(windows[flow], step)
		case "base_rate":
			bases[flow] = append(bases[flow], step)
		}
	}
	rates, firsts := map[string]float64{}, map[string]float64{}
	for line := range run.Lines("series_flows.csv") {
		flow := strings.Clone(line.Text("flow"))
		at, rate := line.Microseconds("time_us"), line.Number("rate_gbps")
		if line.Number("timeouts") > 0 && at < end {
			o.rateCuts = append(o.rateCuts, rate/rates[flow])
			o.windowCuts = append(o.windowCuts, valueAt(windows[flow], at)/valueAt(windows[flow], at-1))
			if !math.IsNaN(valueAt(bases[flow], at)) {
				o.recorded++
			}
		}
		rates[flow] = rate
		if first, seen := firsts[flow]; !seen && at >= end && line.Number("acked_bytes") > 0 {
			firsts[flow] = at
		} else if seen && at-first >= baseRTT && !math.IsInf(first, 1) {
			o.back = append(o.back, rate)
			firsts[flow] = math.Inf(1)
		}
	}
	return o
}

// change is a value that holds from a time on, in microseconds.
type change struct{ at, value float64 }

// valueAt is the value that holds at a time, NaN before the first.
func valueAt(steps []change, at float64) float64 {
	value := math.NaN()
	for _, step := range steps {
		if step.at > at {
			break
		}
		value = step.value
	}
	return value
}
