package exposition

import (
	"errors"
	"io/fs"
	"math"
	"strconv"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/runfolder"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// OfEnded reads the runs of a complete run folder. It fails if the folder is not one.
func OfEnded(name string, folder fs.FS) ([]Run, error) {
	opened, err := runfolder.OpenFS(folder)
	if err != nil {
		return nil, err
	}
	var runs []Run
	for _, its := range opened.Runs() {
		run := Run{
			Folder:   name,
			Scenario: opened.Manifest.Scenario,
			Verdict:  its.Verdict,
			Readings: map[string]float64{ended: 1},
		}
		if its.Host != nil {
			run.Runner, run.Verdict = its.Host.Runner, its.Host.Verdict
			run.Readings[wall] = its.Host.WallSeconds * 1000
		}
		if err := run.read(its); err != nil {
			return nil, err
		}
		runs = append(runs, run)
	}
	return runs, nil
}

// read adds what the files of a run say that has ended.
func (r *Run) read(its *runfolder.Run) error {
	summary, err := its.Summary()
	if err != nil {
		return err
	}
	r.Variant, r.Algorithm, r.Seed = summary.Variant, summary.Algorithm, strconv.FormatUint(summary.Seed, 10)
	for _, metric := range result.MetricNames() {
		if value, _ := summary.Value(metric); !math.IsNaN(value) {
			r.Readings[metric] = value
		}
	}
	return errors.Join(r.readFlows(its), r.readEnd(its))
}

// flowColumns are summed over the flows.
var flowColumns = []string{"acked_bytes", delivered, "rp_cnp_handled", "np_ecn_marked_roce_packets", outOfSequence,
	reordered, "duplicate_packets", "naks_received", "roce_slow_restart_cnps", "roce_adp_retrans_to"}

// readFlows sums what flows.csv counts of each flow. Packets that an out-of-order receiver kept
// arrived out of sequence, as those did that another threw away.
func (r *Run) readFlows(its *runfolder.Run) error {
	sums := map[string]float64{}
	err := its.Each("flows.csv", nil, func(row runfolder.Row) error {
		for _, column := range flowColumns {
			if row.Text(column) != "" {
				sums[column] += row.OrZero(column)
			}
		}
		return nil
	})
	if kept, is := sums[reordered]; is {
		sums[outOfSequence] += kept
		delete(sums, reordered)
	}
	for column, sum := range sums {
		r.Readings[column] = sum
	}
	return missing(err)
}

// readEnd reads when the run ended: the last instant of the whole fabric.
func (r *Run) readEnd(its *runfolder.Run) error {
	return missing(its.Each("trace.csv", []string{"time_us", "node"}, func(row runfolder.Row) error {
		if at := row.Time("time_us"); row.Text("node") == "" && at != unit.Never {
			r.Readings[modelTime] = unit.Duration(at).Microseconds()
		}
		return nil
	}))
}

// missing maps the error of a missing file to nil: it has no rows.
func missing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
