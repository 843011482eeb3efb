package compare

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/specs/tier"
)

// vectors are the vectors of testdata/vectors.json, which SciPy made: testdata/vectors.py has the command.
type vectors struct {
	MannWhitney []struct {
		Name string
		A, B []float64
		U, P float64
	}
	Median []struct {
		Values []float64
		Median float64
	}
	Bootstrap []struct {
		Name      string
		A, B      []float64
		Low, High [2]float64
	}
}

func stored(t *testing.T) (v vectors) {
	t.Helper()
	text, err := os.ReadFile("testdata/vectors.json")
	if err == nil {
		err = json.Unmarshal(text, &v)
	}
	if err != nil || len(v.MannWhitney) == 0 || len(v.Median) == 0 || len(v.Bootstrap) == 0 {
		t.Fatal(err, "or a table that is empty")
	}
	return v
}

// U and p are SciPy's: counted up to 60 values, with and without ties, and approximated beyond, with the corrections
// for ties and continuity.
func TestMannWhitneyAgainstSciPy(t *testing.T) {
	for _, c := range stored(t).MannWhitney {
		got := mannWhitney(c.A, c.B)
		if got.U != c.U || math.Abs(got.P-c.P) > 1e-9*c.P {
			t.Errorf("%s: U %v, p %v; SciPy has %v, %v", c.Name, got.U, got.P, c.U, c.P)
		}
		if got.Exact != (len(c.A)+len(c.B) <= 60) {
			t.Errorf("%s: %d values, counted %v", c.Name, len(c.A)+len(c.B), got.Exact)
		}
		back := mannWhitney(c.B, c.A)
		if back.U != float64(len(c.A)*len(c.B))-c.U || math.Abs(back.P-c.P) > 1e-9*c.P {
			t.Errorf("%s, exchanged: U %v, p %v; SciPy has p %v", c.Name, back.U, back.P, c.P)
		}
	}
}

// Medians are NumPy's.
func TestMedianAgainstNumPy(t *testing.T) {
	for _, c := range stored(t).Median {
		if got := Median(c.Values); math.Abs(got-c.Median) > 1e-12 {
			t.Errorf("Median(%v) = %v, NumPy has %v", c.Values, got, c.Median)
		}
	}
}

// Each end of an interval is between the ends of SciPy's intervals of 94 and 96 %.
func TestBootstrapAgainstSciPy(t *testing.T) {
	for _, c := range stored(t).Bootstrap {
		got := bootstrap(c.A, c.B, c.Name)
		if got.Low < c.Low[0] || got.Low > c.Low[1] || got.High < c.High[0] || got.High > c.High[1] {
			t.Errorf("%s: %v; SciPy has %v to %v", c.Name, got, c.Low, c.High)
		}
	}
}

// shares are the values that a median of draws may have, with their probabilities: over all n^n draws.
func shares(values []float64) map[float64]float64 {
	n := len(values)
	draws := 1
	for range n {
		draws *= n
	}
	found := map[float64]float64{}
	drawn := make([]float64, n)
	for number := range draws {
		for i, left := 0, number; i < n; i, left = i+1, left/n {
			drawn[i] = values[left%n]
		}
		found[Median(drawn)] += 1 / float64(draws)
	}
	return found
}

// For few values the distribution of the ratio of the medians of draws is known: an end of the interval is its value at
// 2.5 or 97.5 %, or one so close that 10000 draws cannot distinguish it; at 5 and 95 % it has other values. Tier:
// -short.
func TestBootstrapAgainstAllDraws(t *testing.T) {
	const near = 0.006 // four deviations of a share of 2.5 % in 10000 draws
	for _, c := range [][2][]float64{
		{{10, 11, 12.5, 13, 14.25}, {20, 22.5, 23, 26, 28.75}},
		{{4, 5, 7, 11}, {1, 1.5, 2.25, 9, 13}},
		{{100, 101, 103, 107, 115, 131}, {5, 6, 8, 12}},
	} {
		of := map[float64]float64{}
		for a, share := range shares(c[0]) {
			for b, other := range shares(c[1]) {
				of[b/a] += share * other
			}
		}
		ratios := slices.Sorted(maps.Keys(of))
		at := func(share float64) float64 {
			sum := 0.0
			for _, ratio := range ratios {
				if sum += of[ratio]; sum >= share {
					return ratio
				}
			}
			return ratios[len(ratios)-1]
		}
		if at(0.025+near) >= at(0.05) || at(0.975-near) <= at(0.95) {
			t.Fatalf("%v: an interval of 90 %% could have the same ends", c)
		}
		got := bootstrap(c[0], c[1], "all draws")
		if got.Low < at(0.025-near) || got.Low > at(0.025+near) || got.High < at(0.975-near) || got.High > at(0.975+near) {
			t.Errorf("%v: %v, want %v to %v", c, got, at(0.025), at(0.975))
		}
	}
}

// A true ratio lies outside of a 95 % interval in about one case of twenty, for any distribution: in 15 of 300 cases,
// with a deviation of 4; outside of a 90 % interval it lies in 30. For medians it is a little less often. Tier: slow.
func TestBootstrapCoverage(t *testing.T) {
	tier.Slow(t)
	const cases = 300
	for _, c := range []struct {
		name string
		draw func(c *chance.Stream) float64 // of median 1
	}{
		{"normal", func(c *chance.Stream) float64 { return 1 + 0.2*c.Normal() }},
		{"lognormal", func(c *chance.Stream) float64 { return math.Exp(0.5 * c.Normal()) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			from := chance.New(1, "coverage/"+c.name)
			missed := 0
			for i := range cases {
				sample := func(scale float64) (v []float64) {
					for range 25 {
						v = append(v, scale*c.draw(from))
					}
					return v
				}
				if x := bootstrap(sample(10), sample(30), fmt.Sprint(i)); x.Low > 3 || x.High < 3 {
					missed++
				}
			}
			t.Logf("%s: %d of %d intervals miss the ratio", c.name, missed, cases)
			if missed < 5 || missed > 24 {
				t.Errorf("%s: %d of %d intervals miss the ratio", c.name, missed, cases)
			}
		})
	}
}
