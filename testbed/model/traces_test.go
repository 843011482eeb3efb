package model

import (
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// The trace of the whole is made of the nodes' in the order of their names, at the end as
// at every instant before. A node with other instants is refused.
func TestTracesOfTheWhole(t *testing.T) {
	p := &plan.Plan{Switches: []plan.Switch{{Name: "s"}}, NICs: []plan.NIC{{Name: "b"}, {Name: "a"}}}
	reports := func(more ...trace.Hash) []Report {
		var list []Report
		for i := range trace.Hash(3) {
			list = append(list, Report{
				Trace:   10 + i,
				History: trace.History{Width: 3, Hashes: append([]trace.Hash{20 + i, 30 + i}, more...)},
			})
		}
		return list
	}
	var out result.Outcome
	if err := addTraces(&out, p, reports()); err != nil {
		t.Fatal(err)
	}
	whole := func(of trace.Hash) uint64 {
		return trace.Sum([]string{"a", "b", "s"}, []trace.Hash{of + 2, of + 1, of})
	}
	want := []result.TraceAt{{At: 3, Trace: whole(20)}, {At: unit.Time(6), Trace: whole(30)}}
	if out.Trace != whole(10) || !slices.Equal(out.Traces, want) {
		t.Errorf("%016x, %v, want %016x, %v", out.Trace, out.Traces, whole(10), want)
	}
	if !slices.Equal(out.NodeTraces, []trace.Hash{10, 11, 12}) {
		t.Errorf("%v", out.NodeTraces)
	}
	for name, spoil := range map[string]func(h *trace.History){
		"fewer": func(h *trace.History) { h.Hashes = h.Hashes[:1] },
		"wider": func(h *trace.History) { h.Width = 4 },
	} {
		t.Run(name, func(t *testing.T) {
			wrong := reports()
			spoil(&wrong[2].History)
			if err := addTraces(&result.Outcome{}, p, wrong); err == nil || !strings.Contains(err.Error(), "node a ") {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}
