package determinism

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/specs/mutant"
)

// fingerprint is the output of a run.
type fingerprint struct {
	trace uint64
	files map[string]string
}

// fingerprintOf runs a plan and writes its run folder.
func fingerprintOf(p *plan.Plan, o lab.Options) fingerprint {
	o.Lossy = true
	r := lab.Do(p, o)
	return fingerprint{r.Trace, r.Files()}
}

// criteria are that b is a, byte for byte.
func criteria(a, b fingerprint, how string) (c lab.Criteria) {
	c.Want(a.trace == b.trace, "%s: trace %016x instead of %016x", how, b.trace, a.trace)
	for _, name := range slices.Sorted(maps.Keys(a.files)) {
		c.Want(a.files[name] == b.files[name], "%s: %s differs", how, name)
	}
	c.Want(len(a.files) == len(b.files), "%s: %d files instead of %d", how, len(b.files), len(a.files))
	return c
}

// cutting is a way to cut windows.
type cutting struct {
	name string
	of   func(lookahead unit.Duration) func(unit.Time) unit.Duration
}

func fraction(n unit.Duration) func(unit.Duration) func(unit.Time) unit.Duration {
	return func(l unit.Duration) func(unit.Time) unit.Duration {
		return func(unit.Time) unit.Duration { return l / n }
	}
}

var cuttings = []cutting{
	{"L", fraction(1)}, {"L/2", fraction(2)}, {"L/7", fraction(7)},
	{"random", func(l unit.Duration) func(unit.Time) unit.Duration {
		s := chance.New(1, "windows")
		return func(unit.Time) unit.Duration { return unit.Duration(s.Between(1, int64(l))) }
	}},
}

// scenario is a run whose effects are all above zero.
type scenario struct {
	name, label, yaml string
	effects           func(r *lab.Run) []uint64
}

