package scenario

import (
	"path"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
)

// addFaults gives links their losses and outages and NICs their storms.
func (b *builder) addFaults() {
	for i := range b.faults {
		switch f := &b.faults[i]; {
		case f.kind == linkFault && f.link != "":
			b.addLinkFault(f)
		case f.kind == pfcStorm && f.host != "":
			b.addStorm(f)
		default:
			b.requireReported(f.node)
		}
	}
}

func (b *builder) addLinkFault(fault *faultDraft) {
	found := false
	for i := range b.graph.Links {
		if !b.linkMatches(i, fault.link) {
			continue
		}
		found = true
		if b.hasWAN(i) {
			b.add(fault.at,
				"link %s is a long-haul path: write its losses and flaps there, in loss, burst_loss and timeline",
				b.graph.LinkName(i))
			continue
		}
		link := &b.plan.Links[i]
		link.Line = fault.at.Line
		if fault.lost {
			link.Loss, link.LossOf, link.LossWay = fault.loss, fault.frames, b.lossWay(i, fault)
		}
		if fault.corrupted {
			link.BER, link.BERWay = fault.ber, b.lossWay(i, fault)
		}
		if fault.cut {
			for _, o := range link.Outages {
				if fault.down < o.To && o.From < fault.up {
					b.add(fault.at, "link %s is down from %v to %v already: outages of a link must not overlap",
						b.graph.LinkName(i), o.From, o.To)
				}
			}
			link.Outages = append(link.Outages, fabric.Outage{From: fault.down, To: fault.up})
		}
	}
	if !found {
		b.add(fault.at, "no link has the name %q: a link is its two ends, such as %q",
			shorten(fault.link), b.graph.LinkName(0))
	}
}

// lossWay returns the directions in which link i loses frames.
func (b *builder) lossWay(i int, fault *faultDraft) plan.Way {
	if fault.toward == "" {
		return plan.BothWays
	}
	l := &b.graph.Links[i]
	is := func(node plan.NodeID) bool {
		name := b.graph.Name(node)
		ok, _ := path.Match(fault.toward, name)
		return ok || fault.toward == name
	}
	switch atA, atB := is(l.A.Node), is(l.B.Node); {
	case atA && !atB:
		return plan.BToA
	case atB && !atA:
		return plan.AToB
	default:
		b.add(fault.node.Where("toward"), "toward: %q is not one of the two ends of link %s", shorten(fault.toward),
			b.graph.LinkName(i))
		return plan.BothWays
	}
}

// linkMatches reports whether a fault's link means link i.
func (b *builder) linkMatches(i int, pattern string) bool {
	l := &b.graph.Links[i]
	x, y := b.graph.Name(l.A.Node), b.graph.Name(l.B.Node)
	px, py := x+":"+strconv.Itoa(l.A.Port), y+":"+strconv.Itoa(l.B.Port)
	for _, name := range []string{x + "-" + y, y + "-" + x, px + "-" + py, py + "-" + px} {
		if ok, _ := path.Match(pattern, name); ok || pattern == name {
			return true
		}
	}
	return false
}

// addStorm gives each of a storm's hosts the storm.
func (b *builder) addStorm(fault *faultDraft) {
	hosts := b.hostsMatching(fault.host)
	if len(hosts) == 0 {
		b.add(fault.node.Where("host"), "host: %s", b.meansNoHost(fault.host))
	}
	for _, h := range hosts {
		nic := &b.plan.NICs[h]
		settings := &nic.Profile
		storm := profile.Storm{Class: uint8(fault.class), From: fault.from, To: fault.to}
		if fault.class < 0 {
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

// whyPauseIgnored says why a pause of a class by a host would hold nothing at the
// other end of its link; "" if it holds.
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
