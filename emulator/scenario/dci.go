package scenario

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

var dciCheck = pass{
	name:  "DCI ports",
	after: []*pass{&dciThresholds},
	run:   checkDCI,
}

// checkDCI refuses DCI ports whose settings contradict each other. A problem common to ports of one kind is reported
// once.
func checkDCI(b *builder) {
	for port := range b.plan.DCIPorts {
		sw := &b.plan.Switches[port.Switch]
		memory := sw.Profile.DCIFor(&port.Attachment, b.plan.MaxFrame())
		if e := &sw.Profile.DCI.ECN; e.Enabled && !profile.Ordered(memory.Kmin, memory.Kmax) {
			b.add(b.settingPosition(sw.Name, "dci", "ecn"),
				"dci.ecn: %v", profile.Misordered(memory.Kmin, memory.Kmax,
					fmt.Sprintf(", across %s at %v", lengthText(port.Path), port.Attachment.Tx.Rate)))
		}
		if !sw.Profile.DCI.PFC.Enabled {
			continue
		}
		at := b.settingPosition(sw.Name, "dci", "pfc", "enabled")
		far := &b.plan.Switches[b.plan.Node(port.Peer.Node).Index]
		switch {
		case memory.Classes == 0:
			b.add(at,
				"dci.pfc is on at %s, whose pfc protects no class: allowed is with pfc.enabled and a class in "+
					"pfc.lossless", sw.Name)
		case !far.Profile.DCI.PFC.Enabled:
			b.add(at,
				"dci.pfc is on at %s and not at %s, across %s: allowed is both or none, as a port without it "+
					"neither sends nor obeys pauses", sw.Name, far.Name, port.Path.Name)
		case !memory.Fits():
			classes := ""
			if memory.Classes > 1 {
				classes = fmt.Sprintf(" for each of %d lossless classes", memory.Classes)
			}
			b.add(b.settingPosition(sw.Name, "dci", "buffer"),
				"PFC across %s at %v needs headroom of %v and XON at %v%s, dci.buffer is %v: allowed is at "+
					"least %v",
				lengthText(port.Path), port.Attachment.Rx.Rate, memory.Headroom, memory.XON, classes, memory.Buffer,
				memory.Guaranteed())
		}
	}
}

// lengthText is the length of a path when the run starts.
func lengthText(path *plan.WAN) string {
	there, back := path.Profile.Length[0], path.Profile.Length[1]
	if there == back {
		return there.String()
	}
	return there.String() + " / " + back.String()
}

// settingPosition returns the position of a switch's setting: in the last pattern that has it, else under switch, else
// at the topology.
func (b *builder) settingPosition(name string, keys ...string) position {
	patterns := matching(b.switches, name)
	nodes := []*node{b.switchNode}
	for i := range patterns {
		nodes = append(nodes, patterns[i].Value)
	}
	for ; len(keys) > 0; keys = keys[:len(keys)-1] {
		for i := len(nodes) - 1; i >= 0; i-- {
			n := nodes[i]
			for _, key := range keys {
				if n == nil || n.Kind != document.Mapping {
					n = nil
					break
				}
				n = n.Child(key)
			}
			if n != nil {
				return n.At
			}
		}
	}
	return b.fabric.at
}

// DCIClass is the DCI ports that agree in their path and profile.
type DCIClass struct {
	// Ports is their number; Example is one of them, "s0:3".
	Ports   int    `json:"ports"`
	Example string `json:"example"`
	// Rate is the port's, RTT both ways of the path at their longest, BDP what
	// Rate carries in it.
	Rate unit.BitRate  `json:"rate_bps"`
	RTT  unit.Duration `json:"rtt_ps"`
	BDP  unit.Bytes    `json:"bdp_bytes"`
	// Buffer is the port's memory, Kmin and Kmax are the thresholds of its egress queues; 0 if it does not mark.
	Buffer unit.Bytes `json:"buffer_bytes"`
	Kmin   unit.Bytes `json:"kmin_bytes"`
	Kmax   unit.Bytes `json:"kmax_bytes"`
	// Trigger is the length of a queue above which proximal CNP acts; 0 if it is off.
	Trigger unit.Bytes `json:"proximal_threshold_bytes,omitzero"`
	// Classes is the number of classes with PFC across the fibre; XON and XOFF
	// are the thresholds of each, 0 without it.
	Classes int        `json:"lossless_classes"`
	XON     unit.Bytes `json:"xon_bytes"`
	XOFF    unit.Bytes `json:"xoff_bytes"`
}