// scenarios exercise everything that could depend on the order in which nodes run: every stream of chance, every timer,
// faults, both receivers, sharing of links.
var scenarios = []scenario{
	{"an incast with PC4 and noisy clocks", "pc4", `
name: pc4
algorithm: pc4
topology: {kind: star, hosts: 17}
nic: {clock: {offset: 100ns, drift_ppm: 1, resync: 10ms, noise: 400ns, noise_at: both}}
traffic: [{kind: incast, size: 1MB}]
record: {interval: 10us}
`, func(r *lab.Run) []uint64 { return []uint64{r.Summary.Decisions} }},
	{"an incast with DCQCN, PFC and links that lose frames", "dcqcn", `
name: dcqcn
algorithm: dcqcn
topology: {kind: star, hosts: 17}
switch: {buffer: 2MB, ecn: {kmin: 50KB, kmax: 200KB}, pfc: {quanta: 1000}}
nic: {rto: {floor: 100us, initial: 200us}}
traffic: [{kind: incast, size: 1MB}]
faults: [{link: h*-s0, loss: 0.01}]
record: {interval: 10us}
`, func(r *lab.Run) []uint64 {
		s := r.Summary
		return []uint64{s.Marks, s.CNPs, s.Pauses, s.LinkLost, s.NAKs, s.Timeouts}
	}},
	{"an all-to-all on a leaf-spine with spraying and receivers that reorder", "leaf-spine", `
name: leaf-spine
algorithm: dcqcn
topology: {kind: leaf-spine, leaves: 4, spines: 2, hosts_per_leaf: 4}
switch: {forwarding: spray, ecn: {kmin: 20KB, kmax: 80KB}}
nic: {receiver: ooo}
traffic: [{kind: all-to-all, order: random, size: 50KB}]
record: {interval: 10us}
`, func(r *lab.Run) []uint64 {
		reordered := uint64(0)
		for i := range r.Flows {
			reordered += r.Flows[i].Receiver.Reordered
		}
		return []uint64{r.Summary.Marks, r.Summary.CNPs, reordered}
	}},
	{"a permutation on a fat tree of 16 hosts", "fat-tree", `
name: fat-tree
algorithm: dcqcn
topology: {kind: fat-tree, k: 4}
switch: {ecn: {kmin: 20KB, kmax: 80KB}}
traffic: [{kind: permutation, flows: 4, size: 100KB}]
record: {interval: 10us}
`, func(r *lab.Run) []uint64 { return []uint64{r.Summary.Marks, r.Summary.CNPs} }},
	{"flows that arrive at random and incasts that are drawn, in a fat tree of three pods", "arrivals", `
name: arrivals
algorithm: dcqcn
topology: {kind: hpcc-fat-tree, pods: 3, tors_per_pod: 2, aggs_per_pod: 2, hosts_per_tor: 3, cores_per_agg: 1}
switch: {ecn: {kmin: 20KB, kmax: 80KB}}
traffic:
  - {load: 0.4, distribution: facebook-hadoop, until: 100us}
  - {kind: incast, draw: 8, events: 3, period: 30us, size: 50KB}
record: {interval: 10us}
`, func(r *lab.Run) []uint64 { return []uint64{r.Summary.Marks, r.Summary.CNPs} }},
	{"two data centres 120 km apart", "two-dc", `
name: two-dc
algorithm: dcqcn
topology: {kind: two-dc, scale: 1/64}
switch: {ecn: {kmin: 20KB, kmax: 80KB}}
nic: {rto: {floor: 20ms, initial: 20ms}}
traffic:
  - {name: across, kind: incast, senders: a-h*, receiver: b-h0, size: 100KB}
  - {name: within, kind: permutation, hosts: b-h*, size: 100KB}
record: {interval: 100us}
`, func(r *lab.Run) []uint64 {
		return []uint64{r.Summary.Marks, r.Summary.CNPs, r.Summary.DCIBufferMaxBytes}
	}},
	{"two trainings on links that lose frames", "collective", `
name: collective
topology: {kind: leaf-spine, leaves: 2, spines: 2, hosts_per_leaf: 4}
switch: {ecn: {kmin: 20KB, kmax: 80KB}}
nic: {rto: {floor: 100us, initial: 200us}}
traffic:
  - {name: a, operation: all-reduce, method: tree, chunks: 4, hosts: 6, stride: 2, size: 400KB, iterations: 2, ` +
		`compute: 10us, stragglers: {h1: 2}, algorithm: dcqcn}
  - {name: b, operation: all-to-all, method: pairwise, hosts: h2..h7, size: 120KB, iterations: 2, start: 20us, ` +
		`algorithm: pc4}
faults: [{link: h*-leaf*, loss: 0.005}]
record: {interval: 10us}
`, func(r *lab.Run) []uint64 {
		s := r.Summary
		return []uint64{s.Marks, s.LinkLost, s.NAKs, s.Decisions, s.IterationsDone}
	}},
	{"a long-haul path on which everything happens", "wan", lab.LongHaul, func(r *lab.Run) []uint64 {
		s, p := r.Summary, r.WANs[0].Ports
		return []uint64{s.LinkLost, s.Timeouts, s.CNPs, s.Pauses, p[0].RxLostFrames, p[1].RxLostFrames,
			p[0].RxFrames, p[0].TxPFCFrames}
	}},
	{"a training over two data centres with proximal CNP", "proximal", lab.TwoDC, func(r *lab.Run) []uint64 {
		p := r.Proximal()
		return append(p.Received[1:], r.Across(), p.CNPs, p.Preemptive, p.Ignored[record.IgnoredUnknownQP],
			p.Learned, r.Summary.Marks)
	}},
	{"that training with pauses in place of CNPs", "pauses", lab.TwoDCPauses, func(r *lab.Run) []uint64 {
		p := r.Proximal()
		return append(p.Received[1:], r.Across(), p.Pauses, p.Learned, r.Summary.Marks)
	}},
	{"that training with rates in CNPs", "rates", lab.TwoDCRates, func(r *lab.Run) []uint64 {
		p := r.Proximal()
		told := uint64(0)
		for i := range r.Flows {
			told += r.Flows[i].Sender.RatedCNPs
		}
		return []uint64{p.Received[1], r.Across(), p.Rated, told, r.Summary.Marks}
	}},
	{"every algorithm in one fabric", "mixed", lab.Mixed, func(r *lab.Run) []uint64 {
		effects := []uint64{r.Summary.Marks, r.Summary.CNPs}
		for i := range r.Flows { // but that of none, the last
			effects = append(effects, r.Flows[i].Sender.Decisions)
		}
		return effects[:len(effects)-1]
	}},
	{"an incast over links that lose frames, repaired selectively", "selective", `
name: selective
algorithm: {name: dcqcn, params: {loss: both}}
topology: {kind: star, hosts: 9}
switch: {ecn: {kmin: 50KB, kmax: 200KB}}
nic: {receiver: selective, rto: {floor: 100us, initial: 200us}}
traffic: [{kind: incast, size: 500KB}]
faults: [{link: h*-s0, loss: 0.02}]
record: {interval: 10us}
`, func(r *lab.Run) []uint64 {
		reordered, resent := uint64(0), uint64(0)
		for i := range r.Flows {
			reordered += r.Flows[i].Receiver.Reordered
			resent += r.Flows[i].Sender.Resent
		}
		return []uint64{r.Summary.Marks, r.Summary.CNPs, r.Summary.LinkLost, reordered, resent}
	}},
}

// windowsShow runs a scenario once plainly, then with each cut, and returns the differences. Options makes the common
// options of all these runs.
func windowsShow(yaml string, workers int, codec bool, options func() lab.Options) (all lab.Criteria) {
	p := lab.Plans(yaml)[0]
	want := fingerprintOf(p, options())
	for _, x := range cuttings {
		o := options()
		o.Workers, o.AllWorkers, o.Codec, o.Cut = workers, true, codec, x.of(p.Lookahead())
		c := criteria(want, fingerprintOf(p, o), x.name)
		all.Missed = append(all.Missed, c.Missed...)
	}
	return all
}

func plain() lab.Options { return lab.Options{} }

