package nicd

import (
	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/cc"
)

// groupSize is what a sending flow is told of the number of flows in its group,
// and what the controller will say. take is called when the next word comes.
type groupSize struct {
	told int
	// words are to come, in the order of time.
	words []Word
}

// take takes the word that has come. It reports whether it is news.
func (g *groupSize) take() (flows int, news bool) {
	flows = g.words[0].Flows
	g.words = g.words[1:]
	news = flows != g.told
	g.told = flows
	return flows, news
}

// awaitWord waits for the next word of the controller to a flow, if there is one.
func (n *NIC) awaitWord(q *sender) {
	if words := q.groupSize.words; len(words) > 0 {
		n.queue.Schedule(words[0].At, event.Timer, 0, arg(jobWord, q.index))
	}
}

// word hands the controller's word to a sending flow, unless it is what the flow
// was told before, and waits for the next.
func (n *NIC) word(q *sender, now unit.Time) {
	if !q.running {
		return
	}
	flows, news := q.groupSize.take()
	n.awaitWord(q)
	if news {
		q.scratch.event.Flows = uint32(flows)
		n.tell(q, cc.EventGroup, now, 0, 0)
		q.scratch.event.Flows = 0
	}
}
