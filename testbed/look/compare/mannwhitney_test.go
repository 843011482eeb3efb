package compare

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/chance"
)

// Worked examples. The first is of Hollander and Wolfe, Nonparametric
// Statistical Methods (1973), page 69: permeability of the chorioamnion, W = 35,
// one-sided p 0.1272; the others are counted by hand.
func TestMannWhitney(t *testing.T) {
	for _, c := range []struct {
		a, b []float64
		u, p float64
	}{
		{[]float64{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46}, []float64{1.15, 0.88, 0.90, 0.74, 1.21}, 35,
			0.2544},
		{[]float64{1, 2, 3, 4, 5}, []float64{6, 7, 8, 9, 10}, 0, 2.0 / 252},
		{[]float64{6, 7, 8, 9, 10}, []float64{1, 2, 3, 4, 5}, 25, 2.0 / 252},
		{[]float64{1, 2, 4}, []float64{3, 5, 6}, 1, 4.0 / 20}, // sums 6, 7 and 15, 14 of 20
		{[]float64{1, 1}, []float64{1, 2}, 1.5 - 0.5, 1},      // ranks 2 2 2 4: sums 4 or 6, both 1 away from 5
		{[]float64{1, 1, 1}, []float64{2, 2, 2}, 0, 2.0 / 20}, // two groups: only the extreme orders are as far
		{[]float64{5, 5, 5, 5, 5}, []float64{5, 5, 5, 5, 5}, 12.5, 1},
	} {
		t.Run(fmt.Sprintf("u=%v,p=%v", c.u, c.p), func(t *testing.T) {
			got := mannWhitney(c.a, c.b)
			if got.U != c.u || math.Abs(got.P-c.p) > 5e-5 || !got.Exact {
				t.Errorf("%v against %v: %+v, want U %v, p %v", c.a, c.b, got, c.u, c.p)
			}
		})
	}
	if got := mannWhitney(nil, []float64{1}); !math.IsNaN(got.P) {
		t.Error("a p of nothing:", got)
	}
}

// byHand returns the probability by counting: the share of the ways to choose as many of the values as a has in which U
// is at least as far from its mean as it is for a.
func byHand(a, b []float64) float64 {
	all := slices.Concat(a, b)
	u := func(chosen uint) (u float64) {
		for i, x := range all {
			for j, y := range all {
				if chosen&(1<<i) == 0 || chosen&(1<<j) != 0 {
					continue
				}
				switch {
				case x > y:
					u++
				case x == y:
					u += 0.5
				}
			}
		}
		return u
	}
	mean := float64(len(a)*len(b)) / 2
	seen := math.Abs(u(1<<len(a)-1) - mean)
	far, ways := 0, 0
	for chosen := range uint(1) << len(all) {
		if bits.OnesCount(chosen) != len(a) {
			continue
		}
		ways++
		if math.Abs(u(chosen)-mean) >= seen {
			far++
		}
	}
	return float64(far) / float64(ways)
}

func TestMannWhitneyAgainstCounting(t *testing.T) {
	c := chance.New(1, "samples")
	for range 200 {
		sample := func(n int) (v []float64) {
			for range n {
				v = append(v, float64(c.Below(6))) // few values: many ties
			}
			return v
		}
		a, b := sample(1+int(c.Below(5))), sample(1+int(c.Below(5)))
		if got, want := mannWhitney(a, b).P, byHand(a, b); math.Abs(got-want) > 1e-12 {
			t.Fatalf("%v against %v: p %v, counted %v", a, b, got, want)
		}
	}
}

// The approximation continues from the limit of counting.
func TestMannWhitneyApproximates(t *testing.T) {
	c := chance.New(1, "shifted")
	for _, kind := range []struct{ values, shift float64 }{{20, 0}, {20, 0.1}, {20, 0.2}, {2, 0.2}} {
		t.Run(fmt.Sprintf("values=%v,shift=%v", kind.values, kind.shift), func(t *testing.T) {
			sample := func(n int, shift float64) (v []float64) {
				for range n {
					v = append(v, math.Floor(kind.values*(c.Float64()+shift))) // with ties
				}
				return v
			}
			a, b := sample(30, 0), sample(30, kind.shift)
			exact := mannWhitney(a, b)
			more := mannWhitney(append(a, 10), b)
			if !exact.Exact || more.Exact {
				t.Fatal("the limit is not where it should be")
			}
			ranks, _ := midranks(append(a, 10), b)
			sum := 0
			for _, r := range ranks[:31] {
				sum += r
			}
			if want := countRanks(ranks, 31, sum); math.Abs(more.P-want) > 0.02 {
				t.Errorf("%v: approximated %v, counted %v", kind, more.P, want)
			}
		})
	}
	if got := mannWhitney(make([]float64, 40), make([]float64, 40)); got.P != 1 {
		t.Error("equal values:", got)
	}
}

func TestLeastP(t *testing.T) {
	for n := 1; n <= 8; n++ {
		a, b := make([]float64, n), make([]float64, 5)
		for i := range a {
			a[i] = float64(-1 - i)
		}
		for i := range b {
			b[i] = float64(i)
		}
		if got, want := LeastP(n, 5), mannWhitney(a, b).P; math.Abs(got-want) > 1e-12 {
			t.Errorf("%d against 5: %v, and the test gives %v", n, got, want)
		}
	}
	if got := fmt.Sprintf("%.4f", LeastP(5, 5)); got != "0.0079" {
		t.Error("5 against 5:", got)
	}
}

func TestBootstrap(t *testing.T) {
	a, b := []float64{10, 11, 12, 13, 14}, []float64{20, 22, 24, 26, 28}
	got := bootstrap(a, b, "x")
	if got != bootstrap(a, b, "x") {
		t.Error("the interval changes from call to call")
	}
	if got.Low >= 2 || got.High <= 2 || got.Low < 20.0/14 || got.High > 2.8 {
		t.Errorf("interval %v of a ratio of 2", got)
	}
	// The median of five draws is the least value only if three or more of
	// them are it: 5.8 %. So the least of 25 ratios of medians, 20/14, has a
	// probability of 0.3 %, and the interval must leave it out.
	if got.Low == 20.0/14 || got.High == 2.8 {
		t.Errorf("interval %v reaches as far as the values do", got)
	}
	if same := bootstrap(a, a, "x"); same.Low >= 1 || same.High <= 1 {
		t.Errorf("interval %v of a ratio of 1", same)
	}
	if exact := bootstrap([]float64{4, 4, 4}, []float64{8, 8, 8}, "x"); exact != (Interval{2, 2}) {
		t.Errorf("interval %v of values that do not vary", exact)
	}
	// The least of three is the median of a draw in 7 of 27 cases.
	if one := bootstrap([]float64{4, 4, 4}, []float64{1, 2, 3}, "x"); one != (Interval{0.25, 0.75}) {
		t.Errorf("interval %v where only the second varies", one)
	}
	if one := bootstrap([]float64{1, 2, 4}, []float64{4, 4, 4}, "x"); one != (Interval{1, 4}) {
		t.Errorf("interval %v where only the first varies", one)
	}
	for _, c := range [][2][]float64{{{1}, {2}}, {{0, 0, 1}, {1, 2, 3}}, {nil, {1, 2}}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			if got := bootstrap(c[0], c[1], "x"); !math.IsNaN(got.Low) || !math.IsNaN(got.High) {
				t.Errorf("%v: interval %v, wanted none", c, got)
			}
		})
	}
}
