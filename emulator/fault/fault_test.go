package fault

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// All faults begin before any ends, one without an end has no event for it, and each change is its own fault's. Red:
// with one loop in Schedule for both.
func TestBeginningsComeFirst(t *testing.T) {
	var done []string
	note := func(what string) func(*int, *Planned, *Met) {
		return func(_ *int, f *Planned, met *Met) {
			met.Count(100)
			done = append(done, fmt.Sprintf("%s %s %d", what, f.Kind, f.From))
		}
	}
	models := Models[*int]{
		"both":   {Prepare: func(n *int) { *n++ }, Begin: note("begin"), End: note("end")},
		"begins": {Begin: note("begin")},
	}
	prepared := 0
	f := New(&prepared, models, []Planned{
		{Kind: "both", From: 1, To: 2},
		{Kind: "begins", From: 5, To: 6},
		{Kind: "both", From: 2, To: 3},
	})
	var changes []uint32
	var times []unit.Time
	f.Schedule(func(at unit.Time, change uint32) { changes, times = append(changes, change), append(times, at) })
	for _, change := range changes {
		f.Change(&prepared, change)
	}
	if want := []unit.Time{1, 5, 2, 2, 3}; !slices.Equal(times, want) {
		t.Errorf("scheduled at %v, want %v", times, want)
	}
	want := []string{"begin both 1", "begin begins 5", "begin both 2", "end both 1", "end both 2"}
	if !slices.Equal(done, want) {
		t.Errorf("done: %q, want %q", done, want)
	}
	if met := f.Met(1); prepared != 2 || len(met) != 2 || met[0] != (Met{1, 100}) || met[1] != (Met{2, 200}) {
		t.Errorf("prepared %d, met %v", prepared, met)
	}
}

// A node without faults has nothing to schedule; a kind without a model is a bug.
func TestNoFaults(t *testing.T) {
	f := New(0, Models[int]{}, nil)
	f.Schedule(func(unit.Time, uint32) { t.Error("something is scheduled") })
	if f != nil || f.Met(0) != nil {
		t.Errorf("%v, met %v", f, f.Met(0))
	}
	defer func() {
		if recover() == nil {
			t.Error("a kind without a model is accepted")
		}
	}()
	New(0, Models[int]{"a": {}}, []Planned{{Kind: "b"}})
}
