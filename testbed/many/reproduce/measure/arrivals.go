package measure

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

// arrivals counts the flows of the plan of the published size.
func arrivals(ctx context.Context, in *reproduce.Computing) ([]reproduce.Figure, error) {
	figures := []reproduce.Figure{{Name: "flows"}, {Name: "load", Unit: "%"}, {Name: "incasts"},
		{Name: "flows of an incast"}, {Name: "load of the incasts", Unit: "%"}}
	for _, seed := range []int{1, 2, 3} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		changes := maps.Clone(in.Set)
		if changes == nil {
			changes = map[string]string{}
		}
		changes["seed"], changes["variants"] = fmt.Sprint(seed), "[{name: none, algorithm: none}]"
		parsed, err := scenario.Parse(in.File, in.Scenario, nil, scenario.WithOverrides(changes))
		if err != nil {
			return nil, err
		}
		plans, err := parsed.Plans()
		if err != nil {
			return nil, err
		}
		for i, value := range countArrivals(plans[0]) {
			figures[i].Values = append(figures[i].Values, value)
		}
	}
	return figures, nil
}

// countArrivals are the values of those figures.
func countArrivals(p *plan.Plan) []float64 {
	capacity := float64((unit.BitRate(len(p.NICs)) * 100 * unit.Gbps).BytesIn(10 * unit.Millisecond))
	flows, load, senders, burst := 0, 0.0, 0, 0.0
	events := map[string]bool{}
	for i := range p.Flows {
		f := &p.Flows[i]
		if f.Group != "incast" {
			flows++
			load += float64(f.Size)
			continue
		}
		senders++
		burst += float64(f.Size)
		events[strings.Split(f.Name, "/")[1]] = true // incast/e0/h1-h2
	}
	count := float64(len(events))
	return []float64{float64(flows), 100 * load / capacity, count, float64(senders) / count, 100 * burst / capacity}
}
