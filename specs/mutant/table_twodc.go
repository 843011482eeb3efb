package mutant

// sourcesOfTwoDC are the mutants of what switches do about congestion before a long haul, each of which a spec of a
// training over two data centres must show.
var sourcesOfTwoDC = []Source{
	{"a NIC whose exchange across the fibre is paused by the switch next to it sends its messages in the site as fast " +
		"as alone, where what crosses has a class of its own", "switchd/pause.go",
		"port, class := &x.sw.ports[pi], entry.Class&7", "port, class := &x.sw.ports[pi], uint8(3)"},

	{"the trigger of a near point of what comes between two messages leaves one job its bound, a short queue and every " +
		"frame", "emulator/profile/proximal.go",
		"threshold = min(threshold, kmin/2)", "threshold = kmin"},
	{"one feedback a congestion holds receivers' CNPs back for an end-to-end loop, so that even a trigger at Kmin " +
		"leaves one job its bound", "switchd/reaction.go",
		"entry.Hold(at, min(until, x.sw.now.Add(endToEnd+x.profile.Interval)), endToEnd)",
		"entry.Hold(at, x.sw.now, min(loop, endToEnd))"},
	{"congestion beyond the fibre is the receivers' alone: the trace is that of end-to-end ECN at the far spine",
		"switchd/proximity.go",
		"return x.nearer(x.loop(device, flow.SrcIP), flow.SrcIP, flow.DstIP)", "return true"},

	{"proximal CNP holds a learned flow to its share of the point where it met congestion, as that says, and no other",
		"switchd/proximal/learning.go",
		"if e.point != at {\n\t\treturn", "if e.point != at && !e.learned {\n\t\treturn"},
	{"proximal CNP holds a learned flow to its share of the point where it met congestion, as that says, and no other",
		"switchd/proximal/learning.go",
		"if e.learned {\n\t\te.said = *reading", "if !e.learned {\n\t\te.said = *reading"},
	{"proximal CNP forgets a learned flow when the number of flows is another, and learns it when two bursts have one",
		"switchd/proximal/learning.go",
		"if another || e.needless", "if e.needless"},
	{"proximal CNP forgets a learned flow when the number of flows is another, and learns it when two bursts have one",
		"switchd/proximal/learning.go",
		"if e.among == 0 || another {", "if e.among == 0 {"},
	{"a switch that was asked to be silent about flows speaks above four times its threshold, so that a flow that " +
		"listens to nobody fills no queue", "switchd/proximity.go",
		"ceiling := 4 * threshold", "ceiling := 40 * threshold"},
	{"a switch that was asked to be silent about flows speaks above four times its threshold, so that a flow that " +
		"listens to nobody fills no queue", "switchd/congestion.go",
		"loud := queue.bytes > limits.Ceiling || x.occupancy(port).used > limits.High",
		"loud := queue.bytes < 0 && limits.Ceiling < 0"},
}
