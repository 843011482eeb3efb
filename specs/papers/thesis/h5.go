package thesis

import (
	"context"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
	"github.com/rocelab/rocelab/testbed/many/training"
)

const (
	mape      = "MAPE of the next RTT, test"
	mapeRatio = "MAPE of epoch 1 over that of the last, training"
)

var h5 = &reproduce.Row{
	ID:     "H5",
	Title:  "The predictor learns",
	Source: "section 3.4.2, Table 1",
	Paper:  Paper,
	Reading: "Data are of TIMELY and of PIDNN while its gains are tuned, as section 3.4.2 has it; pairs to test with " +
		"are of other runs than those to train with. The optimiser is Adam, the batch one pair: the thesis names neither.",
	Compute: func(ctx context.Context, _ bool) ([]reproduce.Figure, error) {
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
	},
	Published: []reproduce.Published{
		{Column: "lstm", Figure: mape, Value: 0.036, Source: "Table 1, epoch 19"},
		{Column: "lstm", Figure: "MAPE, epoch 1, test", Value: 0.081, Source: "Table 1"},
		{Column: "lstm", Figure: mapeRatio, Value: 0.113 / 0.035, Source: "Table 1"},
	},
}
