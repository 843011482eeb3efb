package record

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Each bucket begins where the one before ends, and its upper edge exceeds
// its lower one by at most 1/32, beyond the first ns.
func TestBuckets(t *testing.T) {
	for i := range buckets - 1 {
		if bucket(upperEdge(i)) != i || bucket(upperEdge(i)+1) != i+1 {
			t.Fatalf("bucket %d ends at %d ps, of buckets %d and %d",
				i, upperEdge(i), bucket(upperEdge(i)), bucket(upperEdge(i)+1))
		}
		if lower := upperEdge(i) + 1; i >= 1<<subBits && float64(upperEdge(i+1)) > float64(lower)*(1+1.0/(1<<subBits)) {
			t.Fatalf("bucket %d is wider than 1/32: %d to %d", i+1, lower, upperEdge(i+1))
		}
	}
	if bucket(math.MaxInt64) != buckets-1 || bucket(-5) != 0 {
		t.Error("extremes leave the buckets")
	}
}

// A quantile is never below the exact one and at most 1/32 and a ns above.
func TestQuantileBound(t *testing.T) {
	for seed := uint64(1); seed <= 20; seed++ {
		c := chance.New(seed, "quantile")
		var h Histogram
		var all []unit.Duration
		sum := 0.0
		for range c.Between(1, 3000) {
			d := unit.Duration(c.Below(1 << c.Between(1, 45)))
			h.Add(d)
			all = append(all, d)
			sum += float64(d)
		}
		slices.Sort(all)
		for _, q := range []float64{0.001, 0.25, 0.5, 0.9, 0.99, 0.999, 1} {
			t.Run(fmt.Sprint(q), func(t *testing.T) {
				exact := all[max(int(math.Ceil(q*float64(len(all)))), 1)-1]
				got := h.Quantile(q)
				if got < exact || float64(got) > float64(exact)*(1+1.0/32)+float64(unit.Nanosecond) {
					t.Errorf("seed %d: quantile %v = %d, exact %d", seed, q, got, exact)
				}
			})
		}
		if h.Min() != all[0] || h.Max() != all[len(all)-1] || h.Count() != uint64(len(all)) || h.Quantile(1) != h.Max() {
			t.Errorf("seed %d: least, largest or count is wrong", seed)
		}
		if mean := sum / float64(len(all)); math.Abs(float64(h.Mean())-mean) > 1 {
			t.Errorf("seed %d: mean %d, want %f", seed, h.Mean(), mean)
		}
	}
}

func TestEmptyHistogram(t *testing.T) {
	var h, o Histogram
	h.Merge(&o)
	if h.Count() != 0 || h.Mean() != 0 || h.Min() != 0 || h.Max() != 0 || h.Quantile(0.5) != 0 {
		t.Errorf("%+v", h)
	}
}

// A negative delay counts in the mean and as zero in the buckets.
func TestNegativeSamples(t *testing.T) {
	var h Histogram
	h.Add(-10 * unit.Nanosecond)
	h.Add(30 * unit.Nanosecond)
	if h.Mean() != 10*unit.Nanosecond || h.Min() != -10*unit.Nanosecond || h.Quantile(0.5) >= unit.Nanosecond {
		t.Errorf("mean %v, least %v, median %v", h.Mean(), h.Min(), h.Quantile(0.5))
	}
}

// Merging is adding the samples.
func TestMerge(t *testing.T) {
	c := chance.New(3, "merge")
	var a, b, both Histogram
	for i := range 2000 {
		d := unit.Duration(c.Below(1 << 34))
		both.Add(d)
		if i%3 == 0 {
			a.Add(d)
		} else {
			b.Add(d)
		}
	}
	var sum Histogram
	sum.Merge(&a)
	sum.Merge(&b)
	if sum.Count() != both.Count() || sum.Min() != both.Min() || sum.Max() != both.Max() || sum.Mean() != both.Mean() ||
		!slices.Equal(sum.spread.counts, both.spread.counts) {
		t.Error("the merged histogram differs from that of all samples")
	}
	if a.Count() != 667 {
		t.Error("Merge changed its argument")
	}
}

