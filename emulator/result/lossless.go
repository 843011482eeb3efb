package result

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// losslessness checks that PFC kept its promise: no drop in a lossless class
// but for a headroom that the scenario set too small, no deadlock, and no
// watchdog but in a storm that the scenario asks for. At a DCI port without PFC
// across the fibre no class is lossless: what finds its memory full is an outcome.
func losslessness(outcome *Outcome) (fs []Finding) {
	for i := range outcome.Deadlocks {
		d := &outcome.Deadlocks[i]
		fs = append(fs, Finding{Red, Losslessness, fmt.Sprintf("not lossless: deadlock at %v of %s, which have "+
			"stood still since %v", d.At, strings.Join(d.Queues, " -> "), d.Since)})
	}
	fs = append(fs, lossFindings(lossesOf(outcome))...)
	for i := range outcome.Switches {
		fs = append(fs, fullDCIs(outcome, i)...)
	}
	for row := range stormRows(outcome) {
		if !stormExplains(outcome, row) {
			fs = append(fs, Finding{Red, Losslessness, fmt.Sprintf("not lossless: %s", row)})
		}
	}
	return fs
}

// fullDCIs is the finding on the DCI ports of a switch whose memory was full.
func fullDCIs(o *Outcome, sw int) []Finding {
	planned, full := &o.Plan.Switches[sw], uint64(0)
	for i := range o.Switches[sw].Ports {
		full += o.Switches[sw].Ports[i].Drops[fabric.DropDCIBuffer]
	}
	if full == 0 {
		return nil
	}
	why := "across the fibre a class is only lossless with dci.pfc"
	if planned.Profile.DCI.PFC.Enabled {
		why = "dci.pfc protects the lossless classes, and these frames belong to others"
	}
	return []Finding{{Pass, Losslessness,
		fmt.Sprintf("%s dropped %s because the memory of a DCI port was full: %s", planned.Name,
			unit.Count(full, "frame"), why)}}
}

// onlyLossless reports whether the class of every code point in use is lossless at a switch with
// these settings, so that any congestion drop there breaks a promise. What comes in at edges may be of any class.
func onlyLossless(used []uint8, settings *profile.Switch) bool {
	for _, dscp := range used {
		if !settings.PFC.Enabled || !settings.PFC.Lossless[settings.ClassOf[dscp&63]] {
			return false
		}
	}
	return true
}

// dscpsOf are the code points of the flows of a plan, each once.
func dscpsOf(planned *plan.Plan) (used []uint8) {
	for i := range planned.Flows {
		if dscp := dscpOf(planned, &planned.Flows[i]); !slices.Contains(used, dscp) {
			used = append(used, dscp)
		}
	}
	return used
}
