package pc4

import (
	"slices"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

// columnsWith are the columns of a row in a form that has the variant; else none.
func columnsWith(r *reproduce.Results, variant string) []string {
	if slices.Contains(r.Variants(), variant) {
		return r.Columns()
	}
	return nil
}

// each calls measure with the runs of each variant in each column, and with what figures of the variant have behind
// their names: what names says, by default a comma and the variant.
func each(r *reproduce.Results, names map[string]string,
	measure func(column, suffix string, runs reproduce.Runs)) {
	for _, variant := range r.Variants() {
		suffix, named := names[variant]
		if !named {
			suffix = ", " + variant
		}
		for _, column := range r.Columns() {
			measure(column, suffix, r.Of(column, variant))
		}
	}
}

// wireRate is a flow's rate over time in Gb/s, as it counts on the wire: the payload acknowledged
// in each bin, with the flow's headers, preamble and gap.
func wireRate(run *reproduce.Run, flow string) reproduce.Series {
	share := 0.0
	for line := range run.Lines("flows.csv") {
		if line.Text("flow") == flow {
			share = line.Number("sent_wire_bytes") / line.Number("sent_packets") / payload
		}
	}
	series := run.Series("series_flows.csv", "acked_bytes", "flow="+flow)
	for i := range series.Values {
		series.Values[i] *= share * 8 / (series.Width * 1000)
	}
	return series
}

// payload of a full-size packet in bytes.
const payload = 1000
