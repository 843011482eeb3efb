package judge

import (
	"errors"
	"fmt"
	"slices"

	"github.com/onsi/ginkgo/v2/reporters"
	"github.com/onsi/ginkgo/v2/types"
)

// Result is the result of a check, or of all.
type Result string

// The results. A report fails only with Failed.
const (
	Pass   Result = "pass"
	Failed Result = "failed"
	// Documented is a failure of a shipped algorithm for a reason in Misses.
	Documented Result = "documented miss"
	Exempt     Result = "exempt"
	// Reported is a figure without a bound.
	Reported Result = "reported"
	// Skipped is a check with a missing requirement, which the remark names.
	Skipped Result = "skipped"
	// NotRun is a check left out because the run of checks ended before.
	NotRun Result = "not run"
)

// Row is a check and its result.
type Row struct {
	Check  string   `json:"check"`
	About  string   `json:"about"`
	Labels []string `json:"labels"`
	Result Result   `json:"result"`
	// Figure is the measurement, Allowed its bound; Remark describes the fault, or the figure.
	Figure  string `json:"figure"`
	Allowed string `json:"allowed"`
	Remark  string `json:"remark"`
}

// Report is the result of all checks.
type Report struct {
	Verdict   Result `json:"verdict"`
	Algorithm string `json:"algorithm"`
	Version   string `json:"version"`
	// Form is where the algorithm is: "built in", or its program.
	Form string `json:"form"`
	// Given are the parameters that it was judged with.
	Given map[string]string `json:"parameters"`
	// Uncontrolled: it declares not to react to congestion.
	Uncontrolled bool  `json:"uncontrolled"`
	Checks       []Row `json:"checks"`

	ginkgo types.Report
}

// judge derives the verdict from the rows.
func (r *Report) judge() {
	r.Verdict = Pass
	if r.Count(Skipped) == len(r.Checks) {
		r.Verdict = Skipped
	}
	for _, result := range []Result{NotRun, Failed} { // the graver last
		if r.Count(result) > 0 {
			r.Verdict = result
		}
	}
}

// Count returns how many checks came to a result.
func (r *Report) Count(result Result) (count int) {
	for i := range r.Checks {
		if r.Checks[i].Result == result {
			count++
		}
	}
	return count
}

// Find returns the row of a check, nil if it was not asked for.
func (r *Report) Find(check string) *Row {
	i := slices.IndexFunc(r.Checks, func(row Row) bool { return row.Check == check })
	if i < 0 {
		return nil
	}
	return &r.Checks[i]
}

// WriteJUnit writes the report to a file as JUnit XML.
func (r *Report) WriteJUnit(path string) error {
	if err := reporters.GenerateJUnitReport(r.ginkgo, path); err != nil {
		return fmt.Errorf("write JUnit report: %w", err)
	}
	return nil
}

// ErrInterrupted ends checks that were stopped from outside.
var ErrInterrupted = errors.New("interrupted")
