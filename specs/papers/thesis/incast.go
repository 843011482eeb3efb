package thesis

import (
	_ "embed"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

// incastScenario is the incast of chapter 4, with a variant for whatever one of its rows asks for. It
// takes half a second, so that the quick form is the whole.
//
//go:embed incast.yaml
var incastScenario []byte

// incastRuns is the folder of the runs of all those rows.
const incastRuns = "thesis-incast"

var fiveSeeds = []uint64{1, 2, 3, 4, 5}

// of is the form of some variants.
func of(variants ...string) reproduce.Form { return reproduce.Form{Variants: variants} }

// What is measured of an incast: RTTs of one packet a round trip of each flow, as the thesis says that
// it takes them, and of all packets, with which what it prints of others agrees.
const (
	sampledMean = "mean RTT, sampled"
	sampledP99  = "p99 RTT, sampled"
	sampledMax  = "largest RTT, sampled"
	allMean     = "mean RTT, all packets"
	allP99      = "p99 RTT, all packets"
	allMax      = "largest RTT, all packets"
	meanRate    = "mean rate"
	finish      = "last completion"
)

// measureIncast reads the figures of each variant into a column of its name.
func measureIncast(r *reproduce.Results) (list []reproduce.Figure) {
	for _, variant := range r.Variants() {
		runs := r.Of("", variant)
		for _, m := range []struct{ name, unit, metric string }{
			{sampledMean, "us", "rtt_sample_mean_us"}, {sampledP99, "us", "rtt_sample_p99_us"},
			{sampledMax, "us", "rtt_sample_max_us"}, {allMean, "us", "rtt_mean_us"}, {allP99, "us", "rtt_p99_us"},
			{allMax, "us", "rtt_max_us"}, {meanRate, "Gb/s", "flow_rate_gbps"},
		} {
			list = append(list, runs.Metric(variant, m.name, m.unit, m.metric))
		}
		list = append(list, runs.Figure(variant, finish, "ms", func(run *reproduce.Run) float64 {
			return run.Metric("duration_us") / 1000
		}))
	}
	return list
}

// table are numbers that the thesis prints of a column.
func table(source, column string, values map[string]float64) (list []reproduce.Published) {
	for _, name := range []string{sampledMean, sampledP99, sampledMax, allMean, allP99, allMax, meanRate, finish} {
		if value, printed := values[name]; printed {
			list = append(list, reproduce.Published{Column: column, Figure: name, Value: value, Source: source})
		}
	}
	return list
}
