package why

import (
	"fmt"
	"math"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// draw makes scenarios by chance.
type draw struct{ *chance.Stream }

func (d draw) of(list ...string) string { return list[d.Below(uint64(len(list)))] }

// size is as often between 1 and 10 KB as between 10 and 100 KB, and so on up to the most.
func (d draw) size(most float64) string {
	kilobytes := math.Exp(d.Float64() * math.Log(most/1e3))
	return fmt.Sprintf("%dB", unit.Whole[int](1e3*kilobytes))
}

func (d draw) latency() string { return d.of("100ns", "500ns", "1us", "2us", "5us", "20us") }

// rate is a port's; HPCC refuses slow ones.
func (d draw) rate(algorithm string) string {
	rates := []string{"100Gbps", "200Gbps", "400Gbps", "800Gbps"}
	if algorithm != "hpcc" {
		rates = append(rates, "10Gbps", "25Gbps", "40Gbps", "50Gbps")
	}
	return d.of(rates...)
}

// lone is a scenario with one flow of an algorithm: sizes up to the most, any rates and distances.
func lone(algorithm string, seed uint64, most float64) string {
	d := draw{chance.New(seed, "lone "+algorithm)}
	rate, latency := d.rate(algorithm), d.latency()
	var topology string
	switch d.Below(5) {
	case 0:
		topology = fmt.Sprintf("{kind: star, hosts: 4, rate: %s, latency: %s}", rate, latency)
	case 1:
		topology = fmt.Sprintf("{kind: leaf-spine, leaves: 2, spines: 2, hosts_per_leaf: 2, rate: %s, latency: %s, "+
			"uplink_rate: %s, uplink_latency: %s}", rate, latency, d.rate(algorithm), d.latency())
	case 2:
		topology = fmt.Sprintf("{kind: dumbbell, left: 2, right: 2, rate: %s, latency: %s, bottleneck_rate: %s, "+
			"bottleneck_latency: %s}", rate, latency, d.rate(algorithm), d.of("1us", "20us", "100us"))
	case 3:
		topology = fmt.Sprintf("{kind: fat-tree, k: 4, rate: %s, latency: %s}", rate, latency)
	default:
		var links []string
		for _, ends := range []string{"h0, s0", "s0, s1", "s1, s2", "s2, h3"} {
			links = append(links, fmt.Sprintf("{endpoints: [%s], rate: %s, latency: %s}", ends, d.rate(algorithm), d.latency()))
		}
		topology = "{kind: explicit, nodes: [{name: s0, kind: switch}, {name: s1, kind: switch}, " +
			"{name: s2, kind: switch}, {name: h0}, {name: h3}], links: [" + strings.Join(links, ", ") + "]}"
	}
	return fmt.Sprintf("name: lone\nseed: %d\nalgorithm: %s\nmtu: %s\ntopology: %s\nswitch: {buffer: 64MB}\n"+ // no pauses
		"traffic: [{from: h0, to: h3, size: %s}]\n", seed, algorithm,
		d.of("256B", "512B", "1000B", "1024B", "2048B", "4096B"), topology, d.size(most))
}

// contended is a scenario of 2 to 12 flows on a small leaf-spine: its head, and a line of traffic for each flow.
func contended(seed uint64, algorithms []string, until string) (head string, flows []string) {
	d := draw{chance.New(seed, "contended")}
	leaves, perLeaf := 2+d.Below(2), 2+d.Below(3)
	head = fmt.Sprintf("name: contended\nseed: %d\ntopology: {kind: leaf-spine, leaves: %d, spines: %d, "+
		"hosts_per_leaf: %d, latency: %s, uplink_rate: %s}\n%s\ntraffic:\n", seed, leaves, 1+d.Below(3), perLeaf,
		d.of("500ns", "1us", "2us"), d.of("100Gbps", "200Gbps"), until)
	hosts := leaves * perLeaf
	for i := range 2 + d.Below(11) {
		from := d.Below(hosts)
		to := (from + 1 + d.Below(hosts-1)) % hosts
		flows = append(flows, fmt.Sprintf("  - {name: f%d, from: h%d, to: h%d, size: %s, start: %dns, algorithm: %s}\n",
			i, from, to, d.size(2e6), d.Below(100_000), d.of(algorithms...)))
	}
	return head, flows
}
