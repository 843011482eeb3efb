package result

import "github.com/rocelab/rocelab/plugins/cc/unit"

// PFCFigures are the pauses of ports by PFC, and their effects.
type PFCFigures struct {
	Pauses   uint64
	PausedUS float64

	WatchdogFired, Victims, Deadlocks uint64
}

var pauseMetrics = []Metric{
	counter("pauses", "PFC XOFF that ports sent, by class, including refreshes.",
		Lower, func(s *Summary) uint64 { return s.Pauses }),
	measure("paused_us", "Time during which a class of a port was paused, summed over classes and ports.", Lower, 3,
		func(s *Summary) float64 { return s.PausedUS }),
}

var standstillMetrics = []Metric{
	counter("watchdog_fired", "PFC storms that a watchdog broke.", Lower,
		func(s *Summary) uint64 { return s.WatchdogFired }),
	counter("victims", "Flows that were stopped, or lost packets to a watchdog, in a PFC storm of the scenario "+
		"although they do not end at the storming NIC.",
		Lower, func(s *Summary) uint64 { return s.Victims }),
	counter("deadlocks", "Cycles of egress queues that waited for each other.",
		Lower, func(s *Summary) uint64 { return s.Deadlocks }),
}

func pfcFigures(outcome *Outcome) PFCFigures {
	f := PFCFigures{Victims: uint64(len(victimsOf(outcome))), Deadlocks: uint64(len(outcome.Deadlocks))}
	for port := range outcome.eachPort {
		var paused unit.Duration
		for _, class := range port.Classes.All() {
			f.Pauses += class.SentXOFF
			f.WatchdogFired += class.WatchdogFired
			paused += class.Paused
		}
		f.PausedUS += paused.Microseconds()
	}
	return f
}
