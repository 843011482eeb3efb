package result

import (
	"fmt"
	"strings"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/unit"
)

// losslessness checks that PFC kept its promise: no drop in a lossless class
// but for a headroom that the scenario set too small, no deadlock, and no
// watchdog but in a storm that the scenario asks for. At a DCI port without PFC
// across the fibre no class is lossless: what finds its memory full is an outcome.
func losslessness(outcome *Outcome) (fs []Finding) {
	for i := range outcome.Deadlocks {
		d := &outcome.Deadlocks[i]
		fs = append(fs, Finding{Red, Losslessness, fmt.Sprintf("not lossless: deadlock at %v of %s", d.At,
			strings.Join(d.Queues, " -> "))})
	}
	for i := range outcome.Switches {
		fs = append(fs, outcome.lossesAt(i)...)
	}
	for _, t := range outcome.watchdogRows() {
		if !outcome.stormExplains(&t) {
			fs = append(fs, Finding{Red, Losslessness, fmt.Sprintf("not lossless: %s", &t)})
		}
	}
	return fs
}

// lossesAt returns the findings on one switch.
func (o *Outcome) lossesAt(sw int) (fs []Finding) {
	planned := &o.Plan.Switches[sw]
	allLossless := onlyLossless(o.Plan, &planned.Profile)
	full := uint64(0)
	for i := range o.Switches[sw].Ports {
		rec := &o.Switches[sw].Ports[i]
		at := portName(planned.Name, i)
		full += rec.Drops[fabric.DropDCIBuffer]
		if n := rec.Drops[fabric.DropHeadroom]; n > 0 {
			fs = append(fs, o.headroomFinding(sw, i, n))
		}
		for _, r := range []fabric.DropReason{fabric.DropNoBuffer, fabric.DropWRED} {
			if n := rec.Drops[r]; n > 0 && allLossless {
				fs = append(fs, Finding{Red, Losslessness,
					fmt.Sprintf("not lossless: %s dropped %d frames for %s, though every flow's class is lossless there", at, n, r)})
			}
		}
	}
	if full > 0 {
		why := "no class is lossless across the fibre but by dci.pfc"
		if planned.Profile.DCI.PFC.Enabled {
			why = "dci.pfc protects the lossless classes, and these were of others"
		}
		fs = append(fs, Finding{Pass, Losslessness,
			fmt.Sprintf("%s dropped %d frames because the memory of a DCI port was full: %s", planned.Name, full, why)})
	}
	return fs
}

// onlyLossless reports whether every flow's class is lossless at a switch with
// profile s, so that any congestion drop there breaks a promise.
func onlyLossless(planned *plan.Plan, settings *profile.Switch) bool {
	for i := range planned.Flows {
		f := &planned.Flows[i]
		dscp := f.DSCP
		if dscp < 0 {
			dscp = int(planned.NICs[f.Src].Profile.DataDSCP)
		}
		if !settings.PFC.Enabled || !settings.PFC.Lossless[settings.ClassOf[dscp&63]] {
			return false
		}
	}
	return true
}

// headroomFinding judges n drops for want of headroom. A headroom that the scenario
// set below what the link needs explains them: that is a finding. Otherwise
// the rule or the peer is wrong, and the run is red.
func (o *Outcome) headroomFinding(sw, port int, n uint64) Finding {
	p := &o.Plan.Switches[sw]
	node := o.Plan.Node(o.Plan.SwitchNode(sw))
	a := o.Plan.AttachmentAt(&node, port)
	needed, set := headroomNeeded(&p.Profile, a, o.Plan.MaxFrame()), p.Profile.Headroom
	if a.DCI {
		set = p.Profile.DCI.PFC.Headroom
	}
	text := fmt.Sprintf("%s dropped %d frames of a lossless class for want of headroom", portName(p.Name, port), n)
	if set > 0 && set < needed {
		return Finding{Pass, Losslessness, fmt.Sprintf("%s: the scenario sets %v, the link needs %v", text, set, needed)}
	}
	return Finding{Red, Losslessness, fmt.Sprintf("not lossless: %s, though the link needs no more than it has (%v)",
		text, needed)}
}

// headroomNeeded is what the rule of profile.Switch asks of a link, whatever
// the scenario set.
func headroomNeeded(settings *profile.Switch, link fabric.Attachment, maxFrame unit.Bytes) unit.Bytes {
	unset := *settings
	unset.Headroom = 0
	return unset.HeadroomFor(&link, maxFrame)
}
