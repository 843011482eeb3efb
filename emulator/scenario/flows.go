package scenario

import (
	"strconv"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/internal/traffic"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// flowOrigins keeps, for each flow of the plan, the entry that it is of and the bound
// of its jitter, and how many flows and waiting messages the entries bring.
type flowOrigins struct {
	entries         []*trafficDraft
	jitter          []unit.Duration
	total, messages int64
}

// add records the entry of the given number of flows.
func (f *flowOrigins) add(flows int, draft *trafficDraft, jitter unit.Duration) {
	for range flows {
		f.entries, f.jitter = append(f.entries, draft), append(f.jitter, jitter)
	}
}

var flowPass = pass{
	name:  "flows",
	after: []*pass{&nicPass, &serverPass},
	run:   addFlows,
}

// addFlows makes the flows of all entries of the traffic.
func addFlows(b *builder) {
	var flows flowOrigins
	names := entryNames{map[string]int{}, map[string]int{}}
	var shared *plan.Algorithm // of entries without one of their own
	for i := range b.traffic {
		draft := &b.traffic[i]
		b.nameEntry(draft, &names)
		if !b.resolveHosts(draft) {
			b.requireReported(draft.node)
			continue
		}
		if draft.algorithm != nil || shared == nil {
			draft.Algorithm = b.resolveAlgorithm(draft)
		} else {
			draft.Algorithm = shared
		}
		if draft.algorithm == nil {
			shared = draft.Algorithm
		}
		fits := false
		if draft.Kind == traffic.Collective {
			fits = b.addCollectiveEntry(draft, &flows)
		} else {
			fits = b.addEntry(draft, &flows)
		}
		if !fits {
			return
		}
	}
	b.addPaths(flows.entries)
	b.balancePaths(flows.entries)
	b.checkTelemetry(flows.entries)
	traffic.Stagger(b.plan.Flows, flows.jitter, b.seed, b.frameTime)
	for i := range b.plan.Flows {
		if f := &b.plan.Flows[i]; f.Stop != 0 && f.Stop <= f.Start {
			b.add(flows.entries[i].at,
				"flow %s stops at %v, not after its start at %v: its spacing or jitter reaches the stop",
				f.Name, f.Stop, f.Start)
			return
		}
	}
}

// addCollectiveEntry makes the flows of a collective. It reports whether the run
// stays within its limits.
func (b *builder) addCollectiveEntry(draft *trafficDraft, flows *flowOrigins) bool {
	if !b.resolveCollective(draft) {
		b.requireReported(draft.node)
		return true
	}
	f, m := draft.collective.Count()
	flows.total, flows.messages = flows.total+f, flows.messages+m
	if flows.total > b.maxFlows || flows.messages > messagesPerFlow*b.maxFlows {
		b.add(draft.at, "traffic %q brings the run to %d flows and %d messages that wait: allowed are up to %d and %d",
			draft.Name, flows.total, flows.messages, b.maxFlows, messagesPerFlow*b.maxFlows)
		return false
	}
	flows.add(len(b.addCollective(draft)), draft, 0)
	return true
}

// addEntry makes the flows of any other entry. It reports whether the run stays
// within its limits.
func (b *builder) addEntry(draft *trafficDraft, flows *flowOrigins) bool {
	if !b.resolveArrivals(draft) {
		b.requireReported(draft.node)
		return true
	}
	if flows.total += draft.Count(); flows.total > b.maxFlows {
		b.add(draft.at, "traffic %q brings the run to %d flows: allowed are up to %d", draft.Name, flows.total, b.maxFlows)
		return false
	}
	if !b.resolveEnd(draft) {
		b.requireReported(draft.node)
		return true
	}
	made := draft.Expand(b.seed, func(nic int) string { return b.plan.NICs[nic].Name })
	if len(made) == 0 {
		b.add(draft.node.Where("load"), "traffic %q has no flow: at load %g none arrives before %v; raise load or until",
			draft.Name, draft.load, draft.Until)
	}
	b.plan.Flows = append(b.plan.Flows, made...)
	flows.add(len(made), draft, draft.Jitter)
	return true
}

// entryNames are the names of the entries so far.
type entryNames struct {
	// lines are their lines, and next the number from which on a name of a kind is searched.
	lines, next map[string]int
}

// nameEntry gives an entry without a name its kind's, and refuses a name that
// is taken.
func (b *builder) nameEntry(draft *trafficDraft, names *entryNames) {
	if draft.Name == "" {
		kind := traffic.KindNames[draft.Kind]
		draft.Name = kind
		n := max(2, names.next[kind])
		for ; names.lines[draft.Name] != 0; n++ {
			draft.Name = kind + "-" + strconv.Itoa(n)
		}
		names.next[kind] = n
	} else if line := names.lines[draft.Name]; line != 0 {
		b.add(draft.at, "traffic %q is written twice: line %d has it already", draft.Name, line)
	}
	names.lines[draft.Name] = max(1, draft.at.Line)
}

// resolveEnd gives flows without an end the end of the run.
func (b *builder) resolveEnd(draft *trafficDraft) bool {
	if draft.ends {
		return draft.Stop == 0 || draft.Stop > draft.Start
	}
	draft.Stop = b.run.until
	if draft.Stop == 0 {
		b.add(draft.at, "traffic %q never ends: write size, stop or duration, or run.until", draft.Name)
		return false
	}
	return true
}

// addPaths finds the ways of all flows; flows of one pair share theirs.
func (b *builder) addPaths(entries []*trafficDraft) {
	type pair struct{ src, dst int }
	paths := map[pair]fabric.Path{}
	find := func(src, dst int) fabric.Path {
		p, ok := paths[pair{src, dst}]
		if !ok {
			p = b.routes.Path(src, dst)
			paths[pair{src, dst}] = p
		}
		return p
	}
	broken, nth, pins := map[*trafficDraft]bool{}, map[*trafficDraft]int{}, map[pinned]fabric.Path{}
	for i := range b.plan.Flows {
		f := &b.plan.Flows[i]
		f.Path, f.Back = find(f.Src, f.Dst), find(f.Dst, f.Src)
		if (f.Path == nil || f.Back == nil) && !broken[entries[i]] {
			broken[entries[i]] = true
			b.add(entries[i].at, "%s cannot reach %s: no path of links and switches joins them; traffic %q needs one",
				b.plan.NICs[f.Src].Name, b.plan.NICs[f.Dst].Name, entries[i].Name)
		}
		if draft := entries[i]; len(draft.paths) > 0 && !broken[draft] {
			broken[draft] = !b.pin(f, draft, nth[draft], pins)
			nth[draft]++
		}
	}
}
