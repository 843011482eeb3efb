package switchd

import (
	"fmt"
	"slices"

	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
)

// epochs are the changes of a switch's routes.
type epochs struct {
	// rest are the epochs to come.
	rest []fabric.Epoch
	// noRoute counts the drops for want of a route before each epoch, and since the last; nil without epochs.
	noRoute []record.Loss
}

// startEpochs begins with the routes of the configuration.
func startEpochs(s *Switch) {
	if n := len(s.epochs.rest); n > 0 {
		s.epochs.noRoute = make([]record.Loss, n+1)
	}
	scheduleEpoch(s)
}

// countNoRoute counts a frame that is dropped for want of a route.
func countNoRoute(s *Switch, frame *wire.Frame) {
	if e := &s.epochs; e.noRoute != nil {
		e.noRoute[len(e.noRoute)-1-len(e.rest)].Count(frame)
	}
}

// NoRoute returns the drops for want of a route before each epoch, and since the last; nil without epochs.
func NoRoute(s *Switch) []record.Loss { return s.epochs.noRoute }

// scheduleEpoch schedules the next change of the routes. It comes before all that arrives at its instant.
func scheduleEpoch(s *Switch) {
	if len(s.epochs.rest) > 0 {
		s.events.Schedule(s.epochs.rest[0].At, event.LinkChange, 0, routesChange)
	}
}

// beginEpoch changes the routes. Frames that have their port keep it.
func beginEpoch(s *Switch) {
	fw := &s.fwd
	if !fw.owned { // the table is the plan's, and other runs begin with it
		fw.routes, fw.owned = slices.Clone(fw.routes), true
	}
	for _, change := range s.epochs.rest[0].Changes {
		for station := change.First; station < change.First+change.Count; station++ {
			fw.routes[station] = change.Set
		}
	}
	s.epochs.rest = s.epochs.rest[1:]
	scheduleEpoch(s)
}

// checkEpochs refuses epochs that are not in order, and changes of stations or to sets that there are not.
func checkEpochs(c *Config) (errs []error) {
	for i := range c.Epochs {
		epoch := &c.Epochs[i]
		if epoch.At < 0 || i > 0 && epoch.At <= c.Epochs[i-1].At {
			errs = append(errs, fmt.Errorf("epoch %d begins at %v: must be after the one before", i, epoch.At))
		}
		for _, r := range epoch.Changes {
			if r.First < 0 || r.Count < 0 || r.First > len(c.Routes)-r.Count || int(r.Set) >= len(c.NextHops) {
				errs = append(errs, fmt.Errorf("epoch at %v: %d stations from %d on get set %d: there are %d stations, %d sets",
					epoch.At, r.Count, r.First, r.Set, len(c.Routes), len(c.NextHops)))
			}
		}
	}
	return errs
}
