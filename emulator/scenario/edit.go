package scenario

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
	"github.com/rocelab/rocelab/emulator/document"
)

// editor changes a text as little as makes one tree of it another.
type editor struct {
	src []byte
	// lines are the offsets at which lines start.
	lines []int
	edits []edit
}

// edit puts text in place of a part of the source.
type edit struct {
	from, to int
	text     string
}

// edited returns src, which is was, changed to wanted. The caller must check that it is: there are ways to write a tree
// that it does not know.
func edited(src []byte, was, wanted *node) []byte {
	e := &editor{src: src, lines: []int{0}}
	for i, c := range src {
		if c == '\n' {
			e.lines = append(e.lines, i+1)
		}
	}
	e.change(was, wanted)
	slices.SortStableFunc(e.edits, func(a, b edit) int { return cmp.Compare(a.from, b.from) })
	var out []byte
	done := 0
	for _, edit := range e.edits {
		edit.to = min(edit.to, len(src))
		if edit.from < done || edit.to < edit.from {
			return nil // two of them overlap
		}
		out = append(append(out, src[done:edit.from]...), edit.text...)
		done = edit.to
	}
	return append(out, src[done:]...)
}

func (e *editor) replace(from, to int, text string) { e.edits = append(e.edits, edit{from, to, text}) }

func (e *editor) change(was, wanted *node) {
	if was.Kind == document.Mapping && wanted.Kind == document.Mapping && !same(was, wanted) {
		if changed := e.changeMapping(was, wanted); changed {
			return
		}
	}
	switch {
	case same(was, wanted):
	case was.Kind == document.Sequence && wanted.Kind == document.Sequence && len(was.Items) == len(wanted.Items):
		for i := range was.Items {
			e.change(was.Items[i], wanted.Items[i])
		}
	default:
		e.replace(e.start(was.Parsed), e.end(was.Parsed), wanted.Write())
	}
}

// changeMapping changes a mapping key by key; it returns false, and changes nothing, if the mapping is better
// rewritten.
func (e *editor) changeMapping(was, wanted *node) bool {
	isNew := func(pair entry) bool { return was.Child(pair.Key) == nil }
	isGone := func(pair entry) bool { return wanted.Child(pair.Key) == nil }
	pairs, flow := pairsOf(was.Parsed)
	adds := slices.ContainsFunc(wanted.Entries, isNew)
	switch last := len(was.Entries) - 1; {
	case last < 0 || len(pairs) != len(was.Entries):
		return false
	case slices.ContainsFunc(was.Entries, isGone) && (flow || adds || isGone(was.Entries[0])):
		return false
	}
	for i, pair := range was.Entries {
		from, to := e.start(pairs[i]), e.end(pairs[i])
		value := wanted.Child(pair.Key)
		switch {
		case value == nil:
			e.replace(e.lines[pair.At.Line-1]-1, e.endOfLine(to), "")
		case pair.Value.Kind != value.Kind || value.Kind == document.Scalar || len(pair.Value.Items) != len(value.Items):
			if !same(pair.Value, value) {
				e.replace(from, to, e.entry(entry{Key: pair.Key, Value: value}, was, flow))
			}
		default:
			e.change(pair.Value, value)
		}
	}
	end := e.end(pairs[len(pairs)-1])
	for _, pair := range wanted.Entries {
		switch {
		case !isNew(pair):
		case flow:
			e.replace(end, end, ", "+e.entry(pair, was, true))
		default:
			at := e.endOfLine(end)
			e.replace(at, at, "\n"+strings.Repeat(" ", was.Entries[0].At.Column-1)+e.entry(pair, was, false))
		}
	}
	return true
}

// entry is the text of a key and its value where another key of the mapping is.
func (e *editor) entry(pair entry, of *node, flow bool) string {
	if flow {
		braced := (&node{Kind: document.Mapping, Entries: []entry{pair}}).Write()
		return braced[1 : len(braced)-1]
	}
	return strings.TrimLeft(pair.Write(of.Entries[0].At.Column-1), " ")
}

// pairsOf returns the pairs of a mapping as they were parsed, and whether it
// is written in braces.
func pairsOf(n ast.Node) ([]*ast.MappingValueNode, bool) {
	switch v := n.(type) {
	case *ast.MappingNode:
		return v.Values, v.IsFlowStyle
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{v}, false
	}
	return nil, false
}

// start and end return where the text of a node starts, and where it has
// ended.
func (e *editor) start(n ast.Node) int {
	switch v := n.(type) {
	case *ast.MappingNode:
		if !v.IsFlowStyle && len(v.Values) > 0 {
			return e.start(v.Values[0])
		}
		return e.offset(v.Start)
	case *ast.MappingValueNode:
		return e.offset(v.Key.GetToken())
	}
	return e.offset(n.GetToken())
}

func (e *editor) end(n ast.Node) int {
	switch v := n.(type) {
	case *ast.MappingNode:
		if !v.IsFlowStyle && len(v.Values) > 0 {
			return e.end(v.Values[len(v.Values)-1])
		}
		return e.offset(v.End) + 1
	case *ast.MappingValueNode:
		if _, empty := v.Value.(*ast.NullNode); !empty {
			return e.end(v.Value)
		}
		return e.offset(v.Start) + 1
	case *ast.SequenceNode:
		if !v.IsFlowStyle && len(v.Values) > 0 {
			return e.end(v.Values[len(v.Values)-1])
		}
		return e.offset(v.End) + 1
	case *ast.LiteralNode:
		return e.endOfLine(e.offset(v.Start)) + 1 + len(strings.TrimRight(v.Value.GetToken().Origin, " \n"))
	}
	return e.offset(n.GetToken()) + len(strings.TrimSpace(n.GetToken().Origin))
}

// offset returns the offset of a token in the source, by its line and its column of characters.
func (e *editor) offset(t *token.Token) int {
	at := document.PositionOf("", t)
	i := e.lines[min(at.Line, len(e.lines))-1]
	for range at.Column - 1 {
		_, size := utf8.DecodeRune(e.src[i:])
		i += size
	}
	return i
}

// endOfLine returns the end of the line of offset i.
func (e *editor) endOfLine(i int) int {
	if j := bytes.IndexByte(e.src[min(i, len(e.src)):], '\n'); j >= 0 {
		return i + j
	}
	return len(e.src)
}
