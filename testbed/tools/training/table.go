package training

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

func newTable(header ...any) table.Writer {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	t.AppendHeader(header)
	return t
}

// Print prints the report as tables: the runs, the loss curves, the scores, the
// gains.
func (r *Report) Print(w io.Writer) error {
	parts := []string{r.runs(), r.curves(), r.scores()}
	if r.Tuned != nil {
		parts = append(parts, r.TunedAlone.table(), r.Tuned.table())
	}
	for i, part := range parts {
		if i > 0 {
			part = "\n" + part
		}
		if _, err := fmt.Fprintln(w, part); err != nil {
			return err
		}
	}
	return nil
}

func (r *Report) runs() string {
	header := []any{"run", "algorithm", "seed", "RTT samples", "mean us", "p99 us", "max us", "rate Gb/s"}
	for _, name := range BinNames {
		header = append(header, "|K| "+name)
	}
	t := newTable(header...)
	for _, run := range r.Runs {
		row := table.Row{run.Use, run.Algorithm, run.Seed, run.Samples, decimals(run.MeanRTT, 3), decimals(run.P99RTT, 3),
			decimals(run.MaxRTT, 3), decimals(run.MeanRate, 2)}
		for _, n := range run.Pairs {
			row = append(row, n)
		}
		t.AppendRow(row)
	}
	return fmt.Sprintf("%s\n%d pairs to train with and %d to test with, as many of each range of |K|",
		t.Render(), r.Train, r.Test)
}

func (r *Report) curves() string {
	var trainedAlgorithm []*Predictor
	header := []any{"epoch"}
	for i := range r.Predictors {
		if p := &r.Predictors[i]; p.Curve != nil {
			trainedAlgorithm = append(trainedAlgorithm, p)
			header = append(header, p.Name+" loss", "MAPE", "test MAPE")
		}
	}
	t := newTable(header...)
	for i := range trainedAlgorithm[0].Curve {
		row := table.Row{trainedAlgorithm[0].Curve[i].Number}
		for _, p := range trainedAlgorithm {
			e := &p.Curve[i]
			row = append(row, decimals(e.Train.Loss, 4), decimals(e.Train.MAPE, 4), decimals(e.Test.MAPE, 4))
		}
		t.AppendRow(row)
	}
	return t.Render()
}

func (r *Report) scores() string {
	t := newTable("predictor", "parameters", "train loss", "train MAPE", "test loss", "test MAPE", "loss as they come",
		"MAPE as they come")
	for i := range r.Predictors {
		p := &r.Predictors[i]
		row := table.Row{p.Name, p.Parameters}
		for _, s := range []Score{p.Train, p.Test, p.All} {
			row = append(row, decimals(s.Loss, 4), decimals(s.MAPE, 4))
		}
		t.AppendRow(row)
	}
	return fmt.Sprintf("%s\nover all %d, %d and, of the test runs as they come, %d pairs", t.Render(),
		r.Train, r.Test, r.All)
}

func decimals(v float64, n int) string { return strconv.FormatFloat(v, 'f', n, 64) }

// WriteCSV writes the loss curves of all networks.
func (r *Report) WriteCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	rows := [][]string{{"network", "epoch", "train_loss", "train_mape", "test_loss", "test_mape"}}
	exact := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	for i := range r.Predictors {
		p := &r.Predictors[i]
		for _, e := range p.Curve {
			rows = append(rows, []string{p.Name, strconv.Itoa(e.Number), exact(e.Train.Loss), exact(e.Train.MAPE),
				exact(e.Test.Loss), exact(e.Test.MAPE)})
		}
	}
	return c.WriteAll(rows)
}
