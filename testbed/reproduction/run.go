package reproduction

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/testbed/sweep"
)

// Run is a run that is done, read from its folder. What is wrong with a file fails the row.
type Run struct {
	// Column is the row's, Variant the scenario's, Keys are the values of swept keys by path.
	Column, Variant string
	Keys            map[string]string
	Seed            uint64
	// Dir is the folder with the run's files; columns.md in the one above says what they have.
	Dir string

	row     *sweep.Row
	results *Results
}

// Metric is a metric of the run's summary, such as "rtt_mean_us"; NaN where it was not
// measured.
func (r *Run) Metric(name string) float64 {
	if _, ok := result.MetricOf(name); !ok {
		r.results.fail(fmt.Errorf("there is no metric %s", name))
	}
	text, measured := r.row.Metrics[name]
	if !measured {
		return math.NaN()
	}
	value, err := text.Float64()
	if err != nil {
		r.results.fail(fmt.Errorf("%s: %s: %w", r.Dir, name, err))
	}
	return value
}

// Line is a row of a CSV file.
type Line struct {
	cells []string
	at    map[string]int
}

// Text is the text in a column; "" where nothing was measured, or in no row of the file.
func (l Line) Text(column string) string {
	if i, ok := l.at[column]; ok {
		return l.cells[i]
	}
	return ""
}

// Number is the number in a column, NaN where there is none.
func (l Line) Number(column string) float64 {
	value, err := strconv.ParseFloat(l.Text(column), 64)
	if err != nil {
		return math.NaN()
	}
	return value
}

// Lines are the rows of a CSV file of the run, such as "queues.csv"; a line is the loop's until
// the next.
func (r *Run) Lines(file string) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		if err := r.read(file, yield); err != nil {
			r.results.fail(fmt.Errorf("%s: %w", filepath.Join(r.Dir, file), err))
		}
	}
}

func (r *Run) read(file string, yield func(Line) bool) error {
	from, err := os.Open(filepath.Join(r.Dir, file))
	if err != nil {
		if strings.HasPrefix(file, "series_") && errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("%w: has the scenario sweep: {record: true}?", err)
		}
		return err
	}
	defer from.Close()
	cells := csv.NewReader(from)
	cells.ReuseRecord = true
	line := Line{at: map[string]int{}}
	head, err := cells.Read()
	if err != nil {
		return err
	}
	for i, name := range head {
		line.at[strings.Clone(name)] = i
	}
	for {
		if line.cells, err = cells.Read(); errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil || !yield(line) {
			return err
		}
	}
}

// Flow is a flow of a run: the columns of flows.csv that rows need most. Times are in
// microseconds of model time, NaN for what did not happen.
type Flow struct {
	// Name is the flow's, Group the entry of traffic that it came from.
	Name, Group, Algorithm, From, To string
	// Size is its payload in bytes, 0 for one that runs until stopped.
	Size float64
	// Start is when it was due, End when its last byte was acknowledged, FCT the time between,
	// and Slowdown that over its time alone.
	Start, End, FCT, Slowdown float64
	// Goodput is its payload over its lifetime in Gb/s.
	Goodput float64
	// RTT is the mean of its packets in microseconds.
	RTT float64
}

// Flows are the flows of the run, in the order of its plan.
func (r *Run) Flows() (flows []Flow) {
	for line := range r.Lines("flows.csv") {
		flow := Flow{
			Name:      line.Text("flow"),
			Group:     line.Text("group"),
			Algorithm: line.Text("algorithm"),
			From:      line.Text("from"),
			To:        line.Text("to"),
			Size:      line.Number("size_bytes"),
			Start:     line.Number("start_us"),
			End:       line.Number("completed_us"),
			FCT:       line.Number("fct_us"),
			Slowdown:  line.Number("slowdown"),
			Goodput:   line.Number("goodput_gbps"),
			RTT:       line.Number("rtt_mean_us"),
		}
		flow.Name, flow.Group = strings.Clone(flow.Name), strings.Clone(flow.Group)
		flow.Algorithm = strings.Clone(flow.Algorithm)
		flow.From, flow.To = strings.Clone(flow.From), strings.Clone(flow.To)
		flows = append(flows, flow)
	}
	return flows
}

// Series is a value in each bin of model time, from 0 on.
type Series struct {
	// Width is a bin's in microseconds; Values are by bin.
	Width  float64
	Values []float64
}

// Series reads a column of a file of series, such as "depth_max_bytes" of "series_queues.csv",
// of the rows with these cells, each as "node=s0"; where several rows are of one bin, their
// sum. A bin without a row is 0.
func (r *Run) Series(file, column string, where ...string) Series {
	series := Series{Width: r.width(file)}
	if !(series.Width > 0) {
		return series
	}
	pairs := make([][2]string, len(where))
	for i, pair := range where {
		pairs[i][0], pairs[i][1], _ = strings.Cut(pair, "=")
	}
lines:
	for line := range r.Lines(file) {
		for _, pair := range pairs {
			if line.Text(pair[0]) != pair[1] {
				continue lines
			}
		}
		bin := unit.Whole[int](math.Round(line.Number("time_us") / series.Width))
		if bin < 0 || bin > longestSeries {
			r.results.fail(fmt.Errorf("%s: %s us is no time of a run", filepath.Join(r.Dir, file), line.Text("time_us")))
			return series
		}
		for len(series.Values) <= bin {
			series.Values = append(series.Values, 0)
		}
		series.Values[bin] += line.Number(column)
	}
	return series
}

// longestSeries is how many bins a series has at most.
const longestSeries = 1 << 24

// width is that of the bins of a file of series, in microseconds.
func (r *Run) width(file string) float64 {
	text, err := os.ReadFile(filepath.Join(r.Dir, "summary.json"))
	var summary struct {
		Recording struct {
			Widths map[string]float64 `json:"widths_us"`
		} `json:"recording"`
	}
	if err == nil {
		err = json.Unmarshal(text, &summary)
	}
	width := summary.Recording.Widths[file]
	if err == nil && width <= 0 {
		err = fmt.Errorf("there is no %s: has the scenario sweep: {record: true}?", file)
	}
	if err != nil {
		r.results.fail(fmt.Errorf("%s: %w", r.Dir, err))
	}
	return width
}

// Between are the bins from one time to another, in microseconds; beyond the last row they are
// 0.
func (s Series) Between(from, until float64) (values []float64) {
	if !(s.Width > 0) {
		return nil
	}
	for bin := unit.Whole[int](math.Round(from / s.Width)); bin < unit.Whole[int](math.Round(until/s.Width)); bin++ {
		if bin < len(s.Values) {
			values = append(values, s.Values[bin])
		} else {
			values = append(values, 0)
		}
	}
	return values
}

// Mean is the mean of values, NaN of none; Largest the largest and Least the smallest.
func Mean(values []float64) float64 {
	sum := 0.0
	for _, value := range values {
		sum += value
	}
	return sum / float64(len(values))
}

// Largest is the largest of values, NaN of none.
func Largest(values []float64) float64 { return extreme(values, math.Max) }

// Least is the smallest of values, NaN of none.
func Least(values []float64) float64 { return extreme(values, math.Min) }
