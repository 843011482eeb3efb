package result

import (
	"fmt"
	"slices"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// loss is a switch port's drops of frames whose class should be lossless.
type loss struct {
	at     string
	frames uint64
	cause  lossCause
	// text goes on after "dropped 7 frames".
	text string
}

// lossCause is the reason for a port's drops; losses of one cause are one finding.
type lossCause uint8

const (
	// headroomSet: the scenario sets less headroom than the link needs.
	headroomSet lossCause = iota
	// pauseCut: an XOFF was lost on a link that was down.
	pauseCut
	// pauseIgnored: the peer does not obey PFC.
	pauseIgnored
	// pauseMissing: an XOFF did not arrive at the peer.
	pauseMissing
	// headroomFull: the headroom did not suffice, for an unknown reason.
	headroomFull
	// noBuffer and wred: a lossless class was treated as a lossy one.
	noBuffer
	wred
)

// status returns the status of a run with losses of a cause: a headroom that the scenario sets too small explains the
// drops, and so does an outage in which an XOFF was lost; all else breaks a promise.
func (c lossCause) status() Status {
	if c == headroomSet || c == pauseCut {
		return Pass
	}
	return Red
}

// lossesOf lists the drops of lossless classes, port by port.
func lossesOf(o *Outcome) (list []loss) {
	used := dscpsOf(o.Plan)
	for sw := range o.Switches {
		planned := &o.Plan.Switches[sw]
		allLossless := len(o.Plan.Edges()) == 0 && onlyLossless(used, &planned.Profile)
		for port := range o.Switches[sw].Ports {
			drops, at := o.Switches[sw].Ports[port].Drops, portName(planned.Name, port)
			if n := drops[fabric.DropHeadroom]; n > 0 {
				cause, why := headroomCause(o, sw, port)
				list = append(list, loss{at, n, cause, " of a lossless class " + why})
			}
			if !allLossless {
				continue
			}
			if n := drops[fabric.DropNoBuffer]; n > 0 {
				list = append(list, loss{at, n, noBuffer, lossyText(fabric.DropNoBuffer)})
			}
			if n := drops[fabric.DropWRED]; n > 0 {
				list = append(list, loss{at, n, wred, lossyText(fabric.DropWRED)})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b loss) int { return int(a.cause) - int(b.cause) })
	return list
}

func lossyText(reason fabric.DropReason) string {
	return fmt.Sprintf(" for %s, although every flow's class is lossless there", reason)
}

// lossFindings makes a finding of each cause: the first port, and how many there
// are besides.
func lossFindings(list []loss) (fs []Finding) {
	for len(list) > 0 {
		first, n, frames := list[0], 0, uint64(0)
		for n < len(list) && list[n].cause == first.cause {
			frames += list[n].frames
			n++
		}
		list = list[n:]
		text := fmt.Sprintf("%s dropped %s%s", first.at, unit.Count(first.frames, "frame"), first.text)
		if n == 2 {
			text += fmt.Sprintf("; so did another port, %d frames in all", frames)
		} else if n > 2 {
			text += fmt.Sprintf("; so did %d more ports, %d frames in all", n-1, frames)
		}
		if first.cause.status() == Red {
			text = "not lossless: " + text
		}
		fs = append(fs, Finding{first.cause.status(), Losslessness, text})
	}
	return fs
}

// headroomCause returns the reason, as far as it is known, why the headroom of a port did not suffice.
func headroomCause(o *Outcome, sw, port int) (lossCause, string) {
	planned := &o.Plan.Switches[sw]
	node := o.Plan.Node(o.Plan.SwitchNode(sw))
	link := o.Plan.AttachmentAt(&node, port)
	needed, set := headroomNeeded(&planned.Profile, link, o.Plan.MaxFrame()), planned.Profile.OfPort(port).Headroom
	if link.DCI {
		set = planned.Profile.DCI.PFC.Headroom
	}
	if set > 0 && set < needed {
		return headroomSet, fmt.Sprintf("for lack of headroom: the scenario sets %v, the link needs %v", set, needed)
	}
	end := o.Plan.Peer(planned.Links[port], plan.End{Node: o.Plan.SwitchNode(sw), Port: port})
	far, _ := o.port(end)
	peer := o.Plan.Node(end.Node)
	sent, arrived := xoffs(o.Switches[sw].Ports[port].PausesSent()), xoffs(far.PausesReceived())
	switch {
	case !obeysPFC(o.Plan, &peer):
		return pauseIgnored, fmt.Sprintf("because its peer %s does not obey PFC: it was sent %d XOFF", peer.Name, sent)
	case arrived < sent && beganBefore(o.Plan.Links[planned.Links[port]].Outages, o.End):
		return pauseCut, fmt.Sprintf("because the link was down at times: %d of its %d XOFF to %s were lost",
			sent-arrived, sent, peer.Name)
	case arrived < sent:
		return pauseMissing, fmt.Sprintf("while %d of its %d XOFF did not arrive at %s", sent-arrived, sent, peer.Name)
	}
	return headroomFull, fmt.Sprintf("for lack of headroom, although it has the headroom that the link needs (%v) "+
		"and %s obeys PFC and got all %d XOFF", needed, peer.Name, sent)
}

// beganBefore reports whether any of a link's outages began before an instant.
func beganBefore(outages []fabric.Outage, at unit.Time) bool {
	return slices.ContainsFunc(outages, func(o fabric.Outage) bool { return o.From < at })
}

// obeysPFC reports whether a node honours pauses.
func obeysPFC(p *plan.Plan, node *plan.Node) bool {
	switch node.Kind {
	case plan.KindSwitch:
		return p.Switches[node.Index].Profile.PFC.Enabled
	case plan.KindNIC:
		return p.NICs[node.Index].Profile.PFC
	}
	return true // as far as the plan knows
}

// xoffs adds the XOFF of all classes up.
func xoffs(p record.Pauses) (n uint64) {
	for _, of := range p.XOFF {
		n += of
	}
	return n
}

// headroomNeeded returns the headroom by the rule of profile.Switch for a link, regardless of the scenario's setting.
func headroomNeeded(settings *profile.Switch, link fabric.Attachment, maxFrame unit.Bytes) unit.Bytes {
	unset := *settings
	unset.Headroom = 0
	return unset.HeadroomFor(&link, maxFrame)
}
