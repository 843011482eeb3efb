package judge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/model"
)

// trial is a subject that is being judged.
type trial struct {
	Config
	ctx   context.Context
	about cc.Description
	// folder holds what is built, built what came of it by level of GOAMD64.
	folder string
	built  map[string]build
	// refused is why the handshake failed.
	refused error
	// err is the first fault of a plugin or the refusal of a host, over whether
	// that ends all.
	err  error
	over bool
	done int
	// running is the algorithm that the check under way has started.
	running io.Closer
	started cc.Algorithm
	// reference is made once.
	reference *records
}

// ended is what a check panics with to end: an error, which carryOut judges.
type ended struct{ error }

// must ends the check with an error.
func must(err error) {
	if err != nil {
		panic(ended{err})
	}
}

// isFault reports whether an error is a fault of a plugin.
func isFault(err error) bool {
	var algorithm *model.AlgorithmError
	var plugin *process.Error
	return errors.As(err, &algorithm) || errors.As(err, &plugin)
}

// hostError is what a testbed of containers failed at.
type hostError struct{ error }

func (e hostError) Unwrap() error { return e.error }

// meet asks the subject who it is.
func (t *trial) meet() {
	defer func() {
		if e, ok := recover().(ended); ok {
			t.refused = e.error
		}
	}()
	a, end := t.start(t.main())
	t.about = a.Describe()
	must(end.Close())
}

// carryOut carries a check out and marks misses that are documented.
func (t *trial) carryOut(c *Check) (row Row) {
	switch {
	case t.refused != nil && c.Name != "handshake":
		row = Row{Result: NotRun, Remark: "the handshake failed"}
	case c.control && t.about.Uncontrolled:
		row = Row{Result: Exempt, Remark: t.about.Name + " declares itself uncontrolled"}
	default:
		row = t.guarded(c)
	}
	if t.ctx.Err() != nil {
		row, t.over = Row{Result: NotRun, Remark: "interrupted"}, true
	}
	reason := ""
	if t.Shipped && len(t.Given) == 0 {
		reason = Misses[t.about.Name][c.Name]
	}
	switch {
	case reason != "" && row.Result == Failed:
		row.Result, row.Remark = Documented, strings.TrimPrefix(row.Remark+"; "+reason, "; ")
	case reason != "" && row.Result == Pass:
		row.Remark = strings.TrimPrefix(row.Remark+"; no longer missed: take it off the list of documented misses", "; ")
	}
	row.Check, row.About, row.Labels = c.Name, c.About, c.Labels
	return row
}

// guarded runs a check and ends the algorithm that it started. One that fails is
// missed; where it ends all, what is left is not run: the handshake, a scenario
// of the behaviour, which others would meet too, and what the host is to blame for.
func (t *trial) guarded(c *Check) (row Row) {
	judge := func(err error) {
		row = Row{Result: Failed, Remark: err.Error()}
		if errors.As(err, new(hostError)) {
			row.Result, t.over = NotRun, true
		} else if !isFault(err) {
			return
		}
		t.err = cmp.Or(t.err, err)
		t.over = t.over || c.Name == "handshake" || slices.Contains(c.Labels, Behaviour)
	}
	defer func() {
		if t.running != nil {
			if err := t.running.Close(); err != nil && row.Result != Failed {
				judge(err)
			}
			t.running, t.started = nil, nil
		}
	}()
	defer func() {
		switch r := recover().(type) {
		case nil:
		case ended:
			judge(r.error)
		default: // an algorithm in this process
			judge(&model.AlgorithmError{Err: fmt.Errorf("panics: %v", r)})
		}
	}()
	return c.run(t)
}

// patience is how long an answer may take by the wall clock: longer than in a
// run, since nobody waits, and a machine may be busy with builds.
const patience = time.Minute

// start returns the built-in algorithm or, by its path, a program's, which takes
// turns with this process until the caller closes it.
func (t *trial) start(program string) (cc.Algorithm, io.Closer) {
	if program == "" {
		return t.Builtin, nothing{}
	}
	o := process.Options{Deadline: patience, StartLimit: patience}
	if t.Logs != "" {
		o.Log = filepath.Join(t.Logs, filepath.Base(program)+".log")
	}
	back := process.TakeTurns(0)
	p, err := process.Start(program, o)
	if err != nil {
		back()
		must(err)
	}
	return p.Algorithm(), program_{p, back}
}

// algorithm returns the algorithm in the form that is judged, the same for a
// whole check.
func (t *trial) algorithm() cc.Algorithm {
	if t.running == nil {
		t.started, t.running = t.start(t.main())
	}
	return t.started
}

// program_ is a running program.
type program_ struct {
	*process.Plugin
	back func()
}

// Close ends the program.
func (p program_) Close() error {
	defer p.back()
	return p.Plugin.Close()
}

// Close has nothing to close.
func (nothing) Close() error { return nil }

// controller makes a controller of the subject's parameters.
func (t *trial) controller(a cc.Algorithm) cc.Controller {
	p, err := cc.ParseParams(a.Describe(), t.Given)
	must(err)
	c, err := a.New(p)
	must(err)
	return c
}

