package result

import (
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"iter"
)

// traceRow is a row of traceSheet: of the whole fabric where node is "".
type traceRow struct {
	at    unit.Time
	node  string
	trace uint64
}

var traceSheet = sheet[traceRow]{
	file: "trace.csv",
	doc: "A row for the whole fabric at each of up to 512 instants, at least 256 in a run of 256 us or more, and " +
		"at the end of the run; then a row for each node at the end. The instants are 1 us apart, and in longer " +
		"runs 2, 4, 8 us and so on. Two runs are the same up to the last instant at which their hashes are equal; " +
		"the last rows show which node differs at the end. Every run has this file.",
	columns: []column[traceRow]{
		timeColumn("time_us", "Instant: the hash covers all events before it, events of edges only at the end.",
			func(r *traceRow) unit.Time { return r.at }),
		textColumn("node", "Node, empty for the whole fabric.", func(r *traceRow) string { return r.node }),
		textColumn("hash", "Fingerprint of every frame sent or dropped, with its picosecond; 16 hexadecimal digits. "+
			"That of the whole fabric at the end is the run's `trace`.", func(r *traceRow) string { return traceText(r.trace) }),
	},
}

// traceRows yields the rows of traceSheet.
func traceRows(o *Outcome) iter.Seq[*traceRow] {
	return func(yield func(*traceRow) bool) {
		last := unit.Time(-1)
		for _, t := range o.Traces {
			if last = t.At; !yield(&traceRow{at: t.At, trace: t.Trace}) {
				return
			}
		}
		if last != o.End && !yield(&traceRow{at: o.End, trace: o.Trace}) {
			return
		}
		for i, hash := range o.NodeTraces {
			if !yield(&traceRow{o.End, o.Plan.NodeName(plan.NodeID(i)), uint64(hash)}) {
				return
			}
		}
	}
}
