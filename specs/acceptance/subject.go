package acceptance

import (
	"context"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/testbed/model"
)

// Subject is an algorithm to be held to the specs.
type Subject struct {
	// Title heads its specs.
	Title string
	// About describes it; About.Name is what scenarios call it.
	About cc.Description
	// Algorithm is how a scenario writes it, with its parameters.
	Algorithm string
	// Main is the form in which it runs.
	Main Form
	// Other is a second form, which must decide the same; nil where there is
	// none, for the reason NoOther.
	Other   *Form
	NoOther string
	// Veth runs a plan on a testbed of containers; nil where that cannot be,
	// for the reason NoVeth.
	Veth   func(context.Context, *plan.Plan) (*result.Outcome, error)
	NoVeth string
	// OnVeth has all specs run there, but those about ways to run in memory.
	OnVeth bool
}

// Form is a way to run an algorithm: built in, or as a process.
type Form struct {
	Name string
	// Open readies it for one run. Closing says what a program failed at.
	Open func() (find model.Find, close func() error)
}
