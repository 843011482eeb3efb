package pc4

import (
	_ "embed"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed f12.yaml
var f12Scenario []byte

var f12 = &reproduce.Row{
	ID:     "F12",
	Title:  "ACKs that wait behind bulk on their way back",
	Source: "Sections III-B and III-D",
	Paper:  Paper,
	Reading: "The paper claims, without showing it, that neither the return path nor merged ACKs matter. ACKs are " +
		"in the data's class, two flows of DCQCN fill the way back. Their own ACKs take a part of the way " +
		"forward, which is not congestion control: a rate is judged with them added.",
	Scenario: f12Scenario,
	Columns:  Columns,
	Seeds:    seeds[:3],
	Quick: reproduce.Form{
		Set:   map[string]string{"run.until": "4ms"},
		Seeds: seeds[:1],
		About: "4 ms in place of 10, one seed",
	},
	Measure: measureF12,
}

func changeOf(figure, variant string) string {
	return "change of the " + figure + " by bulk, " + variant
}

func mergedF12(bulk string) string {
	return "rate with merged ACKs, " + bulk + " bulk, over that with each"
}

func measureF12(r *reproduce.Results) (list []reproduce.Figure) {
	const quiet, busy = "traffic.bulk0.duration=1us", "traffic.bulk0.duration=100ms"
	change := func(column, variant string) {
		without, with := r.Of(column, variant, quiet), r.Of(column, variant, busy)
		if len(without) == 0 || len(without) != len(with) {
			return
		}
		heading := column
		if variant == "swift" || variant == "timely" {
			heading = variant
		}
		add := func(name, unit string, of func(without, with aheadOf) float64) {
			figure := reproduce.Figure{Column: heading, Name: name, Unit: unit}
			for i := range with {
				figure.Values = append(figure.Values, of(measureAhead(without[i]), measureAhead(with[i])))
			}
			list = append(list, figure)
		}
		add("rate without bulk, "+variant, "Gb/s", func(without, _ aheadOf) float64 { return without.rate })
		add("rate with bulk, "+variant, "Gb/s", func(_, with aheadOf) float64 { return with.rate })
		add(changeOf("rate", variant), "%", func(without, with aheadOf) float64 { return 100 * (with.rate/without.rate - 1) })
		if heading != column {
			return
		}
		add(changeOf("net rate", variant), "%", func(without, with aheadOf) float64 {
			return 100 * ((with.rate+with.acks)/(without.rate+without.acks) - 1)
		})
		add(changeOf("mean one-way delay", variant), "us", func(without, with aheadOf) float64 {
			return with.delay - without.delay
		})
	}
	for _, variant := range []string{"pc4", "merged", "base"} {
		for _, column := range r.Columns() {
			change(column, variant)
		}
	}
	for _, load := range [][2]string{{"without", quiet}, {"with", busy}} {
		bulk, key := load[0], load[1]
		for _, column := range r.Columns() {
			each, merged := r.Of(column, "pc4", key), r.Of(column, "merged", key)
			figure := reproduce.Figure{Column: column, Name: mergedF12(bulk), Unit: "%"}
			for i := range min(len(each), len(merged)) {
				figure.Values = append(figure.Values, 100*(measureAhead(merged[i]).rate/measureAhead(each[i]).rate-1))
			}
			list = append(list, figure)
		}
	}
	change("evidence", "swift")
	change("evidence", "timely")
	return list
}

// aheadOf is what the flows ahead came to: their rate on the wire and that of the bulk's ACKs
// beside them, in Gb/s, and their packets' mean one-way delay beyond the baseline in us.
type aheadOf struct{ rate, acks, delay float64 }

func measureAhead(run *reproduce.Run) (a aheadOf) {
	const ack = 86 // an ACK of DCQCN on the wire
	for line := range run.Lines("flows.csv") {
		duration := 1000 * run.Metric("duration_us")
		if line.Text("group") == "ahead" {
			a.rate += line.Number("received_bytes") * 8 / duration *
				line.Number("sent_wire_bytes") / line.Number("sent_packets") / payload
			a.delay += line.Number("owd_mean_us") / 2
		} else {
			a.acks += line.Number("acks_sent") * ack * 8 / duration
		}
	}
	return a
}
