package twodc

import (
	"fmt"
	"strings"

	"github.com/rocelab/rocelab/specs/lab"
)

// training is a workload on the fabric of the package's documentation.
type training struct {
	// fabric is what follows kind and scale in the topology, "" for the
	// oversubscribed DCI; algorithm is DCQCN's parameters and follow what proximal
	// CNP is told of them; record a bin's width.
	fabric, algorithm, follow, record string
	jobs                              []string
}

const oversubscribed = "uplink_rate: 200Gbps, dci_links: 1, dci_rate: 50Gbps"

// yaml is the scenario with more settings of the switch, as "proximal: {..}".
func (t training) yaml(settings string) string {
	if t.fabric == "" {
		t.fabric = oversubscribed
	}
	if t.follow != "" {
		settings = strings.Replace(settings, "proximal: {", "proximal: {"+t.follow+", ", 1)
	}
	if t.record != "" {
		t.record = "record: {interval: " + t.record + "}\n"
	}
	return fmt.Sprintf(`
topology: {kind: two-dc, scale: "1/64", %s}
mtu: 4096B
switch: {%s}
nic: {rto: {floor: 20ms, initial: 20ms}}
algorithm: {name: dcqcn, params: {%s}}
%straffic:
  - {%s}
`, t.fabric, settings, t.algorithm, t.record, strings.Join(t.jobs, "}\n  - {"))
}

func hierarchical(iterations int, compute string) training {
	t := training{}
	for job := range 2 {
		var ranks []string
		for _, cluster := range []string{"a", "b"} {
			for i := job; i < 8; i += 2 {
				ranks = append(ranks, fmt.Sprintf("%s-h%d", cluster, i))
			}
		}
		t.jobs = append(t.jobs, fmt.Sprintf("name: job%d, operation: all-reduce, method: hierarchical, groups: 2, hosts: "+
			"[%s], size: 64MB, compute: %s, iterations: %d",
			job, strings.Join(ranks, ", "), compute, iterations))
	}
	return t
}

func exchange(iterations int) training {
	t := training{}
	for i := range 8 {
		t.jobs = append(t.jobs, fmt.Sprintf("name: job%d, operation: permute, hosts: [a-h%d, b-h%d], size: 16MB, compute: "+
			"10ms, iterations: %d", i, i, i, iterations))
	}
	return t
}

// parameterServers has senders of one data centre meet at servers of the other;
// each list is a server and its workers.
func parameterServers(iterations int, fabric string, lists ...string) training {
	t := training{fabric: fabric}
	for i, ranks := range lists {
		t.jobs = append(t.jobs, fmt.Sprintf("name: job%d, operation: all-reduce, method: parameter-server, hosts: [%s], "+
			"size: 16MB, compute: 10ms, iterations: %d", i, ranks, iterations))
	}
	return t
}

// What is done about congestion: settings of the switches.
const (
	ecnOnly   = ""
	scheme    = "proximal: {enabled: true}"
	noNotice  = "proximal: {enabled: true, notify: false}"
	oneCNP    = "proximal: {enabled: true, max_cnps: 1, learning: {enabled: false}}"
	unlearned = "proximal: {enabled: true, learning: {enabled: false}}"
	answers   = "proximal: {enabled: true, qps: answers}"
	filtered  = "proximal: {enabled: true, filter: true}"
	pausing   = "proximal: {enabled: true, pause: true, learning: {enabled: false}}"
	acrossPFC = "dci: {pfc: {enabled: true}}"
)

// figures is what a workload came to.
type figures struct {
	// Iteration is the mean time of one, in ms; Feedback the time from the
	// first queue beyond Kmin to the first CNP at a sender, in us; Queue the
	// longest one, in MB.
	Iteration, Feedback, Drops, Queue, Notifications, CNPs lab.Figure
}

func measure(t training, settings string, seeds []uint64) figures {
	runs := lab.OverSeeds(t.yaml(settings), lab.Options{Seeds: seeds})
	scaled := func(name string, by float64) lab.Figure {
		return lab.FigureOf(runs, func(r *lab.Run) float64 { return lab.Metric(name)(r) / by })
	}
	return figures{
		Iteration:     scaled("iteration_mean_us", 1e3),
		Feedback:      scaled("feedback_us", 1),
		Drops:         scaled("drops", 1),
		Queue:         scaled("queue_max_bytes", 1e6),
		Notifications: scaled("notifications", 1),
		CNPs:          scaled("proximal_cnps", 1),
	}
}

// limit is what no congestion control can better, in ms an iteration: one data
// centre, and the package's bound for two.
type limit struct{ one, two float64 }

func limitOf(t training) limit {
	t.fabric = "sites: 1, uplink_rate: 200Gbps"
	one := measure(t, ecnOnly, lab.Seeds[:1]).Iteration.Median
	const crossing, rate, packet, wire = 16e6 * 8, 50e9, 4096, 4096 + 58 +
		24 // Ethernet to ICRC 58 B, FCS, preamble and gap 24 B
	return limit{one, one + (4-1)*crossing/rate*wire/packet*1e3 + 0.6}
}

// recovered is the part of what congestion costs beyond the bound that is won
// back.
func recovered(ecn, with figures, l limit) float64 {
	return (ecn.Iteration.Median - with.Iteration.Median) / (ecn.Iteration.Median - l.two)
}

func newTable() *lab.Table {
	return lab.NewTable("congestion control", "iteration, ms", "of the bound's rate", "of one DC's", "recovered",
		"feedback, us", "drops", "longest queue, MB", "notifications", "switches' CNPs")
}

func addRow(t *lab.Table, name string, f figures, ecn figures, l limit) {
	t.Row(name, f.Iteration, l.two/f.Iteration.Median, l.one/f.Iteration.Median, recovered(ecn, f, l), f.Feedback,
		f.Drops, f.Queue, f.Notifications, f.CNPs)
}
