package scenario

import (
	"slices"
	"strconv"

	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/emulator/profile"
)

// dscpWithClass are the DSCPs that have a class of their own by default.
var dscpWithClass = []int{26, 48, 56}

// mapOthers gives every DSCP without a class of its own the class of the others: what
// the settings of the switch say, or with edges the first that is marked.
func (b *builder) mapOthers(switched *profile.Switch, settings []*node) {
	class := -1
	if len(b.edges) > 0 {
		class = slices.IndexFunc(switched.ECN[:], func(w profile.WRED) bool { return w.Enabled })
	}
	named := map[int]bool{}
	for _, dscp := range dscpWithClass {
		named[dscp] = true
	}
	for _, n := range settings {
		classes := n.Child("classes")
		if others := classes.Child("others"); others != nil {
			class = number(others, profile.Classes, class)
		}
		if table := classes.Child("dscp"); table != nil {
			for _, e := range table.Entries {
				named[number(&node{Kind: document.Scalar, Text: e.Key}, len(switched.ClassOf), -1)] = true
			}
		}
	}
	for dscp := range switched.ClassOf {
		if class >= 0 && !named[dscp] {
			switched.ClassOf[dscp] = uint8(class)
		}
	}
}

// number returns a whole number from 0 to below a limit, or otherwise: then it was
// refused when it was read.
func number(n *node, limit, otherwise int) int {
	if v, err := strconv.Atoi(n.Text); err == nil && v >= 0 && v < limit {
		return v
	}
	return otherwise
}
