package recovery

import (
	"fmt"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/internal/lab"
)

const (
	failoverPage = "../../docs/failover.md"
	iterations   = 40
	// quickSwitches are times of switches that react in hardware. They are assumed: measured ones take 4 to 60 ms.
	quickSwitches = "failover: {detect: 100us, propagate: 500us, restore: 2ms}"
)

// training is an all-reduce of 16 ranks over four leaves, each rank's neighbours at other leaves, with what fails.
func training(algorithm, faults, failover, end string) string {
	return fmt.Sprintf(`
name: training
topology: {kind: leaf-spine, leaves: 4, spines: 4, hosts_per_leaf: 4, rate: 100Gbps, uplink_rate: 100Gbps}
mtu: 4096B
algorithm: %s
traffic:
  - name: train
    operation: all-reduce
    size: 2MB
    iterations: %d
    compute: 500us
    hosts: [h0, h4, h8, h12, h1, h5, h9, h13, h2, h6, h10, h14, h3, h7, h11, h15]
%s
record: {off: true}
run: {%s}
%s
`, algorithm, iterations, faults, end, failover)
}

// studied are the faults of the study. All come at 5 ms, in the eighth iteration or so of forty.
var studied = []struct{ name, faults string }{
	{"one flap of 10 ms", "faults: [{link: leaf0-spine0, down: 5ms, up: 15ms}]"},
	{"ten flaps of 1 ms", "faults: [{link: leaf0-spine0, flaps: {from: 5ms, times: 10, down: 1ms, up: 1ms}}]"},
	{"a dead spine", "faults: [{link: leaf*-spine0, down: 5ms}]"},
	{"a reboot of 10 ms", "faults: [{kind: switch-reboot, switch: spine0, down: 5ms, up: 15ms}]"},
	{"a drain", "faults: [{kind: drain, switch: spine0, from: 5ms, down: 7ms, up: 15ms}]"},
}

var studiedAlgorithms = []string{"dcqcn", "dctcp", "hpcc", "pc4", "swift"}

// clean are the runs without a fault, by algorithm, one a seed.
var clean = map[string][]*lab.Run{}

// cost is the cost of a fault, over the seeds: iterations that are not done when the run without the fault is, and
// frames that are dropped or lost.
type cost struct{ iterations, lost lab.Figure }

func costOf(algorithm, faults, failover string) cost {
	if clean[algorithm] == nil {
		clean[algorithm] = lab.OverSeeds(training(algorithm, "", "", "limit: 1s"), lab.Options{})
	}
	var runs []*lab.Run
	for i, seed := range lab.Seeds {
		end := fmt.Sprintf("until: %dus", int(clean[algorithm][i].Summary.DurationUS)+1)
		runs = append(runs, lab.OverSeeds(training(algorithm, faults, failover, end),
			lab.Options{Seeds: []uint64{seed}, Lossy: true})...)
	}
	return cost{
		iterations: lab.FigureOf(runs, func(r *lab.Run) float64 { return iterations - lab.Metric("iterations_done")(r) }),
		lost:       lab.FigureOf(runs, lab.Metric("drops")),
	}
}

// spread prints a figure to three digits, with its least and its largest value if they differ.
func spread(f lab.Figure) string {
	if f.Min == f.Max {
		return threeDigits(f.Median)
	}
	return fmt.Sprintf("%s (%s to %s)", threeDigits(f.Median), threeDigits(f.Min), threeDigits(f.Max))
}

func threeDigits(v float64) string {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

// The figures of docs/failover.md, five seeds each. Tier: slow for DCQCN, 30 CPU seconds; night for the others, some
// two CPU minutes.
var _ = Describe("training through a fault", Label("outage"), func() {
	var list []TableEntry
	for _, fault := range studied {
		for _, algorithm := range studiedAlgorithms {
			begin := fmt.Sprintf("| %s | %s |", fault.name, algorithm)
			list = append(list, Entry(begin, begin, algorithm, fault.faults))
		}
	}
	DescribeTable("costs iterations", Label(lab.Slow), func(begin, algorithm, faults string) {
		lab.SkipUnlessSlow()
		if algorithm != "dcqcn" {
			lab.SkipUnlessNight()
		}
		with := costOf(algorithm, faults, quickSwitches)
		iterations, lost := "", ""
		if strings.Contains(faults, "drain") { // without failover no route avoids what is drained
			Expect(with.lost.Max).To(BeZero())
		} else {
			without := costOf(algorithm, faults, "")
			iterations, lost = spread(without.iterations), spread(without.lost)
		}
		pageRows.Add(failoverPage, begin, fmt.Sprintf("%s %s | %s | %s | %s |", begin, iterations,
			spread(with.iterations), lost, spread(with.lost)))
	}, list)
})
