package divergence

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/look/compare"
)

// Figure is a metric that two sides measured differently.
type Figure struct {
	compare.Difference
	// valuesA and valuesB are the values by seed, NaN if not measured.
	valuesA, valuesB []float64
}

// Tells reports whether they differ by more than their seeds do, or one side did not measure it.
func (f *Figure) Tells() bool { return f.Difference.Tells() || math.IsNaN(f.A) || math.IsNaN(f.B) }

// Figures are the metrics in which runs differ, in the order in which rocelab metrics lists them. All counts those that
// both sides know.
func Figures(a, b *Side, pairs []Pair) (list []Figure, all int, err error) {
	var was, is []map[string]*float64
	for _, pair := range pairs {
		if pair.A.WasInterrupted() || pair.B.WasInterrupted() {
			continue // its metrics are of another span of time
		}
		of, err := metricsOf(a, pair.A)
		if err != nil {
			return nil, 0, err
		}
		was = append(was, of)
		if of, err = metricsOf(b, pair.B); err != nil {
			return nil, 0, err
		}
		is = append(is, of)
	}
	for _, metric := range result.Metrics() {
		f := Figure{}
		known := true
		for i := range was {
			x, inA := was[i][metric.Name]
			y, inB := is[i][metric.Name]
			f.valuesA, f.valuesB = append(f.valuesA, orNaN(x)), append(f.valuesB, orNaN(y))
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

// metricsOf reads the metrics of a run.
func metricsOf(s *Side, run result.RunID) (map[string]*float64, error) {
	name := filepath.Join(s.Path(run), "summary.json")
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var summary struct {
		Metrics map[string]*float64 `json:"metrics"`
	}
	if err := json.Unmarshal(text, &summary); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", name, err)
	}
	return summary.Metrics, nil
}

func orNaN(value *float64) float64 {
	if value == nil {
		return math.NaN()
	}
	return *value
}
