package nicd

import (
	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// groupSize is the number of flows in a sending flow's group, as the controller
// announced it last, and the controller's updates to come. take is called when the
// next update comes.
type groupSize struct {
	announced int
	// updates are to come, in the order of time.
	updates []GroupUpdate
}

// take takes the update that has come. It reports whether the number changed.
func (g *groupSize) take() (flows int, changed bool) {
	flows = g.updates[0].Flows
	g.updates = g.updates[1:]
	changed = flows != g.announced
	g.announced = flows
	return flows, changed
}

// awaitGroupUpdate waits for the first of the controller's updates to the flow of a QP, if there is one.
func (n *NIC) awaitGroupUpdate(updates []GroupUpdate, index uint32) {
	if len(updates) > 0 {
		n.queue.Schedule(updates[0].At, event.Timer, 0, timerArg(jobGroupUpdate, index))
	}
}

// updateGroup hands the controller's update to a sending flow if the number of flows
// changed, and waits for the next.
func (n *NIC) updateGroup(flow *sender, now unit.Time) {
	if flow == nil || !flow.running {
		return
	}
	flows, changed := flow.groupSize.take()
	n.awaitGroupUpdate(flow.groupSize.updates, flow.index)
	if changed {
		flow.scratch.event.Flows = uint32(flows)
		n.notifyAlgorithm(flow, cc.EventGroup, now, 0, 0)
		flow.scratch.event.Flows = 0
	}
}
