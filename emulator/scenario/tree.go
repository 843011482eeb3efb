package scenario

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/rocelab/rocelab/emulator/textfile"
)

// node is a value of the file.
type node struct {
	at   position
	kind nodeKind
	// text is a scalar's, quoted that it was written in quotes.
	text   string
	quoted bool
	// meaning is what a scalar was read as, in one notation for all ways to write it: a
	// number, of a quantity in its smallest unit. "" where the text is the meaning.
	meaning string
	// entries are a mapping's, in the order of the file; items a sequence's.
	entries []entry
	items   []*node
	// parsed is what the node was made of, nil for one that no text has.
	parsed ast.Node
}

type nodeKind uint8

const (
	empty nodeKind = iota
	scalar
	mapping
	sequence
	refused // what a scenario does not use; said when it was parsed
)

var kindNames = [...]string{"nothing", "a single value", "a mapping", "a list", "refused"}

type entry struct {
	key   string
	at    position
	value *node
}

// child returns the value of a mapping's key, nil if it has none.
func (n *node) child(key string) *node {
	if n == nil {
		return nil
	}
	for i := range n.entries {
		if n.entries[i].key == key {
			return n.entries[i].value
		}
	}
	return nil
}

// where returns the position of a mapping's key's value, its own if it lacks
// the key.
func (n *node) where(key string) position {
	if c := n.child(key); c != nil {
		return c.at
	}
	return n.at
}

// clone returns a copy of n that shares nothing with it.
func (n *node) clone() *node {
	c := *n
	c.entries = slices.Clone(n.entries)
	for i := range c.entries {
		c.entries[i].value = c.entries[i].value.clone()
	}
	c.items = slices.Clone(n.items)
	for i := range c.items {
		c.items[i] = c.items[i].clone()
	}
	return &c
}

// MaxSource is how long a file may be, in bytes: a fabric of a thousand hosts written
// out link by link is some 200 KB.
const MaxSource = 4 << 20

// Further limits of a file. Nobody nests deeper than ten, or writes thousands of keys
// where a pattern or a list does.
const (
	maxDepth = 40
	maxKeys  = 4096
)

// parseTree reads src into a tree. It returns nil if there is none to go on
// with.
func parseTree(file string, src []byte, found *problems) *node {
	start := position{file, 1, 1}
	src, err := textfile.UTF8(src)
	if err != nil {
		found.add(start, "%v", err)
		return nil
	}
	if len(src) > MaxSource {
		found.add(start, "the file has %d bytes: allowed are up to %d", len(src), MaxSource)
		return nil
	}
	if at, deep := tooDeep(file, src); deep {
		found.add(at, "nested too deep: allowed are up to %d levels", maxDepth)
		return nil
	}
	if line := wide(src); line > 0 {
		found.add(position{file, line, 1}, "a mapping of more than %d keys: allowed are up to that many", maxKeys)
		return nil
	}
	if line := crowded(src); line > 0 {
		found.add(position{file, line, 1}, "variants must be a list of 1 to %d mappings, each with a name", maxVariants)
		return nil
	}
	parsed, err := parseYAML(src)
	if err != nil {
		at, message := start, err.Error()
		var syntax *yaml.SyntaxError
		if errors.As(err, &syntax) {
			message = syntax.Message
			if syntax.Token != nil {
				at = positionOf(file, syntax.Token)
			}
		}
		if strings.HasPrefix(message, "found character '\t'") {
			message = "a tab, where only spaces may indent"
		}
		found.add(at, "not YAML: %s", message)
		return nil
	}
	var root ast.Node
	for _, d := range parsed.Docs {
		if d.Body == nil {
			continue
		}
		if root != nil {
			found.add(position{file, positionOf(file, d.Body.GetToken()).line, 1},
				"a second document: a file holds one scenario")
			break
		}
		root = d.Body
	}
	if root == nil {
		found.add(start, "the file is empty: a scenario needs at least topology and traffic")
		return nil
	}
	return (&converter{file, found}).convert(root, 0)
}

// parseYAML calls the YAML parser, which has panicked on malformed input
// before; such input is an error here.
func parseYAML(src []byte) (parsed *ast.File, err error) {
	defer func() {
		if recover() != nil {
			parsed, err = nil, errors.New("the text cannot be parsed")
		}
	}()
	return parser.ParseBytes(src, 0, parser.AllowDuplicateMapKey())
}

