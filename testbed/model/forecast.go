package model

import (
	"slices"

	"github.com/rocelab/rocelab/emulator/capacity"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
)

// ForecastOf predicts the cost of a run of a plan, and how ECMP spreads its flows over ports.
func ForecastOf(p *plan.Plan) *plan.Forecast {
	hops := plan.PacketHops(p, sharesOf(p).bytes)
	return &plan.Forecast{
		ECMP:         ecmpGroups(p),
		PacketHops:   hops,
		SecondsLeast: float64(hops) / plan.FastHops,
		SecondsMost:  float64(hops) / plan.SlowHops,
		Memory:       plan.ProgramMemory + plan.Memory(p),
	}
}

// ecmpGroup is a set of next hops among which a switch chooses by the hash of ECMP.
type ecmpGroup struct {
	// sw is the number of the switch, ports the next hops, and flows the number of flows on each of them.
	sw    int
	ports []uint16
	flows []int
	// last is 1 + the number of the flow that was counted last, so that a flow that switches spread counts once.
	last int
}

// groupsOf returns the groups of all switches that choose by ECMP, in the order of the switches, with the flows of the
// plan counted; nil if there is none.
func groupsOf(p *plan.Plan) (list []ecmpGroup) {
	places := make([][]int, len(p.Switches)) // 1 + the index in list, by switch and set
	for i := range p.Switches {
		sw := &p.Switches[i]
		places[i] = make([]int, len(sw.NextHops))
		for set, ports := range sw.NextHops {
			if sw.Profile.Forwarding == profile.ECMP && len(ports) > 1 {
				list = append(list, ecmpGroup{sw: i, ports: ports, flows: make([]int, len(ports))})
				places[i][set] = len(list)
			}
		}
	}
	if len(list) == 0 {
		return nil
	}
	for flow := range p.Flows {
		walk(p, flow, func(sw int, set uint16, ports []uint16) {
			if places[sw][set] == 0 {
				return
			}
			if g := &list[places[sw][set]-1]; g.last != flow+1 {
				g.flows[slices.Index(g.ports, ports[0])]++
				g.last = flow + 1
			}
		})
	}
	return list
}

// ecmpGroups returns the field ECMP of a forecast.
func ecmpGroups(p *plan.Plan) (list []plan.ECMPGroups) {
	groups := groupsOf(p)
	if groups == nil {
		return nil
	}
	type kind struct {
		level, ports int
		tier         plan.Tier
	}
	levels, tiers, places := capacity.Levels(p), p.Tiers(), map[kind]int{}
	crowd := map[[2]int]float64{} // by flows and ports
	for i := range groups {
		g := &groups[i]
		if g.last == 0 {
			continue
		}
		of := kind{levels[g.sw], len(g.ports), tiers[g.sw][g.ports[0]]}
		place, known := places[of]
		if !known {
			place = len(list)
			places[of] = place
			list = append(list, plan.ECMPGroups{Ports: of.ports, Tier: of.tier.String(), Level: of.level})
		}
		all := &list[place]
		most, least := slices.Max(g.flows), slices.Min(g.flows)
		if all.Groups++; all.Groups == 1 || most-least > all.Most-all.Least {
			all.Example, all.Most, all.Least = p.Switches[g.sw].Name, most, least
		}
		flows := 0
		for _, n := range g.flows {
			flows += n
			all.Pairs += int64(n) * int64(n-1) / 2
			if n > 1 && least == 0 {
				all.Collisions += n
			}
		}
		all.Flows += flows
		all.ExpectedPairs += expectedPairs(flows, of.ports)
		key := [2]int{flows, of.ports}
		if _, known := crowd[key]; !known {
			crowd[key] = expectedCollisions(flows, of.ports)
		}
		all.ExpectedCollisions += crowd[key]
	}
	return list
}
