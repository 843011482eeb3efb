package result

import (
	"iter"

	"github.com/rocelab/rocelab/emulator/attribution"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// jobWhyRow is the time of an iteration by cause.
type jobWhyRow struct {
	*JobCause
	plan *plan.Plan
}

// jobWhySheetName is the file's name, which the page reads too.
const jobWhySheetName = "jobwhy.csv"

var jobWhySheet = sheet[jobWhyRow]{jobWhySheetName, "Why each iteration of a collective took as long as it did: a " +
	"row per iteration that is done, as in collectives.csv. The parts are those of why.csv along the critical path of " +
	"the iteration, and add up to its iteration_us; docs/why.md has the definition. Not there if nothing is recorded.",
	append([]column[jobWhyRow]{
		textColumn("collective", "Traffic entry.", (*jobWhyRow).name),
		intColumn("iteration", "From 0.", func(r *jobWhyRow) int { return r.Iteration }),
		timeColumn("time_us", "Sum of the parts.", func(r *jobWhyRow) unit.Duration { return r.Parts.Total() }),
	}, append(partColumns(func(r *jobWhyRow) *attribution.Parts { return &r.Parts }), []column[jobWhyRow]{
		textColumn("flow", "Flow on the path that cost most of it, beyond the time that it would have taken alone.",
			(*jobWhyRow).flow),
		textColumn("bottleneck", "Port at which that flow lost most of it, node:port.", (*jobWhyRow).bottleneck),
	}...)...)}

func (r *jobWhyRow) name() string { return r.plan.Collectives[r.Collective].Name }

func (r *jobWhyRow) flow() string {
	if r.Flow < 0 {
		return ""
	}
	return r.plan.Flows[r.Flow].Name
}

func (r *jobWhyRow) bottleneck() string {
	if r.Bottleneck == nil {
		return ""
	}
	return portAt(r.plan, *r.Bottleneck)
}

// jobWhyRows yields the rows of jobWhySheet.
func jobWhyRows(o *Outcome) iter.Seq[*jobWhyRow] {
	return func(yield func(*jobWhyRow) bool) {
		for i := range o.JobWhy {
			if !yield(&jobWhyRow{&o.JobWhy[i], o.Plan}) {
				return
			}
		}
	}
}
