package nicd

import (
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Tell adds what the NIC and its ends of flows counted so far.
func (n *NIC) Tell(t *record.Tally) {
	t.AddPort(n.port.record)
	for i := range n.qps {
		if flow := n.qps[i].send; flow != nil {
			t.Sent += flow.payload
			if flow.record.Completed != unit.Never {
				t.Completed++
			}
		}
		if flow := n.qps[i].recv; flow != nil {
			t.Delivered += flow.record.Bytes
			t.CNPs += flow.record.CNPs
		}
	}
}