var _ = Describe("a run", func() {
	for i := range scenarios {
		s := &scenarios[i]
		Describe("of "+s.name, Label(s.label), func() {
			It("exercises what it is meant to, completes, and repeats itself", func() {
				p := lab.Plans(s.yaml)[0]
				r := lab.Do(p, lab.Options{Lossy: true})
				t := lab.NewTable("hops", "windows", "effects", "trace")
				t.Row(r.Hops, r.Windows, s.effects(r), fmt.Sprintf("%016x", r.Trace))
				t.Report(s.name)
				Expect(s.effects(r)).To(HaveEach(BeNumerically(">", 0)))
				Expect(r.Summary.Incomplete).To(BeZero())
				Expect(fingerprintOf(p, lab.Options{})).To(Equal(fingerprintOf(p, lab.Options{})))
			})
			for _, workers := range []int{1, 2, 4} {
				for _, codec := range []bool{false, true} {
					frames := "pointers"
					if codec {
						frames = "bytes"
					}
					// Every day two workers carry bytes; the first scenario is run in all ways.
					everyday := i == 0 || workers == 2 && codec
					labels := Label("slow")
					if everyday {
						labels = nil
					}
					says := fmt.Sprintf("is the same for all windows with %d worker(s), frames as %s", workers, frames)
					It(says, labels, func() {
						if !everyday {
							lab.SkipUnlessSlow()
						}
						c := windowsShow(s.yaml, workers, codec, plain)
						Expect(c.Missed).To(BeEmpty())
					})
				}
			}
		})
	}

	It("differs between windows when the flows of different NICs share a variable", Label("mutant"), func() {
		c := windowsShow(scenarios[0].yaml, 1, false, func() lab.Options {
			return lab.Options{Algorithms: mutant.Gossip().In("pc4")}
		})
		AddReportEntry("mutant", c.String(), ReportEntryVisibilityFailureOrVerbose)
		Expect(c.Missed).NotTo(BeEmpty())
	})
})

var _ = Describe("a run of 128 hosts", Label("slow", "fat-tree"), func() {
	It("is the same for all windows, workers and ways to carry frames", func() {
		lab.SkipUnlessSlow()
		const yaml = `
name: fat-tree-128
algorithm: dcqcn
topology: {kind: fat-tree, hosts: 128}
switch: {forwarding: spray, ecn: {kmin: 20KB, kmax: 80KB}}
nic: {receiver: ooo, clock: {noise: 100ns}}
traffic: [{kind: permutation, flows: 4, size: 250KB}, {kind: incast, senders: 32, size: 100KB}]
record: {interval: 10us}
`
		for _, workers := range []int{1, 2, 4} {
			for _, codec := range []bool{false, true} {
				c := windowsShow(yaml, workers, codec, plain)
				Expect(c.Missed).To(BeEmpty(), "%d workers, codec %v", workers, codec)
			}
		}
	})
})

var _ = Describe("another run", func() {
	trace := func(yaml string) uint64 { return lab.Do(lab.Plans(yaml)[0], lab.Options{Lossy: true}).Trace }

	It("has another trace with every other seed", func() {
		for i := range scenarios {
			seeds := map[uint64]int{}
			for seed := range 10 {
				t := trace(fmt.Sprintf("seed: %d%s", seed, scenarios[i].yaml))
				Expect(seeds).NotTo(HaveKey(t), "%s, seed %d", scenarios[i].name, seed)
				seeds[t] = seed
			}
		}
	})

	DescribeTable("has another trace when one parameter differs",
		func(scenario int, is, becomes string) {
			yaml := scenarios[scenario].yaml
			other := strings.Replace(yaml, is, becomes, 1)
			Expect(other).NotTo(Equal(yaml))
			Expect(trace(other)).NotTo(Equal(trace(yaml)))
		},
		Entry("a byte more to send", 0, "size: 1MB", "size: 1000001B"),
		Entry("a picosecond more of latency", 0, "hosts: 17", "hosts: 17, latency: 1000001ps"),
		Entry("a nanosecond more of noise", 0, "noise: 400ns", "noise: 401ns"),
		Entry("another gain", 0, "algorithm: pc4", "algorithm: {name: pc4, params: {beta: 0.81}}"),
		Entry("a frame more of Kmin", 1, "kmin: 50KB", "kmin: 52KB"),
		Entry("a quantum more of pause", 1, "quanta: 1000", "quanta: 1001"),
		Entry("a little more loss", 1, "loss: 0.01", "loss: 0.0101"),
		Entry("a microsecond more of RTO", 1, "floor: 100us", "floor: 101us"),
		Entry("another order of destinations", 2, "order: random", "order: shifted"),
		Entry("turns instead of draws", 2, "forwarding: spray", "forwarding: round_robin"),
		Entry("another receiver", 2, "receiver: ooo", "receiver: gbn"),
		Entry("hashed flowlets", 3, "kmin: 20KB, kmax: 80KB}", "kmin: 20KB, kmax: 80KB}, forwarding: flowlet"),
	)
})
