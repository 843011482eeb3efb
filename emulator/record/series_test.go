package record

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// sample is a value at an instant.
type sample struct {
	at    unit.Time
	value uint64
}

// samples returns some, in the order of time, with gaps of all sizes.
func samples(rng *rand.Rand, most uint64) (list []sample) {
	at := unit.Time(0)
	for range 1 + rng.IntN(300) {
		list = append(list, sample{at, rng.Uint64N(most + 1)})
		at += unit.Time(rng.Int64N(1 << rng.IntN(12)))
	}
	return list
}

// record writes samples into a series by a timeline, as models do: a count waits until its bin is over.
func written(of kind, grid Grid, list []sample) (*Series, Timeline) {
	s := &Series{Kind: of}
	line := newTimeline(grid, s)
	open, touched := uint64(0), false
	for _, next := range list {
		if next.at >= line.End {
			if touched {
				s.Put(line.Open, open)
			}
			line.Turn(next.at)
			open, touched = 0, false
		}
		touched = true
		switch of {
		case Sum:
			open += next.value
		case Max:
			open = max(open, next.value)
		case Last:
			open = next.value
		}
	}
	s.Put(line.Open, open)
	return s, line
}

// direct computes the bins of one width at once, with the least shift that fits all of them.
func direct(of kind, width unit.Duration, list []sample) (values []uint64, shift int) {
	bins := int(int64(list[len(list)-1].at)/int64(width)) + 1
	totals := make([]uint64, bins) // up to the end of a bin, of sums
	touched := make([]bool, bins)
	for _, next := range list {
		i := int(int64(next.at) / int64(width))
		touched[i] = true
		switch of {
		case Sum:
			totals[i] += next.value
		case Max:
			totals[i] = max(totals[i], next.value)
		case Last:
			totals[i] = next.value
		}
	}
	for i := 1; i < bins; i++ {
		switch {
		case of == Sum:
			totals[i] += totals[i-1]
		case of == Last && !touched[i]:
			totals[i] = totals[i-1]
		}
	}
	for ; ; shift++ {
		values = values[:0]
		before, fits := uint64(0), true
		for _, v := range totals {
			if of == Sum {
				v, before = v>>shift-before, v>>shift
			} else {
				v >>= shift
			}
			fits = fits && v <= math.MaxUint32
			values = append(values, v<<shift)
		}
		if fits {
			return values, shift
		}
	}
}

// A series whose pairs of bins merge as the run goes on has the bins of the wider width as if it had had that width
// from the start: sums, maxima and last values, small and beyond 32 bits, for any order of growth. No part of a sum is
// lost.
func TestMergedBinsAreThoseOfTheWiderWidth(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 1))
	for round := range 3000 {
		of := kind(rng.IntN(3))
		most := []uint64{9, 1000, math.MaxUint32, 1 << 40}[rng.IntN(4)]
		grid := Grid{Width: unit.Duration(1 + rng.IntN(50)), Most: 2 << rng.IntN(5)}
		list := samples(rng, most)
		end := list[len(list)-1].at
		s, line := written(of, grid, list)
		if want := grid.WidthAt(end); line.Width() != want {
			t.Fatalf("round %d: bins of %v, want %v", round, line.Width(), want)
		}
		width := line.Width()
		if rng.IntN(2) == 0 { // as at the end of a run
			more := rng.IntN(4)
			s.Merge(more)
			width <<= more
		}
		want, shift := direct(of, width, list)
		if of == Last && int(s.Shift) > shift { // a value that another replaced may have asked for more
			for i := range want {
				want[i] = want[i] >> s.Shift << s.Shift
			}
		} else if int(s.Shift) != shift {
			t.Fatalf("round %d: kind %d, shift %d, want %d", round, of, s.Shift, shift)
		}
		for bin := range want {
			if got := uint64(s.At(bin)); got != want[bin] {
				t.Fatalf("round %d: kind %d, bin %d of %d is %d, want %d", round, of, bin, len(want), got, want[bin])
			}
		}
		if s.Len() > max(grid.Most, 1) || s.Len() > len(want) {
			t.Fatalf("round %d: %d bins, of %d", round, s.Len(), len(want))
		}
		if of == Sum {
			total, sum := uint64(0), s.Rest
			for _, next := range list {
				total += next.value
			}
			for bin := range s.Bins {
				sum += uint64(s.At(bin))
			}
			if sum != total {
				t.Fatalf("round %d: the sum is %d, of %d", round, sum, total)
			}
		}
	}
}

