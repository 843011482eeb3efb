package thesis

import (
	"context"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
	"github.com/rocelab/rocelab/testbed/many/training"
)

var h10 = &reproduce.Row{
	ID:      "H10",
	Title:   "LSTM, GRU and a simple recurrent network of one width",
	Source:  "section 3.4.1",
	Paper:   Paper,
	Reading: "All have a hidden layer of 16 and meet the same pairs in the same order.",
	Compute: func(ctx context.Context, _ bool) ([]reproduce.Figure, error) {
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
	},
}
