package result

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// WorstQueue is the longest egress queue of a run over time, among the recorded ones.
type WorstQueue struct {
	// Place is its port, "s0:8".
	Place string
	// Max is its largest length, in bytes; End is the end of the run.
	Max int64
	End unit.Time
	// Bins are the bins in which it was not empty.
	Bins []DepthBin
}

// DepthBin is the longest that a queue was in a stretch of time, in bytes.
type DepthBin struct {
	From, Until unit.Time
	Depth       int64
}

// WorstQueue returns the longest recorded switch queue, the first of several; nil if no series was recorded or all were
// empty.
func (o *Outcome) WorstQueue() *WorstQueue {
	if o.Recorded == nil {
		return nil
	}
	worst := &WorstQueue{End: o.End}
	var at ranPort
	width := o.Recorded.Width
	for bin := range queueBins(o, width) {
		if bin.node.Kind == plan.KindSwitch && bin.depth > worst.Max {
			at, worst.Max = *bin.ranPort, bin.depth
		}
	}
	if worst.Max == 0 {
		return nil
	}
	worst.Place = fmt.Sprintf("%s:%d", at.node.Name, at.port)
	for bin := range queueBins(o, width) {
		if bin.node.ID == at.node.ID && bin.port == at.port && bin.index == at.index {
			worst.Bins = append(worst.Bins, DepthBin{bin.at, min(bin.at.Add(width), o.End), bin.depth})
		}
	}
	return worst
}
