package measure

import (
	"context"
	"math"
	"sync"

	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/many/reproduce"
	"github.com/rocelab/rocelab/testbed/many/training"
)

// fiveSeeds are the seeds of the trainings.
var fiveSeeds = []uint64{1, 2, 3, 4, 5}

// trainings has one for each of five seeds, as rocelab train pidnn makes them by default. Three rows are read from
// them, so they are made once in a process; a training takes some seconds, so that the quick form is the whole.
var trainings struct {
	sync.Mutex
	reports []*training.Report
}

func trained(ctx context.Context) ([]*training.Report, error) {
	trainings.Lock()
	defer trainings.Unlock()
	for _, seed := range fiveSeeds[len(trainings.reports):] {
		options := training.DefaultOptions()
		options.Seed, options.Algorithms = seed, shipped.Find
		report, err := training.Train(ctx, options)
		if err != nil {
			return nil, err
		}
		trainings.reports = append(trainings.reports, report)
	}
	return trainings.reports, nil
}

// learnt is a figure of the trainings, a value a seed.
func learnt(
	reports []*training.Report, column, name, unit string, of func(*training.Report) float64,
) reproduce.Figure {
	f := reproduce.Figure{Column: column, Name: name, Unit: unit}
	for _, report := range reports {
		f.Values = append(f.Values, of(report))
	}
	return f
}

// predictorOf is one of the predictors of a training, without any score if there is none of that name.
func predictorOf(report *training.Report, name string) training.Predictor {
	for _, p := range report.Predictors {
		if p.Name == name {
			return p
		}
	}
	none := training.Score{Loss: math.NaN(), MAPE: math.NaN()}
	return training.Predictor{Train: none, Test: none, All: none, Curve: []training.Epoch{{Train: none, Test: none}}}
}

const (
	mape      = "MAPE of the next RTT, test"
	mapeRatio = "MAPE of epoch 1 over that of the last, training"
)

// predictor has how well the predictor learns.
func predictor(ctx context.Context, _ *reproduce.Computing) ([]reproduce.Figure, error) {
	reports, err := trained(ctx)
	if err != nil {
		return nil, err
	}
	var list []reproduce.Figure
	for _, name := range []string{"lstm", "out = 0", "out = K_t"} {
		list = append(list, learnt(reports, name, mape, "", func(r *training.Report) float64 {
			return predictorOf(r, name).Test.MAPE
		}))
	}
	return append(list,
		learnt(reports, "lstm", "MAPE, epoch 1, test", "", func(r *training.Report) float64 {
			return predictorOf(r, "lstm").Curve[0].Test.MAPE
		}),
		learnt(reports, "lstm", mapeRatio, "", func(r *training.Report) float64 {
			curve := predictorOf(r, "lstm").Curve
			return curve[0].Train.MAPE / curve[len(curve)-1].Train.MAPE
		}),
		learnt(reports, "lstm", "MAPE of all pairs as they come", "", func(r *training.Report) float64 {
			return predictorOf(r, "lstm").All.MAPE
		})), nil
}

// threeNetworks has an LSTM, a GRU and a simple recurrent network of one width.
func threeNetworks(ctx context.Context, _ *reproduce.Computing) ([]reproduce.Figure, error) {
	reports, err := trained(ctx)
	if err != nil {
		return nil, err
	}
	var list []reproduce.Figure
	for _, name := range training.Names {
		list = append(list,
			learnt(reports, name, "loss, test", "", func(r *training.Report) float64 {
				return predictorOf(r, name).Test.Loss
			}),
			learnt(reports, name, mape, "", func(r *training.Report) float64 {
				return predictorOf(r, name).Test.MAPE
			}),
			learnt(reports, name, "loss, training", "", func(r *training.Report) float64 {
				return predictorOf(r, name).Train.Loss
			}))
	}
	return list, nil
}

// tuning has the gains of the PID, tuned online.
func tuning(ctx context.Context, _ *reproduce.Computing) ([]reproduce.Figure, error) {
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

// kpAfter is Kp after a number of steps, NaN if no flow took as many.
func kpAfter(t *training.Tuning, steps int) float64 {
	for _, g := range t.Curve {
		if g.Steps == steps {
			return g.Kp
		}
	}
	return math.NaN()
}

// longestStep is the largest move of any gain between two points of the curve, as a share of the largest that as many
// steps allow: 0.01/sqrt(t+1) x 0.1 each (equations 25 and 26).
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
