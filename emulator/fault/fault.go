// Package fault is the faults of single nodes, a NIC or a switch: what a plan holds of them, and how their models come
// into a node. A kind of such a fault is a value in emulator/scenario and a Model beside its node's. Faults of links
// are in emulator/link.
package fault

import (
	"fmt"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Planned is a fault of a node in a plan; plain data. It lasts in [From, To).
type Planned struct {
	// Kind names its Model.
	Kind string
	// From and To bound it. To is unit.Never for a fault that does not end.
	From, To unit.Time
	// Class and Rate are settings of kinds that have them. Range of Class: 0 to 7. Defaults 0.
	Class uint8        `json:",omitzero"`
	Rate  unit.BitRate `json:",omitzero"`
	// Text describes it in reports, with its node: "the host of h3 takes payload at 10Gbps". Effect describes what
	// happens to the frames that meet it: "waited for it". Nothing in a run depends on either.
	Text, Effect string `json:"-"`
}

// Met counts the frames that met a fault. Bytes are as the counters of ports count them.
type Met struct{ Frames, Bytes uint64 }

// Count counts a frame of a length.
func (m *Met) Count(length unit.Bytes) {
	m.Frames++
	m.Bytes += uint64(length)
}

// Model is the model of a kind of fault in a node N.
type Model[N any] struct {
	// Prepare is called when the node is made, before any Begin; nil for nothing.
	Prepare func(n N)
	// Begin is called at From, and End at To; nil if nothing happens then. A model that counts frames keeps met.
	Begin, End func(n N, f *Planned, met *Met)
}

// Models are the models of a node's kinds of faults, by name. It is a table that nothing changes.
type Models[N any] map[string]Model[N]

// Faults are the faults of one node; nil for a node without.
type Faults[N any] struct {
	planned []Planned
	models  []Model[N]
	met     []Met
}

// New returns the faults of a node, after all are prepared; nil if it has none. An unknown kind is a broken plan.
func New[N any](n N, models Models[N], planned []Planned) *Faults[N] {
	if len(planned) == 0 {
		return nil
	}
	f := &Faults[N]{planned, make([]Model[N], len(planned)), make([]Met, len(planned))}
	for i := range planned {
		model, known := models[planned[i].Kind]
		if !known {
			panic(fmt.Sprintf("fault: there is no model of %q for %T", planned[i].Kind, n))
		}
		if f.models[i] = model; model.Prepare != nil {
			model.Prepare(n)
		}
	}
	return f
}

// Schedule calls schedule for each change: first for all beginnings, then for all ends, so that of two faults that
// touch the second begins before the first ends.
func (f *Faults[N]) Schedule(schedule func(at unit.Time, change uint32)) {
	if f == nil {
		return
	}
	for i := range f.planned {
		if f.models[i].Begin != nil {
			schedule(f.planned[i].From, uint32(i)<<1)
		}
	}
	for i := range f.planned {
		if f.models[i].End != nil {
			schedule(f.planned[i].To, uint32(i)<<1|1)
		}
	}
}

// Change carries out a change at its time.
func (f *Faults[N]) Change(n N, change uint32) {
	i := change >> 1
	do := f.models[i].Begin
	if change&1 != 0 {
		do = f.models[i].End
	}
	do(n, &f.planned[i], &f.met[i])
}

// Met returns what met each of the faults from number first on, which still counts on; nil if there are none.
func (f *Faults[N]) Met(first int) []Met {
	if f == nil || first == len(f.met) {
		return nil
	}
	return f.met[first:]
}
