package document

import (
	"slices"

	"github.com/goccy/go-yaml/ast"
)

// Node is a value of a text: a mapping (an object of JSON), a sequence (a list), a scalar or nothing.
type Node struct {
	At   Position
	Kind Kind
	// Text is the text of a scalar, Quoted is set if it was written in quotes.
	Text   string
	Quoted bool
	// Meaning is a scalar's value as its reader understood it, in one notation for all ways to write it: a number, in
	// the smallest unit of the quantity. "" if the text is the meaning.
	Meaning string
	// Entries are a mapping's, in the order of the text; Items a sequence's.
	Entries []Entry
	Items   []*Node
	// Parsed is the YAML source of a node; nil for JSON and for a node without source text.
	Parsed ast.Node
}

// Kind is the kind of a node.
type Kind uint8

// The kinds.
const (
	Empty Kind = iota
	Scalar
	Mapping
	Sequence
	Refused // what the language does not use; said when it was parsed
)

// KindNames are the kinds in words.
var KindNames = [...]string{"nothing", "a single value", "a mapping", "a list", "refused"}

// Entry is a key of a mapping, where it is, and its value.
type Entry struct {
	Key   string
	At    Position
	Value *Node
}

// FlowEnd returns the place of the closing brace of a YAML mapping in braces, false for another node.
func (n *Node) FlowEnd() (end Position, flow bool) {
	mapping, is := n.Parsed.(*ast.MappingNode)
	if !is || !mapping.IsFlowStyle || mapping.End == nil {
		return Position{}, false
	}
	return PositionOf(n.At.File, mapping.End), true
}

// Child returns the value of a mapping's key, nil if it has none.
func (n *Node) Child(key string) *Node {
	if n == nil {
		return nil
	}
	for i := range n.Entries {
		if n.Entries[i].Key == key {
			return n.Entries[i].Value
		}
	}
	return nil
}

// Where returns the position of the value of a mapping's key, or the mapping's own position if it lacks the key.
func (n *Node) Where(key string) Position {
	if c := n.Child(key); c != nil {
		return c.At
	}
	return n.At
}

// Block reports whether a scalar of YAML was written as a block, below its key.
func (n *Node) Block() bool {
	_, block := n.Parsed.(*ast.LiteralNode)
	return block
}

// Clone returns a copy of n that shares nothing with it.
func (n *Node) Clone() *Node {
	c := *n
	c.Entries = slices.Clone(n.Entries)
	for i := range c.Entries {
		c.Entries[i].Value = c.Entries[i].Value.Clone()
	}
	c.Items = slices.Clone(n.Items)
	for i := range c.Items {
		c.Items[i] = c.Items[i].Clone()
	}
	return &c
}

// Set gives a mapping's key a value, at the position of pair if the key is new or has no value; problems with the value
// are then reported at the key.
func (n *Node) Set(pair Entry, value *Node) {
	for i := range n.Entries {
		if n.Entries[i].Key == pair.Key {
			n.Entries[i].Value = value
			if value.Kind == Empty {
				n.Entries[i].At = pair.At
			}
			return
		}
	}
	n.Entries = append(n.Entries, Entry{pair.Key, pair.At, value})
}

// Drop removes a mapping's key.
func (n *Node) Drop(key string) {
	n.Entries = slices.DeleteFunc(n.Entries, func(e Entry) bool { return e.Key == key })
}

// AnyPosition reports whether a position of n, of one of its keys or of any node below it fulfils a condition.
func (n *Node) AnyPosition(fulfils func(Position) bool) bool {
	if fulfils(n.At) {
		return true
	}
	for _, e := range n.Entries {
		if fulfils(e.At) || e.Value.AnyPosition(fulfils) {
			return true
		}
	}
	for _, item := range n.Items {
		if item.AnyPosition(fulfils) {
			return true
		}
	}
	return false
}
