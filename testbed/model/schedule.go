package model

import (
	"github.com/rocelab/rocelab/emulator/engine"
	"github.com/rocelab/rocelab/emulator/plan"
)

// ScheduleOf returns the ends of a run of the plan and of its windows, the same for every runner.
func ScheduleOf(p *plan.Plan) engine.Schedule {
	return engine.Schedule{
		Until:   p.Until,
		Limit:   p.Limit,
		EndGrid: max(p.EndGrid, 2*p.Lookahead()),
		Least:   p.Shortest(),
	}
}