// A port of 800 Gb/s sends 4 GB in 40 ms, more than a bin of 4 bytes holds.
func TestSumBeyond32Bits(t *testing.T) {
	s := new(Series)
	for bin := range 5 {
		s.Put(bin, 4_000_000_001)
		s.Put(bin, 4_000_000_002)
	}
	if s.Shift != 1 || s.At(0) != 8_000_000_002 || s.At(1) != 8_000_000_004 || s.Rest != 1 {
		t.Errorf("shift %d, %d, %d, rest %d", s.Shift, s.At(0), s.At(1), s.Rest)
	}
	s.Merge(1)
	if s.Shift != 2 || s.Len() != 3 || s.At(2) != 8_000_000_003-3 || s.Rest != 3 {
		t.Errorf("shift %d, %v, last %d, rest %d", s.Shift, s.Bins, s.At(2), s.Rest)
	}
}

// Bins after the last one have 0, of last values the last; a nil series has none.
func TestAbsentBins(t *testing.T) {
	last, most := Series{Kind: Last}, Series{Kind: Max}
	last.Put(2, 9)
	most.Put(2, 9)
	if !slices.Equal(last.Bins, []uint32{0, 0, 9}) || last.At(7) != 9 || most.At(7) != 0 {
		t.Errorf("%v, %d, %d", last.Bins, last.At(7), most.At(7))
	}
	if s := (*Series)(nil); s.Len() != 0 || s.At(0) != 0 {
		t.Errorf("a nil series has bins")
	}
}

// Series of sums are added bin by bin, for any shifts.
func TestPlus(t *testing.T) {
	a, b := new(Series), new(Series)
	for bin := range 3 {
		a.Put(bin, 1<<33+1)
		b.Put(bin, 5)
	}
	b.Put(4, 7)
	a.Plus(b)
	a.Plus(nil)
	total := a.Rest
	for bin := range a.Len() {
		total += uint64(a.At(bin))
	}
	if total != 3*(1<<33+1)+15+7 || a.At(4) < 4 {
		t.Errorf("%+v, in all %d", a, total)
	}
}

// The time of a pause is in all bins that it covers, even if nothing else happened there.
func TestPausesSpread(t *testing.T) {
	grid := Grid{Width: 10}
	m := NewActivityMeter(grid)
	m.Hold(1, 5)
	m.Hold(1, 8)
	m.Hold(-1, 23)
	m.Hold(-1, 31)
	m.Hold(1, 48)
	got := m.Until(55, grid).Paused
	if want := []uint32{5 + 2, 20, 3 + 3 + 7, 1, 2, 5}; !slices.Equal(got.Bins, want) {
		t.Errorf("%v, want %v", got.Bins, want)
	}
}

// The same, while pairs of bins merge.
func TestPausesSpreadOverMergedBins(t *testing.T) {
	grid := Grid{Width: 10, Most: 4}
	m := NewActivityMeter(grid)
	m.Sent += 3
	m.Hold(1, 25)
	m.Hold(-1, 95)
	m.Close(95)
	m.Sent += 4
	got := m.Until(100, grid)
	paused, sent := []uint32{15, 40, 15}, []uint32{3, 0, 4}
	if !slices.Equal(got.Paused.Bins, paused) || !slices.Equal(got.Sent.Bins, sent) {
		t.Errorf("paused %v, want %v; sent %v, want %v", got.Paused.Bins, paused, got.Sent.Bins, sent)
	}
}

// Every length is in the step whose bounds hold it, and steps follow each other without a gap.
func TestDepthRanges(t *testing.T) {
	next, last := unit.Bytes(0), -1
	for next < 1<<40 {
		step, low, high := DepthRange(next)
		again, _, _ := DepthRange(high - 1)
		if low != next || high <= low || step <= last || again != step || lowest(step) != low {
			t.Fatalf("%d is in step %d, from %d to %d, which begins at %d", next, step, low, high, lowest(step))
		}
		width := high - low
		if low >= 1<<16 && float64(width) > 0.0625*float64(low) || low > 0 && low < 1<<16 && width != 4096 {
			t.Fatalf("step %d is %d wide, from %d on", step, width, low)
		}
		next, last = high, step
	}
}

func TestDepthQuantiles(t *testing.T) {
	var d Depths
	for _, part := range []struct {
		length unit.Bytes
		time   unit.Duration
	}{{0, 50}, {100_000, 49}, {1_000_000, 1}} {
		step, _, _ := DepthRange(part.length)
		d.Add(step, part.time)
	}
	for _, c := range []struct {
		q    float64
		want unit.Bytes
	}{{0.5, 0}, {0.51, 98304}, {0.99, 98304}, {1, 983040}} {
		t.Run(fmt.Sprintf("q=%v", c.q), func(t *testing.T) {
			if got := d.Quantile(c.q); got != c.want {
				t.Errorf("%v: %d, want %d", c.q, got, c.want)
			}
		})
	}
	if (*Depths)(nil).Quantile(0.99) != 0 {
		t.Error("a queue that was never long")
	}
}
