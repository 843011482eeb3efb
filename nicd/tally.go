package nicd

import (
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Tell adds the counts so far of the NIC and its ends of flows.
func (n *NIC) Tell(t *record.Tally) {
	t.AddPort(n.port.record)
	for i := range n.qps {
		switch end := n.qps[i].end.(type) {
		case *sender:
			tellSent(t, &end.record, end.payload)
		case *receiver:
			tellReceived(t, &end.record)
		case resting:
			end.tell(t)
		}
	}
}

func tellSent(t *record.Tally, rec *record.Sender, payload unit.Bytes) {
	t.Sent += payload
	if rec.Completed != unit.Never {
		t.Completed++
	}
}

func tellReceived(t *record.Tally, rec *record.Receiver) {
	t.Delivered += rec.Bytes
	t.CNPs += rec.CNPs
}
