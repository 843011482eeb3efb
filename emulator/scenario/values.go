package scenario

import (
	"fmt"
	"slices"
	"strconv"
)

// Value is a key of a scenario and what is written there.
type Value struct {
	// Path is the key's with those around it, as --set has it: items of a list are called by their name or
	// counted from 0.
	Path string
	// Text is the value as written; of an empty mapping or list "{}" or "[]".
	Text string
}

// Values are all keys that the text of a scenario gives, in their order there, with what a variant of that
// name changes; keys that it leaves to their defaults are not among them. The error says why the text is no
// scenario.
func Values(file string, source []byte, variant string) ([]Value, error) {
	found := newProblems()
	root := parseTree(file, source, found)
	if err := found.err(file); err != nil {
		return nil, err
	}
	if root == nil || root.kind != mapping {
		return nil, fmt.Errorf("%s: no scenario: it is not a mapping", file)
	}
	if list := root.child("variants"); list != nil {
		for _, item := range list.items {
			if name := item.child("name"); name != nil && name.text == variant {
				root = applyVariant(root, item)
				break
			}
		}
	}
	root.entries = slices.DeleteFunc(slices.Clone(root.entries), func(e entry) bool { return e.key == "variants" })
	return root.values("", nil), nil
}

// values appends the values below a node at a path.
func (n *node) values(path string, list []Value) []Value {
	switch n.kind {
	case mapping:
		if len(n.entries) == 0 {
			return append(list, Value{path, "{}"})
		}
		for _, e := range n.entries {
			below := e.key
			if path != "" {
				below = path + "." + e.key
			}
			list = e.value.values(below, list)
		}
	case sequence:
		if len(n.items) == 0 {
			return append(list, Value{path, "[]"})
		}
		for i, item := range n.items {
			step := strconv.Itoa(i)
			if name := item.child("name"); name != nil && name.kind == scalar {
				step = name.text
			}
			list = item.values(path+"."+step, list)
		}
	case refused: // said when it was parsed
	default:
		list = append(list, Value{path, n.text})
	}
	return list
}
