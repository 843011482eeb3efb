//go:build nobuiltin

package shipped

import "github.com/rocelab/rocelab/plugins/cc"

// All returns nothing: this program has no algorithms built in.
func All() []cc.Algorithm { return nil }
