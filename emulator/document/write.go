package document

import (
	"encoding/json"
	"strings"
)

// The text of trees, as a person would write it.

// Write returns the text of a key and its value in a block whose keys have an
// indentation: one line, but for a list of mappings one for each.
func (e *Entry) Write(indent int) string {
	text := strings.Repeat(" ", indent) + writeText(e.Key, false) + ":"
	if e.Value.Kind != Sequence || len(e.Value.Items) == 0 || e.Value.Items[0].Kind != Mapping {
		return text + " " + e.Value.Write()
	}
	for _, item := range e.Value.Items {
		text += "\n" + strings.Repeat(" ", indent+2) + "- " + item.Write()
	}
	return text
}

// Write returns the text of a value in one line.
func (n *Node) Write() string {
	var parts []string
	switch n.Kind {
	case Mapping:
		for _, e := range n.Entries {
			parts = append(parts, writeText(e.Key, false)+": "+e.Value.Write())
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case Sequence:
		for _, item := range n.Items {
			parts = append(parts, item.Write())
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case Scalar:
		return writeText(n.Text, n.Quoted)
	}
	return ""
}

// Plain returns a value as JSON has it.
func (n *Node) Plain() any {
	switch n.Kind {
	case Mapping:
		out := map[string]any{}
		for _, e := range n.Entries {
			out[e.Key] = e.Value.Plain()
		}
		return out
	case Sequence:
		out := []any{}
		for _, item := range n.Items {
			out = append(out, item.Plain())
		}
		return out
	case Scalar:
		if json.Valid([]byte(n.Text)) && !n.Quoted {
			return json.RawMessage(n.Text)
		}
		return n.Text
	}
	return nil
}

// texts are lists of one text.
var texts = &Language{
	Name:     "text",
	MaxBytes: 4 << 20,
	MaxDepth: 40,
	MaxKeys:  4096,
}

// writeText returns a text, in JSON's quotes, which YAML has too, if it had or
// needs some.
func writeText(text string, quoted bool) string {
	bare := texts.ParseYAML("", []byte("["+text+"]"), func(Position, string, ...any) {})
	if !quoted && bare != nil && len(bare.Items) == 1 {
		if one := bare.Items[0]; one.Kind == Scalar && one.Text == text && !one.Quoted {
			return text
		}
	}
	out, err := json.Marshal(text)
	if err != nil {
		panic(err) // a text always encodes
	}
	return string(out)
}
