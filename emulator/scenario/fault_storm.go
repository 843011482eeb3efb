package scenario

import (
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/profile"
)

// pfcStorm is a NIC that pauses a class of its link without need.
var pfcStorm = faultKind{
	name:  "pfc-storm",
	told:  "host",
	least: "{host: h0, from: 1us}",
	keys: []field[faultDraft]{
		faultyHost(`The host whose NIC is broken, such as "h3"; or a range such as "h0..h7", or a pattern such as ` +
			`"h1*".`).needed(),
		integerField("class", "", 0, 7,
			"The class that it pauses, lossless at the other end of its link. Default that of the host's data.",
			func(f *faultDraft) *int { return &stormOf(f).class }),
		fromAt("When its first XOFF is due.").needed(),
		toAt("Time at which its XON is due. Default never."),
	},
	fresh: func() any { return &stormDraft{class: -1} },
	check: func(r *reader, n *node, f *faultDraft) {
		storm := stormOf(f)
		later := endsLater(r, n, "from", "to", f.from, f.to)
		if !later || !f.has("from") || f.has("class") && storm.class < 0 {
			f.host = "" // refused, so no storm of it is made
		}
	},
	add: addStorm,
}

// stormDraft is a storm's own keys.
type stormDraft struct {
	class int // -1 for the class of the host's data
}

func stormOf(f *faultDraft) *stormDraft { return f.own.(*stormDraft) }

// addStorm gives each of a storm's hosts the storm.
func addStorm(b *builder, fault *faultDraft) {
	draft := stormOf(fault)
	for _, h := range hostsNamed(b, fault) {
		nic := &b.plan.NICs[h]
		settings := &nic.Profile
		storm := profile.Storm{Class: uint8(draft.class), From: fault.from, To: fault.to}
		if draft.class < 0 {
			storm.Class = settings.ClassOf[settings.DataDSCP]
		}
		if problem := b.whyPauseIgnored(h, storm.Class); problem != "" {
			b.add(fault.node.Where("class"), "%s", problem)
			return
		}
		for _, o := range settings.Storms {
			if o.Class == storm.Class && storm.From < o.To && o.From < storm.To {
				b.add(fault.node.Where("from"),
					"%s pauses class %d from %v to %v already: storms of a class must not overlap",
					nic.Name, o.Class, o.From, o.To)
				return
			}
		}
		settings.Storms = append(settings.Storms, storm)
	}
}

// whyPauseIgnored returns the reason why a pause of a class by a host would have no effect at the other end of its
// link; "" if it has one.
func (b *builder) whyPauseIgnored(host int, class uint8) string {
	id := b.graph.Host(host)
	if b.graph.Degree(id) == 0 {
		b.requireReported(b.fabric.node)
		return ""
	}
	peer := b.graph.Peer(id, 0)
	name := b.graph.Name(peer)
	if b.isEdge(peer) {
		return "" // what is behind it may obey, and who knows
	}
	if b.graph.IsHost(peer) {
		if !b.plan.NICs[b.plan.Node(peer).Index].Profile.PFC {
			return name + " has PFC off: it obeys no pause of " + b.graph.Hosts[host]
		}
		return ""
	}
	pfc := &b.plan.Switches[peer].Profile.PFC
	var lossless []string
	for c, on := range pfc.Lossless {
		if on {
			lossless = append(lossless, strconv.Itoa(c))
		}
	}
	switch {
	case !pfc.Enabled:
		return name + " has PFC off: it obeys no pause of " + b.graph.Hosts[host]
	case len(lossless) == 0:
		return name + " has no lossless class: it obeys no pause of " + b.graph.Hosts[host]
	case !pfc.Lossless[class]:
		return "class " + strconv.Itoa(int(class)) + " is not lossless at " + name +
			", which obeys no pause of it: lossless there are " + strings.Join(lossless, ", ")
	}
	return ""
}
