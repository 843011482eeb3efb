package sonic

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/conversion"
	"github.com/rocelab/rocelab/emulator/document"
)

// MaxSource bounds a configuration in bytes: one of 1024 ports has less than a tenth of it.
const MaxSource = 32 << 20

// language bounds a configuration: it has four levels, and the values take memory.
var language = &document.Language{
	Name:      "configuration",
	MaxBytes:  MaxSource,
	MaxDepth:  16,
	MaxValues: 1 << 20,
}

// value is a value of the file.
type value struct {
	*document.Node
	// key is its key in its parent, which is nil for the whole.
	key    string
	parent *value
	// members are an object's, in the order of the file.
	members []member
	// line is the report on a single value; nil if there is none yet.
	line *conversion.Line
}

type member struct {
	key   string
	value *value
}

// kindNames are the kinds of values in words of JSON.
var kindNames = map[document.Kind]string{
	document.Empty:    "null",
	document.Scalar:   "a text",
	document.Mapping:  "an object",
	document.Sequence: "a list",
}

// path is where the value is in the file, as a JSON pointer.
func (v *value) path() string {
	if v.parent == nil {
		return ""
	}
	return v.parent.path() + pointer(v.key)
}

// child returns the value of an object's key, nil if it has none.
func (v *value) child(key string) *value {
	if v == nil {
		return nil
	}
	for _, m := range v.members {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

// problems collects the faults of a file.
type problems struct{ document.Problems }

// add places a problem at a value, whose path the message begins with.
func (p *problems) add(at *value, format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	if path := at.path(); path != "" {
		message = shorten(path) + ": " + message
	}
	p.Add(at.At, "%s", message)
}

// shorten keeps quotes in a message readable.
func shorten(text string) string { return document.ShortenTo(text, 120) }

// parse reads the JSON of a configuration; nil if it is not valid, with the reason in problems.
func parse(p *problems, file string, text []byte) *value {
	root := language.ParseJSON(file, text, p.Add)
	if root == nil {
		return nil
	}
	if root.Kind != document.Mapping {
		p.Add(root.At, "a configuration is an object of tables, not %s", kindNames[root.Kind])
		return nil
	}
	return valueOf(root, "", nil)
}

// valueOf is a node, at a key of its parent, with room for the report on it.
func valueOf(n *document.Node, key string, parent *value) *value {
	v := &value{Node: n, key: key, parent: parent}
	for _, e := range n.Entries {
		v.members = append(v.members, member{e.Key, valueOf(e.Value, e.Key, v)})
	}
	return v
}
