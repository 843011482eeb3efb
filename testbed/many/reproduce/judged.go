package reproduce

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/rocelab/rocelab/testbed/many/campaign"
)

// Outcome is the result of a criterion.
type Outcome string

const (
	// Met: it holds.
	Met Outcome = "met"
	// Missed: it does not, without a documented reason.
	Missed Outcome = "MISSED"
	// Known: it does not, for a documented reason.
	Known Outcome = "missed"
	// Mended: it holds, although a reason is documented why it would not.
	Mended Outcome = "no longer missed"
	// Beside: it does not, in a column that does not count.
	Beside Outcome = "not met"
	// Unmeasured: it asks for a figure that the row does not have.
	Unmeasured Outcome = "not measured"
)

// Holds reports whether the criterion is met.
func (o Outcome) Holds() bool { return o == Met || o == Mended }

// verdict is the result of a criterion of a row in one of its columns.
type verdict struct {
	Criterion *Criterion
	// Column is the column that was judged, "" in a row without.
	Column  string
	Outcome Outcome
	// Measured describes the measurement in words.
	Measured string
}

// Judged is a row that was carried out.
type Judged struct {
	Row  *Row
	Full bool
	// Figures are the measurements, Verdicts the results of the criteria, in their order.
	Figures  []Figure
	Verdicts []verdict
	// Err is the reason why there are none: a run that failed or must not be believed, a mistake of the row.
	// ErrUnfinished is an interruption.
	Err error
	// Seconds is the time of its runs one after the other, 0 if that is not known.
	Seconds float64
	// Runs are where the figures come from.
	Runs []runDocument
}

// ErrUnfinished means that not all runs of a row are done.
var ErrUnfinished = errors.New("not all of its runs are done")

// invalidError means that there is no run to judge: its values, or its algorithm, are at fault.
type invalidError struct{ Err error }

func (e *invalidError) Error() string { return e.Err.Error() }
func (e *invalidError) Unwrap() error { return e.Err }

// Judge measures and judges a job whose runs are done.
func (j *Job) Judge(ctx context.Context, out string) *Judged {
	judged := &Judged{Row: j.Row, Full: j.Full}
	if j.Err != nil {
		judged.Err = &invalidError{j.Err}
		return judged
	}
	judged.Figures, judged.Seconds, judged.Err = j.measure(ctx, out)
	if j.Plan != nil {
		for i := range j.Plan.Runs {
			run := &j.Plan.Runs[i]
			judged.Runs = append(judged.Runs, runDocument{run.Name(), j.store(out).RunDir(run.ID)})
		}
	}
	if judged.Err == nil {
		judged.Err = judged.judge()
	}
	return judged
}

func (j *Job) measure(ctx context.Context, out string) (list []Figure, seconds float64, err error) {
	if j.Plan == nil {
		list, err = j.compute(ctx)
	} else {
		store := j.store(out)
		results := readResults(j, store)
		if results.err == nil {
			list = j.Row.Measure(results)
		}
		if err = results.err; errors.Is(err, errNotDone) {
			err = ErrUnfinished
		}
		seconds = j.seconds(store)
	}
	for i := range list {
		list[i] = list[i].rounded()
	}
	return list, seconds, err
}

// compute computes the figures of a row, or finds the ones that the same work had before it was interrupted.
func (j *Job) compute(ctx context.Context) (list []Figure, err error) {
	id, unnamed := campaign.IDOf("figures", j.Row.ID, j.Form(), j.Row.inputs)
	if unnamed == nil {
		if _, found := j.unfinished.Find(id, &list); found {
			return list, nil
		}
	}
	list, err = j.Row.Compute(ctx, !j.Full)
	if ctx.Err() != nil {
		return list, ErrUnfinished
	}
	if err == nil && unnamed == nil {
		j.unfinished.Keep(id, list, nil)
	}
	return list, err
}

// newJudged judges figures that were measured before.
func newJudged(row *Row, full bool, figures []Figure) *Judged {
	judged := &Judged{Row: row, Full: full, Figures: figures}
	judged.Err = judged.judge()
	return judged
}

// judge judges the figures in each column.
func (j *Judged) judge() error {
	columns := j.Row.Columns
	if len(columns) == 0 {
		columns = []Column{{}}
	}
	var missing []string
	for i := range j.Row.Criteria {
		criterion := &j.Row.Criteria[i]
		if criterion.FullOnly && !j.Full {
			continue
		}
		for _, column := range columns {
			known := len(missing)
			holds, measured := criterion.Holds(Figures{j.Figures, column.Name, &missing})
			verdict := verdict{Criterion: criterion, Column: column.Name, Outcome: Unmeasured, Measured: measured}
			if len(missing) == known {
				verdict.Outcome = criterion.outcome(holds, column.Beside, j.Full)
			}
			j.Verdicts = append(j.Verdicts, verdict)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("criteria ask for figures that were not measured: %s", strings.Join(missing, "; "))
	}
	for _, figure := range j.Figures {
		for _, value := range figure.Values {
			if math.IsNaN(value) || math.IsInf(value, 0) {
				return fmt.Errorf("figure %q of column %q is %v", figure.Name, figure.Column, value)
			}
		}
	}
	return nil
}

func (c *Criterion) outcome(holds, beside, full bool) Outcome {
	known := c.Miss != nil && (c.Miss.In == "" || (c.Miss.In == "full") == full)
	switch {
	case holds && known && !beside:
		return Mended
	case holds:
		return Met
	case beside:
		return Beside
	case known:
		return Known
	}
	return Missed
}

// Red reports whether something is wrong: a miss without a reason, or no figures at all.
func (j *Judged) Red() bool {
	for _, verdict := range j.Verdicts {
		if verdict.Outcome == Missed {
			return true
		}
	}
	return j.Err != nil
}
