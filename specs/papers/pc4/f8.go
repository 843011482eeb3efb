package pc4

import (
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed f8.yaml
var f8Scenario []byte

var f8 = &reproduce.Row{
	ID:     "F8",
	Title:  "The target sets throughput and one-way delay, 64 flows into one port",
	Source: "Section IV-C, Figure 8",
	Paper:  Paper,
	Doubts: []string{"D3"},
	Reading: "The base rate is off, so increments are 100 and 25 Mb/s. One-way delay is the true wait of a probe's " +
		"packets in the middle half of the run. Of 100 KB, as printed, the first windows are half: flows of 5 MB " +
		"are judged, and 100 KB by the published statement.",
	Scenario: f8Scenario,
	Columns:  Columns,
	Seeds:    seeds[:3],
	Quick: reproduce.Form{
		Grid: map[string][]string{"algorithms.subject.params.target_qtime": {"0us", "1us", "5us", "20us", "80us"}},
		Set: map[string]string{
			"variants.long.traffic.reduce.size":    "2500KB",
			"variants.long.traffic.probe.start":    "3500us",
			"variants.long.traffic.probe.duration": "7ms",
		},
		Seeds: seeds[:1],
		About: "2.5 MB a flow in place of 5 MB, five of the eight targets, one seed",
	},
	Measure: measureF8,
}

// short ends the names of figures of flows of 100 KB.
const short = ", 100 KB"

func throughputAt(target float64, suffix string) string {
	return fmt.Sprintf("throughput, target %g us%s", target, suffix)
}

func delayAt(target float64, suffix string) string {
	return fmt.Sprintf("mean one-way delay, target %g us%s", target, suffix)
}

func measureF8(r *reproduce.Results) (list []reproduce.Figure) {
	suffixes := map[string]string{"short": short, "short-1pkt": short + ", 1pkt"}
	for _, variant := range []string{"long", "short", "short-1pkt"} {
		suffix := suffixes[variant]
		for _, column := range r.Columns() {
			for _, key := range r.Values("algorithms.subject.params.target_qtime") {
				target, _ := strconv.ParseFloat(strings.TrimSuffix(key, "us"), 64)
				runs := r.Of(column, variant, "algorithms.subject.params.target_qtime="+key)
				list = append(list,
					runs.Figure(column, throughputAt(target, suffix), "Gb/s", payloadRate),
					runs.Figure(column, delayAt(target, suffix), "us", probed))
			}
		}
	}
	return list
}

// payloadRate is the payload of all flows with a size over the time in which they completed.
func payloadRate(run *reproduce.Run) float64 {
	bytes, end := 0.0, 0.0
	for _, flow := range run.Flows() {
		if flow.Size > 0 {
			bytes, end = bytes+flow.Size, max(end, flow.End)
		}
	}
	return bytes * 8 / (end * 1000)
}

// probed is the mean wait of the probe's packets.
func probed(run *reproduce.Run) float64 {
	for line := range run.Lines("flows.csv") {
		if strings.HasSuffix(line.Text("group"), "probe") {
			return line.Number("rtt_mean_us") - line.Microseconds("base_rtt_us")
		}
	}
	return math.NaN()
}
