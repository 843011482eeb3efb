package result

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// outageRow is an outage of a link.
type outageRow struct {
	*Outage
	plan  *plan.Plan
	flows []Flow
	met   []metIterations
}

// part returns one part of the recovery of the flow that stood still last; Never, which prints nothing, if none did.
func (r *outageRow) part(of recoveryPart) unit.Duration {
	last := r.longest()
	if last == nil || !last.Over {
		return unit.Duration(unit.Never)
	}
	return last.Parts[of]
}

func (r *outageRow) longestName() string {
	last := r.longest()
	if last == nil {
		return ""
	}
	return r.plan.Flows[last.Flow].Name
}

// victimsNamed is the maximum number of still flows that are named.
const victimsNamed = 8

func (r *outageRow) victims() string {
	last := slices.Clone(r.Still)
	slices.SortStableFunc(last, func(a, b Still) int { return cmp.Compare(b.until(), a.until()) })
	var names []string
	for i := range last[:min(len(last), victimsNamed)] {
		names = append(names, r.plan.Flows[last[i].Flow].Name)
	}
	return strings.Join(names, "; ")
}

// longer returns the largest ratio by which the iterations that it met were longer than the others.
func (r *outageRow) longer() float64 {
	most := math.NaN()
	for i := range r.met {
		if longer := r.met[i].longer; longer > 0 && !(longer <= most) {
			most = longer
		}
	}
	return most
}

// outageSheetName is the file's name.
const outageSheetName = "outages.csv"

var outageSheet = sheet[outageRow]{outageSheetName, "One row per outage of a link that began before the run " +
	"ended, in the order of their beginnings; docs/results.md has the definitions. The file only exists if there " +
	"was one. Frames that an outage lost are in ports.csv, too, as lost on the link or by the reason of their drop.",
	slices.Concat(outageColumns, recoveryPartColumns(), metColumns)}

// outageColumns are the columns of an outage and of the flows that stood still for it.
var outageColumns = []column[outageRow]{
	textColumn("link", "The link, by its two ends.",
		func(r *outageRow) string { return linkName(r.plan, r.Link) }),
	timeColumn("from_us", "When it went down.", func(r *outageRow) unit.Time { return r.From }),
	timeColumn("to_us", "When it was up again; empty for never.", func(r *outageRow) unit.Time { return r.To }),
	timeColumn("detected_us", "When both ends knew that it was down.",
		func(r *outageRow) unit.Time { return r.Detected }),
	timeColumn("settled_us", "Time from which routes avoided it; empty if they did not.",
		func(r *outageRow) unit.Time { return r.Settled }),
	timeColumn("restored_us", "Time from which routes could use it again; empty for never.",
		func(r *outageRow) unit.Time { return r.Restored }),
	intColumn("void_frames", "Frames that were lost on the link: sent into it while it was down, or in transit "+
		"when it went down.", func(r *outageRow) uint64 { return r.Void.Frames }),
	intColumn("void_bytes", "Their bytes.", func(r *outageRow) uint64 { return r.Void.Bytes }),
	intColumn("flushed_frames", "Frames that were dropped at the link's ends, in the queues of a port that had "+
		"detected the outage, or on their way to it.", func(r *outageRow) uint64 { return r.Flushed.Frames }),
	intColumn("flushed_bytes", "Their bytes.", func(r *outageRow) uint64 { return r.Flushed.Bytes }),
	intColumn("no_route_frames", "Frames that switches dropped for lack of a route while it was down.",
		func(r *outageRow) uint64 { return r.NoRoute.Frames }),
	intColumn("no_route_bytes", "Their bytes.", func(r *outageRow) uint64 { return r.NoRoute.Bytes }),
	intColumn("flows", "Flows that stood still for it.", func(r *outageRow) int { return len(r.Still) }),
	intColumn("unrecovered_flows", "Those among them that did not go on.", func(r *outageRow) uint64 {
		still, _ := r.unrecovered(r.flows)
		return still
	}),
	intColumn("qp_errors", "Flows among them whose QP went into the error state.", func(r *outageRow) uint64 {
		_, failed := r.unrecovered(r.flows)
		return failed
	}),
	floatColumn("recovery_p50_us", "Median of the times from its beginning until they resumed; for a flow that "+
		"did not resume, until the flow or the run "+
		"ended.", 6, func(r *outageRow) float64 { return r.recoveries().P50 }),
	floatColumn("recovery_max_us", "Largest of them.", 6, func(r *outageRow) float64 { return r.recoveries().Max }),
	textColumn("victims", "Names of up to eight of them, the last to resume first.", (*outageRow).victims),
	textColumn("longest_flow", "The flow that went on last.", (*outageRow).longestName),
}

// metColumns are the columns of the collectives that it met.
var metColumns = []column[outageRow]{
	textColumn("jobs", "Names of the collectives that it met.", func(r *outageRow) string { return jobsOf(r.met) }),
	intColumn("iterations", "Iterations of these collectives that were in progress between the beginning of the "+
		"outage and the time when their last flow resumed.",
		func(r *outageRow) (n int) {
			for i := range r.met {
				n += r.met[i].count()
			}
			return n
		}),
	floatColumn("iteration_times_longer", "The longest of them over the median of the other iterations of its "+
		"collective; empty if one of them was not done, or there are no others.", 4, (*outageRow).longer),
}

// recoveryPartColumns are the parts of the recovery of the flow that went on last.
func recoveryPartColumns() (columns []column[outageRow]) {
	for part := range numRecoveryParts {
		columns = append(columns, timeColumn(recoveryColumns[part]+"_us", "Part of the recovery of that flow in which "+
			recoveryDocs[part]+". Empty if it did not resume.", func(r *outageRow) unit.Duration { return r.part(part) }))
	}
	return columns
}

// outageRows yields the rows of outageSheet.
func outageRows(o *Outcome) iter.Seq[*outageRow] {
	return func(yield func(*outageRow) bool) {
		for i := range o.Outages {
			if !yield(&outageRow{&o.Outages[i], o.Plan, o.Flows, iterationsMet(o, &o.Outages[i])}) {
				return
			}
		}
	}
}