// run is a run that was carried out.
type run struct {
	*result.Outcome
	Summary *result.Summary
}

// run carries a scenario out as the subject is judged.
func (t *trial) run(text string, seed uint64) *run { return t.carry(t.plan(text, seed)) }

// carry carries a plan out as the subject is judged.
func (t *trial) carry(p *plan.Plan) *run {
	if t.OnVeth {
		return t.onVeth(p)
	}
	return t.inMemory(t.ctx, p, t.algorithm(), mem.Options{})
}

// find finds the algorithms of a scenario: the subject's name means the subject,
// whatever else has that name.
func (t *trial) find(a cc.Algorithm) model.Find {
	return func(name string) (cc.Algorithm, bool) {
		if name == t.about.Name {
			return a, true
		}
		return t.Companions(name)
	}
}

// plan makes the plan of a scenario, whose flows have the subject unless they
// name another algorithm.
func (t *trial) plan(text string, seed uint64) *plan.Plan {
	text = "algorithm: " + inYAML(t.about.Name, t.Given) + "\n" + text
	s, err := scenario.Parse("judge.yaml", []byte(text), model.Checker(t.find(t.algorithm())))
	must(err)
	plans, err := s.Plans()
	must(err)
	plans[0].Seed = seed
	return plans[0]
}

// inMemory carries a plan out in this process, by one worker if o says nothing
// else.
func (t *trial) inMemory(ctx context.Context, p *plan.Plan, a cc.Algorithm, o mem.Options) *run {
	o.Workers, o.Algorithms = max(o.Workers, 1), t.find(a)
	out, err := mem.Run(ctx, p, o)
	return finished(out, err)
}

// onVeth carries a plan out on the testbed.
func (t *trial) onVeth(p *plan.Plan) *run {
	out, err := t.Veth(t.ctx, t.about.Name, p)
	if err != nil && !isFault(err) {
		err = hostError{err}
	}
	return finished(out, err)
}

// finished sums a run up and insists that every byte is accounted for.
func finished(out *result.Outcome, err error) *run {
	must(err)
	if out.Interrupted {
		must(ErrInterrupted)
	}
	r := &run{out, result.Summarise(out)}
	for _, f := range result.Judge(out, r.Summary).Findings {
		if f.Status == result.Red && f.About == result.Conservation {
			must(fmt.Errorf("%s, seed %d: %s: %s", out.Plan.Name, out.Plan.Seed, f.About, f.Text))
		}
	}
	return r
}

// part is the mean part of the line that a flow took between two instants,
// multiples of the run's record.interval: the payload that was acknowledged in
// that time, with its headers, preamble and gap.
func (r *run) part(flow int, from, to unit.Time) float64 {
	s, width := &r.Flows[flow].Sender, unit.Time(r.Plan.Record.Interval)
	if s.Packets == 0 {
		return 0
	}
	acked := int64(0)
	for bin := int(from / width); bin < min(int(to/width), len(s.Rate.Bins)); bin++ {
		acked += s.Rate.Bins[bin]
	}
	wire := float64(acked) * float64(s.WireBytes) / float64(s.Packets) / float64(r.Plan.MTU)
	return wire * 8 / to.Sub(from).Seconds() / float64(r.line(flow))
}

// line is the rate of a flow's link.
func (r *run) line(flow int) unit.BitRate {
	return r.Plan.Links[r.Plan.NICs[r.Plan.Flows[flow].Src].Link].Forward.Rate
}

// criteria are what a check asks for; a check with one that is missed fails.
type criteria []string

// want notes a criterion as missed unless it holds.
func (c *criteria) want(holds bool, format string, args ...any) {
	if !holds {
		*c = append(*c, fmt.Sprintf(format, args...))
	}
}

// complete are the criteria that no frame was lost and every flow completed.
func (c *criteria) complete(r *run) {
	c.arrived(r)
	c.want(r.Summary.Drops == 0, "%d frames were lost", r.Summary.Drops)
}

// arrived is the criterion that every flow completed.
func (c *criteria) arrived(r *run) {
	s := r.Summary
	c.want(s.Incomplete == 0, "%d of %d flows did not complete within %v", s.Incomplete, s.Flows, r.Plan.Limit)
}

// row is a check's result by its criteria.
func (c *criteria) row(allowed, format string, args ...any) Row {
	row := Row{Result: Pass, Figure: fmt.Sprintf(format, args...), Allowed: allowed, Remark: strings.Join(*c, "; ")}
	if len(*c) > 0 {
		row.Result = Failed
	}
	return row
}

// inYAML names an algorithm with its parameters.
func inYAML(name string, given map[string]string) string {
	var params []string
	for _, p := range slices.Sorted(maps.Keys(given)) {
		params = append(params, p+": "+strconv.Quote(given[p]))
	}
	return fmt.Sprintf("{name: %s, params: {%s}}", strconv.Quote(name), strings.Join(params, ", "))
}

func percent(v float64) string { return strconv.FormatFloat(100*v, 'f', 1, 64) + " %" }
