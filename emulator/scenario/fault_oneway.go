package scenario

import (
	"github.com/rocelab/rocelab/emulator/fabric"
)

// oneWayFault is a link whose signal is lost in one direction.
var oneWayFault = faultKind{
	name: "one-way",
	keys: []field[faultDraft]{
		faultyLink(namedLink).needed(),
		towardEnd(`The end that hears nothing, such as "h0", or a pattern such as "h*" that one end of each of the links ` +
			`has. It takes the link for down, and sends nothing.`).needed(),
		downAt("When the signal is lost.").needed(),
		upAt("When it is back. Default never."),
		detectField,
		switchField("remote_fault", "true", "The end that hears nothing signals that to the other one, which takes the link "+
			"for down a flight later (IEEE 802.3, 46.3.4). Otherwise that end never hears of it, and sends into the void.",
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
				b.add(f.at, "link %s is a long-haul path, whose ends hear of nothing: allowed are down and flaps of a link",
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
