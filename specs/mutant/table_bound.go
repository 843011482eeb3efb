package mutant

// sourcesOfBound are the mutants of the bound of a training across two data centres, and of the paths that give it.
var sourcesOfBound = []Source{
	{boundOf + "counts the flows that ECMP puts on each DCI port", "emulator/plan/bound.go",
		"shared[port] += float64(load * float64(jobs[i].crossing))", "shared[port] = 4*float64(jobs[i].crossing) + 0*load"},
	{boundOf + "is reached within 1 % by pauses without congestion control at the NICs", "emulator/plan/bound.go",
		"shared[port] += float64(load * float64(jobs[i].crossing))", "shared[port] = 4*float64(jobs[i].crossing) + 0*load"},
	{boundOf + "is exact where ECMP has no choice", "emulator/plan/boundedjob.go",
		"j.loads[port] += share * float64(rate) / float64(haul.rate)",
		"j.loads[port] = share * float64(rate) / float64(haul.rate)"},
	{boundOf + "is the same with every seed where paths are balanced", "emulator/scenario/balanced.go",
		"s.load[port] += rate", "s.load[port] += 0 * rate"},
	{boundOf + "takes for an iteration in one site what a run there takes, within 1 %", "emulator/plan/boundedjob.go",
		"step = max(step, send+acks+p.delayBehindNIC(f))", "step = max(step, send+p.delayBehindNIC(f))"},
	{boundOf + "is beaten by no job where jobs drift apart", "emulator/plan/bound.go",
		"bound.Free = max(bound.Free, shareOfAll(jobs))", "bound.Free = max(bound.Step, shareOfAll(jobs))"},
}

// boundOf begins the sentences of the bound.
const boundOf = "the bound of a training across two data centres "
