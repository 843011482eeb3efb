package record

import (
	"slices"
	"testing"

	"github.com/rocelab/rocelab/emulator/unit"
)

func TestSeries(t *testing.T) {
	type step struct {
		at unit.Time
		v  int64
	}
	steps := []step{{0, 5}, {9, 2}, {10, 7}, {39, 1}, {39, 4}} // bins of 10: 0, 0, 1, 3, 3
	for _, c := range []struct {
		name  string
		apply func(*Series, unit.Time, int64)
		want  []int64
	}{
		{"Add", (*Series).Add, []int64{7, 7, 0, 5}},
		{"Max", (*Series).Max, []int64{5, 7, 0, 4}},
		{"Set", (*Series).Set, []int64{2, 7, 7, 4}}, // a skipped bin repeats the last value
	} {
		s := Series{Interval: 10}
		var off Series
		for _, step := range steps {
			c.apply(&s, step.at, step.v)
			c.apply(&off, step.at, step.v)
		}
		if !slices.Equal(s.Bins, c.want) {
			t.Errorf("%s: %v, want %v", c.name, s.Bins, c.want)
		}
		if off.Bins != nil {
			t.Errorf("%s: a series without interval recorded", c.name)
		}
	}
}

// Set's bins before the first value hold 0.
func TestSetStartsLate(t *testing.T) {
	s := Series{Interval: 10}
	s.Set(25, 9)
	if !slices.Equal(s.Bins, []int64{0, 0, 9}) {
		t.Errorf("%v", s.Bins)
	}
}
