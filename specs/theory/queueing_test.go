package theory

import (
	"fmt"
	"math"
	"slices"

	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// queueing are the rows of waits at a port of 100 Gb/s: S is the time of a frame.
var queueing = slices.Concat(
	poissonRows(0.5, 0.05, false), poissonRows(0.8, 0.10, true), batchRow, periodicRows, togetherRows, littleRow,
)

// arrivals sends messages of one host, whose link has 100 Tb/s, to a trunk of 100 Gb/s at the instants of a Poisson
// process, and returns the waits at the trunk. Sizes are in packets; each message has one of them, by an equal chance.
func arrivals(messages int, load float64, sizes ...int) *record.Histogram {
	text := "name: arrivals\nalgorithm: fixed\nrecord: {off: true}\nswitch: {buffer: 1GB, ecn: {enabled: false}}\n" +
		"topology: {kind: dumbbell, left: 1, right: 1, rate: 100Tbps, bottleneck_rate: 100Gbps}\ntraffic:\n"
	packets := 0
	for _, size := range sizes {
		text += fmt.Sprintf("  - {from: h0, to: h1, flows: %d, size: %dKB}\n", messages/len(sizes), size)
		packets += size
	}
	p := planOf(text)
	draw := chance.New(p.Seed, "theory/arrivals")
	draw.Shuffle(len(p.Flows), func(i, j int) { p.Flows[i], p.Flows[j] = p.Flows[j], p.Flows[i] })
	between := float64(packets) / float64(len(sizes)) * us(onWire, 100) / load
	if len(sizes) == 1 && sizes[0] == 1 {
		between = us(first, 100) / load
	}
	now := 0.0
	for i := range p.Flows {
		now += between * draw.Exponential()
		p.Flows[i].Start = unit.Whole[unit.Time](now * float64(unit.Microsecond))
	}
	run := lab.Do(p, lab.Options{})
	return &run.Switches[0].Ports[1].Queues.At(3).Wait
}

// mD1 is P(W <= t) of M/D/1 at a load, t in service times (Erlang 1909):
//
//	(1 - load) sum over k <= t of (-load (t-k))^k / k! e^(load (t-k))
func mD1(load, t float64) (p float64) {
	for k := 0.0; k <= t; k++ {
		x := load * (t - k)
		term := math.Exp(x)
		for i := 1.0; i <= k; i++ {
			term *= -x / i
		}
		p += term
	}
	return (1 - load) * p
}

// poissonRows are M/D/1: the mean wait load S / (2 (1 - load)), and the 99th percentile of Erlang's distribution.
func poissonRows(load, tolerance float64, slow bool) []*row {
	const messages = 100_000
	memo := map[float64]*record.Histogram{}
	waits := func() *record.Histogram {
		if memo[load] == nil {
			memo[load] = arrivals(messages, load, 1)
		}
		return memo[load]
	}
	return []*row{
		{
			name:      fmt.Sprintf("of M/D/1 at load %g has Pollaczek and Khinchin's mean wait", load),
			of:        "mean wait, S",
			source:    "Pollaczek-Khinchin: W = load S / (2 (1 - load))",
			tolerance: tolerance,
			why:       "100 000 draws: 2 % is one standard deviation at load 0.5, 5 % at 0.8",
			slow:      slow,
			predicted: func() float64 { return load / 2 / (1 - load) },
			measured:  func() float64 { return waits().Mean().Microseconds() / us(first, 100) },
		},
		{
			name:      fmt.Sprintf("of M/D/1 at load %g has Erlang's distribution", load),
			of:        "99th percentile of the wait, S",
			source:    "Erlang 1909; Franx, Oper. Res. Letters 29, 2001",
			tolerance: tolerance + 0.02,
			why:       "the draws; the histogram's buckets add up to 3.2 %",
			slow:      slow,
			predicted: func() float64 { return solve(0, 25, func(t float64) float64 { return mD1(load, t) - 0.99 }) },
			measured:  func() float64 { return waits().Quantile(0.99).Microseconds() / us(first, 100) },
		},
	}
}

// batchRow is M^X/D/1 with batches of 1 and 15 packets: the wait of the batch as one customer, and within it:
//
//	W/S = load E[X^2] / E[X] / (2 (1 - load)) + E[X] / (2 E[X])
var batchRow = []*row{{
	name:      "of batches of 1 and 15 packets has the mean wait of M^X/D/1",
	of:        "mean wait, S",
	source:    "Burke, Oper. Res. 23, 1975",
	tolerance: 0.10,
	why:       "20 000 draws",
	predicted: func() float64 {
		const load, x, x2 = 0.5, 8, 113
		return load*x2/x/2/(1-load) + (x2-x)/2.0/x
	},
	measured: func() float64 { return arrivals(20_000, 0.5, 1, 15).Mean().Microseconds() / us(onWire, 100) },
}}

// nDD1 is P(wait > x S) in N*D/D/1 for a packet that meets n other sources of the same period of d S (Roberts and
// Virtamo, IEEE Trans. Commun. 39, 1991).
func nDD1(n int, d, x float64) (p float64) {
	choose := 1.0 // n over k
	for k := 1; k <= n; k++ {
		choose *= float64(n-k+1) / float64(k)
		if f := float64(k) - x; f > 0 {
			p += choose * math.Pow(f/d, float64(k)) * math.Pow(1-f/d, float64(n-k)) * (d - float64(n) + x) / (d + x - float64(k))
		}
	}
	return p
}

// periodicRows are N*D/D/1: 16 flows of 5 Gb/s each, in 900 draws of their phases.
var periodicRows = func() []*row {
	const sources, draws, gbps, source = 16, 900, 5, "Roberts and Virtamo, IEEE Trans. Commun. 39, 1991"
	const period = 100.0 / gbps // S
	waits := func(packets int) *record.Histogram {
		jitter := us(onWire, gbps)
		run := simulate(fmt.Sprintf(`
name: periodic
algorithm: {name: fixed, params: {rate: %dGbps}}
topology: {kind: star, hosts: %d}
traffic: [{kind: incast, size: %dKB, events: %d, period: 25us, jitter: %.0fns}]
record: {off: true}
`, gbps, sources+1, packets, draws, 1000*jitter))
		return &run.Switches[0].Ports[sources].Queues.At(3).Wait
	}
	return []*row{
		{
			name:      "of 16 periodic flows has the mean wait of N*D/D/1",
			of:        "mean wait of all but first packets, S",
			source:    source,
			tolerance: 0.07,
			why:       "900 draws of the phases",
			predicted: func() float64 {
				const step = 0.001
				sum := 0.0
				for x := step / 2; x < sources-1; x += step {
					sum += step * nDD1(sources-1, period, x)
				}
				return sum
			},
			measured: func() float64 {
				all, firsts := waits(10), waits(1)
				total := (all.Total() - firsts.Total()) / float64(unit.Microsecond)
				return total / float64(all.Count()-firsts.Count()) / us(onWire, 100)
			},
		},
		{
			name:      "of 16 periodic flows has the distribution of N*D/D/1",
			of:        "99th percentile of the wait, S",
			source:    source,
			tolerance: 0.07,
			why:       "the draws; the histogram's buckets add up to 3.2 %",
			predicted: func() float64 {
				return solve(0, sources-1, func(x float64) float64 { return 0.01 - nDD1(sources-1, period, x) })
			},
			measured: func() float64 { return waits(10).Quantile(0.99).Microseconds() / us(onWire, 100) },
		},
	}
}()

// togetherRows are sixteen packets that arrive in one instant: the waits are 0, S, 2 S and so on.
var togetherRows = func() []*row {
	const senders = 16
	waits := func() *record.Histogram {
		p := planOf(fmt.Sprintf("name: together\nalgorithm: fixed\ntopology: {kind: star, hosts: %d}\n"+
			"traffic: [{kind: incast, size: 1KB}]\n", senders+1))
		for i := range p.Flows {
			p.Flows[i].Start = unit.Time(unit.Microsecond)
		}
		return &lab.Do(p, lab.Options{}).Switches[0].Ports[senders].Queues.At(3).Wait
	}
	return []*row{
		{
			name:      "of 16 packets of one instant has the mean wait of a batch",
			of:        "mean wait, S",
			source:    "(N - 1) / 2",
			tolerance: 0.001,
			why:       "none",
			predicted: func() float64 { return (senders - 1) / 2.0 },
			measured:  func() float64 { return waits().Mean().Microseconds() / us(first, 100) },
		},
		{
			name:      "of 16 packets of one instant has the largest wait of a batch",
			of:        "largest wait, S",
			source:    "N - 1",
			tolerance: 0.001,
			why:       "none",
			predicted: func() float64 { return senders - 1 },
			measured:  func() float64 { return waits().Max().Microseconds() / us(first, 100) },
		},
	}
}()

// littleRow is Little's law, L = lambda W, at every queue of a leaf-spine under load: lambda W is the sum of waits over
// the time; L comes from the times for which the queue had each length, from another meter, which counts in steps. Each
// queue is held to the bounds of its steps.
var littleRow = []*row{{
	name:      "keeps Little's law wherever frames wait",
	of:        "L / (lambda W) of the longest queue",
	source:    "Little, Oper. Res. 9, 1961",
	tolerance: 0.07,
	why:       "lengths are counted in steps of 4 KiB and 6 %",
	predicted: func() float64 { return 1 },
	measured: func() float64 {
		run := simulate(`
name: little
algorithm: dctcp
topology: {kind: leaf-spine, leaves: 2, spines: 2, hosts_per_leaf: 8}
switch: {ecn: {kmin: 100KB, kmax: 400KB}}
traffic:
  - {kind: all-to-all, size: 100KB}
  - {kind: incast, senders: h0..h7, receiver: h12, size: 2MB}
`)
		ratio, longest, queues := 0.0, 0.0, 0
		for i := range run.Switches {
			for port := range run.Switches[i].Ports {
				q := run.Switches[i].Ports[port].Queues.At(3)
				if q.Depths == nil {
					continue
				}
				length, low, high := lengths(q.Depths)
				little := q.Wait.Total() / float64(unit.Second) / run.End.Seconds() * frame
				Expect(little).To(And(BeNumerically(">=", 0.98*low), BeNumerically("<=", 1.02*high)))
				queues++
				if length > longest {
					longest, ratio = length, length/little
				}
			}
		}
		Expect(queues).To(BeNumerically(">=", 16))
		return ratio
	},
}}

// lengths is the mean length of a queue, by the middle of each step, and the bounds that the steps leave.
func lengths(d *record.Depths) (middle, low, high float64) {
	total := 0.0
	for bytes := unit.Bytes(0); ; {
		step, from, to := record.DepthRange(bytes)
		if step >= len(d.Times) {
			return middle / total, low / total, high / total
		}
		time := float64(d.Times[step])
		total += time
		low += time * float64(from)
		high += time * float64(to)
		middle += time * float64(from+to) / 2
		bytes = to
	}
}
