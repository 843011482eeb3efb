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

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/cc"
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
	Plan    *plan.Plan
	Workers int
}

// Result is what one case measured: the median run by wall time.
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
	// AllocsPerHop counts heap allocations of the whole run, building the
	// models and warming up included, over its hops.
	AllocsPerHop float64 `json:"allocs_per_packet_hop"`
	// PeakBytes is the largest resident set during the case; 0 where the
	// system does not tell.
	PeakBytes int64 `json:"peak_rss_bytes"`
	// Trace is the run's fingerprint, equal in every run of the case and for
	// any number of workers.
	Trace string `json:"trace"`
}

// Cases returns the benchmarks in the order in which they are printed, for
// each of the given numbers of workers.
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
				cases = append(cases, Case{file.name + "/" + p.Name, p, w})
			}
		}
	}
	return cases, nil
}

// Run measures a case the given number of times.
func Run(ctx context.Context, c Case, runs int, algorithms func(string) (cc.Algorithm, bool)) (Result, error) {
	r := Result{Name: c.Name, Workers: c.Workers}
	var walls []float64
	resetPeak()
	for range max(runs, 1) {
		debug.FreeOSMemory()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		out, err := mem.Run(ctx, c.Plan, mem.Options{Workers: c.Workers, Algorithms: algorithms})
		if err != nil {
			return r, err
		}
		if out.Interrupted {
			return r, context.Canceled
		}
		runtime.ReadMemStats(&after)
		walls = append(walls, out.Wall.Seconds())
		r.Hops, r.Events, r.Simulated = out.Hops, out.Events, out.End.Seconds()
		r.AllocsPerHop = float64(after.Mallocs-before.Mallocs) / float64(max(out.Hops, 1))
		trace := fmt.Sprintf("%016x", out.Trace)
		if r.Trace != "" && r.Trace != trace {
			return r, fmt.Errorf("%s: two runs of one plan gave the traces %s and %s", c.Name, r.Trace, trace)
		}
		r.Trace = trace
	}
	slices.Sort(walls)
	r.Wall = walls[len(walls)/2]
	r.HopsPerSecond, r.EventsPerSecond = float64(r.Hops)/r.Wall, float64(r.Events)/r.Wall
	r.Best, r.Worst = float64(r.Hops)/walls[0], float64(r.Hops)/walls[len(walls)-1]
	r.PeakBytes = peak()
	return r, nil
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
