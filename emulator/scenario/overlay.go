package scenario

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// An overlay changes a tree. A mapping laid over a mapping changes the keys
// that it names, and one that is left empty none; a mapping laid over a list changes
// every item of it; anything else replaces what was there. The algorithm of the whole scenario, once laid
// over, holds for every entry of the traffic: theirs are dropped.

// merge returns base with over laid over it.
func merge(base, over *node) *node {
	switch {
	case base != nil && base.kind == mapping && over.kind == empty:
		return base
	case base == nil || over.kind != mapping:
		return over.clone()
	}
	switch base.kind {
	case mapping:
		for _, e := range over.entries {
			base.set(e, merge(base.child(e.key), e.value))
		}
		return base
	case sequence:
		for i := range base.items {
			base.items[i] = merge(base.items[i], over)
		}
		return base
	}
	return over.clone()
}

// set gives a mapping's key a value, under the position of pair if the key is new
// or left without a value, which is said at the key.
func (n *node) set(pair entry, value *node) {
	for i := range n.entries {
		if n.entries[i].key == pair.key {
			n.entries[i].value = value
			if value.kind == empty {
				n.entries[i].at = pair.at
			}
			return
		}
	}
	n.entries = append(n.entries, entry{pair.key, pair.at, value})
}

// drop removes a mapping's key.
func (n *node) drop(key string) {
	n.entries = slices.DeleteFunc(n.entries, func(e entry) bool { return e.key == key })
}

// setAlgorithm lays an algorithm over the whole scenario. One that has a name
// takes the place of the former, one that has parameters alone adds them to it.
func setAlgorithm(root *node, pair entry) {
	if pair.value.kind == mapping && pair.value.child("name") == nil {
		base := root.child("algorithm")
		if base != nil && base.kind == scalar {
			base = base.longAlgorithm()
		}
		root.set(pair, merge(base, pair.value))
		return
	}
	root.set(pair, pair.value.clone())
	if list := root.child("traffic"); list != nil {
		for _, item := range list.items {
			item.drop("algorithm")
		}
	}
}

// longAlgorithm is the long form of an algorithm that is given by its name alone.
func (n *node) longAlgorithm() *node {
	return &node{at: n.at, kind: mapping, entries: []entry{{"name", n.at, n}}}
}

// applyVariant lays a variant over a clone of root, without the variants.
func applyVariant(root, variant *node) *node {
	tree := root.clone()
	tree.drop("variants")
	for _, e := range variant.entries {
		switch e.key {
		case "name":
		case "algorithm":
			setAlgorithm(tree, e)
		default:
			tree.set(e, merge(tree.child(e.key), e.value))
		}
	}
	return tree
}

// applyOverrides lays "--set path=value" pairs over root, short paths before long ones,
// so that what is said of one item holds over what is said of all. A path is keys
// joined by dots; in a list, a step that is the name of an item or its number
// from 0 means that item, any other step all items.
func applyOverrides(root *node, pairs map[string]string, found *problems) {
	paths := slices.Sorted(maps.Keys(pairs))
	slices.SortStableFunc(paths, func(a, b string) int { return strings.Count(a, ".") - strings.Count(b, ".") })
	for _, path := range paths {
		at := position{"--set " + path, 1, 1}
		if strings.TrimSpace(pairs[path]) == "" {
			found.add(at, "no value: write path=value, such as switch.buffer=16MB")
			continue
		}
		if value := parseTree(at.file, []byte(pairs[path]), found); value != nil {
			applyOverride(root, path, at, value, found)
		}
	}
}

// applyOverride lays a value over root at a path; at is where that is said.
func applyOverride(root *node, path string, at position, value *node, found *problems) {
	steps := strings.Split(path, ".")
	if slices.Contains(steps, "") {
		found.add(at, "%q is not a path: write keys joined by dots, such as switch.buffer", path)
		return
	}
	if steps[0] == "variants" && steps[len(steps)-1] == "name" && len(steps) <= 3 {
		found.add(at, "a variant's name is what --set and --variant find it by: it can be changed in the file alone")
		return
	}
	if path == "algorithm" {
		setAlgorithm(root, entry{path, at, value})
		return
	}
	root.setPath(steps, at, value)
}

// setPath sets the value at the end of steps, making mappings on the way.
func (n *node) setPath(steps []string, at position, value *node) {
	key, last := steps[0], len(steps) == 1
	if n.kind == sequence {
		if i := n.indexOf(key); i >= 0 {
			if last {
				n.items[i] = value.clone()
			} else {
				n.items[i].setPath(steps[1:], at, value)
			}
			return
		}
		for _, item := range n.items {
			item.setPath(steps, at, value)
		}
		return
	}
	if n.kind != mapping {
		*n = node{at: at, kind: mapping}
	}
	if last {
		n.set(entry{key: key, at: at}, value.clone())
		return
	}
	below := n.child(key)
	switch {
	case below == nil:
		below = &node{at: at, kind: mapping}
		n.set(entry{key: key, at: at}, below)
	case key == "algorithm" && below.kind == scalar:
		below = below.longAlgorithm()
		n.set(entry{key: key, at: at}, below)
	}
	below.setPath(steps[1:], at, value)
}

// indexOf returns the item that a step names, -1 if it names none.
func (n *node) indexOf(step string) int {
	for i, item := range n.items {
		if name := item.itemName(); name != nil && name.text == step {
			return i
		}
	}
	if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(n.items) {
		return i
	}
	return -1
}

// itemName returns what names an item of a list: its name, or the node that it is about;
// nil for neither.
func (n *node) itemName() *node {
	if name := n.child("name"); name != nil {
		return name
	}
	return n.child("node")
}
