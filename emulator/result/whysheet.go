package result

import (
	"iter"
	"strings"

	"github.com/rocelab/rocelab/emulator/attribution"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// whyRow is the time of a flow by cause.
type whyRow struct {
	*Cause
	*ranFlow
	// recordedWidth is the width of the bins of its series, 0 if there are none.
	recordedWidth unit.Duration
}

// whySheetName is the file's name, which the page reads too.
const whySheetName = "why.csv"

var whySheet = sheet[whyRow]{whySheetName, "Parts of each flow's time: a row per flow, in the order of the plan. " +
	"The parts add up to its time, from start_us to completed_us or to the end of the run; docs/why.md has the " +
	"definitions. The file is missing if nothing is recorded.", append([]column[whyRow]{
	textColumn("flow", "Name of the flow.", func(r *whyRow) string { return r.planned.Name }),
	timeColumn("time_us", "Sum of the parts.", func(r *whyRow) unit.Duration { return r.Parts.Total() }),
}, append(partColumns(func(r *whyRow) *attribution.Parts { return &r.Parts }), []column[whyRow]{
	textColumn("bottleneck", "Port that was the bottleneck for the most time, node:port.",
		func(r *whyRow) string { return r.portAt(r.Bottleneck) }),
	textColumn("takers", "Names of up to three flows that had the most beyond their fair share there, from the "+
		"first to the last time that this flow contended there; none if no flow had more over that "+
		"time.", (*whyRow).takers),
	textColumn("pause_root", "Port whose queue made PFC pause the flow, node:port: the root of the tree of pauses.",
		func(r *whyRow) string { return r.portAt(r.Root) }),
	floatColumn("held_rate_gbps", "Mean rate of its bits on the wire while it was held back.", rateDecimals,
		func(r *whyRow) float64 { return r.orBlank(r.HeldBackAt.Rate.Gbps()) }),
	floatColumn("free_low_gbps", "Free rate of the bottleneck then: the 10th percentile over that "+
		"time.", rateDecimals,
		func(r *whyRow) float64 { return r.orBlank(r.FreeLow.Gbps()) }),
	floatColumn("free_high_gbps", "Free rate of the bottleneck then: the 90th percentile over that "+
		"time.", rateDecimals,
		func(r *whyRow) float64 { return r.orBlank(r.FreeHigh.Gbps()) }),
	intColumn("held_cnps", "CNPs that its sender had received by the end of that time; 0 also if flows have no series.",
		(*whyRow).heldCNPs),
}...)...)}

// partDocs say what each part is.
var partDocs = [attribution.NumParts]string{
	attribution.Alone: "Its bits left its NIC or, if that is slower, the narrowest port, or its last packet and " +
		"the ACK crossed the empty path.",
	attribution.Shared:    "The bottleneck was busy with others, and the flow had its fair share.",
	attribution.Unfair:    "The bottleneck was busy with others, and they had more than their fair share.",
	attribution.HeldBack:  "The bottleneck was idle, and the sender's own rate or window kept it from being filled.",
	attribution.Collision: "The bottleneck was busy while another member of its ECMP group was idle.",
	attribution.Queued:    "The last packet, or its ACK, waited in queues.",
	attribution.Paused:    "PFC held the NIC's port or the bottleneck.",
	attribution.Repair:    "Retransmissions, or waiting for a timeout or a link of the NIC.",
	attribution.NoRoute: "The same, or packets were sent, while a link on its path was down, or a switch on it " +
		"had no route; empty for none.",
	attribution.Host:       "The next message waited for others.",
	attribution.Unresolved: "The bins do not show the cause.",
}

// PartDoc is the sentence that explains a part of a flow's time, as columns.md has it.
func PartDoc(part attribution.Part) string { return partDocs[part] }

// partColumns are the parts of rows.
func partColumns[R any](of func(*R) *attribution.Parts) (columns []column[R]) {
	for part := range attribution.NumParts {
		columns = append(columns, timeColumn(strings.ReplaceAll(part.String(), " ", "_")+"_us", partDocs[part],
			func(r *R) unit.Duration {
				if time := of(r)[part]; time > 0 || part != attribution.NoRoute {
					return time
				}
				return unit.Duration(unit.Never)
			}))
	}
	return columns
}

// portAt is a port as "node:port", "" for none.
func (r *whyRow) portAt(end *plan.End) string {
	if end == nil {
		return ""
	}
	return portAt(r.plan, *end)
}

func (r *whyRow) takers() string {
	var names []string
	for _, flow := range r.Takers {
		names = append(names, r.plan.Flows[flow].Name)
	}
	return strings.Join(names, "; ")
}

// whyRows yields the rows of whySheet.
func whyRows(o *Outcome) iter.Seq[*whyRow] {
	return func(yield func(*whyRow) bool) {
		for i := range o.Why {
			if !yield(o.whyRow(i)) {
				return
			}
		}
	}
}

// whyRow is the row of a flow.
func (o *Outcome) whyRow(flow int) *whyRow {
	ran := o.flow(flow)
	row := &whyRow{Cause: &o.Why[flow], ranFlow: &ran}
	if o.Recorded != nil {
		row.recordedWidth = o.Recorded.Width
	}
	return row
}
