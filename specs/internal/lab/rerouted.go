package lab

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// The fabrics of Rerouted.
const (
	SmallTree   = "{kind: fat-tree, hosts: 16}"
	SmallClos   = "{kind: leaf-spine, leaves: 4, spines: 3, hosts_per_leaf: 2}"
	mostRemoved = 5
)

// Rerouted is a scenario with failover, drawn from a seed: traffic among all hosts of a fabric, one to five of whose
// links go down once or more, some for good. Times, tables and the choice of next hops are drawn too. The same scenario
// gives the same result on every runner.
func Rerouted(fabric string, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 35))
	choose := func(words ...string) string { return words[r.Perm(len(words))[0]] }
	var faults []string
	for _, i := range r.Perm(len(rerouted[fabric]))[:1+r.IntN(mostRemoved)] {
		link := rerouted[fabric][i]
		switch from, down := 5+r.IntN(40), 1+r.IntN(30); r.IntN(4) {
		case 0:
			faults = append(faults, fmt.Sprintf("{link: %s, down: %dus}", link, from))
		case 1:
			faults = append(faults, fmt.Sprintf("{link: %s, flaps: {from: %dus, times: %d, down: %dus, up: %dus}}", link,
				from, 2+r.IntN(3), down, 1+r.IntN(30)))
		case 2:
			faults = append(faults, fmt.Sprintf("{link: %s, down: %dus, up: %dus, detect: %dus}", link, from, from+down,
				r.IntN(12)))
		default:
			faults = append(faults, fmt.Sprintf("{link: %s, down: %dus, up: %dus}", link, from, from+down))
		}
	}
	receiver := "ooo"
	forwarding := choose("ecmp", "ecmp", "spray", "round_robin", "least_queue", "flowlet")
	if forwarding == "ecmp" {
		receiver = choose("gbn", "ooo")
	}
	damped := choose("", "", ", dampening: {penalty: 1000, suppress: 1500, reuse: 700, half_life: 20us}")
	return fmt.Sprintf(`
name: rerouted
seed: %d
algorithm: %s
topology: %s
switch: {buffer: 2MB, forwarding: %s, latency: %dns, ecn: {kmin: 20KB, kmax: 80KB}, pfc: {quanta: 1000}}
switches: {"%s": {failover: {propagate: %dus}}}
nic: {receiver: %s, rto: {floor: 60us, initial: 60us}}
traffic: [{kind: permutation, size: 60KB}, {kind: incast, receiver: h3, size: 10KB}]
faults: [%s]
failover: {detect: %dus, propagate: %dus, restore: %dus, buckets: %s, weighted: %s%s}
run: {until: 300us}
record: {interval: 10us}
`, seed, choose("dcqcn", "none"), fabric, forwarding, 300*r.IntN(2), choose("*0", "*1", "*[2-3]"), r.IntN(20), receiver,
		strings.Join(faults, ", "), r.IntN(8), r.IntN(15), r.IntN(20), choose("0", "0", "6", "64"), choose("true", "false"),
		damped)
}

// rerouted are the links between switches of the fabrics.
var rerouted = func() map[string][]string {
	links := map[string][]string{}
	for i := range 8 {
		for j := range 2 {
			links[SmallTree] = append(links[SmallTree], fmt.Sprintf("edge%d-agg%d", i, i/2*2+j),
				fmt.Sprintf("agg%d-core%d", i, i%2*2+j))
		}
	}
	for i := range 4 {
		for j := range 3 {
			links[SmallClos] = append(links[SmallClos], fmt.Sprintf("leaf%d-spine%d", i, j))
		}
	}
	return links
}()
