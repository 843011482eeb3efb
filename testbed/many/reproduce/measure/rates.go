package measure

import (
	"math"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

func measureWireRate(run *reproduce.Run, arguments reproduce.Arguments) []float64 {
	flow := arguments.Text(0)
	rate := reproduce.Once(run, "wire rate of "+flow, func(run *reproduce.Run) reproduce.Series {
		return wireRate(run, flow)
	})
	return rate.Between(arguments.Number(1), arguments.Number(2))
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

// measureAhead is a number of flows that bulk meets on the way back, such as "rate".
func measureAhead(run *reproduce.Run, arguments reproduce.Arguments) float64 {
	a := reproduce.Once(run, "ahead", ahead)
	switch arguments.Text(0) {
	case "rate":
		return a.rate
	case "acks":
		return a.acks
	case "delay":
		return a.delay
	}
	return math.NaN()
}

// aheadOf has the results of the flows ahead: their rate on the wire and that of the bulk's ACKs beside them, in Gb/s,
// and their packets' mean one-way delay beyond the baseline in us.
type aheadOf struct{ rate, acks, delay float64 }

func ahead(run *reproduce.Run) (a aheadOf) {
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
