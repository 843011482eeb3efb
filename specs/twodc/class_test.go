package twodc

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/specs/tier"
)

// The workload: one job of eight ranks, whose exchange of 16 MB a rank meets at one
// link of 50 Gb/s from 8 ms on and for 11 ms, and meanwhile a message from each of the
// job's NICs in a to another host of its leaf. The near spine has the leaves pause
// the exchange to a quarter of the line.
//
// The two share the NIC's line of 50 Gb/s, so the rate of messages is compared with one of two: for messages that ask
// for 5 Gb/s, far less than the exchange leaves, their rate in a run without the job; for messages without a limit, the
// rest of the line beside the exchange: 50 Gb/s less its own rate.
//
// Red if a pause names class 3, or if the crossing traffic shares a class with the rest, which the spec runs too.
const (
	exchanging = "{name: job, operation: all-reduce, method: hierarchical, groups: 2, size: 64MB, hosts: " +
		"[a-h0, a-h2, a-h4, a-h6, b-h0, b-h2, b-h4, b-h6]"
	inOneClass = exchanging + "}"
	inTheirOwn = exchanging + ", cross_dscp: 34}"

	modest = "algorithm: {name: fixed, params: {rate: 5Gbps}}, size: 5MB"
	greedy = "algorithm: dcqcn, size: 32MB"

	line = 50.0 // Gb/s
)

// beside is the fabric with what crosses it, and a local message at each of its NICs in a.
func beside(local string, crossing ...string) string {
	for i := 0; i < 8; i += 2 {
		crossing = append(crossing, fmt.Sprintf("{name: local%d, from: a-h%d, to: a-h%d, start: 9ms, %s}", i, i, i+1, local))
	}
	return `
topology: {kind: two-dc, scale: "1/64", spines: 1, uplink_rate: 200Gbps, dci_links: 1, dci_rate: 50Gbps}
mtu: 4096B
switch:
  proximal: {enabled: true, pause: true, learning: {enabled: false}}
  classes: {dscp: {34: 4}}
  pfc: {lossless: [3, 4]}
  ecn: {classes: [3, 4]}
nic: {rto: {floor: 20ms, initial: 20ms}}
algorithm: dcqcn
record: {interval: 1ms}
traffic:
  - ` + strings.Join(crossing, "\n  - ") + "\n"
}

// rates are the NICs' rates of local messages and across the fibre while they do both, in Gb/s on the wire.
func rates(r *lab.Run) (local, across map[int]float64) {
	local, across = map[int]float64{}, map[int]float64{}
	for i := range r.Plan.Flows {
		f := &r.Plan.Flows[i]
		rate := r.WireRate(i, unit.Time(11*unit.Millisecond), unit.Time(15*unit.Millisecond))
		switch from, to := r.Plan.NICs[f.Src].Name, r.Plan.NICs[f.Dst].Name; {
		case strings.HasPrefix(f.Group, "local"):
			local[f.Src] = rate
		case from[0] == 'a' && to[0] == 'b':
			across[f.Src] = rate
		}
	}
	return local, across
}

// keptOfRun is the least part that local messages keep of their rates in a run without others.
func keptOfRun(run, alone *lab.Run) float64 {
	least := 1.0
	of, _ := rates(alone)
	local, _ := rates(run)
	for nic, rate := range local {
		least = min(least, rate/of[nic])
	}
	return least
}

// keptOfLine is the least part that local messages have of what the exchange leaves.
func keptOfLine(run *lab.Run) float64 {
	least := 1.0
	local, across := rates(run)
	for nic, rate := range local {
		least = min(least, rate/(line-across[nic]))
	}
	return least
}

var _ = Describe("a NIC whose exchange across the fibre is paused by the switch next to it", Label("dci", "proximal"),
	func() {
		It("sends its messages in the site as fast as alone, where what crosses has a class of its own", func() {
			tier.Everyday(GinkgoT())
			alone := lab.Simulate(beside(modest))
			table := lab.NewTable("what crosses", "of 5 Gb/s alone", "of what is left of the line", "pauses", "iteration, ms")
			modestly, greedily := map[string]float64{}, map[string]float64{}
			for _, x := range []struct{ name, job string }{
				{"in a class of its own", inTheirOwn},
				{"in one class with the rest", inOneClass},
			} {
				little, much := lab.Simulate(beside(modest, x.job)), lab.Simulate(beside(greedy, x.job))
				modestly[x.job], greedily[x.job] = keptOfRun(little, alone), keptOfLine(much)
				Expect(min(little.Proximal().Pauses, much.Proximal().Pauses)).To(BeNumerically(">", 100), "pauses, %s", x.name)
				table.Row(x.name, modestly[x.job], greedily[x.job], much.Proximal().Pauses,
					lab.Metric("iteration_mean_us")(much)/1e3)
			}
			table.Report("Pauses of the long haul alone")
			Expect(min(modestly[inTheirOwn], greedily[inTheirOwn])).To(BeNumerically(">=", 0.95))
			Expect(max(modestly[inOneClass], greedily[inOneClass])).To(BeNumerically("<", 0.8),
				"a class of its own gains nothing")
		})
	})
