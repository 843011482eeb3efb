package record

import (
	"fmt"
	"math"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Samples of 10, 10, 15, 11 and 5 us have averages of 10, 10, 11, 11 and 9.8 us.
func TestSwing(t *testing.T) {
	var s, all Swing
	for _, us := range []unit.Duration{10, 10, 15, 11, 5} {
		s.Add(us * unit.Microsecond)
	}
	var want [len(SwingEdges) + 1]uint32
	want[0] = 2  // 0 and 0
	want[10] = 2 // 4/11 = .364 and 4.8/9.8 = .490
	if s.Counts != want || math.Abs(s.Sum-(4.0/11+4.8/9.8)) > 1e-12 {
		t.Errorf("%v, sum %v", s.Counts, s.Sum)
	}
	all.Merge(&s)
	all.Merge(&s)
	if all.Count() != 8 || all.Sum != 2*s.Sum || all.Counts[10] != 4 {
		t.Errorf("twice: %+v", all)
	}
}

// A share that is an edge belongs to the step above it; one beyond all has a step, too.
func TestSwingSteps(t *testing.T) {
	for _, c := range []struct {
		from, to unit.Duration
		step     int
	}{
		{1000, 1000, 0},
		{10_000, 10_500, 3},  // S 10100, K .0396
		{10_000, 10_527, 4},  // S 10105.4, K .0417
		{10_000, 60_000, 13}, // S 20000, K 2
		{10_000, 30_000, 12}, // S 14000, K 1.14
		{60_000, 10_000, 11}, // S 50000, K -.8
	} {
		t.Run(fmt.Sprintf("from=%v,to=%v", c.from, c.to), func(t *testing.T) {
			var s Swing
			s.Add(c.from)
			s.Add(c.to)
			if s.Counts[c.step] != 1 || s.Count() != 1 {
				t.Errorf("%d after %d: %v, want step %d", c.to, c.from, s.Counts, c.step)
			}
		})
	}
}
