package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/attribution"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// leastCause is the part of the longer time from which on the difference of a part is named.
const leastCause = 0.01

// Causes returns sentences on why the slowest flow of a variant takes longer than another's: for two variants one
// sentence, for more one for each against the first, at most four. There is none if chance may be behind the
// difference, or if the flows are of different traffic or sizes.
func Causes(variants []Variant) []string { return eachAgainstFirst(variants, causes) }

// causes is the sentence of two variants, "" for none.
func causes(first, other *Variant, _ bool) string {
	a, b := newSlowest(first), newSlowest(other)
	if !a.comparable(b) {
		return ""
	}
	longest, _ := result.MetricOf("fct_max_us")
	if d := Between(a.times(), b.times(), longest); !d.Tells() {
		return ""
	}
	short, long := a, b
	if a.median().Total() > b.median().Total() {
		short, long = b, a
	}
	parts := differing(&short.median().Parts, &long.median().Parts)
	if len(parts) == 0 {
		return ""
	}
	by := long.median().Total() - short.median().Total()
	evidence := seedsOf(min(len(a.flows), len(b.flows)))
	if len(a.flows) > 1 {
		evidence = "medians of " + evidence
	}
	var words []string
	for _, p := range parts {
		words = append(words, p.String())
	}
	return fmt.Sprintf("the slowest flow of %s takes %s longer than that of %s (%s): %s", long.name, by.Figure(),
		short.name, evidence, strings.Join(words, ", "))
}

// partDifference is how much more of its time a flow spent in a part than another one; less is negative.
type partDifference struct {
	Part attribution.Part
	More unit.Duration
}

func (d partDifference) String() string {
	if d.More < 0 {
		return fmt.Sprintf("%s less %s", (-d.More).Figure(), d.Part)
	}
	return fmt.Sprintf("%s more %s", d.More.Figure(), d.Part)
}

// differing returns the parts in which a flow differs from another one by a hundredth of the longer time or more, the
// largest difference first. The differences of all parts add up to the difference of the times.
func differing(a, b *attribution.Parts) (list []partDifference) {
	least := leastCause * float64(max(a.Total(), b.Total()))
	for part := range attribution.NumParts {
		if d := (partDifference{part, b[part] - a[part]}); d.More != 0 && float64(d.size()) >= least {
			list = append(list, d)
		}
	}
	slices.SortStableFunc(list, func(a, b partDifference) int { return cmp.Compare(b.size(), a.size()) })
	return list
}

func (d partDifference) size() unit.Duration { return max(d.More, -d.More) }

// slowest are the slowest flows of a variant's runs, the shortest time first.
type slowest struct {
	name  string
	flows []*result.SlowestFlow
}

func newSlowest(v *Variant) slowest {
	s := slowest{name: v.Name}
	if v.Slowest != nil {
		s.flows = slices.Clone(v.Slowest())
	}
	if slices.Contains(s.flows, nil) {
		s.flows = nil // a run does not know
	}
	slices.SortStableFunc(s.flows, func(a, b *result.SlowestFlow) int { return cmp.Compare(a.Total(), b.Total()) })
	return s
}

// comparable reports whether the flows of both are of one traffic and one size.
func (s *slowest) comparable(other slowest) bool {
	if len(s.flows) == 0 || len(other.flows) == 0 {
		return false
	}
	of := s.flows[0]
	return !slices.ContainsFunc(slices.Concat(s.flows, other.flows), func(f *result.SlowestFlow) bool {
		return f.Group != of.Group || f.Size != of.Size
	})
}

// times returns the times of the flows, in microseconds.
func (s *slowest) times() (list []float64) {
	for _, f := range s.flows {
		list = append(list, f.Total().Microseconds())
	}
	return list
}

// median is the flow with the median time; of two in the middle the shorter, so that it is a flow whose parts add up.
func (s *slowest) median() (flow *result.SlowestFlow) {
	middle := Median(s.times())
	for i, time := range s.times() {
		if time <= middle {
			flow = s.flows[i]
		}
	}
	return flow
}
