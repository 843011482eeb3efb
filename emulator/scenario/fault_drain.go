package scenario

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
)

// drainFault is a link, or a switch with all of its links, that is withdrawn from the routes before it is switched off.
var drainFault = faultKind{
	name:  "drain",
	least: "{kind: drain, link: a-b, from: 1us}",
	keys: []field[faultDraft]{
		faultyLink(namedLink),
		faultySwitch(`The switch without hosts that is drained, with all of its links, in place of link.`),
		fromAt("Time at which both ends withdraw the link: from then on they use it only if there is no other " +
			"path. Requires failover.").needed(),
		downAt("Time at which it is switched off. Default never."),
		upAt("Time at which it is used again. Default never."),
	},
	check: func(r *reader, n *node, f *faultDraft) {
		if f.has("link") == f.has("switch") {
			r.add(n.At, "drain needs either a link or a switch: write one of them")
			f.link, f.sw = "", ""
		}
		if f.has("down") && f.down <= f.from {
			r.add(n.Where("down"), "down is %v, from %v: allowed is a later time, after the frames in transit "+
				"have arrived", f.down,
				f.from)
		}
		if f.has("down") {
			endsLater(r, n, "down", "up", f.down, f.up)
		} else {
			endsLater(r, n, "from", "up", f.from, f.up)
		}
	},
	add: addDrain,
}

func addDrain(b *builder, f *faultDraft) {
	if b.root.Child("failover") == nil {
		b.add(f.node.At, "drain without failover: no route would avoid the link; write failover: {}, or more")
		return
	}
	if f.sw == "" {
		eachLink(b, f, func(link int) { drainLink(b, f, link) })
		return
	}
	for _, i := range switchesNamed(b, f) {
		for _, link := range b.graph.LinksOf(plan.NodeID(i)) {
			if !drainLink(b, f, link) {
				return
			}
		}
		if f.has("down") {
			b.plan.Switches[i].Reboots = append(b.plan.Switches[i].Reboots, fabric.Outage{From: f.down, To: f.up})
		}
	}
}

// drainLink withdraws a link from the routes of both ends, and switches it off; it reports false if it refuses to.
func drainLink(b *builder, f *faultDraft, link int) bool {
	l := &b.plan.Links[link]
	for _, end := range []plan.End{l.A, l.B} {
		if kind := b.plan.KindOf(end.Node); kind != plan.KindSwitch {
			b.add(f.node.At, "link %s leads to %s, which has no other path: allowed are links between switches",
				b.graph.LinkName(link), b.plan.NodeName(end.Node))
			return false
		}
	}
	l.Line = f.node.At.Line
	for end := range l.Withdrawn {
		l.Withdrawn[end] = append(l.Withdrawn[end], fabric.Outage{From: f.from, To: f.up})
	}
	if f.has("down") {
		addOutages(b, link, f, fabric.Outage{From: f.down, To: f.up})
	}
	return true
}
