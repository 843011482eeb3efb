package diff

import (
	"errors"
	"math"
	"slices"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/runfolder"
	"github.com/rocelab/rocelab/testbed/look/compare"
)

// figure is a metric that two sides measured differently.
type figure struct {
	compare.Difference
	// valuesA and valuesB are the values by seed, NaN if not measured.
	valuesA, valuesB []float64
	// edgeA and edgeB say which edges of bins they are.
	edgeA, edgeB result.Edge
}

// Tells reports whether they differ by more than their seeds do, or one side did not measure it.
func (f *figure) Tells() bool { return f.Difference.Tells() || math.IsNaN(f.A) || math.IsNaN(f.B) }

// Figures returns the metrics in which runs differ, in the order in which rocelab metrics lists them. All counts the
// metrics that both sides know.
func Figures(a, b *Side, pairs []Pair) (list []figure, all int, err error) {
	var was, is []*runfolder.Summary
	for _, pair := range pairs {
		if pair.A.WasInterrupted() || pair.B.WasInterrupted() {
			continue // its metrics are of another span of time
		}
		x, err1 := a.summary(pair.A)
		y, err2 := b.summary(pair.B)
		if err := errors.Join(err1, err2); err != nil {
			return nil, 0, err
		}
		was, is = append(was, x), append(is, y)
	}
	for _, metric := range result.Metrics() {
		f := figure{}
		known := true
		for i := range was {
			x, inA := was[i].Value(metric.Name)
			y, inB := is[i].Value(metric.Name)
			f.valuesA, f.valuesB = append(f.valuesA, x), append(f.valuesB, y)
			f.edgeA, f.edgeB = max(f.edgeA, metric.EdgeOf(was[i].Value)), max(f.edgeB, metric.EdgeOf(is[i].Value))
			known = known && inA && inB
		}
		if !known || len(was) == 0 {
			continue
		}
		all++
		same := func(x, y float64) bool { return x == y || math.IsNaN(x) && math.IsNaN(y) }
		if slices.EqualFunc(f.valuesA, f.valuesB, same) {
			continue
		}
		f.Difference = compare.Between(f.valuesA, f.valuesB, metric)
		list = append(list, f)
	}
	return list, all, nil
}
