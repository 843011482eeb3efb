package model

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/nicd"
)

// ends are the QPs of a flow at its two NICs.
type ends struct{ src, dst uint32 }

// addRanks adds the ranks to their NICs, and to the flows what their messages
// wait for. The error names what waits for a flow that does not end at its
// NIC.
func (f *Fabric) addRanks(p *plan.Plan, qps []connection) error {
	local := func(nic int, after []plan.Await) ([]nicd.Await, error) {
		var out []nicd.Await
		for _, a := range after {
			w := nicd.Await{Count: a.Count}
			switch {
			case a.Flow == plan.OwnPhases:
			case p.Flows[a.Flow].Src == nic:
				w.QP = qps[a.Flow].src
			case p.Flows[a.Flow].Dst == nic:
				w.QP = qps[a.Flow].dst
			default:
				return nil, fmt.Errorf("it waits for flow %s, which neither starts nor ends at %s: allowed are "+
					"flows that the NIC itself can see",
					p.Flows[a.Flow].Name, p.NICs[nic].Name)
			}
			out = append(out, w)
		}
		return out, nil
	}
	for i := range p.NICs {
		for _, r := range p.NICs[i].Ranks {
			c := nicd.RankConfig{Name: r.Name, Start: r.Start, Phases: make([]nicd.Phase, len(r.Phases))}
			for k := range r.Phases {
				after, err := local(i, r.Phases[k].After)
				if err != nil {
					return fmt.Errorf("%s at %s: phase %d: %w", r.Name, p.NICs[i].Name, k, err)
				}
				c.Phases[k] = nicd.Phase{After: after, Duration: r.Phases[k].Duration}
			}
			nic := f.nic(p, i)
			nic.Ranks = append(nic.Ranks, c)
		}
	}
	for i := range p.Flows {
		flow := &p.Flows[i]
		if flow.Messages == nil {
			continue
		}
		if n := len(p.NICs[flow.Src].Ranks); flow.Rank < 0 || flow.Rank >= n {
			return fmt.Errorf("flow %s belongs to rank %d of %s: that NIC has %d", flow.Name, flow.Rank,
				p.NICs[flow.Src].Name, n)
		}
		messages := make([][]nicd.Await, len(flow.Messages))
		for k := range messages {
			after, err := local(flow.Src, flow.Messages[k].After)
			if err != nil {
				return fmt.Errorf("flow %s: message %d: %w", flow.Name, k, err)
			}
			messages[k] = after
		}
		f.flows.messages[uint32(i)] = messages
	}
	return nil
}
