//go:build !nobuiltin

package shipped

import "github.com/rocelab/rocelab/plugins/cc"

// All returns the algorithms that are built into this program, in the order of their names; none if it was built with
// the tag nobuiltin.
func All() []cc.Algorithm { return Served() }
