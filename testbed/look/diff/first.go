package diff

import "github.com/rocelab/rocelab/plugins/cc/unit"

// First is the first frame that differs.
type First struct {
	At   unit.Time
	Node string
	Port int
	// A and B are the frames of the sides there and then, nil for a side without one, and Changes the differences
	// between the two.
	A, B    *Frame
	Changes []change
	// Before are the frames at that port before, of both sides; AfterA and AfterB those after.
	Before, AfterA, AfterB []Frame
}

// firstOf returns the earlier of two frames that differ, or both of them if neither is before the other; nil stands for
// a side without further frames.
func firstOf(x, y *Frame, before func(x, y *Frame) bool) *First {
	switch {
	case y == nil || x != nil && before(x, y):
		return &First{At: x.At, Node: x.Node, Port: x.Port, A: x}
	case x == nil || before(y, x):
		return &First{At: y.At, Node: y.Node, Port: y.Port, B: y}
	}
	return &First{
		At:      x.At,
		Node:    x.Node,
		Port:    x.Port,
		A:       x,
		B:       y,
		Changes: changes(x, y),
	}
}

// firstOfNode is the first of what a node did that differs, nil if nothing does but the order of what came at one time.
func firstOfNode(a, b []Frame) *First {
	byPort := func(x, y *Frame) bool { return x.At < y.At || x.At == y.At && x.Port < y.Port }
	for i := 0; i < len(a) || i < len(b); i++ {
		var x, y *Frame
		if i < len(a) {
			x = &a[i]
		}
		if i < len(b) {
			y = &b[i]
		}
		if x == nil || y == nil || !x.same(y) {
			return firstOf(x, y, byPort)
		}
	}
	return nil
}
