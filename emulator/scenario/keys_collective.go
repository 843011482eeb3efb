package scenario

import (
	"fmt"
	"path"
	"strconv"

	"github.com/rocelab/rocelab/emulator/collective"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/unit"
)

// collectiveDraft is what a collective has beside hosts, as written.
type collectiveDraft struct {
	collective.Config
	// chosen tells that the method was.
	chosen  bool
	stride  int
	compute unit.Duration
	// stragglers are hosts, or patterns, and how much longer they compute.
	stragglers *node
}

func newCollectiveDraft() collectiveDraft {
	return collectiveDraft{Config: collective.Config{Chunks: 1, Iterations: 1}, stride: 1}
}

// The range of a straggler's factor.
const (
	leastStraggling = 1
	mostStraggling  = 1000
)

var stragglersField = nodeField("stragglers",
	fmt.Sprintf("Hosts whose computation takes longer: a mapping of names or patterns to factors. Range %d to %d.",
		leastStraggling, mostStraggling),
	func(bool) map[string]any {
		return map[string]any{"type": "object",
			"additionalProperties": map[string]any{"type": "number",
				"minimum": leastStraggling, "maximum": mostStraggling}}
	},
	func(r *reader, n *node) {
		if n.kind != mapping {
			r.add(n.at, "stragglers is %s: it must be a mapping of hosts to factors, such as {h3: 2}",
				kindNames[n.kind])
			return
		}
		for _, e := range n.entries {
			r.factor(e)
		}
	},
	func(d *trafficDraft) **node { return &d.collective.stragglers })

// factor reads by how much longer a straggler computes.
func (r *reader) factor(e entry) (float64, bool) {
	text, ok := r.scalar(e.value, "straggler "+shorten(e.key), "a number")
	if !ok {
		return 0, false
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || e.value.quoted || !(v >= leastStraggling && v <= mostStraggling) {
		r.add(e.value.at, "straggler %s: factor is %s: allowed is %d to %d",
			shorten(e.key), shorten(text), leastStraggling, mostStraggling)
		return 0, false
	}
	return v, true
}

// checkCollective looks at what the keys of a collective tell alone.
func checkCollective(r *reader, n *node, d *trafficDraft) {
	c := &d.collective
	if !c.chosen {
		c.Method = c.Operation.DefaultMethod()
	}
	if c.Method == collective.Hierarchical && c.Groups == 0 {
		c.Groups = 2
	}
	if n.child("mode") == nil {
		d.Mode = c.Operation.Mode()
	}
	if n.child("size") == nil {
		r.add(n.at, "a collective lacks size: the larger of what a rank puts in and gets out")
	}
	if s := n.child("stragglers"); s != nil && c.compute == 0 {
		r.add(n.where("stragglers"), "stragglers without compute: there is nothing that takes them longer")
	}
}

// resolveCollective completes the collective of an entry whose hosts are known.
func (b *builder) resolveCollective(d *trafficDraft) bool {
	c := &d.collective
	n := len(d.Senders)
	if c.stride > n {
		b.add(d.node.where("stride"), "stride is %d: allowed is up to the number of hosts, %d", c.stride, n)
		return false
	}
	c.Name, c.Size, c.Start, c.Ranks = d.Name, d.Size, d.Start, make([]int, 0, n)
	for first := range c.stride {
		for i := first; i < n; i += c.stride {
			c.Ranks = append(c.Ranks, d.Senders[i])
		}
	}
	if !b.resolveStragglers(c) || d.node.child("size") == nil {
		return false
	}
	for _, key := range []string{"operation", "method", "size"} {
		if d.node.child(key) != nil && b.has(d.node.where(key)) {
			return false // what was not understood is not judged by what stands in its place
		}
	}
	if p := c.Check(); p != nil {
		b.add(d.node.where(p.Key), "%s: %s", p.Key, p.Text)
		return false
	}
	return true
}

// resolveStragglers gives each rank its time to compute.
func (b *builder) resolveStragglers(c *collectiveDraft) bool {
	c.Compute = make([]unit.Duration, len(c.Ranks))
	for r := range c.Compute {
		c.Compute[r] = c.compute
	}
	if c.stragglers == nil {
		return true
	}
	if c.stragglers.kind != mapping {
		b.requireReported(c.stragglers)
		return false
	}
	for _, e := range c.stragglers.entries {
		factor, ok := b.factor(e)
		if !ok {
			return false
		}
		found := false
		for r, nic := range c.Ranks {
			if match, _ := path.Match(e.key, b.plan.NICs[nic].Name); match {
				found = true
				c.Compute[r] = unit.Duration(float64(c.compute) * factor)
			}
		}
		if !found {
			b.add(e.at, "straggler %q is no host of the collective: known are %s",
				shorten(e.key), listEnds(b.namesOf(c.Ranks)))
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
func (b *builder) addCollective(d *trafficDraft) []plan.Flow {
	c := &d.collective
	g := c.Expand(func(nic int) string { return b.plan.NICs[nic].Name },
		plan.Flow{DSCP: d.DSCP, Mode: d.Mode, GroupN: d.GroupN, Algorithm: d.Algorithm})
	first := len(b.plan.Flows)
	shift := func(after []plan.Await) {
		for i := range after {
			if after[i].Flow != plan.OwnPhases {
				after[i].Flow += first
			}
		}
	}
	out := plan.Collective{
		Name:       c.Name,
		Operation:  collective.Operations[c.Operation],
		Method:     collective.Methods[c.Method],
		Size:       c.Size,
		BusFactor:  g.BusFactor,
		Iterations: c.Iterations,
		Start:      c.Start,
	}
	places := make(map[int]int, len(c.Ranks))
	for r, nic := range c.Ranks {
		n := &b.plan.NICs[nic]
		for k := range g.Ranks[r].Phases {
			shift(g.Ranks[r].Phases[k].After)
		}
		places[nic] = len(n.Ranks)
		out.Places = append(out.Places, plan.Place{NIC: nic, Rank: len(n.Ranks), PhasesPerIteration: g.PhasesPerIteration[r]})
		n.Ranks = append(n.Ranks, g.Ranks[r])
	}
	for i := range g.Flows {
		f := &g.Flows[i]
		f.Rank = places[f.Src]
		for k := range f.Messages {
			shift(f.Messages[k].After)
		}
	}
	b.plan.Flows = append(b.plan.Flows, g.Flows...)
	b.plan.Collectives = append(b.plan.Collectives, out)
	return g.Flows
}
