package record

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// The longest queues are kept, longest first, of equal ones the first; empty ones are none.
func TestTallyKeepsTheLongestQueues(t *testing.T) {
	tally := Tally{Most: 3, Node: 7}
	for port, length := range []uint16{5, 0, 9, 5, 2, 9, 1} {
		tally.AddQueue(port, unit.Bytes(length))
	}
	if got := fmt.Sprint(tally.Queues, tally.Longest); got != "[{7 2 9B} {7 5 9B} {7 0 5B}] 9B" {
		t.Error(got)
	}
	none := Tally{}
	if none.AddQueue(1, 4); len(none.Queues) != 0 || none.Longest != 4 {
		t.Errorf("%+v", none)
	}
}

// A frame that a receiver discarded is not a drop, a frame that a link lost is one, once.
func TestTallyCountsDropsAsMetricsDo(t *testing.T) {
	port := Port{RxLostFrames: 2, Drops: map[fabric.DropReason]uint64{
		fabric.DropLinkLoss:  2,
		fabric.DropDuplicate: 16,
		fabric.DropHeadroom:  32,
	}}
	port.Queues.Of(3).Marked, port.Queues.Of(5).Marked, port.Classes.Of(3).SentXOFF = 1, 2, 4
	var tally Tally
	tally.AddPort(&port)
	if tally.Drops != 34 || tally.Marks != 3 || tally.XOFFs != 4 {
		t.Errorf("%+v", tally)
	}
}
