package reproduce

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"math"
	"os"
	"path/filepath"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/runfolder"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/many/campaign"
)

// Run is a finished run, read from its folder. A faulty file fails the row.
type Run struct {
	// Column is the row's, Variant the scenario's, Keys are the values of swept keys by path.
	Column, Variant string
	Keys            map[string]string
	Seed            uint64
	// Dir is the folder with the run's files; columns.md in the one above documents them.
	Dir string

	row     *campaign.Row
	plan    func() (*plan.Plan, error)
	results *Results
	kept    map[string]any
}

// headroom is the headroom of a lossless class at the ports of a rate, in bytes, as rocelab validate computes it.
func (r *Run) headroom(rate unit.BitRate) (float64, error) {
	planned, err := r.plan()
	if err != nil {
		return math.NaN(), err
	}
	found := math.NaN()
	for _, class := range scenario.Analyse(planned, nil).Headrooms {
		switch {
		case class.Rate != rate:
		case !math.IsNaN(found):
			return math.NaN(), fmt.Errorf("ports of %v have several headrooms", rate)
		default:
			found = float64(class.Headroom)
		}
	}
	if math.IsNaN(found) {
		return found, fmt.Errorf("no port of %v has a lossless class", rate)
	}
	return found, nil
}

// Metric is a metric of the run's summary, such as "rtt_mean_us"; NaN if it was not
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
type Line = runfolder.Row

// Lines are the rows of a CSV file of the run, such as "queues.csv"; a line is the loop's until
// the next.
func (r *Run) Lines(file string) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		if err := r.read(file, yield); err != nil {
			r.results.fail(fmt.Errorf("%s: %w", filepath.Join(r.Dir, file), err))
		}
	}
}

// errEnough ends the reading of lines.
var errEnough = errors.New("no more lines are wanted")

func (r *Run) read(file string, yield func(Line) bool) error {
	err := r.files().Each(file, nil, func(line Line) error {
		if !yield(line) {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// files are the files of the run.
func (r *Run) files() *runfolder.Run { return runfolder.RunIn(os.DirFS(r.Dir), ".") }

// Flow is a flow of a run: the columns of flows.csv that rows need most. Times are in
// microseconds of model time, NaN for what did not happen.
type Flow struct {
	// Name is the flow's, Group the entry of traffic that it came from.
	Name      string `csv:"flow"`
	Group     string `csv:"group,optional"`
	Algorithm string `csv:"algorithm"`
	From      string `csv:"from"`
	To        string `csv:"to"`
	// Size is its payload in bytes, 0 for one that runs until stopped.
	Size float64 `csv:"size_bytes"`
	// Start is the time at which it was due, End the time at which its last byte was acknowledged, FCT the time
	// between, and Slowdown that over its time without others.
	Start    float64 `csv:"start_us,time"`
	End      float64 `csv:"completed_us,optional,time"`
	FCT      float64 `csv:"fct_us,optional,time"`
	Slowdown float64 `csv:"slowdown,optional"`
	// Goodput is its payload over its lifetime in Gb/s.
	Goodput float64 `csv:"goodput_gbps,optional"`
	// RTT is the mean of its packets in microseconds.
	RTT float64 `csv:"rtt_mean_us,optional,time"`
}

// Flows are the flows of the run, in the order of its plan.
func (r *Run) Flows() (flows []Flow) {
	for flow, err := range runfolder.Rows[Flow](r.files(), "flows.csv") {
		if err != nil {
			r.results.fail(fmt.Errorf("%s: %w", r.Dir, err))
			break
		}
		flows = append(flows, flow)
	}
	return flows
}

// Series is a value in each bin of model time, from 0 on.
type Series = runfolder.Series

// Series reads a column of a file of series, such as "depth_max_bytes" of "series_queues.csv",
// of the rows with these cells, each as "node=s0"; if several rows are of one bin, their sum.
func (r *Run) Series(file, column string, where ...string) Series {
	series, err := r.files().Series(file, column, where...)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%w: does the scenario set sweep: {record: true}?", err)
		}
		r.results.fail(fmt.Errorf("%s: %w", r.Dir, err))
	}
	return series
}

// Mean is the mean of values, NaN of none.
func Mean(values []float64) float64 {
	sum := 0.0
	for _, value := range values {
		sum += value
	}
	return sum / float64(len(values))
}

// Least is the smallest of values, NaN of none.
func Least(values []float64) float64 { return extreme(values, math.Min) }