// A histogram allocates memory for the octaves that have samples only, in any order of samples, with the same counts.
func TestHistogramHasRoomForItsSamples(t *testing.T) {
	var up, down Histogram
	samples := []unit.Duration{900 * unit.Microsecond, 20 * unit.Microsecond, 21 * unit.Microsecond, 5 * unit.Microsecond}
	for i := range samples {
		down.Add(samples[i])
		up.Add(samples[len(samples)-1-i])
	}
	if !slices.Equal(up.spread.counts, down.spread.counts) || up.spread.from != down.spread.from {
		t.Errorf("%v and %v", up.spread, down.spread)
	}
	var alone Histogram
	alone.Add(20 * unit.Microsecond)
	alone.Add(0)
	if len(alone.spread.counts) != perOctave {
		t.Errorf("%d buckets for one sample, want %d", len(alone.spread.counts), perOctave)
	}
	alone.Merge(&up)
	if alone.Count() != 6 || alone.Quantile(1) != 900*unit.Microsecond ||
		len(alone.spread.counts) != len(up.spread.counts) {
		t.Errorf("%+v", alone)
	}
	if up.Quantile(.25) < 5*unit.Microsecond || up.Quantile(.25) > 52*unit.Microsecond/10 {
		t.Errorf("the least quarter is up to %v", up.Quantile(.25))
	}
}

// A histogram of equal samples allocates nothing, and is merged and continued as any other.
func TestEqualSamplesNeedNoBuckets(t *testing.T) {
	for _, equal := range []unit.Duration{0, 5, -3 * unit.Nanosecond, 7 * unit.Microsecond} {
		t.Run(equal.String(), func(t *testing.T) {
			var h, merged, want Histogram
			for range 3 {
				h.Add(equal)
			}
			if h.spread != nil || h.Quantile(.5) != equal || h.Quantile(1) != equal || h.Mean() != equal || h.Count() != 3 {
				t.Errorf("%+v", h)
			}
			merged.Merge(&h)
			merged.Add(9 * unit.Microsecond)
			merged.Merge(&h)
			h.Merge(&merged)
			want.Add(9 * unit.Microsecond)
			for range 9 {
				want.Add(equal)
			}
			got, _ := h.MarshalBinary()
			if text, _ := want.MarshalBinary(); string(got) != string(text) || h.zeros() != want.zeros() {
				t.Errorf("%+v %v, want %+v %v", h, h.spread, want, want.spread)
			}
		})
	}
}

// A bucket counts beyond 2^32 samples, however they came in, and passes them on.
func TestABucketOfMoreThan32Bits(t *testing.T) {
	for _, many := range []uint64{1 << 32, 1<<32 + 5} {
		t.Run(fmt.Sprint(many), func(t *testing.T) { countMany(t, many) })
	}
}

// countMany counts many samples of 7000 ps in three ways.
func countMany(t *testing.T, many uint64) {
	t.Helper()
	var equal, counted, sum, back Histogram
	equal = Histogram{count: many, min: 7000}
	equal.Add(9 * unit.Microsecond)
	counted.Add(7000)
	counted.Add(9 * unit.Microsecond)
	at := bucket(7000) - counted.spread.from
	counted.spread.counts[at] = math.MaxUint32
	counted.count += math.MaxUint32 - 1
	for range many - math.MaxUint32 {
		counted.Add(7000)
	}
	sum.Merge(&equal)
	sum.Merge(&counted)
	data, err := counted.MarshalBinary()
	if err := errors.Join(err, back.UnmarshalBinary(data)); err != nil {
		t.Fatal(err)
	}
	for name, h := range map[string]*Histogram{"equal": &equal, "counted": &counted, "decoded": &back} {
		t.Run(name, func(t *testing.T) {
			h.Trim()
			if n := h.spread.at(0); n != many || h.zeros() != 0 || h.Count() != many+1 {
				t.Errorf("%d in the bucket, %d of 0, %d in all: want %d, 0, %d", n, h.zeros(), h.Count(), many,
					many+1)
			}
			if q := h.Quantile(0.5); q < 7000 || q > 8*unit.Nanosecond {
				t.Errorf("the median is %v", q)
			}
		})
	}
	if sum.Trim(); sum.spread.at(0) != 2*many || sum.zeros() != 0 {
		t.Errorf("%d in the bucket of the sum, %d of 0", sum.spread.at(0), sum.zeros())
	}
}
