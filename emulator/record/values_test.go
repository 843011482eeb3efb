package record

import (
	"fmt"
	"math"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// told is the text of a meter's record, with "-" for no value.
func told(values *Values, last int) (text string) {
	for bin := range last {
		if v, ok := values.List[0].At(bin); ok {
			text += fmt.Sprint(v, " ")
		} else {
			text += "- "
		}
	}
	return text
}

// A bin has the value that the last event in it left; later bins repeat it, and a number that is not finite counts as
// none. Pairs of bins merge to the later one.
func TestValuesAreTheLastOfTheirBins(t *testing.T) {
	now := 0.0
	asked := 0
	read := func(into []float64) { into[0], asked = now, asked+1 }
	event := func(m *ValuesMeter, at unit.Time, then float64) {
		if at >= m.End {
			m.Close(at)
		}
		now = then
	}
	play := func(grid Grid) *Values {
		now, asked = 0, 0
		m := NewValuesMeter(grid, []Value{{Name: "v"}}, read)
		m.Begin(10)
		event(m, 10, 1)
		event(m, 15, -0.25)
		event(m, 21, math.Inf(1))
		event(m, 29, math.NaN())
		event(m, 45, 1e39)
		event(m, 51, math.Copysign(0, -1))
		event(m, 79, 3)
		return m.Until(80, grid)
	}
	got := play(Grid{Width: 10})
	if text, want := told(got, 8)[2:], "-0.25 - - - 0 0 3 "; text != want || got.Width != 10 || asked != 5 {
		t.Errorf("%q in bins of %v, asked %d times, want %q", text, got.Width, asked, want)
	}
	got = play(Grid{Width: 10, Most: 4})
	if text, want := told(got, 2), "- 3 "; text != want || got.Width != 40 {
		t.Errorf("%q in bins of %v, want %q", text, got.Width, want)
	}
	if m := NewValuesMeter(Grid{Width: 10}, []Value{{}}, read); m.Until(50, Grid{Width: 10}) != nil {
		t.Error("one that did not begin has values")
	}
}

// A batch asks for what one by one would have been asked for.
func TestValuesOfABatch(t *testing.T) {
	grid := Grid{Width: 10, Most: 4}
	meter := func() *ValuesMeter {
		m := NewValuesMeter(grid, []Value{{Name: "v"}}, func(into []float64) { into[0] = 99 })
		m.Begin(0)
		return m
	}
	alone, batch := meter(), meter()
	times := []unit.Time{1, 3, 12, 19, 20, 21, 47, 48, 90, 130}
	var asked []unit.Time
	for i, at := range times {
		if at >= alone.End {
			alone.Note(at, []float64{float64(i)})
		}
		if batch.Due(at) {
			asked = append(asked, at)
		}
	}
	for i, at := range times {
		for _, a := range asked {
			if a == at {
				batch.Note(at, []float64{float64(i)})
			}
		}
	}
	one, other := alone.Until(140, grid), batch.Until(140, grid)
	if told(one, 2) != told(other, 2) || one.Width != other.Width || len(asked) != 5 {
		t.Errorf("%q, alone %q; asked at %v", told(other, 2), told(one, 2), asked)
	}
}
