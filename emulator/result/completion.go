package result

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rocelab/rocelab/emulator/plan"
)

// slowestArrival is the slowdown that a flow of an arrival process may have and still be expected to complete: flows
// that arrive shortly before the end of a run cannot, and only earlier ones show that a fabric is stuck.
const slowestArrival = 100

// completion judges how the run ended.
func completion(outcome *Outcome, summary *Summary) []Finding {
	if outcome.Interrupted {
		return []Finding{{Interrupted, Completion, fmt.Sprintf("stopped from outside at %v", outcome.End)}}
	}
	return slices.Concat(errorFindings(outcome), incompleteFindings(outcome, summary), endlessFindings(outcome, summary))
}

// errorFindings are about QPs that fell into error, of flows with a size and without: an application on a real host
// gets an error there, not a slow flow.
func errorFindings(outcome *Outcome) []Finding {
	var failed []int
	for i := range outcome.Flows {
		if outcome.Flows[i].Sender.Failed != 0 {
			failed = append(failed, i)
		}
	}
	if len(failed) == 0 {
		return nil
	}
	first := slices.MinFunc(failed, func(a, b int) int {
		return cmp.Compare(outcome.Flows[a].Sender.Failed, outcome.Flows[b].Sender.Failed)
	})
	found := Finding{Failed, Completion, fmt.Sprintf("%d of %d QPs went into the error state, the first that of "+
		"%s at %v, after %d timeouts with %v "+
		"acknowledged", len(failed), len(outcome.Flows), outcome.Plan.Flows[first].Name,
		outcome.Flows[first].Sender.Failed, outcome.Flows[first].Sender.Timeouts, outcome.Flows[first].Sender.Acked)}
	if expectsIncomplete(&outcome.Plan.Expect) {
		found.Status = Pass
	}
	return []Finding{found}
}

// incompleteFindings are about the flows with a size. In a run that ended at its limit all of them count, those too
// that came late: it should have gone on until they had completed.
func incompleteFindings(outcome *Outcome, summary *Summary) []Finding {
	left := incomplete(outcome)
	sized := summary.Flows - summary.Endless
	expected := expectsIncomplete(&outcome.Plan.Expect)
	late := func(i int) bool { flow := outcome.flow(i); return flow.arrivedLate() }
	switch overdue := slices.DeleteFunc(slices.Clone(left), late); {
	case outcome.Exhausted:
		found := Finding{Failed, Completion, fmt.Sprintf("the run's limit of %v came with %d of %d flows incomplete (%s)%s",
			outcome.Plan.Limit, summary.Incomplete, summary.Flows, firstOf(outcome, left), darkNote(outcome.Dark, left))}
		if expected {
			found.Status = Pass
		}
		return []Finding{found}
	case len(overdue) > 0 && !expected:
		return []Finding{{Failed, Completion, fmt.Sprintf("%d of %d flows with a size did not complete by the end of the "+
			"run at %v (%s)%s", len(overdue), sized, outcome.End, firstOf(outcome, overdue), darkNote(outcome.Dark, overdue))}}
	}
	if note := darkNote(outcome.Dark, left); note != "" {
		return []Finding{{Pass, Completion, fmt.Sprintf("%d of %d flows with a size did not complete%s", len(left), sized,
			note)}}
	}
	return nil
}

// endlessFindings reports on the flows until stopped: none of them can complete, so only a dark path shows that they
// get nothing through. Checks of completed or incomplete do not cover them, for neither counts them.
func endlessFindings(outcome *Outcome, summary *Summary) []Finding {
	var lost []int
	for i := range outcome.Dark {
		for _, number := range outcome.Dark[i].Flows {
			if flow := outcome.flow(number); flow.isEndless() {
				lost = append(lost, number)
			}
		}
	}
	slices.Sort(lost)
	lost = slices.Compact(lost)
	if len(lost) == 0 {
		return nil
	}
	found := Finding{Failed, Completion, fmt.Sprintf("%d of %d flows without a size got no data through at the "+
		"end of the run at %v "+
		"(%s)%s", len(lost), summary.Endless, outcome.End, firstOf(outcome, lost), darkNote(outcome.Dark, lost))}
	if outcome.Plan.Expect.AnyCompletion {
		found.Status = Pass
	}
	return []Finding{found}
}

// expectsIncomplete reports whether the scenario has its own word on flows that do not complete.
func expectsIncomplete(expect *plan.Expect) bool {
	return expect.AnyCompletion || slices.ContainsFunc(expect.Checks, func(c plan.Check) bool {
		return slices.ContainsFunc([]string{c.Metric, c.Of}, func(metric string) bool {
			return slices.Contains([]string{"completed", "incomplete", "qp_errors"}, metric)
		})
	})
}

// incomplete lists the flows with a size that did not complete, except flows that the scenario stopped.
func incomplete(o *Outcome) (flows []int) {
	for i := range o.Flows {
		if flow := o.flow(i); flow.isIncomplete() {
			flows = append(flows, i)
		}
	}
	return flows
}

// firstOf names the first of flows that did not complete and how far it came; one that waits for other flows only
// if there are no others.
func firstOf(o *Outcome, flows []int) string {
	waits := "none"
	for _, i := range flows {
		flow, sender := &o.Plan.Flows[i], o.Flows[i].Sender
		if flow.Size == 0 {
			return fmt.Sprintf("%s had %v acknowledged", flow.Name, sender.Acked)
		}
		if flow.Messages == nil {
			return fmt.Sprintf("%s had %v of %v acknowledged", flow.Name, sender.Acked, flow.Size)
		}
		for k := range sender.Messages {
			if sender.Messages[k].Completed > o.End {
				return fmt.Sprintf("message %d of %d of %s, which could be sent from %v on, was not "+
					"acknowledged", k+1,
					len(flow.Messages), flow.Name, sender.Messages[k].Ready)
			}
		}
		if waits == "none" {
			waits = fmt.Sprintf("%s waited to send message %d of %d", flow.Name, len(sender.Messages)+1, len(flow.Messages))
		}
	}
	return waits
}
