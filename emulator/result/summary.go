package result

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Summary is a run in numbers: which run it is, and a section for each thing that is measured. Each section
// stands in a file of its own, with its metrics, which document the numbers, and with how they follow from an
// outcome. A float that was not measured is NaN.
type Summary struct {
	// Variant and Seed name the run: Variant is the plan's name, or Algorithm
	// where the plan has none. Algorithm is the algorithms of its flows, joined by
	// "+" in the order of the flows.
	Variant, Algorithm string
	Seed               uint64
	// Overrides are the scenario's values changed by flags, by path, and Models is the version of the models. They are
	// not in an outcome: the runner of the scenario fills them in.
	Overrides map[string]string
	Models    int
	// Trace is the run's fingerprint.
	Trace uint64
	// Fabric is the plan's.
	Fabric string
	// Accounting names the rule for time on the wire.
	Accounting string
	// Recorded describes the time series, nil if nothing was recorded.
	Recorded *recorded

	FlowFigures
	FairnessFigures
	TransportFigures
	SignalFigures
	PortFigures
	PFCFigures
	LossFigures
	OutageFigures
	EdgeFigures
	ProximalFigures
	CollectiveFigures
}

// Summarise reduces an outcome.
func Summarise(outcome *Outcome) *Summary {
	p := outcome.Plan
	return &Summary{
		Variant:           VariantOf(p),
		Algorithm:         AlgorithmsOf(p),
		Seed:              p.Seed,
		Trace:             outcome.Trace,
		Fabric:            p.Fabric,
		Accounting:        p.Accounting.String(),
		Recorded:          outcome.Recorded,
		FlowFigures:       flowFigures(outcome),
		FairnessFigures:   fairnessFigures(outcome),
		TransportFigures:  transportFigures(outcome),
		SignalFigures:     signalFigures(outcome),
		PortFigures:       portFigures(outcome),
		PFCFigures:        pfcFigures(outcome),
		LossFigures:       lossFigures(outcome),
		OutageFigures:     outageFigures(outcome),
		EdgeFigures:       edgeFigures(outcome),
		ProximalFigures:   proximalFigures(outcome),
		CollectiveFigures: collectiveFigures(outcome),
	}
}

// VariantOf returns the variant of a plan's runs: its name, or its algorithms if it has none.
func VariantOf(planned *plan.Plan) string { return cmp.Or(planned.Name, AlgorithmsOf(planned), "run") }

// AlgorithmsOf lists the algorithms of a plan's flows.
func AlgorithmsOf(planned *plan.Plan) string {
	var names []string
	for i := range planned.Flows {
		if a := planned.Flows[i].Algorithm; a != nil && !slices.Contains(names, a.Name) {
			names = append(names, a.Name)
		}
	}
	return strings.Join(names, "+")
}

// FlowsDone reports how many flows completed, and how many had no size to complete.
func (s *Summary) FlowsDone() string {
	if s.Flows == 0 && s.ForeignIn+s.ForeignOut > 0 {
		return fmt.Sprintf("%d frames came in at edges, %d left", s.ForeignIn, s.ForeignOut)
	}
	sized := s.Flows - s.Endless
	done := fmt.Sprintf("%d of %d flows completed", sized-s.Incomplete, sized)
	switch {
	case s.Endless == 0:
		return done
	case sized == 0:
		return unit.CountOf(s.Endless, "flow until stopped", "flows until stopped")
	}
	return fmt.Sprintf("%s, %d until stopped", done, s.Endless)
}
