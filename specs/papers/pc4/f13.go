package pc4

import (
	_ "embed"
	"math"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed f13.yaml
var f13Scenario []byte

var f13 = &reproduce.Row{
	ID:     "F13",
	Title:  "Lost acknowledgements, and a link that is down for 1 ms",
	Source: "Section III-D and Algorithm 2, lines 17 to 19",
	Paper:  Paper,
	Reading: "The rule for timeouts is printed, but no experiment. Only ACKs are lost, toward the senders of " +
		"eight flows. The timer is 200 us, so that it expires several times while the receiver's link is down. " +
		"Line 18 cuts by 1 - max_mdf, and the rate is cut with the window.",
	Scenario: f13Scenario,
	Columns:  Columns,
	Seeds:    seeds[:3],
	Red:      "a flow that does not finish fails its run, and the row judges that",
	Quick:    reproduce.Form{Seeds: seeds[:1], About: "one seed"},
	Measure:  measureF13,
}

// The figures of F13.
const (
	timeoutsF13  = "timeouts in the outage"
	rateCutF13   = "rate after a timeout, of that before"
	windowCutF13 = "window after a timeout, of that before"
	recordedF13  = "base rates recorded after a timeout"
	backF13      = "rate one RTT after the first ACK, of the base rate, least"
	lostF13      = "frames lost at the link"
	elsewhereF13 = "frames lost elsewhere"
)

func unfinishedF13(variant string) string { return "flows that do not finish, " + variant }

// maxMDF is the constant of that name by column.
var maxMDF = map[string]float64{"earlier": 0.5, "evidence": 0.25, "return-to-base": 0.25}

func measureF13(r *reproduce.Results) (list []reproduce.Figure) {
	for _, column := range r.Columns() {
		for _, variant := range []string{"none", "one", "ten", "outage"} {
			runs := r.Of(column, variant)
			list = append(list,
				runs.Metric(column, unfinishedF13(variant), "", "incomplete"),
				runs.Metric(column, "largest FCT, "+variant, "us", "fct_max_us"))
		}
		runs := r.Of(column, "outage")
		outages := make([]outage, len(runs))
		for i, run := range runs {
			outages[i] = outageOf(run, 1300)
		}
		add := func(name string, of func(*outage) float64) {
			figure := reproduce.Figure{Column: column, Name: name}
			for i := range outages {
				figure.Values = append(figure.Values, of(&outages[i]))
			}
			list = append(list, figure)
		}
		list = append(list, runs.Metric(column, timeoutsF13, "", "timeouts"))
		add(rateCutF13, func(o *outage) float64 { return farthest(o.rateCuts, 1-maxMDF[column]) })
		add(windowCutF13, func(o *outage) float64 { return farthest(o.windowCuts, 1-maxMDF[column]) })
		add(recordedF13, func(o *outage) float64 { return o.recorded })
		add(backF13, func(o *outage) float64 { return reproduce.Least(o.back) / (100.0 / 8) })
		list = append(list,
			runs.Figure(column, lostF13, "", func(run *reproduce.Run) float64 { return lostAt(run, "s0:8", "h8:0") }),
			runs.Figure(column, elsewhereF13, "", func(run *reproduce.Run) float64 {
				return run.Metric("drops") - lostAt(run, "s0:8", "h8:0") - droppedDown(run)
			}))
	}
	return list
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

// lostAt counts the frames that links lost towards ports, each as "node:port".
func lostAt(run *reproduce.Run, ports ...string) (sum float64) {
	for line := range run.Lines("ports.csv") {
		if slices.Contains(ports, line.Text("node")+":"+line.Text("port")) {
			sum += line.Number("rx_lost_frames")
		}
	}
	return sum
}

// droppedDown counts the frames that switches had for a port whose link was down, and dropped.
func droppedDown(run *reproduce.Run) (sum float64) {
	for line := range run.Lines("drops.csv") {
		if line.Text("reason") == "port_down" {
			sum += line.Number("frames")
		}
	}
	return sum
}

// outage is what flows did while a link was down, and after.
type outage struct {
	// rateCuts and windowCuts are, for each timeout, rate and window after it over those before,
	// recorded counts those after which a base rate was recorded.
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
