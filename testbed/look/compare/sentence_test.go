package compare

import (
	"math"
	"strings"
	"testing"
)

// of is a variant with these values of metrics.
func of(name string, values map[string][]float64) Variant {
	return Variant{Name: name, Sound: true, Values: func(metric string) []float64 { return values[metric] }}
}

// durations is a variant that ended then, by seed.
func durations(name string, values ...float64) Variant {
	return of(name, map[string][]float64{"duration_us": values})
}

// Differences that get a sentence, and ones that do not. Tier: -short. Red if the spread of seeds is ignored, or if two
// equal variants get a sentence.
func TestSentences(t *testing.T) {
	five := []float64{100, 101, 102, 103, 104}
	for _, c := range []struct {
		name     string
		variants []Variant
		want     string
	}{
		{"one seed", []Variant{durations("a", 100), durations("b", 124)},
			"a ends 1.24 times earlier than b (one seed)"},
		{"of the better one", []Variant{durations("b", 124), durations("a", 100)},
			"a ends 1.24 times earlier than b (one seed)"},
		{"one seed, less than a tenth", []Variant{durations("a", 100), durations("b", 109)}, ""},
		{"equal", []Variant{durations("a", 100), durations("b", 100)}, ""},
		{"alone", []Variant{durations("a", 100)}, ""},
		{"nothing measured", []Variant{durations("a", math.NaN()), durations("b", 3)}, ""},
		{"two seeds, close", []Variant{durations("a", 100, 110), durations("b", 112, 130)}, ""},
		{"two seeds, apart", []Variant{durations("a", 100, 110), durations("b", 150, 160)},
			"a ends 1.48 times earlier than b (2 seeds)"},
		{"three against three", []Variant{durations("a", 1, 2, 3), durations("b", 9, 10, 11)},
			"a ends 5.00 times earlier than b (3 seeds)"},
		{"one of several was interrupted", []Variant{durations("a", 1), durations("b", 9, 10, 11)}, ""},
		{"five, apart", []Variant{durations("a", five...), durations("b", 110, 111, 112, 113, 114)},
			"a ends 1.10 times earlier than b (5 seeds, p < 0.01)"},
		{"five, apart, but by less than a hundredth",
			[]Variant{durations("a", 1000, 1001, 1002, 1003, 1004), durations("b", 1005, 1006, 1007, 1008, 1009)}, ""},
		{"five, one in between", []Variant{durations("a", five...), durations("b", 104.5, 120, 121, 122, 101.5)}, ""},
		{"five, p below 0.05, but the interval has 1 in it",
			[]Variant{durations("a", 2, 2, 5, 5, 4), durations("b", 7, 8, 9, 7, 3)}, ""},
		{"six, the interval does without 1, but p is above 0.05",
			[]Variant{durations("a", 4, 7, 9, 5, 6, 6), durations("b", 11, 11, 9, 9, 4, 12)}, ""},
		{"five, mixed", []Variant{durations("a", five...), durations("b", 90, 120, 95, 130, 102)}, ""},
		{"four against four", []Variant{durations("a", 1, 2, 3, 4), durations("b", 10, 11, 12, 13)},
			"a ends 4.60 times earlier than b (4 seeds, p < 0.05)"},
		{"an unsound one", []Variant{durations("a", 100), {Name: "b", Values: durations("b", 200).Values}}, ""},
		{"three variants", []Variant{durations("a", 100), durations("b", 200), durations("c", 50), durations("d", 101)},
			"b ends 2.00 times later than a (one seed); c ends 2.00 times earlier than a (one seed)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(Sentences(c.variants), "; "); got != c.want {
				t.Errorf("%s: %q, want %q", c.name, got, c.want)
			}
		})
	}
}

// The second part is the largest difference; counts may be 0.
func TestWhatDiffersMost(t *testing.T) {
	for _, c := range []struct {
		a, b map[string][]float64
		want string
	}{
		{
			map[string][]float64{"duration_us": {100}, "queue_max_bytes": {10}, "queueing_mean_us": {1}, "pauses": {0}},
			map[string][]float64{"duration_us": {124}, "queue_max_bytes": {7000}, "queueing_mean_us": {30}, "pauses": {9}},
			"a ends 1.24 times earlier than b and keeps its longest queue 700 times shorter (one seed)",
		},
		{
			map[string][]float64{"duration_us": {100}, "queue_max_bytes": {7000}, "pauses": {256}},
			map[string][]float64{"duration_us": {124}, "queue_max_bytes": {1000}, "pauses": {0}},
			"a ends 1.24 times earlier than b and sends 256 pauses (b: none) (one seed)",
		},
		{
			map[string][]float64{"duration_us": {100}, "drops": {0}},
			map[string][]float64{"duration_us": {100}, "drops": {12}},
			"a loses no frame (b: 12) (one seed)",
		},
		{
			map[string][]float64{"duration_us": {100}, "drops": {0}},
			map[string][]float64{"duration_us": {100}, "drops": {1}},
			"",
		},
		{
			map[string][]float64{"duration_us": {100}, "goodput_gbps": {50}, "queueing_mean_us": {0}},
			map[string][]float64{"duration_us": {100}, "goodput_gbps": {100}, "queueing_mean_us": {5}},
			"b delivers 2.00 times more than a (one seed)",
		},
		{
			map[string][]float64{"duration_us": {100}, "fct_p99_us": {50}, "retransmits": {40}},
			map[string][]float64{"duration_us": {100}, "fct_p99_us": {100}, "retransmits": {4}},
			"a completes its slowest flows 2.00 times sooner than b and resends 10.0 times more packets (one seed)",
		},
	} {
		if got := strings.Join(Sentences([]Variant{of("a", c.a), of("b", c.b)}), "; "); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
