package scenario

import "slices"

// VariantNames lists the names of a source's variants, as far as they can be
// read: the source may be wrong in any way, and what cannot be a name is left out.
// None for a source without variants.
func VariantNames(source []byte) []string {
	root := parseTree("", source, newProblems())
	if root == nil || root.kind != mapping {
		return nil
	}
	list := root.child("variants")
	if list == nil || list.kind != sequence {
		return nil
	}
	return slices.DeleteFunc(namesIn(list), func(name string) bool { return !isName(name) })
}
