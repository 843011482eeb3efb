package model

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

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
	var checked answers[error]
	check := func(name string, params map[string]string) error {
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
	return func(name string, params map[string]string) error {
		return checked.of(name, params, func() error { return check(name, params) })
	}
}

// answers keeps the answer to one question about each configured algorithm: thousands of entries of traffic have a few,
// and to configure one takes 0.1 ms. The zero value has none. It may be asked from several goroutines.
type answers[T any] struct {
	mu    sync.Mutex
	known map[string]T
}

// of returns the answer for an algorithm of that name with those parameters, which ask works out at the first time.
func (a *answers[T]) of(name string, params map[string]string, ask func() T) T {
	key := name
	for _, param := range slices.Sorted(maps.Keys(params)) {
		key += "\x00" + param + "\x00" + params[param]
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	answer, ok := a.known[key]
	if !ok {
		if a.known == nil {
			a.known = map[string]T{}
		}
		answer = ask()
		a.known[key] = answer
	}
	return answer
}

// signalsOf returns a function for the signals of an algorithm of a plan, nil of one that cannot be configured.
func signalsOf(algorithms Find) func(*plan.Algorithm) *cc.Signals {
	var known answers[*cc.Signals]
	return func(a *plan.Algorithm) *cc.Signals {
		return known.of(a.Name, a.Params, func() *cc.Signals {
			controller, err := configure(a, algorithms)
			if err != nil {
				return nil
			}
			signals := controller.Signals()
			return &signals
		})
	}
}

// Extensions returns what an analysis asks about the algorithms of a plan: which
// extensions their packets carry. An algorithm that cannot be configured has
// none.
func Extensions(algorithms Find) scenario.Extensions {
	of := signalsOf(algorithms)
	return func(a *plan.Algorithm, data, ack *wire.Frame) {
		if signals := of(a); signals != nil {
			nicd.SetExtensions(*signals, data, ack)
		}
	}
}

// SignalsOf returns what a scenario asks about the algorithms of a plan: whether one wants in-band telemetry, and what
// it needs its receivers to send back. An algorithm that cannot be configured wants nothing.
func SignalsOf(algorithms Find) func(*plan.Algorithm) (telemetry bool, echo string) {
	of := signalsOf(algorithms)
	return func(a *plan.Algorithm) (telemetry bool, echo string) {
		signals := of(a)
		if signals == nil {
			return false, ""
		}
		return signals.INT, echoOf(*signals)
	}
}

// echoOf names what the signals have a receiver send back, in extensions of ACKs or in CNPs, "" for nothing.
func echoOf(signals cc.Signals) string {
	switch {
	case signals.OneWayDelay:
		return "one-way delay"
	case signals.Timestamp, signals.RTTInCNP:
		return "an echo of timestamps"
	case signals.ECNEcho:
		return "an echo of ECN"
	case signals.INT:
		return "in-band telemetry"
	case signals.OwnData != 0 || signals.OwnAck != 0:
		return "an extension of its own"
	}
	return ""
}

// ignoresCNP returns the algorithms of p, by name and in the order of the flows, that
// ignore CNPs: what switches send does nothing to them. One that cannot be
// configured is not among them.
func ignoresCNP(p *plan.Plan, algorithms Find) (names []string) {
	of := signalsOf(algorithms)
	asked := map[*plan.Algorithm]bool{}
	for i := range p.Flows {
		a := p.Flows[i].Algorithm
		if a == nil || asked[a] {
			continue
		}
		asked[a] = true
		if signals := of(a); signals != nil && !signals.CNP && !slices.Contains(names, a.Name) {
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
	of := signalsOf(algorithms)
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
			signals := of(a)
			ignores[a] = signals != nil && signals.CNP && !signals.RateInCNP
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
