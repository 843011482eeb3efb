package measure

import (
	"math"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

// header is the size of a PC4 packet on the wire beyond its payload, in bytes, with preamble and gap.
const header = 98.

// measureShares are the rates of the flows of a group, of all flows without one, in Gb/s.
func measureShares(run *reproduce.Run, arguments reproduce.Arguments) (rates []float64) {
	for _, flow := range reproduce.Once(run, "shares", shares) {
		if group := arguments.Text(0); group == "" || flow.Group == group {
			rates = append(rates, flow.rate)
		}
	}
	return rates
}

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

// portOf is the payload that PC4 gets through the slowest port, in Gb/s.
func portOf(run *reproduce.Run, _ reproduce.Arguments) float64 {
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
