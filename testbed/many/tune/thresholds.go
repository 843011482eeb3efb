package tune

import (
	"fmt"
	"strings"

	"github.com/rocelab/rocelab/emulator/conversion"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/emulator/sonic"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// AboutThresholds is what is known of the thresholds of a plan, for a report: their bytes at each rate of
// port, how soon a queue passes from one to the other, and where PFC comes first.
func AboutThresholds(p *plan.Plan) (facts, warnings []string) {
	said, report := map[string]bool{}, scenario.Analyse(p, nil)
	warnings = append(warnings, report.Warnings...)
	for _, m := range report.Markings {
		name, _, _ := strings.Cut(m.Example, ":")
		facts = append(facts, fmt.Sprintf("ports of %v: Kmin %v, Kmax %v, Pmax %g, class %d; a BDP is %v, base RTT %v",
			m.Rate, m.Kmin, m.Kmax, m.Pmax, m.Class, m.BDP, m.BaseRTT))
		for _, senders := range []int{2, 8} {
			facts = append(facts, fmt.Sprintf("%d senders at %v take the queue from Kmin to Kmax in %v",
				senders, m.Rate, ramp(m.Kmin, m.Kmax, unit.BitRate(senders)*m.Rate, m.Rate)))
		}
		for i := range p.Switches {
			if p.Switches[i].Name != name {
				continue
			}
			at := pauseAt(p, i, 2)
			for _, threshold := range []struct {
				name string
				is   unit.Bytes
			}{{"Kmin", m.Kmin}, {"Kmax", m.Kmax}} {
				text := fmt.Sprintf("%s of %v is above %v; two senders that fill a port of %s at %v are paused by "+
					"PFC at that queue: the pause comes first", threshold.name, threshold.is, at, name, m.Rate)
				if at > 0 && threshold.is > at && !said[text] {
					said[text] = true
					warnings = append(warnings, text)
				}
			}
		}
	}
	return facts, warnings
}

// SonicOf is the WRED profile of the first kind of port that marks.
func SonicOf(p *plan.Plan) (sonic.Config, []conversion.Line) {
	m := scenario.Analyse(p, nil).Markings[0]
	thresholds := sonic.Thresholds{Kmin: m.Kmin, Kmax: m.Kmax, Pmax: m.Pmax, Rate: m.Rate}
	return thresholds.Profiles()
}

// CheckMarking refuses scenarios in which ports have marking of their own: the search sets that of the switch,
// which does not reach them, so that its advice would be for the other ports.
func CheckMarking(patterns []*Pattern) error {
	for _, pattern := range patterns {
		p, err := pattern.Probe()
		if err != nil {
			return err
		}
		for i := range p.Switches {
			if name := ownMarking(&p.Switches[i]); name != "" {
				return fmt.Errorf("%s: port %s of %s has its own ecn, which the search for switch.ecn does "+
					"not change: leave ecn out of ports", pattern.Name, name, p.Switches[i].Name)
			}
		}
	}
	return nil
}

// ownMarking is the first port with marking of its own, "" if there is none.
func ownMarking(sw *plan.Switch) string {
	for i := range sw.Profile.Own {
		switch own := &sw.Profile.Own[i]; {
		case own.ECN == sw.Profile.ECN:
		case own.Number < len(sw.PortNames):
			return sw.PortNames[own.Number]
		default:
			return fmt.Sprint(own.Number)
		}
	}
	return ""
}
