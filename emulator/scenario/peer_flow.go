package scenario

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/peer"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// drivenWindow is the default of window for a peer with an algorithm, which has a window of its own.
const drivenWindow = 1024

// drive makes a flow of what our end of a peer asks for, with an algorithm.
func drive(b *builder, draft *peerDraft, p *plan.Peer) {
	algorithm := algorithmAt(b, draft.algorithm)
	if algorithm == nil {
		return
	}
	at := draft.algorithm.At
	if b.signals != nil {
		if _, echo := b.signals(algorithm); echo != "" {
			b.add(at, "%s needs %s from the receiver, and a real stack cannot send that: allowed are algorithms that hear "+
				"CNPs, ACKs and losses only", algorithm.Name, echo)
		}
	}
	for i := range b.traffic {
		if b.traffic[i].Name == p.Name {
			b.add(draft.at, "peer %q has an algorithm, and the name of a traffic entry: write another name", p.Name)
		}
	}
	size := peerPayload(b, draft, p)
	if draft.node.Child("window") == nil {
		p.Verbs.Window = drivenWindow
	}
	station := b.numNICs() + p.Edge
	flow := plan.Flow{
		Name:      fmt.Sprintf("%s/%s-%s", p.Name, b.plan.NICs[p.NIC].Name, draft.edge),
		Group:     p.Name,
		Src:       p.NIC,
		Dst:       station,
		Size:      size,
		DSCP:      p.DSCP,
		Algorithm: algorithm,
		Path:      b.routes.Path(p.NIC, station),
		Back:      b.routes.Path(station, p.NIC),
	}
	if len(p.Verbs.Work) > 0 {
		flow.Start = p.Verbs.Work[0].Start
	}
	if flow.Path == nil || flow.Back == nil {
		b.add(draft.at, "%s cannot reach edge %s: no path of links and switches joins them; peer %q needs one",
			b.plan.NICs[p.NIC].Name, draft.edge, p.Name)
	}
	number := len(b.plan.Peers) // of p, which comes next
	flow.Carrier, p.Notifies = &number, !draft.byStack
	b.plan.Flows = append(b.plan.Flows, flow)
}

// peerPayload returns the payload of the work of a peer with an algorithm.
func peerPayload(b *builder, draft *peerDraft, p *plan.Peer) (sum unit.Bytes) {
	for i := range p.Verbs.Work {
		w := &p.Verbs.Work[i]
		if w.Verb == peer.Random {
			b.add(draft.work[i].at, "work of peer %s: random has no size that is known before, which an algorithm needs: "+
				"write the verbs", p.Name)
		}
		if payload := w.Payload(); payload > uint64(maxDrawn-sum) {
			b.add(draft.work[i].at, "work of peer %s has more than %v with what comes before it: an algorithm's flow has less",
				p.Name, maxDrawn)
			return sum
		}
		sum += unit.Bytes(w.Payload())
	}
	if sum == 0 {
		b.add(draft.algorithm.At, "peer %s has an algorithm, and its work sends no payload: write a work of write or send "+
			"with a length", p.Name)
	}
	return sum
}
