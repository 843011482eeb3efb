package conformance

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/testbed/model"
)

// Options say how to check.
type Options struct {
	// Companions finds the algorithms that stand beside the subject in
	// scenarios: fixed and dcqcn.
	Companions model.Find
	// Checks names those to carry out, nil for all.
	Checks []string
	// Seeds are those of the scenarios that are judged, of which the worst
	// counts; nil for 1, 2 and 3.
	Seeds []uint64
	// Progress, if not nil, is told of each check before it begins.
	Progress func(check string, number, total int)
}

// check is one of the kit's.
type check struct {
	name, doc string
	// control tells that it is of algorithms that react to congestion.
	control bool
	run     func(k *kit) Row
}

// checks are all, in the order of the report.
var checks = []check{
	{"handshake", "the program starts, speaks this protocol and says who it is", false, (*kit).handshake},
	{"parameters", "each is documented, has a default within its bounds, and every bound can be set or is refused by name", false, (*kit).parameters},
	{"source", "no fused floats, clocks, goroutines, maps in loops or changing globals in the source", false, (*kit).source},
	{"repeat", "the same events give the same decisions a second time, later", false, (*kit).repeat},
	{"process", "the same events give the same decisions in another process", false, (*kit).process},
	{"build", "the same events give the same decisions built for other processors", false, (*kit).build},
	{"isolation", "a flow's decisions are the same without the other flows", false, (*kit).isolation},
	{"fuzz", "random events get answers that make sense", false, (*kit).fuzz},
	{"reorder", "events out of order get answers that make sense", false, (*kit).reorder},
	{"reaction", "what it sends falls by a third within 20 RTT of a doubled load", true, (*kit).reaction},
	{"recovery", "it holds 80 % of the line again in time once the other flow is gone", false, (*kit).recovery},
	{"fairness", "four equal flows get equal shares, also where one joins after the other", true, (*kit).fairness},
	{"beside-dcqcn", "what two flows get beside two of DCQCN", false, (*kit).beside},
	{"decision-time", "how long an answer takes", false, (*kit).decisionTime},
}

// Checks returns the names of all checks with what they are about.
func Checks() (names, docs []string) {
	for _, c := range checks {
		names, docs = append(names, c.name), append(docs, c.doc)
	}
	return names, docs
}

// kit is a subject under check.
type kit struct {
	Subject
	options Options
	ctx     context.Context
	about   cc.Description
	// folder holds what is built, and is removed at the end.
	folder string
	// refused is why the algorithm could not be opened.
	refused error
	// records are made once; recordErr is why there are none.
	records   *records
	recordErr error
	built     map[string]build
}

// Run checks a subject, after the handshake, which needs no asking for. Without
// a report the error is that a check has no such name, or what the host refused.
// With a report it is why the rest was not checked: the handshake failed, or the
// context was cancelled. Whatever else is wrong with the subject is in the
// report alone.
func Run(ctx context.Context, s Subject, o Options) (report *Report, err error) {
	chosen, err := choose(o.Checks)
	if err != nil {
		return nil, err
	}
	if o.Seeds == nil {
		o.Seeds = []uint64{1, 2, 3}
	}
	k := &kit{Subject: s, options: o, ctx: ctx, built: map[string]build{}}
	if k.folder, err = os.MkdirTemp("", "rocelab-check-"); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(k.folder)) }()
	report = &Report{Form: s.form()}
	k.meet()
	report.Algorithm, report.Version, report.Uncontrolled = k.about.Name, k.about.Version, k.about.Uncontrolled
	if k.refused != nil && chosen[0].name != "handshake" {
		chosen = append([]check{checks[0]}, chosen...)
	}
	for i, c := range chosen {
		if o.Progress != nil {
			o.Progress(c.name, i+1, len(chosen))
		}
		row := k.carryOut(c)
		if ctx.Err() != nil {
			return report, ctx.Err()
		}
		report.Checks = append(report.Checks, row)
	}
	return report, k.refused
}

// choose returns the checks of the given names in the order of the report.
func choose(names []string) ([]check, error) {
	if len(names) == 0 {
		return checks, nil
	}
	all, _ := Checks()
	for _, n := range names {
		if !slices.Contains(all, n) {
			return nil, fmt.Errorf("there is no check %q: there are %s", n, strings.Join(all, ", "))
		}
	}
	var chosen []check
	for _, c := range checks {
		if slices.Contains(names, c.name) {
			chosen = append(chosen, c)
		}
	}
	return chosen, nil
}

// meet asks the subject who it is.
func (k *kit) meet() {
	a, close, err := k.open()
	if err != nil {
		k.refused = err
		return
	}
	k.about = a.Describe()
	k.refused = close.Close()
}

// carryOut runs one check and marks misses that are documented.
func (k *kit) carryOut(c check) (row Row) {
	switch {
	case k.refused != nil && c.name != "handshake":
		row = Row{Result: NotChecked, Remark: "the handshake failed"}
	case c.control && k.about.Uncontrolled:
		row = Row{Result: Exempt, Remark: "declares itself uncontrolled"}
	default:
		row = k.guarded(c)
	}
	row.Check = c.name
	reason := ""
	if k.Shipped && len(k.Given) == 0 {
		reason = Misses[k.about.Name][c.name]
	}
	switch {
	case reason != "" && row.Result == Miss:
		row.Result, row.Remark = Documented, strings.TrimPrefix(row.Remark+"; "+reason, "; ")
	case reason != "" && row.Result == Pass:
		row.Remark = strings.TrimPrefix(row.Remark+"; no longer missed: take it off the list of documented misses", "; ")
	}
	return row
}

// guarded runs one check; an algorithm in this process that panics misses it.
func (k *kit) guarded(c check) (row Row) {
	defer func() {
		if r := recover(); r != nil {
			row = Row{Result: Miss, Remark: fmt.Sprintf("panics: %v", r)}
		}
	}()
	return c.run(k)
}

// with runs f with the algorithm, started anew if it is a program.
func (k *kit) with(f func(a cc.Algorithm) Row) Row {
	a, close, err := k.open()
	if err != nil {
		return missed(err)
	}
	row := f(a)
	if err := close.Close(); err != nil && row.Result != Miss {
		return missed(err)
	}
	return row
}

// missed is the row of a check that an error ended.
func missed(err error) Row { return Row{Result: Miss, Remark: err.Error()} }
