package bench

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/look/compare"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/mem"
)

// A packet-hop is one transmission of a data or control frame by any port.
var (
	//go:embed incast.yaml
	incast []byte
	//go:embed permutation.yaml
	permutation []byte
)

// Case is one benchmark: a scenario's variant with a number of workers.
type Case struct {
	// Name is "incast/dcqcn", "permutation/fixed" and so on.
	Name    string
	Workers int
	// Long marks a case that takes minutes: it is for those who name it.
	Long bool
	// Base is the name of the case from which this one differs in just one thing, which it measures; "" for none.
	Base string
	// NoRecord makes the runs keep no time series.
	NoRecord bool
	// plan builds the plan, which is not kept: it would count as memory of
	// all cases of the process.
	plan func() (*plan.Plan, error)
}

// Result is the measurement of one case: the median run by wall time.
type Result struct {
	Name    string `json:"name"`
	Workers int    `json:"workers"`
	// Hops, Events and Simulated describe the work, which is the same in
	// every run; Wall is the median run's.
	Hops      uint64  `json:"packet_hops"`
	Events    uint64  `json:"events"`
	Simulated float64 `json:"simulated_s"`
	Wall      float64 `json:"wall_s"`
	// HopsPerSecond and EventsPerSecond are of the median run; Best and
	// Worst bound the hops per second of all runs.
	HopsPerSecond   float64 `json:"packet_hops_per_s"`
	EventsPerSecond float64 `json:"events_per_s"`
	Best            float64 `json:"packet_hops_per_s_best"`
	Worst           float64 `json:"packet_hops_per_s_worst"`
	// Base is the case's base if both were measured in turn. Cost is the time per packet-hop as a multiple of the
	// base's: the median of the pairs of runs; CostLeast and CostMost bound the others.
	Base      string  `json:"base,omitempty"`
	Cost      float64 `json:"time_per_packet_hop_of_base,omitempty"`
	CostLeast float64 `json:"time_per_packet_hop_of_base_least,omitempty"`
	CostMost  float64 `json:"time_per_packet_hop_of_base_most,omitempty"`
	// CPUPerHop is the processor time of the process, all workers and the
	// garbage collector included, over the hops, in ns: the median run's; 0
	// where the system does not say. A busy machine disturbs it less than Wall.
	CPUPerHop float64 `json:"cpu_ns_per_packet_hop"`
	// Idle is the share of the wall time during which no node of a worker ran, for each worker in the last run: it
	// waited for others, or they ran their nodes on one worker since that was faster; nil with one worker.
	Idle []float64 `json:"idle_share_of_workers,omitempty"`
	// AllocsPerHop counts heap allocations of the whole run, building the
	// models and warming up included, over its hops.
	AllocsPerHop float64 `json:"allocs_per_packet_hop"`
	// PeakBytes is the largest resident set during the case; 0 where the
	// system does not say.
	PeakBytes int64 `json:"peak_rss_bytes"`
	// Trace is the run's fingerprint, equal in every run of the case and for
	// any number of workers.
	Trace string `json:"trace"`
}

// Cases returns the benchmarks in the order of printing, for each of the given numbers of workers. A case with a base
// follows it.
func Cases(check scenario.CheckAlgorithm, workers ...int) ([]Case, error) {
	var cases []Case
	for _, file := range []struct {
		name   string
		source []byte
	}{{"incast", incast}, {"permutation", permutation}} {
		s, err := scenario.Parse(file.name+".yaml", file.source, check)
		if err != nil {
			return nil, err
		}
		plans, err := s.Plans()
		if err != nil {
			return nil, err
		}
		for _, p := range plans {
			for _, w := range workers {
				cases = append(cases, Case{Name: file.name + "/" + p.Name, Workers: w,
					plan: func() (*plan.Plan, error) { return p, nil }})
			}
		}
	}
	return append(cases, twoDCCases(check, workers)...), nil
}

