package scenario

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/rocelab/rocelab/emulator/document"
)

// Value is a key of a scenario with its written value.
type Value struct {
	// Path is the key's with those around it, as --set has it: items of a list are called by their name or
	// counted from 0.
	Path string
	// Text is the value as written; of an empty mapping or list "{}" or "[]".
	Text string
}

// Values returns all keys that the text of a scenario gives, in their order there, with the changes of a variant of
// that name; keys left to their defaults are not among them. It fails if the text is not a scenario.
func Values(file string, source []byte, variant string) ([]Value, error) {
	found := newProblems()
	root := parseTree(file, source, found)
	if err := found.err(file); err != nil {
		return nil, err
	}
	if root == nil || root.Kind != document.Mapping {
		return nil, fmt.Errorf("%s: no scenario: it is not a mapping", file)
	}
	if list := root.Child("variants"); list != nil {
		for _, item := range list.Items {
			if name := item.Child("name"); name != nil && name.Text == variant {
				root = applyVariant(root, item)
				break
			}
		}
	}
	root.Entries = slices.DeleteFunc(slices.Clone(root.Entries), func(e entry) bool { return e.Key == "variants" })
	return values(root, "", nil), nil
}

// values appends the values below a node at a path.
func values(n *node, path string, list []Value) []Value {
	switch n.Kind {
	case document.Mapping:
		if len(n.Entries) == 0 {
			return append(list, Value{path, "{}"})
		}
		for _, e := range n.Entries {
			below := e.Key
			if path != "" {
				below = path + "." + e.Key
			}
			list = values(e.Value, below, list)
		}
	case document.Sequence:
		if len(n.Items) == 0 {
			return append(list, Value{path, "[]"})
		}
		for i, item := range n.Items {
			step := strconv.Itoa(i)
			if name := item.Child("name"); name != nil && name.Kind == document.Scalar {
				step = name.Text
			}
			list = values(item, path+"."+step, list)
		}
	case document.Refused: // said when it was parsed
	default:
		list = append(list, Value{path, n.Text})
	}
	return list
}
