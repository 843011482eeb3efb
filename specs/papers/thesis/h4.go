package thesis

import (
	"fmt"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

var h4 = &reproduce.Row{
	ID:       "H4",
	Title:    "The predictor helps the PID",
	Source:   "section 4.3, Figure 19",
	Paper:    Paper,
	Doubts:   []string{"D8"},
	Reading:  "Without it the PID is fed the sample itself, as for Figure 18.",
	Scenario: incastScenario,
	Runs:     incastRuns,
	Seeds:    fiveSeeds,
	Quick:    of("lstm", "pid"),
	Full:     of("lstm", "pid"),
	Measure: func(r *reproduce.Results) []reproduce.Figure {
		list := measureIncast(r)
		return append(list, change("mean RTT", "rtt_sample_mean_us", r), change("p99 RTT", "rtt_sample_p99_us", r),
			change("largest RTT", "rtt_sample_max_us", r), change("mean rate", "flow_rate_gbps", r))
	},
	Published: append(append([]reproduce.Published{
		{Figure: "change of the mean RTT", Value: 1.38, Source: "Figure 19"},
		{Figure: "change of the mean rate", Value: 43.12, Source: "Figure 19"},
		{Figure: "change of the p99 RTT", Value: -15.9, Source: "Figures 18 and 19; the text has -18.9, of the new value"},
		{Figure: "change of the largest RTT", Value: -13.9, Source: "Figures 18 and 19; the text has -16.12"},
	}, h0.Published...), table("Table 4", "lstm", map[string]float64{sampledMean: 5.0302, sampledP99: 6.276,
		sampledMax: 21.144, meanRate: 21.1789})...),
}

// change is by how many percent the predictor changes a metric, seed by seed.
func change(name, metric string, r *reproduce.Results) reproduce.Figure {
	with, without := r.Of("", "lstm"), r.Of("", "pid")
	f := reproduce.Figure{Name: fmt.Sprintf("change of the %s", name), Unit: "%"}
	for i := range min(len(with), len(without)) {
		f.Values = append(f.Values, 100*(with[i].Metric(metric)/without[i].Metric(metric)-1))
	}
	return f
}
