package scenario

import (
	"path"
	"slices"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
)

// switchReboot is a switch that goes down and comes up with nothing but its settings and routes.
var switchReboot = faultKind{
	name:  "switch-reboot",
	least: "{kind: switch-reboot, switch: s0, down: 1us}",
	keys: []field[faultDraft]{
		faultySwitch(`The switch that reboots, such as "spine0"; or a pattern such as "spine*". During the ` +
			`reboot all of its links are down; its queued frames are dropped, and its state is lost.`).needed(),
		downAt("Time at which it goes down.").needed(),
		upAt("Time at which it is up again. Default never."),
		detectField,
	},
	check: func(r *reader, n *node, f *faultDraft) {
		endsLater(r, n, "down", "up", f.down, f.up)
	},
	add: func(b *builder, f *faultDraft) {
		span := fabric.Outage{From: f.down, To: f.up}
		for _, i := range switchesNamed(b, f) {
			sw := &b.plan.Switches[i]
			links := b.graph.LinksOf(plan.NodeID(i))
			switch {
			case sw.Profile.Proximal.Enabled:
				b.add(f.node.Where("switch"), "%s has proximal CNP on: a reboot does not apply to it", sw.Name)
				return
			case slices.ContainsFunc(links, func(l int) bool { return longHaulOf(b, l) != nil }):
				b.add(f.node.Where("switch"), "%s is at a long-haul path: a reboot does not apply to it", sw.Name)
				return
			case f.down < f.up && f.up.Sub(f.down) <= sw.Profile.Latency:
				b.add(f.node.Where("up"), "%s is down for %v: allowed is more than its latency of %v", sw.Name, f.up.Sub(f.down),
					sw.Profile.Latency)
				return
			}
			sw.Reboots = append(sw.Reboots, span)
			for _, link := range links {
				addOutages(b, link, f, span)
			}
		}
	},
}

// faultySwitch is the switch that is faulty.
func faultySwitch(doc string) field[faultDraft] {
	return namingField("switch", `a switch, such as "spine0"`, doc, func(f *faultDraft) *string { return &f.sw })
}

// switchesNamed returns the switches that a fault names, by number.
func switchesNamed(b *builder, f *faultDraft) (list []int) {
	if f.sw == "" {
		b.requireReported(f.node)
		return nil
	}
	for i, name := range b.graph.Switches {
		if ok, _ := path.Match(f.sw, name); ok || f.sw == name {
			list = append(list, i)
		}
	}
	if len(list) == 0 {
		b.add(f.node.Where("switch"), "no switch has the name %q: known are %s", shorten(f.sw), listEnds(b.graph.Switches))
	}
	return list
}

// rebootsIn reports whether a switch at an end of a link reboots in an outage of it.
func rebootsIn(b *builder, link int, outage fabric.Outage) bool {
	l := &b.plan.Links[link]
	return slices.Contains(rebootsOf(b.plan, l.A.Node), outage) || slices.Contains(rebootsOf(b.plan, l.B.Node), outage)
}

// rebootsOf returns the reboots of a node, none unless it is a switch.
func rebootsOf(p *plan.Plan, id plan.NodeID) []fabric.Outage {
	if node := p.Node(id); node.Kind == plan.KindSwitch {
		return p.Switches[node.Index].Reboots
	}
	return nil
}
