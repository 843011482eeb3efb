package scenario

import (
	"github.com/rocelab/rocelab/emulator/fabric"
)

// oneWayFault is a link whose signal is lost in one direction.
var oneWayFault = faultKind{
	name:  "one-way",
	least: "{kind: one-way, link: a-b, toward: a, down: 1us}",
	keys: []field[faultDraft]{
		faultyLink(namedLink).needed(),
		towardEnd(`The end that receives nothing, such as "h0", or a pattern such as "h*" that matches one end ` +
			`of each of the links. It considers the link down, and sends nothing.`).needed(),
		downAt("Time at which the signal is lost.").needed(),
		upAt("Time at which the signal is back. Default never."),
		detectField,
		switchField("remote_fault", "true", "The end that receives nothing signals that to the other end, which "+
			"considers the link down one propagation delay later (IEEE 802.3, 46.3.4). If false, the other end "+
			"never learns of it, and keeps sending frames that are lost.",
			func(f *faultDraft) *bool { return &oneWayOf(f).remoteFault }),
	},
	fresh: func() any { return &oneWayDraft{remoteFault: true} },
	check: func(r *reader, n *node, f *faultDraft) {
		endsLater(r, n, "down", "up", f.down, f.up)
	},
	add: func(b *builder, f *faultDraft) {
		eachLink(b, f, func(link int) {
			if f.toward == "" {
				b.requireReported(f.node)
				return
			}
			if longHaulOf(b, link) != nil {
				b.add(f.at, "link %s is a long-haul path, whose ends do not detect it: allowed are down and flaps "+
					"of a link",
					b.graph.LinkName(link))
				return
			}
			b.plan.Links[link].Line = f.at.Line
			addOutages(b, link, f, fabric.Outage{
				From:   f.down,
				To:     f.up,
				OneWay: fabric.OneWay{Dark: wayToward(b, link, f), Silent: !oneWayOf(f).remoteFault},
			})
		})
	},
}

// oneWayDraft is the own key of such a link.
type oneWayDraft struct{ remoteFault bool }

func oneWayOf(f *faultDraft) *oneWayDraft { return f.own.(*oneWayDraft) }
