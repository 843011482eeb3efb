package thesis

import (
	_ "embed"
	"fmt"
	"math"
	"slices"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

// loadScenario has the random flows of Figure 20, for rows B1 to B8.
//
//go:embed b.yaml
var loadScenario []byte

// loadRuns is the folder of the runs of all those rows.
const loadRuns = "thesis-320"

// published320 makes the scenario what the thesis says.
var published320 = map[string]string{
	"topology": "{kind: hpcc-fat-tree}", "traffic.until": "10ms", "traffic.incast.draw": "60",
}

// loadQuick and loadFull are the forms of rows that judge those runs.
var (
	loadQuick = reproduce.Form{
		About: "64 of 320 hosts for 2 of 10 ms, incasts of 12 senders: 4000 of 100 000 flows",
		Seeds: []uint64{1, 2, 3},
	}
	loadFull = reproduce.Form{Set: published320, Seeds: []uint64{1}}
)

// loadReading is what section 4.4.2 leaves open.
const loadReading = "Section 4.4.2 gives neither the initial rate of flows nor the target on paths of up to 12 us " +
	"(the incast has 10 Gb/s and 5 us). The criteria judge 10 Gb/s and a target of at least 1.19 base RTTs, " +
	"rocelab's default; in columns -line flows begin at line rate, in columns -5us they also keep 5 us on every " +
	"path. The PFC watchdog is off, because the simulator does not have one."

// partEdges are the sizes in bytes up to which each twentieth of the flows goes, as Figure 20 has them.
var partEdges = []float64{300, 325, 350, 400, 450, 500, 550, 600, 650, 700, 850, 1000, 1714, 7000, 36000, 46000, 68000,
	120000, 300000, 10000000}

// part names the 95th percentile of a twentieth.
func part(i int) string { return fmt.Sprintf("p95 up to %g B", partEdges[i]) }

// Parts of all flows by their size in bytes.
const (
	smallP95 = "p95 below 7 KB"
	smallP90 = "p90 below 7 KB"
	restP95  = "p95 from 7 KB on"
	largeP95 = "p95 above 336 KB"
	largeP50 = "median above 336 KB"
)

// measureLoad reads the slowdowns of each variant into a column of its name.
func measureLoad(r *reproduce.Results) (list []reproduce.Figure) {
	for _, variant := range r.Variants() {
		runs := r.Of("", variant)
		parts := make([][]float64, len(partEdges))
		for _, run := range runs {
			slowdowns := partsOf(run)
			for i := range parts {
				parts[i] = append(parts[i], slowdowns[i])
			}
		}
		for i := range parts {
			list = append(list, reproduce.Figure{Column: variant, Name: part(i), Values: parts[i]})
		}
		for _, pool := range []struct {
			name       string
			from, upTo float64
			percent    int
		}{
			{smallP90, 0, 7000, 90}, {smallP95, 0, 7000, 95}, {restP95, 7000, math.Inf(1), 95},
			{largeP50, 336_000, math.Inf(1), 50}, {largeP95, 336_000, math.Inf(1), 95},
		} {
			list = append(list, runs.Figure(variant, pool.name, "", func(run *reproduce.Run) float64 {
				return pooled(run, pool.from, pool.upTo, pool.percent)
			}))
		}
	}
	return list
}

// partsOf are the 95th percentiles of a run by twentieth.
func partsOf(run *reproduce.Run) (list []float64) {
	for line := range run.Lines("slowdown_by_size.csv") {
		if line.Text("group") == "background" {
			list = append(list, line.Number("slowdown_p95"))
		}
	}
	for len(list) < len(partEdges) {
		list = append(list, math.NaN())
	}
	return list
}

// pooled is a quantile, in percent, of the slowdown of all flows larger than one size and up to another.
func pooled(run *reproduce.Run, from, upTo float64, percent int) float64 {
	var list []float64
	for line := range run.Lines("flows.csv") {
		size := line.Number("size_bytes")
		if line.Text("group") == "background" && size > from && size <= upTo {
			list = append(list, line.Number("slowdown"))
		}
	}
	slices.Sort(list)
	return result.Quantile(list, percent)
}

// loadRow is a row of those runs.
func loadRow(id, title string, doubts, variants []string) *reproduce.Row {
	quick, full := loadQuick, loadFull
	quick.Variants, full.Variants = variants, variants
	return &reproduce.Row{
		ID:       id,
		Title:    title,
		Source:   "section 4.4.2, Figure 20",
		Paper:    Paper,
		Doubts:   doubts,
		Reading:  loadReading,
		Scenario: loadScenario,
		Runs:     loadRuns,
		Quick:    quick,
		Full:     full,
		Measure:  measureLoad,
	}
}

// The rows of those runs, by what they compare.
var (
	b2 = loadRow("B2", "Small flows are faster under PIDNN", []string{"D8"},
		[]string{"dcqcn", "timely", "pidnn", "win", "pidnn-line", "win-line", "pidnn-5us", "win-5us"})
	b3 = loadRow("B3", "RTTch helps large flows and costs small ones", nil,
		[]string{"pidnn", "rttch", "pidnn-line", "rttch-line"})
	b4 = loadRow("B4", "With a window small flows hardly wait", nil,
		[]string{"win", "win-line", "win-5us"})
	b5 = loadRow("B5", "HPCC is best or second for large flows", nil,
		[]string{"dcqcn", "timely", "hpcc", "pidnn", "rttch", "win"})
	b6 = loadRow("B6", "Flows above 336 KB are slower under PIDNN", nil,
		[]string{"dcqcn", "timely", "pidnn", "pidnn-line", "pidnn-5us"})
	b7 = loadRow("B7", "With a window small flows are faster than under HPCC and DCQCN", nil,
		[]string{"dcqcn", "hpcc", "win", "win-line", "win-5us"})
	b8 = loadRow("B8", "A fixed low target slows large flows down", nil,
		[]string{"pidnn-5us", "pidnn-20us"})
)
