package model

import (
	"encoding/gob"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/switchd"
)

// Kind is a kind of node: how its nodes go from the plan to a model and from the
// model to the outcome. What a kind needs is its package, one call of Register, its
// keys in the scenario, and its sheet if it has one.
type Kind struct {
	// Name is its name in plans, Title its name in messages, "long-haul path".
	Name  plan.Kind
	Title string
	// Design returns the design of a node. Flows that end at it are added later.
	Design func(p *plan.Plan, n *plan.Node) (Design, error)
	// NewDesign returns an empty design for a message to be read into. It is a pointer,
	// and all of it survives encoding/json.
	NewDesign func() Design
	// Record is an empty record of the kind. It is a pointer, and all of it survives
	// encoding/gob.
	Record Record
	// Sampled is set if models of the kind are BlockedReporters, and their nodes are woken at multiples of
	// DeadlockPeriod though nothing is due there.
	Sampled bool
	// Sheet is the kind's own sheet of the run folder; without a file it has none. Its
	// rows come from the records that are Rowers.
	Sheet result.KindSheet
}

// Design is the description of one node: plain data that may travel to another process. It holds the data of its own
// node and nothing of the others.
type Design interface {
	// Ports returns the links at the node's ports, in their order.
	Ports() []fabric.Attachment
	// Build makes the model. It may complete the design, which is built once. The error names the node or flow, the
	// fault and the allowed values.
	Build(b *Builder) (Model, error)
}

// runner is a design whose flow ends run algorithms.
type runner interface {
	// Algorithms returns their indices in Fabric.Algorithms; one may come twice.
	Algorithms() []int
}

// Model is the model of a node: a state machine that the engine runs, and what the
// runners ask it besides. One that wants to be woken though nothing is due returns the
// time from Advance. A model that wraps another node may have a method
// Machine() fabric.Node, which returns that node: the engine then calls it without a
// step between.
type Model interface {
	fabric.Node
	// Record returns what the node brings back at the end of a run, when all frames
	// sent to it were delivered.
	Record(end unit.Time) Record
	// InFlight calls account for each frame that was delivered and has not arrived.
	InFlight(account func(port int, f *wire.Frame))
	// Events returns how many events were handled.
	Events() uint64
	// Fault returns what an algorithm at the node did wrong, nil for nothing.
	Fault() error
	// Acked returns the payload that the flows with a size that begin here have had
	// acknowledged so far.
	Acked() unit.Bytes
}

// Finisher is a model with the ends of flows. A run is over when all flows with a size are complete.
type Finisher interface {
	// Pending returns how many flows with a size are not complete; it never grows.
	Pending() int
	// LastCompletion returns when the last one completed.
	LastCompletion() unit.Time
}

// BlockedReporter is a model of a switch, whose paused queues are sampled while the run
// goes on; see Kind.Sampled.
type BlockedReporter interface {
	// Blocked returns the queues that are paused now.
	Blocked() []switchd.Blocked
}

// Teller is a model that is looked at while the run goes on: it adds what it counted so far. It is
// asked between two calls of Advance, which changes nothing of what it does.
type Teller interface{ Tell(t *record.Tally) }

// Record is a node's record of a run; plain data.
type Record interface {
	// Check reports whether the record, which another process may have made up, cannot come from a node of that design
	// in p: numbers that the plan or the design determines must be theirs. Times and series are checked for all kinds
	// alike.
	Check(p *plan.Plan, d Design) error
	// AddTo puts it into the outcome. Records come in the order of the nodes.
	AddTo(o *result.Outcome)
}

// rower is a record with a row in the sheet of its kind.
type rower interface {
	// Row returns the cells, in the order of the sheet's columns.
	Row() []string
}

// kinds are the registered kinds, by name.
var kinds = map[plan.Kind]*Kind{}

// Register adds a kind. It is called while a program starts, from an init function;
// it panics if the name is taken or empty.
func Register(k Kind) {
	if k.Name == "" || kinds[k.Name] != nil {
		panic(fmt.Sprintf("model: kind %q is registered twice or has no name", k.Name))
	}
	gob.Register(k.Record)
	kinds[k.Name] = &k
}

// KindNamed returns the kind of that name. The error lists the known ones.
func KindNamed(name plan.Kind) (*Kind, error) {
	if k := kinds[name]; k != nil {
		return k, nil
	}
	var known []string
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		known = append(known, string(name))
	}
	return nil, fmt.Errorf("%q is not a kind of node that this program knows: allowed are %s", name,
		strings.Join(known, ", "))
}

// Sheets returns the sheets of all kinds that have one, by the names of their files.
func Sheets() (sheets []result.KindSheet) {
	for _, k := range kinds {
		if k.Sheet.File != "" {
			sheets = append(sheets, k.Sheet)
		}
	}
	slices.SortFunc(sheets, func(a, b result.KindSheet) int { return strings.Compare(a.File, b.File) })
	return sheets
}
