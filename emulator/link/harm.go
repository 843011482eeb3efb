package link

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/wire"
)

// harm is the model of one kind of fabric.Harm: what happens to a frame that arrives.
type harm func(frame *wire.Frame)

// harms are the models by name.
var harms = map[string]harm{}

// newHarm registers a model, each in a file of its own, and returns its name for plans.
func newHarm(name string, model harm) string {
	if harms[name] != nil {
		panic(fmt.Sprintf("link: two harms have the name %q", name))
	}
	harms[name] = model
	return name
}

// harmsOf returns the models of an end's harms, in their order. An unknown kind is a broken plan.
func harmsOf(all []fabric.Harm) (list []harm) {
	for _, h := range all {
		model := harms[h.Kind]
		if model == nil {
			panic(fmt.Sprintf("link: there is no harm %q", h.Kind))
		}
		list = append(list, model)
	}
	return list
}
