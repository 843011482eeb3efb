//go:build !nobuiltin

package shipped

import (
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/dcqcn"
	"github.com/rocelab/rocelab/plugins/dctcp"
	"github.com/rocelab/rocelab/plugins/fixed"
	"github.com/rocelab/rocelab/plugins/none"
	"github.com/rocelab/rocelab/plugins/pc4"
)

// All returns the shipped algorithms in the order of their names; none where
// the program was built with the tag nobuiltin.
func All() []cc.Algorithm {
	return []cc.Algorithm{dcqcn.Algorithm{}, dctcp.Algorithm{}, fixed.Algorithm{}, none.Algorithm{}, pc4.Algorithm{}}
}
