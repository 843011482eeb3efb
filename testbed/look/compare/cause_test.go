package compare

import (
	"testing"

	"github.com/rocelab/rocelab/emulator/attribution"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// flowOf is the slowest flow of a run, with its parts in microseconds.
func flowOf(group string, parts map[attribution.Part]int) *result.SlowestFlow {
	f := &result.SlowestFlow{Flow: "f", Group: group, Size: 10}
	for part, time := range parts {
		f.Parts[part] = unit.Duration(time) * unit.Microsecond
	}
	return f
}

// ran is a variant with these slowest flows, one of each seed.
func ran(name string, flows ...*result.SlowestFlow) Variant {
	v := of(name, nil)
	v.Slowest = func() []*result.SlowestFlow { return flows }
	return v
}

const (
	alone, shared    = attribution.Alone, attribution.Shared
	held, queued     = attribution.HeldBack, attribution.Queued
	unfair, resolved = attribution.Unfair, attribution.Unresolved
)

// The parts of the longer flow are named, the largest difference first; differences below a hundredth of its time are
// not; possible chance gets no sentence, and flows of other traffic get none. For several seeds it is the flow with the
// median time, whose parts add up. Tier: -short. Red with parts in their own order, with the sign of the other side,
// and with the mean over seeds.
func TestCauses(t *testing.T) {
	a := flowOf("in", map[attribution.Part]int{alone: 100, shared: 900, resolved: 5})
	b := flowOf("in", map[attribution.Part]int{alone: 100, shared: 800, held: 400, unfair: 120})
	others := []*result.SlowestFlow{
		flowOf("in", map[attribution.Part]int{alone: 2000}),
		flowOf("in", map[attribution.Part]int{alone: 1200, queued: 300}),
		flowOf("in", map[attribution.Part]int{held: 9000}),
		flowOf("in", map[attribution.Part]int{alone: 1500, queued: 200}),
	}
	for _, c := range []struct {
		name     string
		variants []Variant
		want     string
	}{
		{"one seed", []Variant{ran("a", a), ran("b", b)}, "the slowest flow of b takes 415 us longer than that of a (one " +
			"seed): 400 us more held back, 120 us more unfair, 100 us less shared"},
		{"of the longer one", []Variant{ran("b", b), ran("a", a)}, "the slowest flow of b takes 415 us longer than that of " +
			"a (one seed): 400 us more held back, 120 us more unfair, 100 us less shared"},
		{"the median of four", []Variant{ran("a", a, a, a, a), ran("b", others...)}, "the slowest flow of b takes 695 us " +
			"longer than that of a (medians of 4 seeds): 1.400 ms more alone, 900 us less shared, 200 us more queued"},
		{"less than a tenth by one seed", []Variant{ran("a", a), ran("b", flowOf("in", map[attribution.Part]int{
			alone: 100, held: 950}))}, ""},
		{"other traffic", []Variant{ran("a", a), ran("b", flowOf("out", map[attribution.Part]int{alone: 9000}))}, ""},
		{"not known", []Variant{ran("a", a), ran("b", nil)}, ""},
		{"no function", []Variant{ran("a", a), of("b", nil)}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			list := Causes(c.variants)
			if c.want == "" && len(list) == 0 {
				return
			}
			if len(list) != 1 || list[0] != c.want {
				t.Errorf("%s: %q, want %q", c.name, list, c.want)
			}
		})
	}
	c := flowOf("in", map[attribution.Part]int{alone: 3000})
	if list := Causes([]Variant{ran("a", a), ran("b", b), ran("c", c)}); len(list) != 2 || list[1] != "the slowest flow "+
		"of c takes 1.995 ms longer than that of a (one seed): 2.900 ms more alone, 900 us less shared" {
		t.Errorf("of three: %q", list)
	}
}
