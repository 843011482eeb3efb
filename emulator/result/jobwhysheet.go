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

var jobWhySheet = sheet[jobWhyRow]{jobWhySheetName, "Parts of the time of each iteration of a collective: a row " +
	"per finished iteration, as in collectives.csv. The parts have the meaning of why.csv along the critical path " +
	"of the iteration, and add up to its iteration_us; docs/why.md has the definition. The file is missing if " +
	"nothing is recorded.",
	append([]column[jobWhyRow]{
		textColumn("collective", "Traffic entry.", (*jobWhyRow).name),
		intColumn("iteration", "From 0.", func(r *jobWhyRow) int { return r.Iteration }),
		timeColumn("time_us", "Sum of the parts.", func(r *jobWhyRow) unit.Duration { return r.Parts.Total() }),
	}, append(partColumns(func(r *jobWhyRow) *attribution.Parts { return &r.Parts }), []column[jobWhyRow]{
		textColumn("flow", "Flow on the path that added most to it, beyond the time that the flow would have "+
			"taken without other traffic.",
			(*jobWhyRow).flow),
		textColumn("bottleneck", "Port of most of that flow's lost time, node:port.", (*jobWhyRow).bottleneck),
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
