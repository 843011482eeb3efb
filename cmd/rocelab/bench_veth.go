//go:build linux && !mem

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/registry"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/bench"
	"github.com/rocelab/rocelab/testbed/model"
	"github.com/rocelab/rocelab/testbed/nodes/container"
	"github.com/rocelab/rocelab/testbed/nodes/doctor"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// vethFigures has the results of bench --on veth.
type vethFigures struct {
	Throughput []bench.VethResult `json:"throughput,omitempty"`
	Windows    []bench.Window     `json:"windows,omitempty"`
	RoundTrips []bench.RoundTrip  `json:"plugin_round_trips,omitempty"`
	UpDown     []bench.UpDown     `json:"up_down,omitempty"`
}

// benchVeth measures the testbed: the parts whose names contain one of the words, or all without any. It reports parts
// as they are done.
func benchVeth(ctx context.Context, words []string, runs int, format page.Format,
	stdout, stderr io.Writer) error {
	if err := doctor.Required(); err != nil {
		return host(err)
	}
	bench := &vethBench{
		words:    words,
		runs:     runs,
		stderr:   stderr,
		check:    model.Checker(shipped.Find),
		programs: registry.New(registry.Config{Builtin: shipped.All(), Mode: registry.Process}),
	}
	for _, part := range []func(context.Context) error{bench.throughput, bench.windows, bench.roundTrips, bench.upDown} {
		if err := part(ctx); errors.Is(err, context.Canceled) {
			return errInterrupted
		} else if err != nil {
			return testbedError(err)
		}
	}
	if bench.parts == 0 {
		return usage(fmt.Errorf("no benchmark on veth is called %s: there are %s", strings.Join(words, " or "),
			strings.Join(bench.names, ", ")))
	}
	return printAs(stdout, format, bench.figures, bench.figures.document())
}

type vethBench struct {
	words    []string
	runs     int
	stderr   io.Writer
	check    func(string, map[string]string) error
	programs *registry.Registry
	figures  vethFigures
	parts    int
	names    []string
}

// wanted reports whether a part is to be measured, and prints its name if so.
func (m *vethBench) wanted(name string) bool {
	m.names = append(m.names, name)
	found := len(m.words) == 0
	for _, w := range m.words {
		found = found || strings.Contains(name, w)
	}
	if found {
		m.parts++
		fmt.Fprintf(m.stderr, "%s\n", name)
	}
	return found
}

// throughput measures the incast with each way to place daemons, and with
// algorithms as processes.
func (m *vethBench) throughput(ctx context.Context) error {
	names, plans, err := bench.VethPlans(m.check)
	if err != nil {
		return err
	}
	for i, p := range plans {
		for _, daemons := range []veth.Daemons{veth.PerNode, veth.Pool} {
			for _, mode := range []registry.Mode{registry.Builtin, registry.Process} {
				if !m.wanted(fmt.Sprintf("%s/%s/%s", names[i], daemons, mode)) {
					continue
				}
				c := bench.VethCase{Name: names[i], Plan: p, Daemons: daemons}
				if mode == registry.Process {
					if c.Plugins, err = m.program(p); err != nil {
						return err
					}
				}
				r, err := bench.RunVeth(ctx, c, m.runs)
				if err != nil {
					return err
				}
				m.figures.Throughput = append(m.figures.Throughput, r)
			}
		}
	}
	return nil
}

// program finds the program of the one algorithm of a plan.
func (m *vethBench) program(plan *plan.Plan) (map[string]string, error) {
	name := plan.Flows[0].Algorithm.Name
	program, err := m.programs.Program(name)
	if err != nil {
		return nil, usage(fmt.Errorf("algorithms as processes: %w", err))
	}
	return map[string]string{name: program.Path}, nil
}

func (m *vethBench) windows(ctx context.Context) (err error) {
	if m.wanted("windows") {
		m.figures.Windows, err = bench.Windows(ctx)
	}
	return err
}

func (m *vethBench) roundTrips(context.Context) error {
	if !m.wanted("round-trips") {
		return nil
	}
	program, err := m.programs.Program("dcqcn")
	if err != nil {
		return usage(fmt.Errorf("plugin round trips: %w", err))
	}
	m.figures.RoundTrips, err = bench.RoundTrips(program)
	return err
}

func (m *vethBench) upDown(ctx context.Context) error {
	for _, runtime := range []string{container.Builtin, container.Runc} {
		for _, nodes := range []int{40, 400} {
			if !m.wanted(fmt.Sprintf("up-down/%d/%s", nodes, runtime)) {
				continue
			}
			if _, err := container.Find(runtime); err != nil {
				fmt.Fprintf(m.stderr, "  left out: %v\n", err)
				continue
			}
			r, err := bench.MeasureUpDown(ctx, nodes, runtime, m.check)
			if err != nil {
				return err
			}
			m.figures.UpDown = append(m.figures.UpDown, r)
		}
	}
	return nil
}

// document has a table for each part that was measured.
func (f *vethFigures) document() *page.Document {
	d := &page.Document{Title: "Benchmarks on veth", Kind: "bench"}
	add := func(t *page.Table) {
		if len(t.Rows) == 0 {
			return
		}
		if len(d.Blocks) > 0 {
			d.Add(page.Gap{})
		}
		d.Add(t)
	}
	t := page.New("incast on veth", "daemon per", "algorithms", "k hops/s", "worst..best", "wall s", "windows")
	for _, r := range f.Throughput {
		t.Add(strings.TrimPrefix(r.Name, "incast/"), r.Daemons, r.Algorithms, inThousands(r.HopsPerSecond),
			inThousands(r.Worst)+".."+inThousands(r.Best), fmt.Sprintf("%.2f", r.Wall), r.Windows)
	}
	add(t)
	t = page.New("empty windows: nodes", "active", "us a window", "us an active node")
	for _, r := range f.Windows {
		t.Add(r.Nodes, r.Active, fmt.Sprintf("%.1f", r.PerWindow), fmt.Sprintf("%.2f", r.PerNode))
	}
	add(t)
	t = page.New("plugin round trip: events", "median us", "p99 us", "us an event")
	for _, r := range f.RoundTrips {
		t.Add(r.Events, fmt.Sprintf("%.2f", r.Median), fmt.Sprintf("%.2f", r.P99), fmt.Sprintf("%.3f", r.PerEvent))
	}
	add(t)
	t = page.New("up and down: nodes", "links", "runtime", "up s", "down s")
	for _, r := range f.UpDown {
		t.Add(r.Nodes, r.Links, r.Runtime, fmt.Sprintf("%.2f", r.Up), fmt.Sprintf("%.2f", r.Down))
	}
	add(t)
	return d
}

func inThousands(value float64) string { return fmt.Sprintf("%.0f", value/1e3) }
