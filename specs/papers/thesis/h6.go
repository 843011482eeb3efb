package thesis

import (
	"context"
	"math"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
	"github.com/rocelab/rocelab/testbed/many/training"
)

var h6 = &reproduce.Row{
	ID:     "H6",
	Title:  "The gains of the PID are tuned online",
	Source: "section 3.5.3, Figure 13",
	Paper:  Paper,
	Doubts: []string{"D13"},
	Reading: "RTTs are in us and rates in Gb/s. Each flow learns for itself; the gains are those of the flow that " +
		"learns longest, about 10 500 steps. The thesis does not state whether the predictor is in the loop by " +
		"then: column alone is without it, column lstm with it.",
	Compute: tuning,
	Published: []reproduce.Published{
		{Column: "alone", Figure: "Kp", Value: -0.358, Source: "section 3.5.3"},
		{Column: "alone", Figure: "Ki", Value: -0.060, Source: "section 3.5.3"},
		{Column: "alone", Figure: "Kd", Value: 0.040, Source: "section 3.5.3"},
	},
}

func tuning(ctx context.Context, _ bool) ([]reproduce.Figure, error) {
	reports, err := trained(ctx)
	if err != nil {
		return nil, err
	}
	var list []reproduce.Figure
	for _, column := range []struct {
		name string
		of   func(*training.Report) *training.Tuning
	}{
		{"alone", func(r *training.Report) *training.Tuning { return r.TunedAlone }},
		{"lstm", func(r *training.Report) *training.Tuning { return r.Tuned }},
	} {
		add := func(name string, of func(*training.Tuning) float64) {
			list = append(list, learnt(reports, column.name, name, "", func(r *training.Report) float64 {
				return of(column.of(r))
			}))
		}
		add("Kp", func(t *training.Tuning) float64 { return t.Final.Kp })
		add("Ki", func(t *training.Tuning) float64 { return t.Final.Ki })
		add("Kd", func(t *training.Tuning) float64 { return t.Final.Kd })
		add("steps", func(t *training.Tuning) float64 { return float64(t.Final.Steps) })
		add("Kp after 1024 steps", func(t *training.Tuning) float64 { return kpAfter(t, 1024) })
		add("Kp after 4096 steps", func(t *training.Tuning) float64 { return kpAfter(t, 4096) })
		add("longest step", longestStep)
	}
	return append(list, learnt(reports, "lstm", "mean RTT with them", "us", func(r *training.Report) float64 {
		return r.Runs[len(r.Runs)-1].MeanRTT
	})), nil
}

// kpAfter is Kp after so many steps, NaN if no flow took as many.
func kpAfter(t *training.Tuning, steps int) float64 {
	for _, g := range t.Curve {
		if g.Steps == steps {
			return g.Kp
		}
	}
	return math.NaN()
}

// longestStep is by how much any gain moved between two points of the curve, as a share of what as many
// steps may move it: 0.01/sqrt(t+1) x 0.1 each (equations 25 and 26).
func longestStep(t *training.Tuning) (most float64) {
	points := append(append([]training.Gains(nil), t.Curve...), t.Final)
	for i := range points[1:] {
		a, b := points[i], points[i+1]
		allowed := 0.0
		for step := a.Steps; step < b.Steps; step++ {
			allowed += 0.001 / math.Sqrt(float64(step)+1)
		}
		if allowed > 0 {
			most = max(most, math.Abs(a.Kp-b.Kp)/allowed, math.Abs(a.Ki-b.Ki)/allowed, math.Abs(a.Kd-b.Kd)/allowed)
		}
	}
	return most
}
