package mutant

// sourcesOfFailover are the mutants of what switches know of links that are down, and of what their routes do.
var sourcesOfFailover = []Source{
	{toTheFrame + " after 100 us", "switchd/failover.go",
		"s.epochs.rest[0].At, event.LinkChange", "s.epochs.rest[0].At.Add(300_000), event.LinkChange"},
	{toTheFrame + " after 100 us", "emulator/topology/failover.go",
		"later := c.Propagate[node]", "later := 0 * c.Propagate[node]"},
	{toTheFrame + " after 100 us", "emulator/scenario/failover.go",
		"l.Knows[end].Down = c.learnEnd(first, end)", "if end == 0 { l.Knows[end].Down = c.learnEnd(first, end) }"},
	{toTheFrame + " after 100 us", "emulator/scenario/failover.go",
		"detected := seen.From.Add(times.detect)", "detected := o.From"},
	{"two flows on a link that goes down, with failover use it again once it was up for restore and the news is " +
		"there",
		"emulator/scenario/failover.go",
		"seen.To.Add(times.restore)", "o.To"},
	{"a fat tree whose pod has lost capacity has groups that weigh a port by what is left beyond it, on the way up " +
		"and on the way down", "emulator/topology/failover.go",
		"rates[i]*l.left)", "min(rates[i], rates[i]*l.left*float64(len(rates))))"},
	{"flows over n ports of which one is lost move, of 8 ports, if they were on it, with buckets",
		"emulator/topology/group.go",
		"rest[i] > 0 {", "rest[i] > 8 {"},
}

const toTheFrame = "two flows on a link that goes down, with failover lose what they send until the link's end " +
	"knows, and upstream until the news is there, to the frame"
