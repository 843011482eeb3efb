package fabric

import "github.com/rocelab/rocelab/plugins/cc/unit"

// Epoch is a change of a switch's routes: from At on, before all that arrives at that instant, the stations of Changes
// have other sets of next hops.
type Epoch struct {
	At      unit.Time
	Changes []RouteChange
}

// RouteChange gives Count stations, from First on, the set of next hops with the number Set.
type RouteChange struct {
	First, Count int
	Set          uint16
}
