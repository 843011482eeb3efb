package conformance

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/cc"
)

// leastJain is what Jain's index of four equal flows must reach.
const leastJain = 0.9

// Flows are given until settled to find their shares; those are measured until
// ended.
const (
	settled = unit.Time(10 * unit.Millisecond)
	ended   = unit.Time(20 * unit.Millisecond)
)

// fairness has four equal flows share a port, once from the same instant on and
// once one joining after the other: shares that are equal by symmetry alone do
// not pass.
func (k *kit) fairness() Row {
	return k.with(func(a cc.Algorithm) Row {
		least, used := [2]float64{1, 1}, 1.0
		for i, text := range []string{together, joining} {
			for _, seed := range k.options.Seeds {
				out, err := k.simulate(text, setting{seed: seed}, a)
				if err != nil {
					return missed(err)
				}
				shares := sharesOf(out)
				least[i] = min(least[i], result.Jain(shares))
				sum := 0.0
				for _, s := range shares {
					sum += s
				}
				used = min(used, sum)
			}
		}
		row := Row{Result: Pass, Figure: fmt.Sprintf("%.3f, joining %.3f", least[0], least[1]), Allowed: fmt.Sprintf(">= %v", leastJain),
			Remark: fmt.Sprintf("Jain's index, the least over %d seeds; at least %s of the port used", len(k.options.Seeds), percent(used))}
		if min(least[0], least[1]) < leastJain {
			row.Result = Miss
		}
		return row
	})
}

// sharesOf returns each flow's part of the line.
func sharesOf(out *result.Outcome) (shares []float64) {
	for i := range out.Flows {
		shares = append(shares, share(out, i, acked(out, i, settled, ended), ended.Sub(settled)))
	}
	return shares
}

// beside has two flows share a port with two of DCQCN.
func (k *kit) beside() Row {
	return k.with(func(a cc.Algorithm) Row {
		out, err := k.simulate(mixed, setting{}, a)
		if err != nil {
			return missed(err)
		}
		s := sharesOf(out)
		return Row{Result: Reported, Figure: fmt.Sprintf("%s beside %s", percent(s[0]+s[1]), percent(s[2]+s[3])),
			Remark: "of the port, two flows beside two of DCQCN"}
	})
}
