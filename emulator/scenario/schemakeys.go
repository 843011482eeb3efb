package scenario

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
)

// schemaNode is a part of the JSON Schema, as far as completion reads it.
type schemaNode struct {
	Ref                  string                 `json:"$ref"`
	Description          string                 `json:"description"`
	Type                 any                    `json:"type"`
	Enum                 []any                  `json:"enum"`
	Properties           map[string]*schemaNode `json:"properties"`
	Items                *schemaNode            `json:"items"`
	AdditionalProperties json.RawMessage        `json:"additionalProperties"`
	AnyOf                []*schemaNode          `json:"anyOf"`
	OneOf                []*schemaNode          `json:"oneOf"`
	AllOf                []*schemaNode          `json:"allOf"`
	Then                 *schemaNode            `json:"then"`
	Definitions          map[string]*schemaNode `json:"definitions"`
	Defs                 map[string]*schemaNode `json:"$defs"`
}

// UnmarshalJSON reads a node. A key that is refused has false in its place, and
// a pair of bounds a list of nodes: neither has keys.
func (n *schemaNode) UnmarshalJSON(text []byte) error {
	if text[0] != '{' {
		return nil
	}
	type plain schemaNode
	return json.Unmarshal(text, (*plain)(n))
}

// schemaTree is the whole schema.
type schemaTree struct{ root *schemaNode }

// readSchema reads the schema once.
var readSchema = sync.OnceValues(func() (schemaTree, error) {
	root := &schemaNode{}
	err := json.Unmarshal(Schema(), root)
	return schemaTree{root}, err
})

// forms are a node and the alternatives that it allows, references followed.
func (t schemaTree) forms(n *schemaNode) (forms []*schemaNode) {
	if n == nil {
		return nil
	}
	forms = append(forms, n)
	if name, ok := strings.CutPrefix(n.Ref, "#/definitions/"); ok {
		forms = append(forms, t.forms(t.root.Definitions[name])...)
	}
	if name, ok := strings.CutPrefix(n.Ref, "#/$defs/"); ok {
		forms = append(forms, t.forms(t.root.Defs[name])...)
	}
	for _, list := range [][]*schemaNode{n.AnyOf, n.OneOf, n.AllOf} {
		for _, one := range list {
			forms = append(forms, t.forms(one)...)
		}
	}
	return append(forms, t.forms(n.Then)...)
}

// child is where a step of a path leads: a key, or the name of an item of a
// list or mapping.
func (t schemaTree) child(n *schemaNode, step string) *schemaNode {
	forms := t.forms(n)
	for _, form := range forms {
		if p := form.Properties[step]; p != nil && p.Description != "" {
			return p // a condition names keys too, without saying what they are
		}
	}
	for _, form := range forms {
		if form.Items == nil {
			continue
		}
		if within := t.child(form.Items, step); within != nil {
			return within // no name means all items
		}
		return form.Items
	}
	for _, form := range forms {
		of := &schemaNode{}
		if len(form.AdditionalProperties) > 0 && form.AdditionalProperties[0] == '{' &&
			json.Unmarshal(form.AdditionalProperties, of) == nil {
			return of
		}
	}
	return nil
}

// at is the node of a path.
func (t schemaTree) at(path string) *schemaNode {
	n := t.root
	for step := range strings.SplitSeq(strings.TrimSuffix(path, "."), ".") {
		if step != "" {
			n = t.child(n, step)
		}
	}
	return n
}

// Key is a key of scenarios.
type Key struct {
	// Path is its whole path, such as switch.ecn.kmin, Doc its documentation.
	Path, Doc string
	// Section says that there are keys below it.
	Section bool
}

// KeysBelow lists the keys below a path that is "" or ends with a dot, in alphabetical order. A step of the path may be
// the name of an item of a list or a mapping.
func KeysBelow(path string) (list []Key) {
	t, err := readSchema()
	if err != nil {
		return nil
	}
	keys := map[string]*schemaNode{}
	for _, form := range t.forms(t.at(path)) {
		forms := []*schemaNode{form}
		if form.Items != nil {
			forms = t.forms(form.Items)
		}
		for _, f := range forms {
			for key, n := range f.Properties {
				if n.Description != "" {
					keys[key] = n
				}
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		list = append(list, Key{path + key, keys[key].Description, t.hasKeys(keys[key])})
	}
	return list
}

// hasKeys reports whether a node has keys of its own.
func (t schemaTree) hasKeys(n *schemaNode) bool {
	return slices.ContainsFunc(t.forms(n), func(form *schemaNode) bool {
		return len(form.Properties) > 0 || form.Items != nil && t.hasKeys(form.Items) ||
			len(form.AdditionalProperties) > 0 && form.AdditionalProperties[0] == '{'
	})
}

// ValuesAt lists the values of a key that has a few words as its values; none for other keys.
func ValuesAt(path string) (list []string) {
	t, err := readSchema()
	if err != nil {
		return nil
	}
	for _, form := range t.forms(t.at(path)) {
		if form.Type == "boolean" {
			list = append(list, "true", "false")
		}
		for _, value := range form.Enum {
			if word, ok := value.(string); ok {
				list = append(list, word)
			}
		}
	}
	return list
}

// KeyThatEnds is the shortest path of a key that ends as the given one does, such as switch.ecn.kmin for ecn.kmin, or
// "".
func KeyThatEnds(end string) string {
	level := []string{""}
	for range 4 { // steps: deeper keys are of rare things
		var below []string
		for _, above := range level {
			for _, key := range KeysBelow(above) {
				if strings.HasSuffix("."+key.Path, "."+end) {
					return key.Path
				}
				if key.Section && !slices.Contains([]string{"variants", "switches", "nics"}, key.Path) {
					below = append(below, key.Path+".")
				}
			}
		}
		level = below
	}
	return ""
}
