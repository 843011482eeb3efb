package result

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Status is the result of a run, in the order of gravity.
type Status uint8

// The statuses.
const (
	// Pass: the run is sound and met every expectation.
	Pass Status = iota
	// Amber: a pass of a live run that was at times late, or lost frames outside the
	// models.
	Amber
	// Failed: an expectation was not met.
	Failed
	// Void: the run did not exercise what it was meant to.
	Void
	// Interrupted: the run was stopped from outside, so that expectations
	// were not checked.
	Interrupted
	// Red: conservation or losslessness was violated, or a live run did not keep the
	// clock.
	Red
)

var statusNames = [...]string{"pass", "amber", "failed", "void", "interrupted", "red"}

// String returns the status as reports spell it.
func (s Status) String() string { return statusNames[s] }

// Finding is one thing that a verdict has to say.
type Finding struct {
	// Status is the run's status because of the finding; Pass for a remark.
	Status Status
	// Subject is the check that found it.
	Subject Subject
	// Text describes the finding with place and numbers.
	Text string
}

// Subject names a check.
type Subject string

// The checks of every run. Those of a kind of fault stand in its file.
const (
	Effect       Subject = "effect"
	Conservation Subject = "conservation"
	Losslessness Subject = "losslessness"
	LeastTime    Subject = "bound"
	Expectation  Subject = "expectation"
	Completion   Subject = "completion"
	Commands     Subject = "commands"
	Replay       Subject = "replay"
	Timeliness   Subject = "timing"
)

// Verdict is a run's judgement of itself.
type Verdict struct {
	Status Status
	// Findings are in the order of the checks: timing, commands, replay, conservation,
	// losslessness, storms, outages, faults, effect, bound, completion, expectations. The first about Effect is
	// EffectNote's, unless no flow sent a packet.
	Findings []Finding
	// Congestion is the evidence of congestion.
	Congestion []Evidence
	// inside is the verdict without time and commands, nil if the run has neither.
	inside *Verdict
}

// Inside returns the verdict without what the wall clock and the commands of hosts had a
// part in: that of a live run's replay, and of summary.json.
func (v *Verdict) Inside() Verdict {
	if v.inside == nil {
		return *v
	}
	return *v.inside
}

// WasInterrupted reports whether the run was stopped from outside, which a red verdict outweighs, or by an interface
// that went down: its figures are of a part of the run.
func (v *Verdict) WasInterrupted() bool {
	return v.Status == Interrupted || v.inside != nil && v.inside.WasInterrupted() ||
		slices.ContainsFunc(v.Findings, func(f Finding) bool { return f.Status == Interrupted })
}

// maxFindings bounds what one check lists; the rest is counted.
const maxFindings = 10

// Judge gives the verdict on an outcome with its summary.
func Judge(outcome *Outcome, summary *Summary) Verdict {
	inside := judgeInside(outcome, summary)
	if outcome.Time == nil && len(outcome.Hosts) == 0 && outcome.Unlike == "" {
		return inside
	}
	verdict := Verdict{Congestion: inside.Congestion, inside: &inside}
	late := Pass
	if outcome.Time != nil {
		late = verdict.addTiming(outcome.Time)
	}
	verdict.add(commandFindings(outcome.Hosts)...)
	if outcome.Unlike != "" {
		verdict.add(Finding{Failed, Replay, outcome.Unlike})
	}
	for _, f := range inside.Findings {
		switch {
		case f.Subject == Expectation && late == Red:
		case f.Status == Interrupted && outcome.Time != nil && len(outcome.Time.Unplugged) > 0: // so it is void
		default:
			verdict.add(f)
		}
	}
	if n := len(outcome.Plan.Expect.Checks); n > 0 && late == Red {
		verdict.add(Finding{Pass, Expectation, unchecked(n, "the clock was not kept")})
	}
	return verdict
}

// unchecked reports the number of expectations that were not checked.
func unchecked(n int, why string) string {
	return unit.CountOf(n, "expectation was", "expectations were") + " not checked: " + why
}

// finder is one check of a run: it returns its findings.
type finder func(outcome *Outcome, summary *Summary, congestion []Evidence) []Finding

