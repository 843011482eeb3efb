package main

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/testbed/many/tune"
)

// refuseOwnMarking refuses scenarios in which ports have marking of their own: the search sets that of the switch,
// which does not reach them, so that its advice would be for the other ports.
func refuseOwnMarking(patterns []*tune.Pattern) error {
	for _, pattern := range patterns {
		p, err := pattern.Probe()
		if err != nil {
			return usage(err)
		}
		for i := range p.Switches {
			if name := ownMarking(&p.Switches[i]); name != "" {
				return usage(fmt.Errorf("%s: port %s of %s has its own ecn, which the search for switch.ecn does "+
					"not change: leave ecn out of ports", pattern.Name, name, p.Switches[i].Name))
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
