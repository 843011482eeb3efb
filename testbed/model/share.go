package model

import (
	"cmp"
	"slices"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// shares estimates the volume sent by flows without a size, as if each port divided its rate equally among the active
// ones. Flows with a size are left out.
type shares struct {
	plan  *plan.Plan
	ways  map[int][]result.Step
	ports map[plan.End][]instant
}

// instant is a time at which the number of flows at a port changes. flows is the number from then on. each is the time,
// in picoseconds, for which the port has sent for each flow until then.
type instant struct {
	at    unit.Time
	flows float64
	each  float64
}

func sharesOf(p *plan.Plan) *shares {
	s := &shares{p, map[int][]result.Step{}, map[plan.End][]instant{}}
	for i := range p.Flows {
		flow := &p.Flows[i]
		if flow.Size > 0 || plan.EndOf(p, flow) <= flow.Start {
			continue
		}
		s.ways[i] = wayOf(p, i)
		for _, step := range s.ways[i] {
			s.ports[step.End] = append(s.ports[step.End], instant{at: flow.Start, flows: step.Share},
				instant{at: plan.EndOf(p, flow), flows: -step.Share})
		}
	}
	for _, list := range s.ports {
		slices.SortStableFunc(list, func(a, b instant) int { return cmp.Compare(a.at, b.at) })
		for i := 1; i < len(list); i++ {
			before := list[i-1]
			list[i].flows += before.flows
			list[i].each = before.each
			if before.flows > least {
				list[i].each += float64(list[i].at.Sub(before.at)) / before.flows
			}
		}
	}
	return s
}

// least is below the share of any flow. Sums of shares that should be 0 are below it in spite of rounding.
const least = 1e-6

// bytes returns what a flow without a size sends on the wire.
func (s *shares) bytes(flow int) unit.Bytes {
	way, f := s.ways[flow], &s.plan.Flows[flow]
	if len(way) == 0 {
		return 0
	}
	fewest := unit.Bytes(1<<63 - 1)
	for _, step := range way {
		list := s.ports[step.End]
		each := func(at unit.Time) float64 {
			i, _ := slices.BinarySearchFunc(list, at, func(i instant, at unit.Time) int { return cmp.Compare(i.at, at) })
			return list[i].each
		}
		node := s.plan.Node(step.Node)
		rate := s.plan.AttachmentAt(&node, step.Port).Tx.Rate
		span := unit.Whole[unit.Duration](each(plan.EndOf(s.plan, f)) - each(f.Start))
		fewest = min(fewest, rate.BytesIn(span))
	}
	return fewest
}
