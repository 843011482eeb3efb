package twodc

import (
	"fmt"
	"strings"
)

// training is a workload on the fabric of the package's documentation.
type training struct {
	// fabric follows kind and scale in the topology, "" for the oversubscribed DCI; algorithm has DCQCN's parameters
	// and follow the settings of proximal CNP for it.
	fabric, algorithm, follow string
	jobs                      []string
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
	return fmt.Sprintf(`
topology: {kind: two-dc, scale: "1/64", %s}
mtu: 4096B
switch: {%s}
nic: {rto: {floor: 20ms, initial: 20ms}}
algorithm: {name: dcqcn, params: {%s}}
traffic:
  - {%s}
`, t.fabric, settings, t.algorithm, strings.Join(t.jobs, "}\n  - {"))
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

// The reactions to congestion: settings of the switches.
const (
	ecnOnly   = ""
	scheme    = "proximal: {enabled: true}"
	unlearned = "proximal: {enabled: true, learning: {enabled: false}}"
	pausing   = "proximal: {enabled: true, pause: true, learning: {enabled: false}}"
)
