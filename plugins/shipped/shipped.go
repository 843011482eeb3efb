package shipped

import (
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/dcqcn"
	"github.com/rocelab/rocelab/plugins/fixed"
	"github.com/rocelab/rocelab/plugins/pc4"
)

// All returns the shipped algorithms in the order of their names.
func All() []cc.Algorithm {
	return []cc.Algorithm{dcqcn.Algorithm{}, fixed.Algorithm{}, pc4.Algorithm{}}
}

// Find returns the shipped algorithm of that name.
func Find(name string) (cc.Algorithm, bool) {
	for _, a := range All() {
		if a.Describe().Name == name {
			return a, true
		}
	}
	return nil, false
}
