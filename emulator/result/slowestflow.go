package result

import (
	"github.com/rocelab/rocelab/emulator/attribution"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// SlowestFlow is the slowest flow of a run with its time by cause.
type SlowestFlow struct {
	attribution.Parts
	// Flow is its name, Group the traffic entry that it came from.
	Flow, Group string
	Size        unit.Bytes
}

// SlowestFlow is the slowest flow of the run, nil if it did not complete or the causes were not recorded.
func (o *Outcome) SlowestFlow() *SlowestFlow {
	if o.Why == nil || len(o.Slow) == 0 {
		return nil
	}
	number := o.Slow[0].Flow
	flow := o.flow(number)
	if flow.planned.Size == 0 || flow.Sender.Completed == unit.Never {
		return nil
	}
	return &SlowestFlow{
		Parts: o.Why[number].Parts,
		Flow:  flow.planned.Name,
		Group: flow.planned.Group,
		Size:  flow.planned.Size,
	}
}
