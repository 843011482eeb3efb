package scenario

import (
	"fmt"
	"path"
	"strconv"

	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/emulator/internal/collective"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// collectiveDraft is a collective's further keys beside hosts, as written.
type collectiveDraft struct {
	collective.Config
	// chosen is set if the method was chosen.
	chosen  bool
	stride  int
	compute unit.Duration
	// stragglers are hosts, or patterns, and how much longer they compute.
	stragglers *node
}

func newCollectiveDraft() collectiveDraft {
	return collectiveDraft{Config: collective.Config{Chunks: 1, Iterations: 1, CrossDSCP: -1}, stride: 1}
}

// The range of a straggler's factor.
const (
	leastStraggling = 1
	mostStraggling  = 1000
)

var stragglersField = nodeField("stragglers",
	fmt.Sprintf("Hosts whose computation takes longer: a mapping of names or patterns to factors. Range %d to %d.",
		leastStraggling, mostStraggling),
	func(*outline) schema {
		return schema{"type": "object",
			"additionalProperties": schema{"type": "number",
				"minimum": leastStraggling, "maximum": mostStraggling}}
	},
	func(r *reader, n *node) {
		if n.Kind != document.Mapping {
			r.add(n.At, "stragglers is %s: it must be a mapping of hosts to factors, such as {h3: 2}",
				document.KindNames[n.Kind])
			return
		}
		for _, e := range n.Entries {
			r.factor(e)
		}
	},
	func(d *trafficDraft) **node { return &d.collective.stragglers })

// factor reads by how much longer a straggler computes.
func (r *reader) factor(pair entry) (float64, bool) {
	text, ok := r.scalar(pair.Value, "straggler "+shorten(pair.Key), "a number")
	if !ok {
		return 0, false
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || pair.Value.Quoted || !(v >= leastStraggling && v <= mostStraggling) {
		r.add(pair.Value.At, "straggler %s: factor is %s: allowed is %d to %d",
			shorten(pair.Key), shorten(text), leastStraggling, mostStraggling)
		return 0, false
	}
	return v, true
}

// checkCollective checks the keys of a collective by themselves.
func checkCollective(r *reader, n *node, draft *trafficDraft) {
	config := &draft.collective
	if !config.chosen {
		config.Method = config.Operation.DefaultMethod()
	}
	if config.Method == collective.Hierarchical && config.Groups == 0 {
		config.Groups = 2
	}
	if n.Child("mode") == nil {
		draft.Mode = config.Operation.Mode()
	}
	if n.Child("cross_dscp") != nil && n.Child("dscp") != nil && config.CrossDSCP == draft.DSCP {
		r.add(n.Where("cross_dscp"), "cross_dscp is %d, and so is dscp: give a different code point", draft.DSCP)
	}
	if n.Child("size") == nil {
		r.add(n.At, "a collective lacks size: the larger of a rank's input and output")
	}
	if s := n.Child("stragglers"); s != nil && config.compute == 0 {
		r.add(n.Where("stragglers"), "stragglers without compute: there is no computation to slow down; write compute")
	}
}

// resolveCollective completes the collective of an entry whose hosts are known.
func (b *builder) resolveCollective(draft *trafficDraft) bool {
	config := &draft.collective
	n := len(draft.Senders)
	if config.stride > n {
		b.add(draft.node.Where("stride"), "stride is %d: allowed is up to the number of hosts, %d", config.stride, n)
		return false
	}
	config.Name, config.Size, config.Start, config.Ranks = draft.Name, draft.Size, draft.Start, make([]int, 0, n)
	for first := range config.stride {
		for i := first; i < n; i += config.stride {
			config.Ranks = append(config.Ranks, draft.Senders[i])
		}
	}
	if !b.resolveStragglers(config) || draft.node.Child("size") == nil {
		return false
	}
	for _, key := range []string{"operation", "method", "size"} {
		if draft.node.Child(key) != nil && b.has(draft.node.Where(key)) {
			return false // what was not understood is not judged by what is in its place
		}
	}
	if p := config.Check(); p != nil {
		b.add(draft.node.Where(p.Key), "%s: %s", p.Key, p.Text)
		return false
	}
	return true
}

// resolveStragglers gives each rank its time to compute.
func (b *builder) resolveStragglers(config *collectiveDraft) bool {
	config.Compute = make([]unit.Duration, len(config.Ranks))
	for r := range config.Compute {
		config.Compute[r] = config.compute
	}
	if config.stragglers == nil {
		return true
	}
	if config.stragglers.Kind != document.Mapping {
		b.requireReported(config.stragglers)
		return false
	}
	for _, pair := range config.stragglers.Entries {
		factor, ok := b.factor(pair)
		if !ok {
			return false
		}
		found := false
		for r, nic := range config.Ranks {
			if match, _ := path.Match(pair.Key, b.plan.NICs[nic].Name); match {
				found = true
				config.Compute[r] = unit.Whole[unit.Duration](float64(config.compute) * factor)
			}
		}
		if !found {
			b.add(pair.At, "straggler %q is not a host of the collective: known are %s",
				shorten(pair.Key), listEnds(b.namesOf(config.Ranks)))
			return false
		}
	}
	return true
}

func (b *builder) namesOf(nics []int) []string {
	var names []string
	for _, i := range nics {
		names = append(names, b.plan.NICs[i].Name)
	}
	return names
}

// addCollective puts the collective of an entry into the plan and returns its
// flows.
func (b *builder) addCollective(draft *trafficDraft) []plan.Flow {
	config := &draft.collective
	written := config.Expand(func(nic int) string { return b.plan.NICs[nic].Name },
		plan.Flow{DSCP: draft.DSCP, Mode: draft.Mode, GroupN: draft.GroupN, Algorithm: draft.Algorithm})
	first := len(b.plan.Flows)
	shift := func(after []plan.Await) {
		for i := range after {
			if after[i].Flow != plan.OwnPhases {
				after[i].Flow += first
			}
		}
	}
	out := plan.Collective{
		Name:       config.Name,
		Operation:  collective.Operations[config.Operation],
		Method:     collective.Methods[config.Method],
		Size:       config.Size,
		BusFactor:  written.BusFactor,
		Iterations: config.Iterations,
		Groups:     config.Groups,
		Start:      config.Start,
	}
	places := make(map[int]int, len(config.Ranks))
	for r, nic := range config.Ranks {
		n := &b.plan.NICs[nic]
		for k := range written.Ranks[r].Phases {
			shift(written.Ranks[r].Phases[k].After)
		}
		places[nic] = len(n.Ranks)
		out.Places = append(out.Places,
			plan.Place{NIC: nic, Rank: len(n.Ranks), PhasesPerIteration: written.PhasesPerIteration[r]})
		n.Ranks = append(n.Ranks, written.Ranks[r])
	}
	for i := range written.Flows {
		f := &written.Flows[i]
		f.Rank = places[f.Src]
		for k := range f.Messages {
			shift(f.Messages[k].After)
		}
	}
	b.plan.Flows = append(b.plan.Flows, written.Flows...)
	b.plan.Collectives = append(b.plan.Collectives, out)
	return written.Flows
}
