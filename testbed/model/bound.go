package model

import "github.com/rocelab/rocelab/emulator/plan"

// BoundOf returns a lower bound of the duration of an iteration of p, by the ports to which ECMP sends its flows; nil
// if no bound is known.
func BoundOf(p *plan.Plan) *plan.Bound {
	return p.BoundOf(func(flow int, leave func(plan.End, float64)) {
		for _, step := range wayOf(p, flow) {
			leave(step.End, step.Share)
		}
	})
}
