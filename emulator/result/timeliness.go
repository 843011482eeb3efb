package result

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// timeBound is the bound of a quantile of lateness, on the way out or in, as a multiple num/den of R.
type timeBound struct {
	name         string
	q            float64
	green, amber multiple
}

// multiple is num/den of R.
type multiple struct{ num, den int64 }

// timeBounds are judged at each edge by itself. Amber's p50 follows from its p99.
var timeBounds = [...]timeBound{
	{"p50", 0.50, multiple{1, 4}, multiple{1, 1}},
	{"p99", 0.99, multiple{1, 2}, multiple{1, 1}},
	{"p99.9", 0.999, multiple{2, 1}, multiple{10, 1}},
}

// standstillBound is the bound of a standstill for amber: frames in flight were late by as much, so it is the bound of
// the latest frames.
var standstillBound = multiple{10, 1}

// exceeds reports whether a time is above the multiple of R.
func (m multiple) exceeds(ns int64, reference time.Duration) bool {
	return times(ns, m.den) > times(reference.Nanoseconds(), m.num)
}

// times returns a product, or the largest number on overflow: R is K times as long on the wall, and K may be a million.
func times(ns, factor int64) int64 {
	if ns > math.MaxInt64/factor {
		return math.MaxInt64
	}
	return ns * factor
}

// of prints the multiple and what it is: "R/4 = 101us".
func (m multiple) of(reference time.Duration) string {
	name := "R"
	if m.num > 1 {
		name = fmt.Sprintf("%d R", m.num)
	}
	if m.den > 1 {
		name += fmt.Sprintf("/%d", m.den)
	}
	return name + " = " + WallTime(times(reference.Nanoseconds(), m.num)/m.den)
}

// WallTime prints a time on the wall with three digits.
func WallTime(ns int64) string {
	if ns > math.MaxInt64/int64(unit.Nanosecond) { // months are beyond a Duration
		return fmt.Sprintf("%ds", ns/int64(time.Second))
	}
	step := int64(1)
	for ns/step >= 1000 {
		step *= 10
	}
	return (unit.Duration((ns+step/2)/step*step) * unit.Nanosecond).String()
}

// Judged reports whether there is any timing to judge: an edge at which a frame left or came in, or was lost outside
// the models, or edges and a standstill.
func (t *Timing) Judged() bool {
	for i := range t.Edges {
		if e := &t.Edges[i]; e.Lateness.Count() > 0 || e.Taken.Count() > 0 || e.LostOutside() > 0 {
			return true
		}
	}
	return len(t.Edges) > 0 && len(t.Standstills) > 0
}

// Status is the verdict on time alone: Pass, which is green, Amber or Red.
func (t *Timing) Status() (worst Status) {
	for _, f := range t.violations() {
		worst = max(worst, f.Status)
	}
	return worst
}

// Colour names the verdict on time: green, amber, red, or "not judged".
func (t *Timing) Colour() string {
	if !t.Judged() {
		return "not judged"
	}
	if status := t.Status(); status != Pass {
		return status.String()
	}
	return "green"
}

// addTiming adds the findings on time, and returns what they come to.
func (v *Verdict) addTiming(t *Timing) Status {
	v.add(t.Findings()...)
	return t.Status()
}

// Findings are all that there is to say of time, the gravest first.
func (t *Timing) Findings() []Finding {
	var fs []Finding
	for _, u := range t.Unplugged {
		place := (&EdgeTiming{Name: u.Edge, Interface: u.Interface}).place()
		fs = append(fs, Finding{Void, Timeliness, fmt.Sprintf("edge %s: its interface %s at %v, and no fault of the "+
			"scenario takes it down then: the run ended by that", place, u.What, u.At)})
	}
	return append(append(fs, t.violations()...), t.notes()...)
}

// violations are the findings of a run that did not keep the clock, the gravest first. Without edges nothing is judged:
// the inside is exact even if it is late.
func (t *Timing) violations() (fs []Finding) {
	if len(t.Edges) == 0 {
		return nil
	}
	for i := range t.Edges {
		e := &t.Edges[i]
		fs = append(fs, judgeLateness(&e.Lateness, "edge "+e.place()+": frames left late", t.Reference)...)
		fs = append(fs, judgeLateness(&e.Taken, "edge "+e.place()+": frames were taken late", t.Reference)...)
	}
	for i := range t.Edges {
		if edge := &t.Edges[i]; edge.LostOutside() > 0 {
			fs = append(fs, Finding{Amber, Timeliness, fmt.Sprintf("edge %s: %s lost outside the models: %s",
				edge.place(), unit.CountOf(edge.LostOutside(), "frame was", "frames were"), edge.losses())})
		}
	}
	for _, s := range t.Standstills {
		status, bound := Amber, "where green allows none"
		if standstillBound.exceeds(s.Took.Nanoseconds(), t.Reference) {
			status, bound = Red, "above "+standstillBound.of(t.Reference)
		}
		fs = append(fs, Finding{status, Timeliness, fmt.Sprintf("the run stood still for %s at model time %v%s, %s",
			WallTime(s.Took.Nanoseconds()), s.At, s.culprit(), bound)})
	}
	slices.SortStableFunc(fs, func(a, b Finding) int { return cmp.Compare(b.Status, a.Status) })
	return fs
}

