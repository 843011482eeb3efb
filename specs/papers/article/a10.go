package article

import (
	_ "embed"
	"fmt"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed a10.yaml
var a10Scenario []byte

var a10 = &reproduce.Row{
	ID:       "A10",
	Title:    "The queue in equilibrium follows Kmin",
	Source:   "WRED detection",
	Paper:    Paper,
	Reading:  "Kmax is three times Kmin; the mean is over time, of the second half of 20 ms.",
	Scenario: a10Scenario,
	Seeds:    []uint64{1, 2, 3, 4, 5},
	Measure:  measureA10,
}

// kminsOfA10 are the values of Kmin in KB.
var kminsOfA10 = []float64{50, 100, 200, 400, 800}

func queueOfA10(kmin float64) string { return fmt.Sprintf("mean queue, Kmin %.0f KB", kmin) }

// measureA10 reads the mean length of the receiver's queue from 10 to 20 ms.
func measureA10(r *reproduce.Results) (list []reproduce.Figure) {
	for _, kmin := range kminsOfA10 {
		runs := r.Of("", "", fmt.Sprintf("switch.ecn.kmin=%.0fKB", kmin))
		list = append(list, runs.Figure("", queueOfA10(kmin), "KB", func(run *reproduce.Run) float64 {
			queue := run.Series("series_queues.csv", "depth_max_bytes", "node=s0", "port=4", "queue=3")
			return reproduce.Mean(queue.Between(10_000, 20_000)) / 1000
		}))
	}
	return list
}
