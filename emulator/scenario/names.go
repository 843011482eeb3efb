package scenario

import (
	"slices"

	"github.com/rocelab/rocelab/emulator/document"
)

// NameOf is the name that a source gives itself, "" for none that can be read: the source may be wrong in any way.
func NameOf(source []byte) string {
	name := parseTree("", source, newProblems()).Child("name")
	if name == nil || name.Kind != document.Scalar || !isName(name.Text) {
		return ""
	}
	return name.Text
}

// VariantNames lists the names of a source's variants, as far as they can be
// read: the source may be wrong in any way, and what cannot be a name is left out.
// None for a source without variants.
func VariantNames(source []byte) []string {
	root := parseTree("", source, newProblems())
	if root == nil || root.Kind != document.Mapping {
		return nil
	}
	list := root.Child("variants")
	if list == nil || list.Kind != document.Sequence {
		return nil
	}
	return slices.DeleteFunc(namesIn(list), func(name string) bool { return !isName(name) })
}
