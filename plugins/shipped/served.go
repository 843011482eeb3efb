package shipped

import (
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/dcqcn"
	"github.com/rocelab/rocelab/plugins/dctcp"
	"github.com/rocelab/rocelab/plugins/fixed"
	"github.com/rocelab/rocelab/plugins/hpcc"
	"github.com/rocelab/rocelab/plugins/none"
	"github.com/rocelab/rocelab/plugins/pc4"
	"github.com/rocelab/rocelab/plugins/pidnn"
	"github.com/rocelab/rocelab/plugins/swift"
	"github.com/rocelab/rocelab/plugins/timely"
)

// Served returns the algorithms that come with rocelab, in the order of their
// names: what the program rocelab-cc serves.
func Served() []cc.Algorithm {
	return []cc.Algorithm{dcqcn.Algorithm{}, dctcp.Algorithm{}, fixed.Algorithm{}, hpcc.Algorithm{}, none.Algorithm{},
		pc4.Algorithm{}, pidnn.Algorithm{}, swift.Algorithm{}, timely.Algorithm{}}
}

// Find returns the algorithm of that name that is built into this program.
func Find(name string) (cc.Algorithm, bool) {
	for _, a := range All() {
		if a.Describe().Name == name {
			return a, true
		}
	}
	return nil, false
}