// tooDeep looks for nesting on which the YAML parser would take quadratic time
// and unbounded stack. It counts brackets without regard to quotes, which only
// a text with many unmatched ones would notice, and runs of list dashes.
func tooDeep(file string, src []byte) (position, bool) {
	depth := 0
	for i, line := range bytes.Split(src, []byte("\n")) {
		body := bytes.TrimLeft(line, " -?:\t")
		if bytes.HasPrefix(body, []byte("#")) {
			continue
		}
		at := position{file, i + 1, 1}
		lead := line[:len(line)-len(body)]
		if bytes.Count(lead, []byte("-"))+bytes.Count(lead, []byte("?")) > maxDepth || len(lead) > 8*maxDepth {
			return at, true
		}
		for j, c := range line {
			switch c {
			case '[', '{':
				if depth++; depth > maxDepth {
					at.column = j + 1
					return at, true
				}
			case ']', '}':
				depth = max(0, depth-1)
			}
		}
	}
	return position{}, false
}

func positionOf(file string, at *token.Token) position {
	if at == nil || at.Position == nil {
		return position{file, 1, 1}
	}
	return position{file, max(1, at.Position.Line), max(1, at.Position.Column)}
}

// converter turns the parser's tree into ours, refusing what scenarios do not
// use.
type converter struct {
	file     string
	problems *problems
}

func (c *converter) convert(n ast.Node, depth int) *node {
	if n == nil {
		return &node{at: position{c.file, 1, 1}}
	}
	out := &node{at: positionOf(c.file, n.GetToken()), parsed: n}
	if depth > maxDepth {
		c.problems.add(out.at, "nested too deep: allowed are up to %d levels", maxDepth)
		return out
	}
	switch v := n.(type) {
	case *ast.MappingNode:
		out.kind = mapping
		c.entries(out, v.Values, depth)
	case *ast.MappingValueNode:
		out.kind = mapping
		c.entries(out, []*ast.MappingValueNode{v}, depth)
	case *ast.SequenceNode:
		out.kind = sequence
		for _, item := range v.Values {
			out.items = append(out.items, c.convert(item, depth+1))
		}
	case *ast.LiteralNode:
		out.kind, out.quoted, out.text = scalar, true, strings.TrimSpace(v.Value.Value)
	case *ast.NullNode:
	case *ast.StringNode:
		out.kind, out.text = scalar, v.Value
		out.quoted = v.Token.Type == token.DoubleQuoteType || v.Token.Type == token.SingleQuoteType
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		out.kind, out.text = scalar, n.GetToken().Value
	case *ast.CommentGroupNode:
	case *ast.AnchorNode, *ast.AliasNode, *ast.MergeKeyNode, *ast.TagNode:
		c.problems.add(out.at,
			"anchors, aliases, merge keys and tags are not part of a scenario: write the value here, or use "+
				"algorithms and variants")
		out.kind = refused
	default:
		out.kind = refused
		c.problems.add(out.at, "not part of a scenario: write a mapping, a list or a single value")
	}
	return out
}

func (c *converter) entries(out *node, values []*ast.MappingValueNode, depth int) {
	if len(values) > maxKeys {
		c.problems.add(out.at, "a mapping of more than %d keys: allowed are up to that many", maxKeys)
		return
	}
	lines := make(map[string]int, len(values))
	for i, pair := range values {
		e := entry{at: positionOf(c.file, pair.Key.GetToken())}
		switch k := pair.Key.(type) {
		case *ast.StringNode:
			e.key = k.Value
		case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NullNode:
			e.key = pair.Key.GetToken().Value
		default:
			c.problems.add(e.at, "not a key: anchors, aliases, merge keys, tags and composed keys are not part of a scenario")
			continue
		}
		// A mapping's token is its first colon; its first key is where a
		// reader looks.
		if i == 0 && out.at.line == e.at.line && out.at.column > e.at.column {
			out.at = e.at
		}
		e.value = c.convert(pair.Value, depth+1)
		if e.value.kind == empty {
			e.value.at = e.at
		}
		if line, twice := lines[e.key]; twice {
			c.problems.add(e.at, "key %q is written twice: line %d has it already", shorten(e.key), line)
			continue
		}
		lines[e.key] = e.at.line
		out.entries = append(out.entries, e)
	}
}
