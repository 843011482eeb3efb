//go:build linux && !mem

package bench

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/testbed/look/compare"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// VethCase is the incast on a testbed of containers.
type VethCase struct {
	// Name is "incast/dcqcn/1000B" and so on.
	Name    string
	Plan    *plan.Plan
	Daemons veth.Daemons
	// Plugins are the programs that run the algorithm; with none it is built
	// in.
	Plugins map[string]string
}

// VethResult is the measurement of a case: the median run by wall time, for the windows only, without bringing the
// testbed up.
type VethResult struct {
	Name          string  `json:"name"`
	Daemons       string  `json:"daemons"`
	Algorithms    string  `json:"algorithms"`
	Hops          uint64  `json:"packet_hops"`
	Windows       uint64  `json:"windows"`
	Wall          float64 `json:"wall_s"`
	HopsPerSecond float64 `json:"packet_hops_per_s"`
	Best          float64 `json:"packet_hops_per_s_best"`
	Worst         float64 `json:"packet_hops_per_s_worst"`
	Trace         string  `json:"trace"`
}

// VethPlans returns the incast with two algorithms and two packet sizes, in the order of printing.
func VethPlans(check scenario.CheckAlgorithm) (names []string, plans []*plan.Plan, err error) {
	for _, mtu := range []string{"1000B", "4096B"} {
		s, err := scenario.Parse("incast.yaml", incast, check,
			scenario.WithOverrides(map[string]string{"mtu": mtu, "traffic.size": "10MB"}))
		if err != nil {
			return nil, nil, err
		}
		list, err := s.Plans()
		if err != nil {
			return nil, nil, err
		}
		for _, p := range list {
			if p.Name != "dcqcn" && p.Name != "pc4" {
				continue
			}
			names = append(names, fmt.Sprintf("incast/%s/%s", p.Name, mtu))
			plans = append(plans, p)
		}
	}
	return names, plans, nil
}

// RunVeth measures a case the given number of times on one testbed.
func RunVeth(ctx context.Context, c VethCase, runs int) (r VethResult, err error) {
	r = VethResult{Name: c.Name, Daemons: string(c.Daemons), Algorithms: "builtin"}
	if len(c.Plugins) > 0 {
		r.Algorithms = "process"
	}
	t, err := veth.Deploy(ctx, c.Plan, veth.Config{
		Name:      testbedName(),
		Scenario:  c.Name,
		Daemons:   c.Daemons,
		Plugins:   c.Plugins,
		Ephemeral: true,
	})
	if err != nil {
		return r, err
	}
	defer func() {
		if gone := t.Destroy(context.WithoutCancel(ctx)); err == nil {
			err = gone
		}
	}()
	var walls []float64
	for range max(runs, 1) {
		out, err := t.Run(ctx, c.Plan, veth.Options{Plugins: c.Plugins})
		if err != nil {
			return r, err
		}
		if out.Interrupted {
			return r, context.Canceled
		}
		trace := fmt.Sprintf("%016x", out.Trace)
		if r.Trace != "" && r.Trace != trace {
			return r, fmt.Errorf("%s: two runs of one plan gave the traces %s and %s", c.Name, r.Trace, trace)
		}
		r.Trace, r.Hops, r.Windows = trace, out.Hops, out.Windows
		walls = append(walls, out.Wall.Seconds())
	}
	r.Wall = compare.Median(walls)
	hops := float64(r.Hops)
	r.HopsPerSecond, r.Best, r.Worst = hops/r.Wall, hops/slices.Min(walls), hops/slices.Max(walls)
	return r, nil
}

// testbedName is the name of a benchmark's testbed.
func testbedName() string { return fmt.Sprintf("bench-%d", os.Getpid()) }

// Window is the cost of a window in which every active node has one empty timer.
type Window struct {
	Nodes     int     `json:"nodes"`
	Active    int     `json:"active"`
	PerWindow float64 `json:"window_us"`
	PerNode   float64 `json:"window_us_per_active_node"`
}

// Windows measures windows of 4, 16 and 40 nodes, one daemon each, and of 40 with two active.
func Windows(ctx context.Context) (list []Window, err error) {
	const windows = 20_000
	for _, w := range []Window{{Nodes: 4, Active: 4}, {Nodes: 16, Active: 16}, {Nodes: 40, Active: 40},
		{Nodes: 40, Active: 2}} {
		took, err := barrier(ctx, testbedName(), w.Nodes, w.Active, windows)
		if err != nil {
			return nil, err
		}
		w.PerWindow = took.Seconds() * 1e6
		w.PerNode = w.PerWindow / float64(w.Active)
		list = append(list, w)
	}
	return list, nil
}

// UpDown is the time that a testbed takes to come and go.
type UpDown struct {
	Nodes   int     `json:"nodes"`
	Links   int     `json:"links"`
	Runtime string  `json:"runtime"`
	Up      float64 `json:"up_s"`
	Down    float64 `json:"down_s"`
}

// fabrics are the fabrics of UpDown, by their number of nodes.
var fabrics = map[int]string{
	40:  "{kind: star, hosts: 39}",
	400: "{kind: leaf-spine, leaves: 19, spines: 1, hosts_per_leaf: 20}",
}

// MeasureUpDown brings up a testbed of 40 or 400 nodes, one container each,
// with its links, and takes it away.
func MeasureUpDown(ctx context.Context, nodes int, runtime string,
	check scenario.CheckAlgorithm) (r UpDown, err error) {
	source := fmt.Sprintf("name: up-down\ntopology: %s\ntraffic:\n  - {name: one, kind: flow, from: h0, to: h1, size: "+
		"1KB, algorithm: fixed}\n", fabrics[nodes])
	s, err := scenario.Parse("up-down.yaml", []byte(source), check)
	if err != nil {
		return r, err
	}
	plans, err := s.Plans()
	if err != nil {
		return r, err
	}
	began := time.Now()
	t, err := veth.Deploy(ctx, plans[0], veth.Config{Name: testbedName(), Scenario: "up-down",
		Runtime: runtime, Ephemeral: true})
	if err != nil {
		return r, err
	}
	up := time.Now()
	r = UpDown{Nodes: len(t.Nodes), Links: len(t.Links), Runtime: t.Runtime, Up: up.Sub(began).Seconds()}
	err = t.Destroy(context.WithoutCancel(ctx))
	r.Down = time.Since(up).Seconds()
	return r, err
}
