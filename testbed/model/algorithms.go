package model

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rocelab/rocelab/emulator/capacity"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/nicd"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Checker returns what a scenario asks about the algorithms that it names:
// whether there is one, and whether its parameters are right.
func Checker(algorithms Find) scenario.CheckAlgorithm {
	return func(name string, params map[string]string) error {
		algorithm, ok := algorithms(name)
		if !ok {
			return fmt.Errorf("there is no algorithm %q; `rocelab algorithm list` lists them", name)
		}
		p, err := hosting.Parse(algorithm.Describe(), params)
		if err == nil {
			_, err = algorithm.New(p)
		}
		var wrong *cc.ParamError
		if errors.As(err, &wrong) {
			return &scenario.ParamProblem{Param: wrong.Param, Problem: wrong.Problem}
		}
		return err
	}
}

// Extensions returns what an analysis asks about the algorithms of a plan: which
// extensions their packets carry. An algorithm that cannot be configured has
// none.
func Extensions(algorithms Find) scenario.Extensions {
	return func(a *plan.Algorithm, data, ack *wire.Frame) {
		if controller, err := configure(a, algorithms); err == nil {
			nicd.SetExtensions(controller.Signals(), data, ack)
		}
	}
}

// SignalsOf returns what a scenario asks about the algorithms of a plan. An algorithm that cannot be configured asks for
// nothing.
func SignalsOf(algorithms Find) func(*plan.Algorithm) scenario.Signals {
	return func(a *plan.Algorithm) (none scenario.Signals) {
		controller, err := configure(a, algorithms)
		if err != nil {
			return none
		}
		signals := controller.Signals()
		return scenario.Signals{Telemetry: signals.INT, Echo: nicd.EchoOf(signals)}
	}
}

// ignoresCNP returns the algorithms of p, by name and in the order of the flows, that
// ignore CNPs: what switches send does nothing to them. One that cannot be
// configured is not among them.
func ignoresCNP(p *plan.Plan, algorithms Find) (names []string) {
	asked := map[*plan.Algorithm]bool{}
	for i := range p.Flows {
		a := p.Flows[i].Algorithm
		if a == nil || asked[a] {
			continue
		}
		asked[a] = true
		controller, err := configure(a, algorithms)
		if err == nil && !controller.Signals().CNP && !slices.Contains(names, a.Name) {
			names = append(names, a.Name)
		}
	}
	return names
}

// deafness is an algorithm that does not know of rates in CNPs, and at how many NICs flows have it.
type deafness struct {
	Name string
	NICs int
}

// ignoresRate returns the algorithms of p, by name and in the order of the flows, that hear CNPs and do not know
// of rates in them: they take such a CNP as any. One that cannot be configured is not among them.
func ignoresRate(p *plan.Plan, algorithms Find) (deaf []deafness) {
	ignores := map[*plan.Algorithm]bool{}
	type place struct {
		name string
		nic  int
	}
	counted := map[place]bool{}
	for i := range p.Flows {
		a := p.Flows[i].Algorithm
		if a == nil {
			continue
		}
		if _, asked := ignores[a]; !asked {
			controller, err := configure(a, algorithms)
			ignores[a] = err == nil && controller.Signals().CNP && !controller.Signals().RateInCNP
		}
		here := place{a.Name, p.Flows[i].Src}
		if !ignores[a] || counted[here] {
			continue
		}
		counted[here] = true
		known := slices.IndexFunc(deaf, func(d deafness) bool { return d.Name == a.Name })
		if known < 0 {
			known, deaf = len(deaf), append(deaf, deafness{Name: a.Name})
		}
		deaf[known].NICs++
	}
	return deaf
}

// Analyse returns the report of a plan, with what algorithms mean for it.
func Analyse(plan *plan.Plan, algorithms Find) scenario.Report {
	r := scenario.Analyse(plan, Extensions(algorithms))
	r.Warnings = append(r.Warnings, warnDeaf(plan, algorithms)...)
	return r
}

// AnalyseWhole is Analyse with all that takes time to work out.
func AnalyseWhole(plan *plan.Plan, algorithms Find) scenario.Report {
	r := Analyse(plan, algorithms)
	r.Bound = BoundOf(plan)
	r.Capacity = capacity.Of(plan)
	r.Placements = capacity.Placements(plan)
	r.Forecast = ForecastOf(plan)
	return r
}

// warnDeaf warns of algorithms that do not hear the CNPs of switches, or the rates in them.
func warnDeaf(planned *plan.Plan, algorithms Find) (warnings []string) {
	sends := func(sw plan.Switch) bool { return sw.Profile.Proximal.Enabled && !sw.Profile.Proximal.Pause }
	if !slices.ContainsFunc(planned.Switches, sends) {
		return nil
	}
	for _, name := range ignoresCNP(planned, algorithms) {
		warnings = append(warnings,
			fmt.Sprintf("proximal CNP is on, but %s ignores CNPs: the switches' CNPs do not slow it down", name))
	}
	if !slices.ContainsFunc(planned.Switches, func(sw plan.Switch) bool { return sends(sw) && sw.Profile.Proximal.Rate }) {
		return warnings
	}
	for _, deaf := range ignoresRate(planned, algorithms) {
		warnings = append(warnings, fmt.Sprintf("switches send rates in CNPs, which %s at %s does not read: it "+
			"takes each as one CNP in place of several", deaf.Name, unit.Count(deaf.NICs, "NIC")))
	}
	return warnings
}
