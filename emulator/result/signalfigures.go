package result

// SignalFigures are the signs of congestion that the ends of flows got, and what algorithms made of them.
type SignalFigures struct{ Marks, CNPs, Decisions uint64 }

var signalMetrics = []Metric{
	counter("marks", "Frames that switches marked CE.", None, func(s *Summary) uint64 { return s.Marks }),
	counter("cnps", "CNPs that receivers sent.", None, func(s *Summary) uint64 { return s.CNPs }),
}

var decisionMetric = counter("decisions", "Events after which an algorithm's rate, window or gap differed.",
	None, func(s *Summary) uint64 { return s.Decisions })

func signalFigures(outcome *Outcome) (f SignalFigures) {
	for port := range outcome.eachPort {
		for _, queue := range port.Queues.All() {
			f.Marks += queue.Marked
		}
	}
	for i := range outcome.Flows {
		f.CNPs += outcome.Flows[i].Receiver.CNPs
		f.Decisions += outcome.Flows[i].Sender.Decisions
	}
	return f
}