// Run measures cases the given number of times, in turn: what a busy machine
// takes from one of them it takes from all.
func Run(ctx context.Context, cases []Case, runs int, algorithms func(string) (cc.Algorithm, bool)) ([]Result, error) {
	measurements := make([]measurement, len(cases))
	for i, c := range cases {
		p, err := c.plan()
		if err != nil {
			return nil, err
		}
		p.Record.Off = c.NoRecord
		measurements[i] = measurement{plan: p, result: Result{Name: c.Name, Workers: c.Workers}}
	}
	for range max(runs, 1) {
		for i := range measurements {
			if err := measurements[i].run(ctx, algorithms); err != nil {
				return nil, err
			}
		}
	}
	var results []Result
	for i := range measurements {
		for j := range measurements[:i] {
			if cases[i].Base == cases[j].Name && cases[i].Workers == cases[j].Workers {
				measurements[i].compare(&measurements[j])
			}
		}
	}
	for i := range measurements {
		results = append(results, measurements[i].close())
	}
	return results, nil
}

// measurement is the cost of a case's runs so far.
type measurement struct {
	plan   *plan.Plan
	result Result
	// walls are the runs' wall times and cpus their processor times, in s and
	// in the order of the runs.
	walls, cpus []float64
}

func (m *measurement) run(ctx context.Context, algorithms func(string) (cc.Algorithm, bool)) error {
	r := &m.result
	debug.FreeOSMemory()
	resetPeak()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began := campaign.ProcessorTime()
	out, err := mem.Run(ctx, m.plan, mem.Options{Workers: r.Workers, Timed: r.Workers > 1, Algorithms: algorithms})
	if err != nil {
		return err
	}
	if out.Interrupted {
		return context.Canceled
	}
	m.cpus = append(m.cpus, (campaign.ProcessorTime() - began).Seconds())
	runtime.ReadMemStats(&after)
	r.PeakBytes = max(r.PeakBytes, peak())
	m.walls = append(m.walls, out.Wall.Seconds())
	r.Idle = idleShares(out.Busy, out.Wall)
	r.Hops, r.Events, r.Simulated = out.Hops, out.Events, out.End.Seconds()
	r.AllocsPerHop = float64(after.Mallocs-before.Mallocs) / float64(max(out.Hops, 1))
	trace := fmt.Sprintf("%016x", out.Trace)
	if r.Trace != "" && r.Trace != trace {
		return fmt.Errorf("%s: two runs of one plan gave the traces %s and %s", r.Name, r.Trace, trace)
	}
	r.Trace = trace
	return nil
}

// idleShares returns the shares of the wall time during which workers were not busy; nil with one of them.
func idleShares(busy []time.Duration, wall time.Duration) (shares []float64) {
	if len(busy) < 2 {
		return nil
	}
	for _, b := range busy {
		shares = append(shares, 1-b.Seconds()/wall.Seconds())
	}
	return shares
}

// compare holds each run against the base's run before it.
func (m *measurement) compare(base *measurement) {
	var costs []float64
	hops := float64(base.result.Hops) / float64(m.result.Hops)
	for i, wall := range m.walls {
		costs = append(costs, wall/base.walls[i]*hops)
	}
	r := &m.result
	r.Base, r.Cost = base.result.Name, compare.Median(costs)
	r.CostLeast, r.CostMost = slices.Min(costs), slices.Max(costs)
}

func (m *measurement) close() Result {
	r := m.result
	r.Wall = compare.Median(m.walls)
	r.CPUPerHop = compare.Median(m.cpus) * 1e9 / float64(r.Hops)
	r.HopsPerSecond, r.EventsPerSecond = float64(r.Hops)/r.Wall, float64(r.Events)/r.Wall
	r.Best, r.Worst = float64(r.Hops)/slices.Min(m.walls), float64(r.Hops)/slices.Max(m.walls)
	return r
}

// resetPeak has Linux forget the process's largest resident set, so that the
// cases of one process do not hide behind each other.
func resetPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }

func peak() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(status) {
		if rest, ok := strings.CutPrefix(string(line), "VmHWM:"); ok {
			kib, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64)
			if err == nil {
				return kib * int64(unit.Bytes(1024))
			}
		}
	}
	return 0
}
