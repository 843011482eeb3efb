package nicd

import (
	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/cc"
)

// word hands the controller's word to a sending flow, unless it is what the flow
// was told before, and waits for the next.
func (n *NIC) word(q *sender, now unit.Time) {
	if !q.running {
		return
	}
	flows := q.words[0].Flows
	q.words = q.words[1:]
	if len(q.words) > 0 {
		n.queue.Schedule(q.words[0].At, event.Timer, 0, arg(jobWord, q.index))
	}
	if flows != q.told {
		q.told = flows
		q.scratch.event.Flows = uint32(flows)
		n.tell(q, cc.EventGroup, now, 0, 0)
		q.scratch.event.Flows = 0
	}
}
