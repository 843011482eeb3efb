package scenario

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/document"
)

// An overlay changes a tree. A mapping laid over a mapping changes the keys that it names, and none if it is left
// empty; a mapping laid over a list changes every item of it; any other value replaces the old one. The algorithm of
// the whole scenario, once laid over, holds for every entry of the traffic: theirs are dropped.

// merge returns base with over laid over it.
func merge(base, over *node) *node {
	switch {
	case base != nil && base.Kind == document.Mapping && over.Kind == document.Empty:
		return base
	case base == nil || over.Kind != document.Mapping:
		return over.Clone()
	}
	switch base.Kind {
	case document.Mapping:
		for _, e := range over.Entries {
			base.Set(e, merge(base.Child(e.Key), e.Value))
		}
		return base
	case document.Sequence:
		for i := range base.Items {
			base.Items[i] = merge(base.Items[i], over)
		}
		return base
	}
	return over.Clone()
}

// setAlgorithm lays an algorithm over the whole scenario. One with a name takes the place of the former, one with only
// parameters adds them to it.
func setAlgorithm(root *node, pair entry) {
	if pair.Value.Kind == document.Mapping && pair.Value.Child("name") == nil {
		base := root.Child("algorithm")
		if base != nil && base.Kind == document.Scalar {
			base = longAlgorithm(base)
		}
		root.Set(pair, merge(base, pair.Value))
		return
	}
	root.Set(pair, pair.Value.Clone())
	if list := root.Child("traffic"); list != nil {
		for _, item := range list.Items {
			item.Drop("algorithm")
		}
	}
}

// longAlgorithm returns the long form of an algorithm that is given just by name.
func longAlgorithm(n *node) *node {
	return &node{At: n.At, Kind: document.Mapping, Entries: []entry{{Key: "name", At: n.At, Value: n}}}
}

// applyVariant lays a variant over a clone of root, without the variants.
func applyVariant(root, variant *node) *node {
	tree := root.Clone()
	tree.Drop("variants")
	for _, e := range variant.Entries {
		switch e.Key {
		case "name":
		case "algorithm":
			setAlgorithm(tree, e)
		default:
			tree.Set(e, merge(tree.Child(e.Key), e.Value))
		}
	}
	return tree
}

// applyOverrides lays "--set path=value" pairs over root, short paths before long ones, so that a setting of one item
// overrides a setting of all. A path is keys joined by dots; in a list, a step that is the name of an item or its
// number from 0 means that item, any other step all items.
func applyOverrides(root *node, pairs map[string]string, found *problems) {
	paths := slices.Sorted(maps.Keys(pairs))
	slices.SortStableFunc(paths, func(a, b string) int { return strings.Count(a, ".") - strings.Count(b, ".") })
	for _, path := range paths {
		at := position{File: "--set " + path, Line: 1, Column: 1}
		if strings.TrimSpace(pairs[path]) == "" {
			found.add(at, "no value: write path=value, such as switch.buffer=16MB")
			continue
		}
		if value := parseTree(at.File, []byte(pairs[path]), found); value != nil {
			applyOverride(root, path, at, value, found)
		}
	}
}

// applyOverride lays a value over root at a path; at is the position of the override.
func applyOverride(root *node, path string, at position, value *node, found *problems) {
	steps := strings.Split(path, ".")
	if slices.Contains(steps, "") {
		found.add(at, "%q is not a path: write keys joined by dots, such as switch.buffer", path)
		return
	}
	if steps[0] == "variants" && steps[len(steps)-1] == "name" && len(steps) <= 3 {
		found.add(at, "--set and --variant select a variant by its name: only the file can change it")
		return
	}
	if path == "algorithm" {
		setAlgorithm(root, entry{Key: path, At: at, Value: value})
		return
	}
	setPath(root, steps, at, value)
}

// setPath sets the value at the end of steps, making mappings on the way.
func setPath(n *node, steps []string, at position, value *node) {
	key, last := steps[0], len(steps) == 1
	if n.Kind == document.Sequence {
		if i := indexOf(n, key); i >= 0 {
			if last {
				n.Items[i] = value.Clone()
			} else {
				setPath(n.Items[i], steps[1:], at, value)
			}
			return
		}
		for _, item := range n.Items {
			setPath(item, steps, at, value)
		}
		return
	}
	if n.Kind != document.Mapping {
		*n = node{At: at, Kind: document.Mapping}
	}
	if last {
		n.Set(entry{Key: key, At: at}, value.Clone())
		return
	}
	below := n.Child(key)
	switch {
	case below == nil:
		below = &node{At: at, Kind: document.Mapping}
		n.Set(entry{Key: key, At: at}, below)
	case key == "algorithm" && below.Kind == document.Scalar:
		below = longAlgorithm(below)
		n.Set(entry{Key: key, At: at}, below)
	}
	setPath(below, steps[1:], at, value)
}

// indexOf returns the item that a step names, -1 if it names none.
func indexOf(n *node, step string) int {
	for i, item := range n.Items {
		if name := itemName(item); name != nil && name.Text == step {
			return i
		}
	}
	if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(n.Items) {
		return i
	}
	return -1
}

// itemName returns what names an item of a list: its name, or the node that it is about;
// nil for neither.
func itemName(n *node) *node {
	if name := n.Child("name"); name != nil {
		return name
	}
	return n.Child("node")
}
