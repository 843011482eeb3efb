package record

import (
	"slices"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Tally has the counts of nodes so far, for observers of a running experiment. Each node adds its own with Tell.
// Results do not depend on it.
type Tally struct {
	// Sent is the payload that NICs sent, with what they sent again; Delivered what receivers
	// accepted.
	Sent, Delivered unit.Bytes
	// Completed counts the flows with all bytes acknowledged.
	Completed uint64
	// Marks, CNPs of receivers, XOFFs and Drops are as the metrics of a run have them; Lossless
	// counts the drops among them for want of a headroom that no scenario set.
	Marks, CNPs, XOFFs, Drops, Lossless uint64
	// Longest is the longest queue of a switch now, except queues of control classes.
	Longest unit.Bytes
	// Queues has for the ports with the longest queues the longest of each, longest first: at most
	// Most of them, 0 for none.
	Queues []PortQueue
	Most   int
	// Node is the node that Tell is called on; the caller sets it.
	Node int
}

// PortQueue is the longest queue of a port of a node.
type PortQueue struct {
	Node, Port int
	Bytes      unit.Bytes
}

// AddPort adds what a port counted.
func (t *Tally) AddPort(port *Port) {
	t.Drops += port.RxLostFrames
	for reason, frames := range port.Drops {
		if !reason.IsLinkLoss() && !reason.IsDiscard() {
			t.Drops += frames
		}
	}
	for _, queue := range port.Queues.All() {
		t.Marks += queue.Marked
	}
	for _, class := range port.Classes.All() {
		t.XOFFs += class.SentXOFF
	}
}

// AddQueue adds the longest queue of a port.
func (t *Tally) AddQueue(port int, length unit.Bytes) {
	t.Longest = max(t.Longest, length)
	if t.Most == 0 || length == 0 {
		return
	}
	if full := len(t.Queues) == t.Most; full && t.Queues[t.Most-1].Bytes >= length {
		return
	} else if full {
		t.Queues = t.Queues[:t.Most-1]
	}
	at := len(t.Queues)
	for at > 0 && t.Queues[at-1].Bytes < length {
		at--
	}
	t.Queues = slices.Insert(t.Queues, at, PortQueue{t.Node, port, length})
}