func dciClasses(planned *plan.Plan) []DCIClass {
	places := map[DCIClass]int{}
	list := []DCIClass{}
	for port := range planned.DCIPorts {
		sw := &planned.Switches[port.Switch]
		memory := sw.Profile.DCIFor(&port.Attachment, planned.MaxFrame())
		class := DCIClass{
			Rate:    port.Attachment.Tx.Rate,
			RTT:     port.Attachment.RoundTrip(),
			BDP:     memory.BDP,
			Buffer:  memory.Buffer,
			Classes: memory.Classes,
			XON:     memory.XON,
			XOFF:    memory.XOFF,
		}
		if sw.Profile.DCI.ECN.Enabled {
			class.Kmin, class.Kmax = memory.Kmin, memory.Kmax
		}
		if proximal := &sw.Profile.Proximal; proximal.Enabled && sw.Proximity != nil {
			class.Trigger = proximal.ThresholdAt(class.Rate, class.Kmin, sw.Proximity.Longest[port.Port])
		}
		place, ok := places[class]
		if !ok {
			place = len(list)
			places[class] = place
			class.Example = fmt.Sprintf("%s:%d", sw.Name, port.Port)
			list = append(list, class)
		}
		list[place].Ports++
	}
	return list
}

// warnDCI warns of settings of DCI ports that fall short of their length, once
// for all ports that fall short alike.
func (r *Report) warnDCI(planned *plan.Plan) {
	seen := map[string]bool{}
	for port := range planned.DCIPorts {
		s := &planned.Switches[port.Switch]
		for _, text := range []string{
			dciShortfall(&s.Profile, port, planned.MaxFrame()),
			unreachedTrigger(&s.Profile, port, planned.MaxFrame()),
			weakFeedback(&s.Profile, port),
		} {
			if text == "" || seen[text] {
				continue
			}
			seen[text] = true
			r.Warnings = append(r.Warnings, fmt.Sprintf("%s; %s:%d", text, s.Name, port.Port))
		}
	}
}

// unreachedTrigger reports that proximal CNP waits for a queue longer than the port's memory.
func unreachedTrigger(settings *profile.Switch, port *plan.DCIPort, maxFrame unit.Bytes) string {
	memory := settings.DCIFor(&port.Attachment, maxFrame)
	proximal := &settings.Proximal
	if !proximal.Enabled || memory.Classes > 0 || proximal.Threshold <= memory.Buffer {
		return ""
	}
	return fmt.Sprintf("proximal.threshold is %v, and dci.buffer across %s at %v is %v: the queue is never that "+
		"long, and frames are dropped before a switch is notified; 0B computes a threshold", proximal.Threshold,
		lengthText(port.Path), port.Attachment.Tx.Rate, memory.Buffer)
}

// weakFeedback reports that receivers' CNPs are held back in favour of the switches', which are too few to be the only
// ones: they halve a rate later than receivers are heard.
func weakFeedback(settings *profile.Switch, port *plan.DCIPort) string {
	proximal, rtt := &settings.Proximal, port.Attachment.RoundTrip()
	held := proximal.Enabled && proximal.Filter && proximal.Notify != profile.NotifyNever
	if !held || proximal.Pause || proximal.Rate || proximal.Map != profile.MapFair {
		return ""
	}
	halving := proximal.Halving(proximal.MaxCNPs)
	if halving <= rtt {
		return ""
	}
	for needed := proximal.MaxCNPs + 1; needed <= profile.MaxCNPsAtOnce; needed++ {
		if proximal.Halving(needed) <= rtt {
			return fmt.Sprintf("proximal.max_cnps is %d, and proximal.filter holds receivers' CNPs back: with as many for each "+
				"message a rate takes %v to halve, longer than the %v until a receiver is heard across %s; %d or more, or "+
				"filter: false", proximal.MaxCNPs, halving, rtt, lengthText(port.Path), needed)
		}
	}
	return ""
}

// dciShortfall names the settings of a DCI port that are too small for its length.
func dciShortfall(settings *profile.Switch, port *plan.DCIPort, maxFrame unit.Bytes) string {
	memory := settings.DCIFor(&port.Attachment, maxFrame)
	where := fmt.Sprintf("%s at %v", lengthText(port.Path), port.Attachment.Rx.Rate)
	if memory.Classes == 0 {
		if memory.Buffer < memory.BDP {
			return fmt.Sprintf(
				"dci.buffer is %v, less than the BDP of %v across %s: a burst of one RTT overflows it, and "+
					"frames are dropped", memory.Buffer, memory.BDP, where)
		}
		return ""
	}
	computed := *settings
	computed.DCI.PFC = profile.DCIPFC{Enabled: true}
	needed := computed.DCIFor(&port.Attachment, maxFrame)
	switch {
	case memory.Buffer-memory.Guaranteed() < maxFrame:
		return fmt.Sprintf("dci.buffer is %v, PFC across %s takes %v of it: lossy classes lose every frame there",
			memory.Buffer, where, memory.Guaranteed())
	case memory.Headroom < needed.Headroom:
		return fmt.Sprintf(
			"dci.pfc.headroom is %v, PFC across %s needs %v: frames that arrive after XOFF are dropped",
			memory.Headroom, where, needed.Headroom)
	case memory.XON < needed.XON:
		return fmt.Sprintf(
			"dci.pfc.xon is %v, less than the BDP of %v across %s: after a pause the path runs dry",
			memory.XON, needed.XON, where)
	}
	return ""
}
