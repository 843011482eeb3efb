package article

import (
	_ "embed"
	"math"
	"strconv"

	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/many/reproduce"
	"github.com/rocelab/rocelab/testbed/many/tune"
)

//go:embed a6.yaml
var a6Scenario []byte

var a6 = &reproduce.Row{
	ID:     "A6",
	Title:  "The ramp from Kmin to Kmax at 800 Gb/s",
	Source: "Kmin/Kmax calibration curves",
	Paper:  Paper,
	Doubts: []string{"D5"},
	Reading: "The ramp is 2 Kmin / (C_in - C_out) with Kmax = 3 Kmin: so many senders at line rate, one port " +
		"out. The article names neither Kmin nor senders; with its own rule, 1.5 BDP of 5 us, Kmin is 750 KB. " +
		"Beside the formula is the time from the first bin of 100 ns above Kmin to the first above Kmax in a " +
		"run, and when under DCQCN the first CNP is at a sender, from Kmin on too.",
	Scenario: a6Scenario,
	Measure:  measureA6,
	Published: []reproduce.Published{
		{
			Column:    "2 senders",
			Figure:    rampOf("750"),
			Value:     3.5,
			Tolerance: 0.43,
			Source:    "\"only 2-5 us\"",
		},
	},
}

var (
	kminsOfA6   = []string{"100", "250", "750"} // KB
	sendersOfA6 = []string{"2", "16"}
)

func rampOf(kmin string) string { return "ramp, Kmin " + kmin + " KB" }

func measureA6(r *reproduce.Results) (list []reproduce.Figure) {
	for _, senders := range sendersOfA6 {
		column := senders + " senders"
		for _, text := range kminsOfA6 {
			kmin := 1000 * whole(text)
			formula := tune.Ramp(unit.Bytes(kmin), unit.Bytes(3*kmin), unit.BitRate(whole(senders))*lineOfA6, lineOfA6)
			list = append(list, reproduce.Figure{
				Column: column,
				Name:   rampOf(text),
				Unit:   "us",
				Values: []float64{formula.Microseconds()},
			})
			of := func(variant string) reproduce.Runs {
				return r.Of("", variant, "traffic.senders="+senders, "switch.ecn.kmin="+text+"KB")
			}
			list = append(list,
				of("fixed").Figure(column, rampOf(text)+", run", "us", func(run *reproduce.Run) float64 {
					depth := run.Series("series_queues.csv", "depth_max_bytes", "node=s0", "port=16", "queue=3")
					return firstAbove(depth, float64(3*kmin)) - firstAbove(depth, float64(kmin))
				}),
				of("dcqcn").Metric(column, "first CNP, Kmin "+text+" KB", "us", "feedback_us"))
		}
	}
	return list
}

const lineOfA6 = 800 * unit.Gbps

func whole(text string) int {
	number, _ := strconv.Atoi(text)
	return number
}

// firstAbove is when a series is first above a value, in microseconds; NaN for never.
func firstAbove(series reproduce.Series, value float64) float64 {
	for bin, at := range series.Values {
		if at > value {
			return float64(bin) * series.Width
		}
	}
	return math.NaN()
}
