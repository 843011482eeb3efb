package scenario

import (
	"encoding/json"
	"strconv"
	"strings"
)

// The text of trees, as a person would write it.

// document returns the text of a whole scenario.
func document(root *node) []byte {
	text := ""
	for _, e := range root.entries {
		text += e.write(0) + "\n"
	}
	return []byte(text)
}

// write returns the text of a key and its value in a block whose keys have an
// indentation: one line, but for a list of mappings one for each.
func (e *entry) write(indent int) string {
	text := strings.Repeat(" ", indent) + writeText(e.key, false) + ":"
	if e.value.kind != sequence || len(e.value.items) == 0 || e.value.items[0].kind != mapping {
		return text + " " + e.value.write()
	}
	for _, item := range e.value.items {
		text += "\n" + strings.Repeat(" ", indent+2) + "- " + item.write()
	}
	return text
}

// write returns the text of a value in one line.
func (n *node) write() string {
	var parts []string
	switch n.kind {
	case mapping:
		for _, e := range n.entries {
			parts = append(parts, writeText(e.key, false)+": "+e.value.write())
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case sequence:
		for _, item := range n.items {
			parts = append(parts, item.write())
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case scalar:
		return writeText(n.text, n.quoted)
	}
	return ""
}

// value returns a value as JSON has it.
func (n *node) value() any {
	switch n.kind {
	case mapping:
		out := map[string]any{}
		for _, e := range n.entries {
			out[e.key] = e.value.value()
		}
		return out
	case sequence:
		out := []any{}
		for _, item := range n.items {
			out = append(out, item.value())
		}
		return out
	case scalar:
		if json.Valid([]byte(n.text)) && !n.quoted {
			return json.RawMessage(n.text)
		}
		return n.text
	}
	return nil
}

// writeText returns a text, in JSON's quotes, which YAML has too, if it had or
// needs some.
func writeText(text string, quoted bool) string {
	if bare := parseTree("", []byte("["+text+"]"), newProblems()); !quoted && bare != nil && len(bare.items) == 1 {
		if one := bare.items[0]; one.kind == scalar && one.text == text && !one.quoted {
			return text
		}
	}
	out, err := json.Marshal(text)
	if err != nil {
		panic(err) // a text always encodes
	}
	return string(out)
}

// quotesMatter reports whether a text means something else without quotes.
func quotesMatter(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil || text == "true" || text == "false"
}
