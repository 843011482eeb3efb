package model

import (
	"github.com/rocelab/rocelab/emulator/engine"
	"github.com/rocelab/rocelab/emulator/plan"
)

// ScheduleOf returns where a run of the plan and its windows end, the same for every runner.
func ScheduleOf(p *plan.Plan) engine.Schedule {
	return engine.Schedule{
		Until:   p.Until,
		Limit:   p.Limit,
		EndGrid: max(p.EndGrid, 2*p.Lookahead()),
		Least:   p.Shortest(),
	}
}
