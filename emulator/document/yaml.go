package document

import (
	"bytes"
	"errors"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// ParseYAML reads a text into a tree. It returns nil if there is none to go on with; add has been given why.
func (l *Language) ParseYAML(file string, src []byte, add Adder) *Node {
	start := Position{file, 1, 1}
	src, ok := l.text(file, src, add)
	if !ok {
		return nil
	}
	if at, deep := tooDeep(file, src, l.MaxDepth); deep {
		add(at, "nested too deep: allowed are up to %d levels", l.MaxDepth)
		return nil
	}
	if line := wide(src, l.MaxKeys); line > 0 {
		add(Position{file, line, 1}, "a mapping of more than %d keys: allowed are up to that many", l.MaxKeys)
		return nil
	}
	parsed, err := parseYAML(src)
	if err != nil {
		at, message := start, err.Error()
		var syntax *yaml.SyntaxError
		if errors.As(err, &syntax) {
			message = syntax.Message
			if syntax.Token != nil {
				at = PositionOf(file, syntax.Token)
			}
		}
		if strings.HasPrefix(message, "found character '\t'") {
			message = "a tab, where only spaces may indent"
		}
		add(at, "not YAML: %s", message)
		return nil
	}
	var root ast.Node
	for _, d := range parsed.Docs {
		if d.Body == nil {
			continue
		}
		if root != nil {
			add(Position{file, PositionOf(file, d.Body.GetToken()).Line, 1}, "a second document: a file holds one %s", l.Name)
			break
		}
		root = d.Body
	}
	if root == nil {
		add(start, "the file is empty: a %s needs %s", l.Name, l.Needs)
		return nil
	}
	return (&converter{l, file, add}).convert(root, 0)
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

// tooDeep looks for nesting that would cost the YAML parser quadratic time and unbounded stack. It counts brackets
// without regard to quotes, which matters only for a text with many unmatched ones, and runs of list dashes.
func tooDeep(file string, src []byte, most int) (Position, bool) {
	depth := 0
	for i, line := range bytes.Split(src, []byte("\n")) {
		body := bytes.TrimLeft(line, " -?:\t")
		if bytes.HasPrefix(body, []byte("#")) {
			continue
		}
		at := Position{file, i + 1, 1}
		lead := line[:len(line)-len(body)]
		if bytes.Count(lead, []byte("-"))+bytes.Count(lead, []byte("?")) > most || len(lead) > 8*most {
			return at, true
		}
		for j, c := range line {
			switch c {
			case '[', '{':
				if depth++; depth > most {
					at.Column = j + 1
					return at, true
				}
			case ']', '}':
				depth = max(0, depth-1)
			}
		}
	}
	return Position{}, false
}

// PositionOf is where a token of YAML is.
func PositionOf(file string, at *token.Token) Position {
	if at == nil || at.Position == nil {
		return Position{file, 1, 1}
	}
	return Position{file, max(1, at.Position.Line), max(1, at.Position.Column)}
}

// converter turns the parser's tree into ours, refusing what the language does not use.
type converter struct {
	*Language
	file string
	add  Adder
}

func (c *converter) convert(n ast.Node, depth int) *Node {
	if n == nil {
		return &Node{At: Position{c.file, 1, 1}}
	}
	out := &Node{At: PositionOf(c.file, n.GetToken()), Parsed: n}
	if depth > c.MaxDepth {
		c.add(out.At, "nested too deep: allowed are up to %d levels", c.MaxDepth)
		return out
	}
	switch v := n.(type) {
	case *ast.MappingNode:
		out.Kind = Mapping
		c.entries(out, v.Values, depth)
	case *ast.MappingValueNode:
		out.Kind = Mapping
		c.entries(out, []*ast.MappingValueNode{v}, depth)
	case *ast.SequenceNode:
		out.Kind = Sequence
		for _, item := range v.Values {
			out.Items = append(out.Items, c.convert(item, depth+1))
		}
	case *ast.LiteralNode:
		out.Kind, out.Quoted, out.Text = Scalar, true, strings.TrimSpace(v.Value.Value)
	case *ast.NullNode:
	case *ast.StringNode:
		out.Kind, out.Text = Scalar, v.Value
		out.Quoted = v.Token.Type == token.DoubleQuoteType || v.Token.Type == token.SingleQuoteType
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		out.Kind, out.Text = Scalar, n.GetToken().Value
	case *ast.CommentGroupNode:
	case *ast.AnchorNode, *ast.AliasNode, *ast.MergeKeyNode, *ast.TagNode:
		c.add(out.At, "anchors, aliases, merge keys and tags are not part of a %s: write the value here%s", c.Name, c.Instead)
		out.Kind = Refused
	default:
		out.Kind = Refused
		c.add(out.At, "not part of a %s: write a mapping, a list or a single value", c.Name)
	}
	return out
}

func (c *converter) entries(out *Node, values []*ast.MappingValueNode, depth int) {
	if len(values) > c.MaxKeys {
		c.add(out.At, "a mapping of more than %d keys: allowed are up to that many", c.MaxKeys)
		return
	}
	lines := make(map[string]int, len(values))
	for i, pair := range values {
		e := Entry{At: PositionOf(c.file, pair.Key.GetToken())}
		switch k := pair.Key.(type) {
		case *ast.StringNode:
			e.Key = k.Value
		case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NullNode:
			e.Key = pair.Key.GetToken().Value
		default:
			c.add(e.At, "not a key: anchors, aliases, merge keys, tags and composed keys are not part of a %s", c.Name)
			continue
		}
		// A mapping's token is its first colon; its first key is where a
		// reader looks.
		if i == 0 && out.At.Line == e.At.Line && out.At.Column > e.At.Column {
			out.At = e.At
		}
		e.Value = c.convert(pair.Value, depth+1)
		if e.Value.Kind == Empty {
			e.Value.At = e.At
		}
		if line, twice := lines[e.Key]; twice {
			c.add(e.At, "key %q is written twice: line %d has it already", Shorten(e.Key), line)
			continue
		}
		lines[e.Key] = e.At.Line
		out.Entries = append(out.Entries, e)
	}
}

// wide returns the line at which a mapping in a block has more than most keys, 0 if none has: the YAML parser takes
// time with the square of their number.
func wide(src []byte, most int) (line int) {
	type block struct{ indent, keys int }
	var open []block
	for text := range bytes.Lines(src) {
		line++
		body := bytes.TrimLeft(text, " -?\t")
		if len(bytes.TrimSpace(body)) == 0 || body[0] == '#' || !bytes.Contains(body, []byte(":")) {
			continue
		}
		lead := text[:len(text)-len(body)]
		indent := len(lead)
		first := indent
		if i := bytes.IndexAny(lead, "-?"); i >= 0 {
			first = i // an item begins a mapping of its own
		}
		for len(open) > 0 && (open[len(open)-1].indent > indent || first < indent && open[len(open)-1].indent > first) {
			open = open[:len(open)-1]
		}
		if len(open) == 0 || open[len(open)-1].indent < indent {
			open = append(open, block{indent, 0})
		}
		if open[len(open)-1].keys++; open[len(open)-1].keys > most {
			return line
		}
	}
	return 0
}
