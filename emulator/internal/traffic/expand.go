package traffic

import (
	"fmt"
	"slices"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// pair is a sender and a receiver, and the step of the entry at the start of their flows.
type pair struct{ src, dst, step int }

// Count returns how many flows e has, without making them; of a Poisson how
// many are to be expected.
func (e *Entry) Count() int64 {
	n := int64(len(e.Senders))
	switch e.Kind {
	case Permutation:
		return n * int64(e.Flows)
	case AllToAll:
		return n * (n - 1) * int64(e.Flows)
	case Poisson:
		total := 0.0
		for _, gap := range e.Gaps {
			total += float64(e.Until.Sub(e.Start)) / float64(gap)
		}
		return unit.Whole[int64](min(total, 1<<62)) + 1
	}
	pairs := n * int64(len(e.Receivers))
	for _, s := range e.Senders {
		if slices.Contains(e.Receivers, s) {
			pairs--
		}
	}
	if e.SendersPerEvent > 0 {
		pairs = int64(e.SendersPerEvent)
	}
	return pairs * int64(e.Flows) * int64(max(1, e.Events))
}

// Expand returns the flows of e under the run's seed, at their nominal starts; host names a NIC. Stagger then separates
// simultaneous starts.
func (e *Entry) Expand(seed uint64, host func(int) string) []plan.Flow {
	if e.Kind == Poisson {
		return e.poisson(seed, host)
	}
	flows := make([]plan.Flow, 0, e.Count())
	for event := range max(1, e.Events) {
		for _, p := range e.pairs(seed, event) {
			for k := range e.Flows {
				flow := e.flow(p.src, p.dst, host)
				if e.Events > 1 {
					flow.Name = fmt.Sprintf("%s/e%d/%s-%s", e.Name, event, host(p.src), host(p.dst))
				}
				if e.Flows > 1 {
					flow.Name = fmt.Sprintf("%s/%d", flow.Name, k)
				}
				flow.Start = e.Start.Add(unit.Duration(event)*e.Period + unit.Duration(p.step)*e.Spacing)
				if e.Duration > 0 {
					flow.Stop = flow.Start.Add(e.Duration)
				}
				flows = append(flows, flow)
			}
		}
	}
	return flows
}

// flow is a flow of e between two hosts, without a start.
func (e *Entry) flow(src, dst int, host func(int) string) plan.Flow {
	return plan.Flow{
		Name:      fmt.Sprintf("%s/%s-%s", e.Name, host(src), host(dst)),
		Group:     e.Name,
		Src:       src,
		Dst:       dst,
		Size:      e.Size,
		Message:   e.Message,
		Stop:      e.Stop,
		DSCP:      e.DSCP,
		Mode:      e.Mode,
		Ranks:     e.ranks(),
		GroupN:    e.GroupN,
		Algorithm: e.Algorithm,
	}
}

// ranks is the number of hosts that take part in the operation.
func (e *Entry) ranks() int {
	n := len(e.Senders)
	if e.SendersPerEvent > 0 {
		return e.SendersPerEvent + 1
	}
	for _, r := range e.Receivers {
		if !slices.Contains(e.Senders, r) {
			n++
		}
	}
	return n
}

// pairs returns the pairs of senders and receivers; event numbers the events of an incast.
func (e *Entry) pairs(seed uint64, event int) []pair {
	switch e.Kind {
	case Permutation:
		return e.permutation(seed)
	case AllToAll:
		return e.allToAll(seed)
	}
	return e.incast(seed, event)
}

// permutation draws permutations until one has no fixed point, which keeps the
// draw uniform over derangements; about e = 2.7 draws are needed on average.
func (e *Entry) permutation(seed uint64) []pair {
	stream := chance.New(seed, "traffic/"+e.Name+"/permutation")
	to := slices.Clone(e.Senders)
	if len(to) < 2 {
		return nil
	}
	for fixed := true; fixed; {
		stream.Shuffle(len(to), func(i, j int) { to[i], to[j] = to[j], to[i] })
		fixed = false
		for i, s := range e.Senders {
			fixed = fixed || to[i] == s
		}
	}
	pairs := make([]pair, len(to))
	for i, s := range e.Senders {
		pairs[i] = pair{s, to[i], 0}
	}
	return pairs
}

func (e *Entry) allToAll(seed uint64) []pair {
	n := len(e.Senders)
	stream := chance.New(seed, "traffic/"+e.Name+"/order")
	pairs := make([]pair, 0, n*max(n-1, 0))
	for i, sender := range e.Senders {
		others := make([]int, 0, n)
		for k := range n {
			if e.Order == Shifted {
				k = (i + 1 + k) % n
			}
			if e.Senders[k] != sender {
				others = append(others, e.Senders[k])
			}
		}
		if e.Order == Random {
			stream.Shuffle(len(others), func(a, b int) { others[a], others[b] = others[b], others[a] })
		}
		for step, d := range others {
			pairs = append(pairs, pair{sender, d, step})
		}
	}
	return pairs
}

// Stagger adds the offsets: jitter[i], if above 0, is the jitter of flow i's entry, and frame gives the time of a
// full-size frame at a NIC. Stops do not move.
func Stagger(flows []plan.Flow, jitter []unit.Duration, seed uint64, frame func(nic int) unit.Duration) {
	due := map[unit.Time]int{}
	for i := range flows {
		due[flows[i].Start]++
	}
	for i := range flows {
		f := &flows[i]
		bound := jitter[i]
		if due[f.Start] > 1 {
			bound = max(bound, frame(f.Src))
		}
		if bound > 0 {
			offset := chance.New(seed, "traffic/"+f.Name+"/offset").Below(uint64(bound))
			f.Start = f.Start.Add(unit.Duration(offset))
		}
	}
}
