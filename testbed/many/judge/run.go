package judge

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/model"
)

// run is a run that was carried out.
type run struct {
	*result.Outcome
	Summary *result.Summary
}

// run carries a scenario out as the subject is judged.
func (t *trial) run(text string, seed uint64) *run { return t.runPlan(t.plan(text, seed)) }

// runPlan carries a plan out as the subject is judged.
func (t *trial) runPlan(plan *plan.Plan) *run {
	if t.OnVeth {
		return t.onVeth(plan)
	}
	return t.inMemory(t.ctx, plan, t.algorithm(), mem.Options{})
}

// find finds the algorithms of a scenario: the subject's name always means the subject.
func (t *trial) find(algorithm cc.Algorithm) model.Find {
	return func(name string) (cc.Algorithm, bool) {
		if name == t.about.Name {
			return algorithm, true
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
	plans[0].Record.Off = plans[0].Record.Interval == 0 // nothing is written
	return plans[0]
}

// inMemory carries a plan out in this process, with one worker unless the options set another number.
func (t *trial) inMemory(ctx context.Context, plan *plan.Plan, algorithm cc.Algorithm, options mem.Options) *run {
	options.Workers, options.Algorithms = max(options.Workers, 1), t.find(algorithm)
	out, err := mem.Run(ctx, plan, options)
	return finished(out, err)
}

// onVeth carries a plan out on the testbed.
func (t *trial) onVeth(plan *plan.Plan) *run {
	out, err := t.Veth(t.ctx, t.about.Name, plan)
	if err != nil && !isFault(err) {
		err = exit.Host(err)
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
		if f.Status == result.Red && f.Subject == result.Conservation {
			must(fmt.Errorf("%s, seed %d: %s: %s", out.Plan.Name, out.Plan.Seed, f.Subject, f.Text))
		}
	}
	return r
}

// part is the mean part of the line that a flow took between two instants,
// multiples of the run's record.interval: the payload that was acknowledged in
// that time, with its headers, preamble and gap.
func (r *run) part(flow int, from, to unit.Time) float64 {
	s, width := r.Flows[flow].Sender, unit.Time(r.Plan.Record.Interval)
	if s.Packets == 0 {
		return 0
	}
	acked := int64(0)
	for bin := int(from / width); bin < int(to/width); bin++ {
		acked += s.AckedSeries().At(bin)
	}
	wire := float64(acked) * float64(s.WireBytes) / float64(s.Packets) / float64(r.Plan.MTU)
	return wire * 8 / to.Sub(from).Seconds() / float64(r.line(flow))
}

// line is the rate of a flow's link.
func (r *run) line(flow int) unit.BitRate {
	return r.Plan.Links[r.Plan.NICs[r.Plan.Flows[flow].Src].Link].Forward.Rate
}

// inYAML names an algorithm with its parameters.
func inYAML(name string, given map[string]string) string {
	var params []string
	for _, p := range slices.Sorted(maps.Keys(given)) {
		params = append(params, p+": "+strconv.Quote(given[p]))
	}
	return fmt.Sprintf("{name: %s, params: {%s}}", strconv.Quote(name), strings.Join(params, ", "))
}

func percent(value float64) string { return strconv.FormatFloat(100*value, 'f', 1, 64) + " %" }
