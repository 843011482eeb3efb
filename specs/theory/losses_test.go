package theory

import (
	"fmt"
	"math"
	"slices"

	"github.com/rocelab/rocelab/specs/internal/lab"
)

// losses are the rows of go-back-N, whose losses are drawn, and of ECMP's draws.
var losses = slices.Concat(
	lossRow(1e-4, 0.30, "118 losses in the draw"),
	lossRow(1e-3, 0.15, "one packet that is lost twice is expected, with 0.5 ms; this draw has none"),
	lossRow(1e-2, 0.15, "not looked into: half of the time goes to some 55 packets that are lost twice"),
	birthdayRows,
)

// lossRow is the goodput of go-back-N without a window at line rate. A lost packet costs all packets sent until its NAK
// is back, a round trip; if it is lost again, the receiver, with nak interval, repeats its NAK after nak_interval, and
// so on:
//
//	1 / goodput - 1 = p (RTT + nak_interval p / (1-p)) / S
//
// Differs from the textbook's p W / (1-p), in which a second loss, too, is reported at once.
func lossRow(loss, tolerance float64, why string) []*row {
	const repeat = 500 // us
	return []*row{{
		name:      fmt.Sprintf("cost go-back-N a round trip a loss at %g", loss),
		of:        "packets more than needed, 1 / goodput - 1",
		source:    "Bertsekas and Gallager, Data Networks, section 2.4.2, and nak_interval",
		tolerance: tolerance,
		why:       why,
		predicted: func() float64 {
			rtt := baseRTT(2, onWire, ackWire, 100) + us(onWire, 100)
			return loss * (rtt + repeat*loss/(1-loss)) / us(onWire, 100)
		},
		measured: func() float64 {
			run := simulate(fmt.Sprintf("name: loss\nalgorithm: fixed\ntopology: {kind: star, hosts: 2}\n"+
				"nic: {ack_every: 64, nak: interval}\ntraffic: [{from: h0, to: h1, message: 1GB}]\n"+
				"faults: [{link: h1-s0, toward: h1, frames: data, loss: %g}]\nrun: {until: 100ms}\n", loss))
			needed := float64(run.Flows[0].Receiver.Packets) * us(onWire, 100)
			return run.End.Seconds()*1e6/needed - 1
		},
	}}
}

// birthdayRows are ECMP's collisions of eight flows, and of 64, over eight uplinks, in 200 draws of the hash.
var birthdayRows = func() []*row {
	const ports, draws = 8, 200
	pairs := map[string][]float64{}
	draw := func(traffic string) []float64 {
		for seed := 1; len(pairs[traffic]) < draws; seed++ {
			p := planOf(fmt.Sprintf("seed: %d\nname: birthday\nalgorithm: fixed\nrecord: {off: true}\n"+
				"topology: {kind: leaf-spine, leaves: 2, spines: %d, hosts_per_leaf: 8}\ntraffic:\n%s",
				seed, ports, traffic))
			run, sum := lab.Do(p, lab.Options{}), 0.0
			for port := range ports {
				n := float64(run.Switches[0].Ports[8+port].Queues.At(3).Frames)
				sum += n * (n - 1) / 2
			}
			pairs[traffic] = append(pairs[traffic], sum)
		}
		return pairs[traffic]
	}
	few := ""
	for i := range 8 {
		few += fmt.Sprintf("  - {from: h%d, to: h%d, size: 1KB}\n", i, 8+i)
	}
	const many = "  - {from: h0..h7, to: h8..h15, size: 1KB}\n"
	expected := func(n float64) float64 { return n * (n - 1) / 2 / ports }
	const source = "birthday problem: n (n-1) / 2 pairs, each with probability 1/m"
	return []*row{
		{
			name:      "have 8 flows share 8 uplinks by birthday",
			of:        "mean pairs on one uplink",
			source:    source,
			tolerance: 0.11,
			why:       "200 draws: 3.5 % is one standard deviation with 8 flows, 0.4 % with 64",
			predicted: func() float64 { return expected(8) },
			measured:  func() float64 { return mean(draw(few)) },
		},
		{
			name:      "have 64 flows share 8 uplinks by birthday",
			of:        "mean pairs on one uplink",
			source:    source,
			tolerance: 0.02,
			why:       "200 draws: 3.5 % is one standard deviation with 8 flows, 0.4 % with 64",
			predicted: func() float64 { return expected(64) },
			measured:  func() float64 { return mean(draw(many)) },
		},
		{
			name:      "have 64 flows share 8 uplinks as evenly as chance",
			of:        "standard deviation of the pairs",
			source:    "pairs are independent two by two: sqrt(n (n-1) / 2 (m-1) / m^2)",
			tolerance: 0.16,
			why:       "200 draws: 5 % is one standard deviation",
			predicted: func() float64 { return math.Sqrt(64 * 63 / 2 * (ports - 1.0) / ports / ports) },
			measured:  func() float64 { return deviation(draw(many)) },
		},
	}
}()
