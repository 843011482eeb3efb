package training

import (
	"fmt"
	"io"
	"strconv"

	"github.com/rocelab/rocelab/testbed/look/page"
)

// Document is the report as tables: the runs, the loss curves, the scores, the gains.
func (r *Report) Document() *page.Document {
	d := &page.Document{Title: fmt.Sprintf("Training, seed %d", r.Seed), Kind: "train"}
	r.Add(d)
	return d
}

// Add adds those tables.
func (r *Report) Add(d *page.Document) {
	parts := []*page.Table{r.runs(), r.curves(), r.scores()}
	if r.Tuned != nil {
		parts = append(parts, r.TunedAlone.table(), r.Tuned.table())
	}
	for i, part := range parts {
		if i > 0 {
			d.Add(page.Gap{})
		}
		d.Add(part)
	}
}

func (r *Report) runs() *page.Table {
	header := []string{"run", "algorithm", "seed", "RTT samples", "mean us", "p99 us", "max us", "rate Gb/s"}
	for _, name := range binNames {
		header = append(header, "|K| "+name)
	}
	t := page.New(header...)
	for _, run := range r.Runs {
		row := []any{run.Use, run.Algorithm, run.Seed, run.Samples, decimals(run.MeanRTT, 3), decimals(run.P99RTT, 3),
			decimals(run.MaxRTT, 3), decimals(run.MeanRate, 2)}
		for _, n := range run.Pairs {
			row = append(row, n)
		}
		t.Add(row...)
	}
	t.LeftOut = fmt.Sprintf("%d pairs to train with and %d to test with, as many of each range of |K|", r.Train, r.Test)
	return t
}

func (r *Report) curves() *page.Table {
	var trainedAlgorithm []*Predictor
	header := []string{"epoch"}
	for i := range r.Predictors {
		if p := &r.Predictors[i]; p.Curve != nil {
			trainedAlgorithm = append(trainedAlgorithm, p)
			header = append(header, p.Name+" loss", "MAPE", "test MAPE")
		}
	}
	t := page.New(header...)
	for i := range trainedAlgorithm[0].Curve {
		row := []any{trainedAlgorithm[0].Curve[i].Number}
		for _, p := range trainedAlgorithm {
			e := &p.Curve[i]
			row = append(row, decimals(e.Train.Loss, 4), decimals(e.Train.MAPE, 4), decimals(e.Test.MAPE, 4))
		}
		t.Add(row...)
	}
	return t
}

func (r *Report) scores() *page.Table {
	t := page.New("predictor", "parameters", "train loss", "train MAPE", "test loss", "test MAPE", "loss as they come",
		"MAPE as they come")
	for i := range r.Predictors {
		p := &r.Predictors[i]
		row := []any{p.Name, p.Parameters}
		for _, s := range []Score{p.Train, p.Test, p.All} {
			row = append(row, decimals(s.Loss, 4), decimals(s.MAPE, 4))
		}
		t.Add(row...)
	}
	t.LeftOut = fmt.Sprintf("over all %d, %d and, of the test runs as they come, %d pairs", r.Train, r.Test, r.All)
	return t
}

func decimals(v float64, n int) string { return strconv.FormatFloat(v, 'f', n, 64) }

// WriteCSV writes the loss curves of all networks.
func (r *Report) WriteCSV(w io.Writer) error {
	rows := [][]string{{"network", "epoch", "train_loss", "train_mape", "test_loss", "test_mape"}}
	exact := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	for i := range r.Predictors {
		p := &r.Predictors[i]
		for _, e := range p.Curve {
			rows = append(rows, []string{p.Name, strconv.Itoa(e.Number), exact(e.Train.Loss), exact(e.Train.MAPE),
				exact(e.Test.Loss), exact(e.Test.MAPE)})
		}
	}
	return page.WriteCSV(w, rows)
}
