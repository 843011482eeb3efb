package thesis

import (
	"context"
	"math"
	"sync"

	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/many/reproduce"
	"github.com/rocelab/rocelab/testbed/many/training"
)

// trainings are those of five seeds, as rocelab train pidnn makes them by default. Three rows are read
// from them, so they are made once in a process; a training takes some seconds, so that the quick form
// is the whole.
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
