package result

import (
	"iter"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// deadlockRow is a queue of a cycle.
type deadlockRow struct {
	*Deadlock
	number, place int
}

// part returns the part before, between or after the colon and the slash of "switch:port/class".
func (r *deadlockRow) part(which int) string {
	name := r.Queues[r.place]
	colon, slash := strings.LastIndexByte(name, ':'), strings.LastIndexByte(name, '/')
	if colon < 0 || slash < colon {
		return name
	}
	return []string{name[:colon], name[colon+1 : slash], name[slash+1:]}[which]
}

var deadlockSheet = sheet[deadlockRow]{"deadlocks.csv", "One row per queue of each cycle of egress queues that " +
	"waited for each other, in the order of the cycle: each waits for the next, the last for the first. The file " +
	"only exists if there was a cycle.", []column[deadlockRow]{
	intColumn("deadlock", "Number of the cycle, from 1.", func(r *deadlockRow) int { return r.number }),
	timeColumn("at_us", "When it was found.", func(r *deadlockRow) unit.Time { return r.At }),
	timeColumn("since_us", "Time since which none of its queues moved a frame.",
		func(r *deadlockRow) unit.Time { return r.Since }),
	textColumn("node", "Switch.", func(r *deadlockRow) string { return r.part(0) }),
	textColumn("port", "Port of the switch.", func(r *deadlockRow) string { return r.part(1) }),
	textColumn("class", "Class that was paused there.", func(r *deadlockRow) string { return r.part(2) }),
}}

// deadlockRows yields the rows of deadlockSheet.
func deadlockRows(o *Outcome) iter.Seq[*deadlockRow] {
	return func(yield func(*deadlockRow) bool) {
		for i := range o.Deadlocks {
			for place := range o.Deadlocks[i].Queues {
				if !yield(&deadlockRow{&o.Deadlocks[i], i + 1, place}) {
					return
				}
			}
		}
	}
}