// judgeLateness judges the quantiles of a lateness: each finding, which begins with the name of the late things, is for
// the gravest bound that the quantile exceeds.
func judgeLateness(l *record.Lateness, what string, reference time.Duration) (fs []Finding) {
	for i := range timeBounds {
		bound := &timeBounds[i]
		late := l.Quantile(bound.q)
		status, exceeded := Amber, bound.green
		switch {
		case bound.amber.exceeds(late, reference):
			status, exceeded = Red, bound.amber
		case !bound.green.exceeds(late, reference):
			continue
		}
		fs = append(fs, Finding{status, Timeliness, fmt.Sprintf("%s: %s is %s, above %s", what, bound.name, WallTime(late),
			exceeded.of(reference))})
	}
	return fs
}

// notes say what else there is to know of time, and what explains it.
func (t *Timing) notes() (fs []Finding) {
	note := func(format string, args ...any) {
		fs = append(fs, Finding{Pass, Timeliness, fmt.Sprintf(format, args...)})
	}
	switch {
	case len(t.Edges) == 0:
		note("K = %d, not judged: there are no edges", t.Dilation)
	case !t.Judged():
		note("K = %d, not judged: no frame left or came in at an edge", t.Dilation)
	default:
		note("%s at K = %d: R = %s on the wall", t.Colour(), t.Dilation, WallTime(t.Reference.Nanoseconds()))
	}
	for _, line := range t.besides() {
		note("%s", line)
	}
	if advice := t.advice(); advice != "" {
		note("%s", advice)
	}
	if t.Lag.Count() > 0 {
		note("model time was behind the wall by %s over %s; this is not judged", Quantiles(&t.Lag),
			unit.Count(t.Lag.Count(), "window"))
	}
	if len(t.Edges) == 0 {
		for _, s := range t.Standstills {
			note("the run stood still for %s at model time %v%s", WallTime(s.Took.Nanoseconds()), s.At, s.culprit())
		}
	}
	for i := range t.Edges {
		if e := &t.Edges[i]; e.Moved > 0 {
			note("edge %s: %s read too late and entered later than stamped, by at most %v of model time", e.place(),
				unit.CountOf(e.Moved, "frame was", "frames were"), e.MovedMost)
		}
	}
	for i := range t.Edges {
		if e := &t.Edges[i]; e.Unfit > 0 {
			note("edge %s: %s in unfinished from the host and could not be finished: passed on unchanged", e.place(),
				unit.CountOf(e.Unfit, "frame came", "frames came"))
		}
	}
	for i := range t.Edges {
		if e := &t.Edges[i]; e.Lost[TooLong] > 0 {
			note("edge %s: an interface sends packets of its MTU with one 802.1Q tag: with two tags, or an "+
				"802.1ad tag, they need an interface whose MTU is 4 B larger", e.place())
		}
	}
	if t.ClockSteps > 0 {
		note("the host's clock was set %s; frames then counted from when they were read",
			unit.Count(t.ClockSteps, "time"))
	}
	if t.Used != (Scheduling{}) {
		note("%s", t.cores())
	}
	if t.Host != (Interference{}) {
		note("the host took CPU time away: %s stolen by its hypervisor, %s throttled by a limit of its cgroups",
			WallTime(t.Host.Steal.Nanoseconds()), WallTime(t.Host.Throttled.Nanoseconds()))
	}
	if n := len(t.Priorities); n > 0 {
		note("real-time priority: %d of %s had it to the end", t.heldPriority(), unit.CountOf(n, "participant",
			"participants"))
	}
	if len(t.Edges) > 0 && t.Dilation > 1 {
		note("timers of hosts outside are not scaled by K = %d: a timeout of 200ms counts as %v here", t.Dilation,
			200*unit.Millisecond/unit.Duration(t.Dilation))
	}
	return fs
}

// Quantiles prints a lateness: "p50 43us, p99 111us, p99.9 475us, max 11.2ms".
func Quantiles(l *record.Lateness) string {
	var parts []string
	for _, bound := range timeBounds {
		parts = append(parts, bound.name+" "+WallTime(l.Quantile(bound.q)))
	}
	return strings.Join(append(parts, "max "+WallTime(l.Max())), ", ")
}

// place names an edge and its interface.
func (e *EdgeTiming) place() string {
	if e.Interface == "" {
		return e.Name
	}
	return e.Name + " (" + e.Interface + ")"
}

// LostOutside is the number of frames that were lost outside the models.
func (e *EdgeTiming) LostOutside() (n uint64) {
	for _, frames := range e.Lost {
		n += frames
	}
	return n
}

// losses lists the lost frames by reason.
func (e *EdgeTiming) losses() string {
	var list []string
	for reason, frames := range e.Lost {
		if frames > 0 {
			list = append(list, fmt.Sprintf("%d %v", frames, OutsideReason(reason)))
		}
	}
	return strings.Join(list, ", ")
}

// culprit names the last participant to arrive, if that is known.
func (s *Standstill) culprit() string {
	if s.Who == "" {
		return ""
	}
	return " (" + s.Who + " came last)"
}