// finders are the checks of every run in the order of their findings; what sets one apart is in its own file.
var finders = []finder{
	ofOutcome(conservation),
	ofOutcome(losslessness),
	ofOutcome(stormFindings),
	ofOutcome(victimFindings),
	ofOutcome(outageNotes),
	ofOutcome(nodeFaultFindings),
	effect,
	ofSummary(leastTime),
	ofSummary(completion),
	ofSummary(expectations),
}

// ofOutcome is a check that reads the outcome only.
func ofOutcome(find func(*Outcome) []Finding) finder {
	return func(outcome *Outcome, _ *Summary, _ []Evidence) []Finding { return find(outcome) }
}

// ofSummary is a check that reads the summary, too.
func ofSummary(find func(*Outcome, *Summary) []Finding) finder {
	return func(outcome *Outcome, summary *Summary, _ []Evidence) []Finding { return find(outcome, summary) }
}

// judgeInside judges what follows from the plan and from what came in at the edges.
func judgeInside(outcome *Outcome, summary *Summary) Verdict {
	verdict := Verdict{Congestion: congestionIn(outcome, summary)}
	for _, find := range finders {
		verdict.add(find(outcome, summary, verdict.Congestion)...)
	}
	return verdict
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

// expectations checks the summary against the plan.
func expectations(outcome *Outcome, summary *Summary) []Finding {
	var fs []Finding
	planned := outcome.Plan
	if n := len(planned.Expect.Checks); n > 0 && outcome.Interrupted {
		return []Finding{{Pass, Expectation, unchecked(n, "the run was interrupted")}}
	}
	for i := range planned.Expect.Checks {
		check := &planned.Expect.Checks[i]
		text := check.Text
		if text == "" {
			text = fmt.Sprintf("%s %s %s", check.Metric, check.Op, rightSide(check))
		}
		if check.Line > 0 {
			text += fmt.Sprintf(" (line %d)", check.Line)
		}
		if why := unmet(check, summary); why != "" {
			fs = append(fs, Finding{Failed, Expectation, text + ": " + why})
		}
	}
	return fs
}

// unmet returns the reason why a run does not meet a check, "" if it does.
func unmet(check *plan.Check, summary *Summary) string {
	bound, beside := check.Value, ""
	for _, name := range []string{check.Metric, check.Of} {
		switch value, known := summary.Value(name); {
		case name == "":
		case !known:
			return fmt.Sprintf("there is no metric %q", name)
		case math.IsNaN(value):
			return summary.whyUnmeasured(name)
		}
	}
	value, _ := summary.Value(check.Metric)
	if check.Of != "" {
		of, _ := summary.Value(check.Of)
		bound = float64(check.Value * of)
		beside = fmt.Sprintf(", and %s is %s", rightSide(check), number(bound))
	}
	met, ok := compare(value, check.Op, bound)
	switch {
	case !ok:
		return fmt.Sprintf("%q is not a comparison: allowed are <, <=, >, >=, ==", check.Op)
	case !met:
		return "it is " + number(value) + beside
	}
	return ""
}

// rightSide returns the right side of a check, as text.
func rightSide(check *plan.Check) string {
	switch {
	case check.Of == "":
		return number(check.Value)
	case check.Value == 1:
		return check.Of
	}
	return number(check.Value) + " * " + check.Of
}

func compare(value float64, op string, bound float64) (met, ok bool) {
	switch op {
	case "<":
		return value < bound, true
	case "<=":
		return value <= bound, true
	case ">":
		return value > bound, true
	case ">=":
		return value >= bound, true
	case "==":
		return value == bound, true
	}
	return false, false
}

// number prints a value with all of its digits that matter.
func number(value float64) string { return strconv.FormatFloat(value, 'g', 9, 64) }

// ExitCode is the exit code of runs with these verdicts.
func ExitCode(verdicts ...Verdict) int {
	code := exit.CodePass
	for _, v := range verdicts {
		code = exit.Gravest(code, v.Status.exitCode())
	}
	return code
}

// exitCode is the exit code of one run.
func (s Status) exitCode() int {
	switch s {
	case Pass, Amber:
		return exit.CodePass
	case Failed:
		return exit.CodeFailed
	case Interrupted:
		return exit.CodeInterrupted
	}
	return exit.CodeVerdict // void and red
}
