package acceptance

import (
	"context"
	"errors"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/specs/lab"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/model"
)

// trial runs scenarios with a subject, within a spec.
type trial struct {
	*suite
	subject *Subject
}

// declare declares the specs of a subject.
func (s *suite) declare(subject *Subject) {
	t := &trial{s, subject}
	Describe(subject.Title, Ordered, ContinueOnFailure, func() {
		t.losslessness()
		t.fairness()
		t.convergence()
		t.recovery()
		t.clocks()
		t.determinism()
		t.veth()
	})
}

// controlled skips a spec that an algorithm without control cannot meet.
func (t *trial) controlled() {
	if t.subject.About.Uncontrolled {
		Skip("exempt: "+t.subject.About.Name+" declares itself uncontrolled", 1)
	}
}

// figure puts what was measured into the report.
func figure(format string, args ...any) {
	AddReportEntry("figure", fmt.Sprintf(format, args...), Offset(1), ReportEntryVisibilityNever)
}

// plan makes the plan of a scenario, all of whose flows have the subject.
func (t *trial) plan(yaml string) *plan.Plan {
	find, closing := t.subject.Main.Open()
	var plans []*plan.Plan
	s, err := scenario.Parse("acceptance.yaml", []byte("algorithm: "+t.subject.Algorithm+"\n"+yaml), model.Checker(find))
	if err == nil {
		plans, err = s.Plans()
	}
	if closed := closing(); closed != nil {
		t.giveUp(closed)
	}
	if err != nil {
		Fail(err.Error(), 1)
	}
	return plans[0]
}

// giveUp ends all specs for an error that no spec is to blame for.
func (t *trial) giveUp(err error) {
	if t.err == nil {
		t.err = err
	}
	AbortSuite(err.Error(), 2)
}

// run runs a scenario as the subject is to be run, and insists that every byte
// is accounted for.
func (t *trial) run(ctx SpecContext, yaml string) *lab.Run {
	GinkgoHelper()
	p := t.plan(yaml)
	if t.subject.OnVeth {
		return t.onVeth(ctx, p)
	}
	return t.inMemory(ctx, p, t.subject.Main, mem.Options{Workers: 1})
}

func (t *trial) onVeth(ctx SpecContext, p *plan.Plan) *lab.Run {
	GinkgoHelper()
	return t.finish(ctx, func(ctx context.Context) (*result.Outcome, error) { return t.subject.Veth(ctx, p) })
}

func (t *trial) inMemory(ctx context.Context, p *plan.Plan, form Form, o mem.Options) *lab.Run {
	GinkgoHelper()
	return t.finish(ctx, func(ctx context.Context) (*result.Outcome, error) {
		find, closing := form.Open()
		o.Algorithms = find
		out, err := mem.Run(ctx, p, o)
		return out, errors.Join(err, closing())
	})
}

// finish carries a run out under both contexts, that of the spec and that of
// the whole, and judges it.
func (t *trial) finish(spec context.Context, run func(context.Context) (*result.Outcome, error)) *lab.Run {
	GinkgoHelper()
	ctx, cancel := context.WithCancel(spec)
	defer cancel()
	defer context.AfterFunc(t.ctx, cancel)()
	out, err := run(ctx)
	if err != nil {
		t.giveUp(err)
	}
	if out.Interrupted {
		t.giveUp(ErrInterrupted)
	}
	return lab.Judge(out)
}

// complete are the criteria that no frame was lost and every flow completed.
func complete(r *lab.Run) (c lab.Criteria) {
	s := r.Summary
	c.Want(s.Incomplete == 0, "%d of %d flows did not complete within %v", s.Incomplete, s.Flows, r.Plan.Limit)
	c.Want(s.Drops == 0, "%d frames were lost", s.Drops)
	return c
}

// insist fails the spec unless all criteria are met.
func insist(c lab.Criteria) {
	if len(c.Missed) > 0 {
		Fail(strings.Join(c.Missed, "; "), 1)
	}
}
