package model

import (
	"errors"
	"iter"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Assemble puts the reports of all nodes of p together. Reports are in the order of the nodes' numbers; none is kept.
// An error is an *AlgorithmError for the first fault of an algorithm, in the order of the NICs; or it describes an
// invalid report.
func Assemble(p *plan.Plan, end unit.Time, all iter.Seq[Report]) (*result.Outcome, error) {
	out := &result.Outcome{
		Plan: p,
		End:  end,
		Network: result.Network{
			InFlight: make([]result.Flight, 2*len(p.Links)),
			Flows:    make([]result.Flow, len(p.Flows)),
			Switches: make([]result.Switch, 0, len(p.Switches)),
			NICs:     make([]record.Port, 0, len(p.NICs)),
		},
	}
	var reports []Report // without their records
	var fault error
	for r := range all {
		if r.Fault != "" && fault == nil {
			fault = &AlgorithmError{errors.New(r.Fault)}
		}
		out.Events += r.Events
		for link, t := range r.InFlight {
			out.InFlight[link] = t
		}
		r.Record.AddTo(out)
		if row, ok := r.Record.(rower); ok {
			n := p.Node(r.ID)
			out.AddRow(&kinds[n.Kind].Sheet, n.Name, row.Row())
		}
		r.Record = nil
		reports = append(reports, r)
	}
	if err := addTraces(out, p, reports); err != nil {
		return nil, err
	}
	if fault != nil {
		return nil, fault
	}
	out.Bound = BoundOf(p)
	out.FinishRecording()
	ways := make([][]result.Step, len(p.Flows))
	way := func(flow int) []result.Step {
		if ways[flow] == nil {
			ways[flow] = wayOf(p, flow)
		}
		return ways[flow]
	}
	out.FindSlow(way)
	back := func(flow int) []result.Step { return backOf(p, flow) }
	out.FindDark(way, back)
	if anyOutage(p) {
		rerouting := newRerouting(p)
		out.FindOutages(rerouting.all, rerouting.outagesOn)
	}
	out.FindWhy(way, func(flow int, at plan.End) [][]result.Step { return waysBeside(p, flow, at) })
	return out, nil
}

// AlgorithmError is an answer of an algorithm that no NIC can carry out, or
// none at all.
type AlgorithmError struct{ Err error }

func (e *AlgorithmError) Error() string { return "algorithm fault: " + e.Err.Error() }
func (e *AlgorithmError) Unwrap() error { return e.Err }

// ExitCode is that of an algorithm that crashed, hung or answered nonsense.
func (e *AlgorithmError) ExitCode() int { return exit.CodePlugin }

// BoundOf returns a lower bound of the duration of an iteration of p, by the ports to which ECMP sends its flows; nil
// if no bound is known.
func BoundOf(p *plan.Plan) *plan.Bound {
	return p.BoundOf(func(flow int, leave func(plan.End, float64)) {
		for _, step := range wayOf(p, flow) {
			leave(step.End, step.Share)
		}
	})
}
