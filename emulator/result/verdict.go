package result

import (
	"fmt"
	"math"
	"strconv"

	"github.com/rocelab/rocelab/emulator/plan"
)

// Status is what a run comes to, in the order of gravity.
type Status uint8

// The statuses.
const (
	// Pass: the run is sound and met every expectation.
	Pass Status = iota
	// Failed: an expectation was not met.
	Failed
	// Void: the run did not exercise what it was meant to.
	Void
	// Interrupted: the run was stopped from outside, so that expectations
	// were not checked.
	Interrupted
	// Red: conservation or losslessness was violated.
	Red
)

var statusNames = [...]string{"pass", "failed", "void", "interrupted", "red"}

// String returns the status as reports spell it.
func (s Status) String() string { return statusNames[s] }

// Exit codes of rocelab.
const (
	ExitPass        = 0   // every run passed
	ExitFailed      = 1   // an expectation was not met
	ExitUsage       = 2   // wrong usage or an invalid scenario
	ExitVerdict     = 3   // a verdict is red or void
	ExitHost        = 4   // the host lacks something
	ExitPlugin      = 5   // an algorithm crashed or answered nonsense
	ExitInterrupted = 130 // stopped by a signal
)

// Finding is one thing that a verdict has to say.
type Finding struct {
	// Status is what the finding makes of the run; Pass for a remark.
	Status Status
	// Subject is the check that found it.
	Subject Subject
	// Text says what, where and with which numbers.
	Text string
}

// Subject names a check.
type Subject string

// The checks.
const (
	Effect       Subject = "effect"
	Conservation Subject = "conservation"
	Losslessness Subject = "losslessness"
	Storm        Subject = "storm"
	Expectation  Subject = "expectation"
	Completion   Subject = "completion"
)

// Verdict is a run's judgement of itself.
type Verdict struct {
	Status Status
	// Findings are in the order of the checks: conservation, losslessness,
	// storms, effect, completion, expectations.
	Findings []Finding
}

// maxFindings bounds what one check lists; the rest is counted.
const maxFindings = 10

// Judge gives the verdict on an outcome, of which s is the summary.
func Judge(o *Outcome, s *Summary) Verdict {
	var v Verdict
	v.add(conservation(o)...)
	v.add(losslessness(o)...)
	storms, victims := stormFindings(o)
	v.add(storms...)
	v.add(victims...)
	v.add(effect(o, s)...)
	v.add(completion(o, s)...)
	if o.Interrupted {
		if n := len(o.Plan.Expect.Checks); n > 0 {
			v.add(Finding{Pass, Expectation, fmt.Sprintf("%d expectation(s) not checked: the run was interrupted", n)})
		}
	} else {
		v.add(expectations(o.Plan, s)...)
	}
	return v
}

// add appends findings, at most maxFindings of them, and lets the gravest
// rule.
func (v *Verdict) add(fs ...Finding) {
	for i, f := range fs {
		v.Status = max(v.Status, f.Status)
		switch {
		case i < maxFindings:
			v.Findings = append(v.Findings, f)
		case i == maxFindings:
			v.Findings = append(v.Findings, Finding{Pass, f.Subject, fmt.Sprintf("and %d more of %s", len(fs)-i, f.Subject)})
		}
	}
}

// ExitCode is the exit code of a set of verdicts: an interruption before a red
// or void verdict before a failure.
func ExitCode(verdicts ...Verdict) int {
	code := ExitPass
	for _, v := range verdicts {
		switch v.Status {
		case Interrupted:
			return ExitInterrupted
		case Red, Void:
			code = ExitVerdict
		case Failed:
			if code == ExitPass {
				code = ExitFailed
			}
		}
	}
	return code
}

// completion judges how the run ended.
func completion(o *Outcome, s *Summary) []Finding {
	switch {
	case o.Interrupted:
		return []Finding{{Interrupted, Completion, fmt.Sprintf("stopped from outside at %v", o.End)}}
	case o.Exhausted:
		return []Finding{{Failed, Completion, fmt.Sprintf("the run's limit of %v came with %d of %d flows incomplete (%s)",
			o.Plan.Limit, s.Incomplete, s.Flows, o.firstIncomplete())}}
	}
	return nil
}

// expectations checks the summary against the plan.
func expectations(p *plan.Plan, s *Summary) []Finding {
	var fs []Finding
	for i := range p.Expect.Checks {
		c := &p.Expect.Checks[i]
		text := c.Text
		if text == "" {
			text = fmt.Sprintf("%s %s %s", c.Metric, c.Op, number(c.Value))
		}
		if c.Line > 0 {
			text += fmt.Sprintf(" (line %d)", c.Line)
		}
		v, known := s.Value(c.Metric)
		switch {
		case !known:
			fs = append(fs, Finding{Failed, Expectation, fmt.Sprintf("%s: there is no metric %q", text, c.Metric)})
		case math.IsNaN(v):
			fs = append(fs, Finding{Failed, Expectation, fmt.Sprintf("%s: %s was not measured", text, c.Metric)})
		default:
			met, ok := compare(v, c.Op, c.Value)
			if !ok {
				fs = append(fs, Finding{Failed, Expectation, fmt.Sprintf("%s: %q is no comparison: allowed are <, <=, >, >=, ==",
					text, c.Op)})
			} else if !met {
				fs = append(fs, Finding{Failed, Expectation, fmt.Sprintf("%s: it is %s", text, number(v))})
			}
		}
	}
	return fs
}

func compare(a float64, op string, b float64) (met, ok bool) {
	switch op {
	case "<":
		return a < b, true
	case "<=":
		return a <= b, true
	case ">":
		return a > b, true
	case ">=":
		return a >= b, true
	case "==":
		return a == b, true
	}
	return false, false
}

// number prints a value with all of its digits that matter.
func number(v float64) string { return strconv.FormatFloat(v, 'g', 9, 64) }
