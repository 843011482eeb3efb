// Package apart has experiments of our own with PC4 beyond what it was made for, beside other algorithms.
//
// A row is a file, its scenario the YAML file beside it. No source claims anything of them: claims.yaml lists what
// they are judged by apart from the score.
package apart

import (
	"math"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

// Paper stands for the sources of other rows.
var Paper = &reproduce.Paper{
	Name:     "apart",
	Title:    "PC4 beyond its intended use",
	Citation: "rows of rocelab's own",
}

// columns are the algorithms under which a row runs, set by a key; tuned is one of the scenario. PC4 with its default
// constants counts.
func columns(key string) []reproduce.Column {
	return []reproduce.Column{
		beside("literal", key, "{name: pc4, params: {set: literal}}"),
		counted(key),
		beside("return-to-base", key, "{name: pc4, params: {set: return-to-base}}"),
		beside("swift", key, "{name: swift}"),
		beside("dcqcn nvidia", key, "{name: dcqcn, params: {set: nvidia}}"),
		beside("dcqcn paper", key, "{name: dcqcn, params: {set: paper}}"),
		beside("dcqcn tuned", key, "{name: tuned}"),
		beside("hpcc", key, "{name: hpcc}"),
	}
}

func counted(key string) reproduce.Column {
	column := beside("evidence", key, "{name: pc4, params: {set: evidence}}")
	column.Beside = false
	return column
}

func beside(name, key, algorithm string) reproduce.Column {
	return reproduce.Column{Name: name, Set: map[string]string{key: algorithm}, Beside: true}
}

// Rows are the experiments.
var Rows = []*reproduce.Row{p1, p2, p3, p4, p5, p6, p7}

// seeds are those of a full form, and the first ones of a quick one.
var seeds = []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}

// quick is the form of every day.
var quick = reproduce.Form{Seeds: seeds[:1], About: "one seed"}

// header is what a packet of PC4 has besides its payload on the wire, in bytes, with preamble and gap; payload is what
// a full-size one has if a scenario does not set mtu.
const (
	header  = 98.
	payload = 1000.
)

// fullPort is the payload that PC4 gets through a port of 100 Gb/s, in Gb/s.
const fullPort = 100 * payload / (payload + header)

// share is a flow with its rate: payload that was acknowledged in the second half of a run, in Gb/s.
type share struct {
	reproduce.Flow
	rate float64
}

// shares are the flows of a run in the order of its plan.
func shares(run *reproduce.Run) (list []share) {
	end := run.Metric("duration_us")
	acked := map[string]float64{}
	first := end
	for line := range run.Lines("series_flows.csv") {
		if at := line.Number("time_us"); at >= end/2 {
			first = min(first, at)
			acked[line.Text("flow")] += line.Number("acked_bytes")
		}
	}
	for _, flow := range run.Flows() {
		list = append(list, share{flow, acked[flow.Name] * 8 / (end - first) / 1000})
	}
	return list
}

// meanOf is the mean rate of the flows of a group in Gb/s.
func meanOf(group string) func(*reproduce.Run) float64 {
	return func(run *reproduce.Run) float64 {
		var rates []float64
		for _, flow := range shares(run) {
			if flow.Group == group {
				rates = append(rates, flow.rate)
			}
		}
		return reproduce.Mean(rates)
	}
}

// evenness is Jain's index of the rates of all flows.
func evenness(run *reproduce.Run) float64 {
	var rates []float64
	for _, flow := range shares(run) {
		rates = append(rates, flow.rate)
	}
	return result.Jain(rates)
}

// portOf is the payload that PC4 gets through the slowest port, in Gb/s.
func portOf(run *reproduce.Run) float64 {
	slowest, packet := math.Inf(1), 0.0
	for line := range run.Lines("ports.csv") {
		slowest = min(slowest, line.Number("rate_gbps"))
	}
	for line := range run.Lines("flows.csv") {
		if line.Text("algorithm") == "pc4" {
			packet = max(packet, line.Number("sent_wire_bytes")/line.Number("sent_packets"))
		}
	}
	return slowest * (packet - header) / packet
}

// cell is what is measured of the runs of a column and a variant.
type cell struct {
	name, unit string
	of         func(*reproduce.Run) float64
}

// measure measures cells, each in all columns, of the runs of a variant that have these values of swept keys. If the
// scenario refuses the runs, the first cell has the reason.
func measure(r *reproduce.Results, variant, point string, cells []cell, keys ...string) []reproduce.Figure {
	var list []reproduce.Figure
	for i, cell := range cells {
		name := cell.name + ", " + point
		for _, column := range r.Columns() {
			why := r.Refused(column, variant, keys...)
			switch {
			case why == "":
				list = append(list, r.Of(column, variant, keys...).Figure(column, name, cell.unit, cell.of))
			case i == 0:
				list = append(list, reproduce.Figure{Column: column, Name: name, Unit: cell.unit, Refused: why})
			}
		}
	}
	return list
}

// metric is a metric of a run's summary.
func metric(name string) func(*reproduce.Run) float64 {
	return func(run *reproduce.Run) float64 { return run.Metric(name) }
}
