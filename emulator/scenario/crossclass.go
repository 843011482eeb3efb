package scenario

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
)

// warnCrossClass warns if the messages between the groups of a collective, which have a code point of their own, are
// not treated as its others are, or not separately from them: once for each collective and kind of shortfall.
func (r *Report) warnCrossClass(planned *plan.Plan) {
	own := map[string]int{} // by collective: the first of its flows is one in a group
	seen := map[string]bool{}
	for i := range planned.Flows {
		flow := &planned.Flows[i]
		if _, ok := own[flow.Group]; !ok {
			own[flow.Group] = flow.DSCP
		}
		if len(flow.Messages) == 0 || flow.DSCP == own[flow.Group] {
			continue
		}
		points := codePoints{own: own[flow.Group], cross: flow.DSCP}
		if points.own < 0 {
			points.own = int(planned.NICs[flow.Src].Profile.DataDSCP)
		}
		points.look(planned, flow.Src, func(kind crossShortfall, text string) {
			if key := fmt.Sprint(flow.Group, kind); !seen[key] {
				seen[key] = true
				r.Warnings = append(r.Warnings, fmt.Sprintf("%s: cross_dscp is %d, %s", flow.Group, flow.DSCP, text))
			}
		})
	}
}

// crossShortfall is a way in which a class of its own falls short.
type crossShortfall uint8

const (
	sameClass crossShortfall = iota
	sameQueue
	notLossless
	notMarked
	otherAtNIC
)

// codePoints are the DSCPs of a collective's messages in a group and between groups.
type codePoints struct{ own, cross int }

// look finds what falls short at a sending NIC and at the switches.
func (p codePoints) look(planned *plan.Plan, nic int, found func(crossShortfall, string)) {
	sender := &planned.NICs[nic]
	at := sender.Profile.ClassOf[p.cross]
	if at == sender.Profile.ClassOf[p.own] {
		found(sameClass, fmt.Sprintf("which is class %d at %s, as DSCP %d of the other messages: they have the "+
			"same class there", at, sender.Name, p.own))
	}
	end := plan.End{Node: planned.NICNode(nic)}
	if first := planned.Node(planned.Peer(sender.Link, end).Node); first.Kind == plan.KindSwitch {
		if there := planned.Switches[first.Index].Profile.ClassOf[p.cross]; there != at {
			found(otherAtNIC, fmt.Sprintf("which is class %d at %s and class %d at its switch: a pause by the switch "+
				"names a class that the NIC does not send", at, sender.Name, there))
		}
	}
	for i := range planned.Switches {
		sw := &planned.Switches[i]
		p.lookAt(&sw.Profile, sw.Name, found)
	}
}

// lookAt finds what falls short at a switch.
func (p codePoints) lookAt(s *profile.Switch, name string, found func(crossShortfall, string)) {
	own, cross := s.ClassOf[p.own], s.ClassOf[p.cross]
	if own == cross {
		found(sameClass, fmt.Sprintf("which is class %d at %s, as DSCP %d of the other messages: they have the "+
			"same class there", cross, name, p.own))
		return
	}
	if queue := s.QueueOf[cross]; queue == s.QueueOf[own] {
		found(sameQueue, fmt.Sprintf("which is class %d at %s, in queue %d as class %d of the other messages: a pause of "+
			"one stops both there", cross, name, queue, own))
	}
	word := map[bool]string{true: "is", false: "is not"}
	if one, other := s.PFC.Enabled && s.PFC.Lossless[cross], s.PFC.Enabled && s.PFC.Lossless[own]; one != other {
		found(notLossless, fmt.Sprintf("which is class %d at %s: it %s lossless, and class %d of the other messages %s; "+
			"see switch.pfc.lossless", cross, name, word[one], own, word[other]))
	}
	if one, other := s.ECN[cross].Enabled, s.ECN[own].Enabled; one != other {
		found(notMarked, fmt.Sprintf("which is class %d at %s: it %s marked, and class %d of the other messages %s; see "+
			"switch.ecn", cross, name, word[one], own, word[other]))
	}
}
