package measure

import (
	"math"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

// probed is the mean wait of the probe's packets.
func probed(run *reproduce.Run, _ reproduce.Arguments) float64 {
	for line := range run.Lines("flows.csv") {
		if strings.HasSuffix(line.Text("group"), "probe") {
			return line.Number("rtt_mean_us") - line.Microseconds("base_rtt_us")
		}
	}
	return math.NaN()
}

// wirePacket is a full-size packet of PC4 on the wire, in bytes.
const wirePacket = 1098

// middleWait is the mean wait in the longest queue over the middle half of the run, in ms, from
// its largest length in each bin.
func middleWait(run *reproduce.Run, _ reproduce.Arguments) float64 {
	receiver := run.Flows()[0].To
	port := ""
	for line := range run.Lines("ports.csv") {
		if line.Text("node") == "s0" && line.Text("peer") == receiver {
			port = "port=" + line.Text("port")
		}
	}
	queue := run.Series("series_queues.csv", "depth_max_bytes", "node=s0", port, "queue=3")
	end := slices.Max([]float64{run.Metric("duration_us"), 4 * queue.Width})
	const perByte = wirePacket / (wirePacket - 24.0) // preamble, gap and FCS are not in the queue
	return reproduce.Mean(queue.Between(end/4, 3*end/4)) * perByte * 8 / 100e6
}
