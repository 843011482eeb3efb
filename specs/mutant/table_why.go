package mutant

// sourcesOfWhy are the mutants of the attribution of a flow's time: parts that are exchanged or left out, and rules of
// a bin that are ignored. Its unit tests see more; these are those that a scenario must show.
var sourcesOfWhy = []Source{
	{unfairOf + "nine times its rate beside it, then the same", divideFile,
		"{Unfair, s.contention - shared}, {Shared, shared},", "{Shared, s.contention - shared}, {Unfair, shared},"},
	{collisionOf + "two windows on one spine, and none on the other", divideFile,
		"{Collision, s.collision}", "{Collision, 0}"},
	{collisionOf + "two windows from two racks that meet at a core, then on two cores", divideFile,
		"ways = flow.Beside(step)", "ways = flow.Beside(step)[:0]"},
	{lossOf + "paused: a storm that holds a port on the way of a paced flow", divideFile,
		"{Paused, s.paused}, {Collision, s.collision}, {HeldBack, s.held}",
		"{HeldBack, s.paused}, {Collision, s.collision}, {Paused, s.held}"},
	{lossOf + "paused: a storm that holds a port on the way of a paced flow", divideFile,
		"held := take(min(at.idle*part, waited))", "held := take(min(at.idle+active, waited))"},
	{heldBackOf + "a window of a quarter of the BDP, of 41 KB on this way", "emulator/attribution/fabric.go",
		"at := float64(bin) + float64(delay)/float64(f.Width)", "at := float64(bin) + 0*float64(delay)/float64(f.Width)"},
	{unfairOf + "equal windows, one of nine times the RTT, then of the same", "emulator/attribution/fair.go",
		"of[bin-w.fair[flow].first] = level", "of[bin-w.fair[flow].first] = 2 * level"},
	{unfairOf + "nine times its rate beside it, then the same", divideFile,
		"float64(f.Ports[port].Rate)/share-1", "float64(f.Ports[port].Rate)/share"},
	{heldBackOf + "a rate that recovers from a burst of others", divideFile,
		"room < least-near ||", "room > least+near ||"},
	{"a lone flow is alone or held back by its algorithm, and nothing else", divideFile,
		"min(float64(at.busy*part)-at.own, f.othersUpTo(flow, at.step, bin, s))", "float64(at.busy*part)-at.own"},
	{"a lone flow is alone or held back by its algorithm, and nothing else", divideFile,
		"|| room < least+near && v.demand > best.demand", "|| room < least && v.demand > best.demand"},
	{"flows that contend have parts that add up, resolved to 2 %, also in a run that is much longer than they are",
		divideFile,
		"take(float64(flow.Sends.PortBusy.At(bin)) - contention)", "take(0 * contention)"},
	{"flows that contend have nearly the parts in bins of 64 us that they have in narrow ones", divideFile,
		"s.credit += time - collision", "s.credit += 0"},
	{"a lone flow is alone while what it sent at once leaves a narrow port", divideFile,
		"own = take(earlier)", "own = take(0 * earlier)"},
	{"a flow that has others on either way shares at the port where it meets them, and does not collide", divideFile,
		"for _, s := range way {", "for _, s := range way[:1] {"},
	{"a lone flow is alone or held back if its packets are long beside the bins at a narrow port", divideFile,
		"packet := float64(flow.Packet) * line / float64(f.Ports[step.Port].Rate)",
		"packet := float64(flow.Packet) + 0*line"},
	{"a lone flow is alone if its short last packet catches up with the one before at each hop",
		"emulator/result/whytravel.go",
		"if several {", "if several && first < 0 {"},
	{lossOf + "host: a rank that computes between its messages", divideFile,
		"d.Parts[Host] = spent[record.NothingToSend]", "d.Parts[Repair] += spent[record.NothingToSend]"},
	{lossOf + "repair: a packet in a hundred is lost", divideFile,
		"d.Parts[Repair] = spent[record.Repairing]", "d.Parts[Paused] += spent[record.Repairing]"},
	{lossOf + "queued: one packet behind a burst", divideFile,
		"min(spent[record.InFlight], flow.Travel+", "max(spent[record.InFlight], flow.Travel+"},
}

const divideFile = "emulator/attribution/divide.go"

// Beginnings of sentences of the interventions.
const (
	partOf      = "a part is most of the loss, goes with its cause, and predicts the time without it "
	lossOf      = "a part of the way is most of the loss, goes with its cause, and predicts the time without it "
	unfairOf    = partOf + "unfair: "
	heldBackOf  = partOf + "held back: "
	collisionOf = lossOf + "collision: "
)
