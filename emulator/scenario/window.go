package scenario

import (
	"math/bits"

	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// checkReceiver refuses keys that have no meaning beside the receiver of a NIC.
func checkReceiver(r *reader, n *node, settings *nic) {
	if w := settings.Window; n.Child("window") != nil && w != 0 && (w < 64 || bits.OnesCount(uint(w)) != 1) {
		r.add(n.Where("window"), "window is %d packets, allowed is a power of 2 from 64 to %d, or 0 for a window "+
			"that fits the path of a flow", w, profile.MostWindow)
	}
	if !settings.Selective {
		return
	}
	for _, key := range []struct {
		name    string
		written bool
	}{
		{"reorder_depth", true},
		{"nak", settings.NAK != profile.NAKOnce},
		{"gap_cnp", settings.GapCNP},
	} {
		if n.Child(key.name) != nil && key.written {
			r.add(n.Where(key.name), "%s has no meaning with receiver selective, which sends no NAK for a gap: leave it out",
				key.name)
		}
	}
}

func receiverOf(n *profile.NIC) string {
	switch {
	case n.Selective:
		return "selective"
	case n.OutOfOrder:
		return "ooo"
	}
	return "gbn"
}

var receiverCheck = pass{
	name:  "receivers",
	after: []*pass{&flowPass},
	run:   checkReceivers,
}

// checkReceivers refuses windows without selective repeat, flows whose ends disagree about the handling of lost packets
// if one repairs selectively, and windows that are too short for a path: the first of them.
func checkReceivers(b *builder) {
	if len(b.list) > 0 {
		return
	}
	selective, windows := false, false
	for i := range b.plan.NICs {
		nic := &b.plan.NICs[i].Profile
		selective, windows = selective || nic.Selective, windows || nic.Window > 0
	}
	if windows && !selective {
		b.add(nicPosition(b, "window"), "window has no meaning without receiver selective: write that beside it, or leave "+
			"it out")
		return
	}
	packets := Extensions(nil).exchange(nil, b.plan.MTU)
	for i := range b.plan.Flows {
		flow := &b.plan.Flows[i]
		src, dst := &b.plan.NICs[flow.Src], b.plan.ReceiverOf(flow)
		if dst == nil {
			continue
		}
		if one, other := receiverOf(&src.Profile), receiverOf(&dst.Profile); one != other &&
			(src.Profile.Selective || dst.Profile.Selective) {
			b.add(nicPosition(b, "receiver"), "receiver is %s at %s and %s at %s, which flow %s joins: allowed is selective at "+
				"both or at none", one, src.Name, other, dst.Name, flow.Name)
			return
		}
		if checkFills(b, flow, packets) {
			return
		}
	}
}

// oooWindow is the number of packets that a receiver of ooo keeps track of.
const oooWindow = 256

// checkFills refuses a flow whose receiver keeps track of fewer packets than the flow's path holds, and reports
// whether it did. A flow that is shorter than that is none.
func checkFills(b *builder, flow *plan.Flow, packets *exchange) (refused bool) {
	nic := &b.plan.NICs[flow.Dst].Profile
	window, key := int64(oooWindow), "receiver"
	switch {
	case nic.Selective && nic.Window > 0:
		window, key = int64(nic.Window), "window"
	case !nic.OutOfOrder:
		return false
	}
	if len(flow.Path) == 0 || len(flow.Back) == 0 || flow.Size > 0 && flow.Size <= unit.Bytes(window)*b.plan.MTU {
		return false
	}
	slowest := flow.Path[0].Rate
	for _, hop := range flow.Path {
		slowest = min(slowest, hop.Rate)
	}
	bytes := unit.Bytes(window) * b.plan.Accounting.Bytes(&packets.data)
	rtt := packets.baseRTT(b.plan.Accounting, flow.Path, flow.Back)
	if slowest.SerialTime(bytes) >= rtt {
		return false
	}
	most := float64(window) * float64(b.plan.MTU) * 8 / rtt.Seconds() / 1e9
	allowed := "a longer window, or 0 for a window that fits"
	if key == "receiver" {
		allowed = "selective, whose window fits, or gbn"
	}
	b.add(nicPosition(b, key), "receiver %s tracks %d packets, which limits flow %s over its base RTT of %v to a "+
		"goodput of %.3g Gb/s, of %v: allowed is %s",
		receiverOf(nic), window, flow.Name, rtt, most, slowest, allowed)
	return true
}

// nicPosition is where a key of the NICs is written, or the scenario's begin.
func nicPosition(b *builder, key string) document.Position {
	if b.nicNode != nil {
		return b.nicNode.Where(key)
	}
	if b.nics != nil {
		return b.nics.At
	}
	return b.root.At
}
