package record

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/chance"
)

// Each bin begins where the one before ends and is at most a sixteenth wide, and
// an octave has 16 of them.
func TestLatenessBins(t *testing.T) {
	for i := range latenessBins - 1 {
		last := latenessEdge(i)
		if latenessBin(last) != i || latenessBin(last+1) != i+1 {
			t.Fatalf("bin %d ends at %d ns, which are in %d and %d", i, last, latenessBin(last), latenessBin(last+1))
		}
		if next := latenessEdge(i + 1); float64(next-last) > float64(last+1)/16+1 {
			t.Fatalf("bin %d is wider than a sixteenth: %d to %d ns", i+1, last+1, next)
		}
	}
	if latenessBin(1000) != 1 || latenessBin(2000) != 17 || latenessBin(4000) != 33 {
		t.Errorf("1, 2 and 4 us are in bins %d, %d, %d", latenessBin(1000), latenessBin(2000), latenessBin(4000))
	}
	if latenessBin(math.MinInt64) != 0 || latenessBin(math.MaxInt64) != latenessBins-1 {
		t.Error("extremes leave the bins")
	}
	if last := latenessEdge(latenessBins - 1); last < 2*60e9 {
		t.Errorf("the bins end at %d ns, below two minutes", last)
	}
}

// The bins that Each lists are the samples, from the earliest on, and none ends above the largest.
func TestLatenessBinsWithSamples(t *testing.T) {
	var l Lateness
	for _, ns := range []int64{-5, 700, 1000, 1010, 5000, math.MaxInt64 / 2} {
		l.Add(ns)
	}
	var ends []int64
	var samples []uint64
	l.Each(func(to int64, n uint64) { ends, samples = append(ends, to), append(samples, n) })
	if !slices.Equal(ends, []int64{999, 1062, 5249, math.MaxInt64 / 2}) || !slices.Equal(samples, []uint64{2, 2, 1, 1}) {
		t.Errorf("bins to %v have %v", ends, samples)
	}
}

// A quantile is never below the exact one, and at most a sixteenth, or a us, above.
func TestLatenessQuantiles(t *testing.T) {
	for seed := uint64(1); seed <= 20; seed++ {
		c := chance.New(seed, "lateness")
		var l Lateness
		var all []int64
		for range c.Between(1, 3000) {
			ns := int64(c.Below(1<<c.Between(1, 37))) - 500
			l.Add(ns)
			all = append(all, max(ns, 0))
		}
		slices.Sort(all)
		for _, q := range []float64{0.001, 0.25, 0.5, 0.9, 0.99, 0.999, 1} {
			t.Run(fmt.Sprint(q), func(t *testing.T) {
				exact := all[max(int(math.Ceil(q*float64(len(all)))), 1)-1]
				got := l.Quantile(q)
				if got < exact || got > exact+max(exact/16, 999)+1 {
					t.Errorf("seed %d: quantile %v = %d ns, exact %d", seed, q, got, exact)
				}
			})
		}
		if l.Max() != all[len(all)-1] || l.Count() != uint64(len(all)) || l.Quantile(1) != l.Max() {
			t.Errorf("seed %d: the largest or the count is wrong", seed)
		}
	}
}

func TestLatenessEmpty(t *testing.T) {
	var l, other Lateness
	l.Merge(&other)
	if l.Count() != 0 || l.Max() != 0 || l.Quantile(0.5) != 0 {
		t.Errorf("empty: %d samples, the largest %d, median %d", l.Count(), l.Max(), l.Quantile(0.5))
	}
}

// Merging equals adding the samples, and decoding returns the encoded value.
func TestLatenessMerge(t *testing.T) {
	c := chance.New(3, "lateness merge")
	var parts [3]Lateness
	var all, sum, travelled Lateness
	for i := range 2000 {
		ns := int64(c.Below(1 << 32))
		all.Add(ns)
		parts[i%3].Add(ns)
	}
	for i := range parts {
		sum.Merge(&parts[i])
	}
	if sum != all {
		t.Error("the merged histogram differs from that of all samples")
	}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(&all); err != nil {
		t.Fatal(err)
	}
	if err := gob.NewDecoder(&b).Decode(&travelled); err != nil || travelled != all {
		t.Errorf("what travelled differs: %v", err)
	}
}
