package main

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/scenario"
)

// completeSet completes key=value of a scenario's override, a step of the path
// at a time: switch., switch.ecn., switch.ecn.kmin=. Of a command that judges an
// algorithm it completes that one's parameters.
func completeSet(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	const noSpace = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	if !strings.Contains(c.Use, "SCENARIO") {
		name := strings.Join(args, "")
		if f := c.Flags().Lookup("algorithm"); f != nil && f.Changed {
			name = strings.Trim(f.Value.String(), "[]")
		}
		return parametersOf(name, ""), noSpace
	}
	schema, err := readSchema()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	if path, _, ok := strings.Cut(typed, "="); ok {
		return schema.valuesAt(path), cobra.ShellCompDirectiveNoFileComp
	}
	return schema.keysBelow(typed[:strings.LastIndexByte(typed, '.')+1]), noSpace
}

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

func readSchema() (schemaTree, error) {
	root := &schemaNode{}
	err := json.Unmarshal(scenario.Schema(), root)
	return schemaTree{root}, err
}

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

// keysBelow lists the keys below a path that is "" or ends with a dot: those
// with keys below them end with a dot too, the others with an equals sign.
func (t schemaTree) keysBelow(path string) (offered []string) {
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
		end := "="
		if t.hasKeys(keys[key]) {
			end = "."
		}
		offered = append(offered, cobra.CompletionWithDesc(path+key+end, keys[key].Description))
	}
	return offered
}

// hasKeys reports whether a node has keys of its own.
func (t schemaTree) hasKeys(n *schemaNode) bool {
	return slices.ContainsFunc(t.forms(n), func(form *schemaNode) bool {
		return len(form.Properties) > 0 || form.Items != nil && t.hasKeys(form.Items) ||
			len(form.AdditionalProperties) > 0 && form.AdditionalProperties[0] == '{'
	})
}

// valuesAt lists the values of a path where these are a few words.
func (t schemaTree) valuesAt(path string) (offered []string) {
	for _, form := range t.forms(t.at(path)) {
		if form.Type == "boolean" {
			offered = append(offered, path+"=true", path+"=false")
		}
		for _, value := range form.Enum {
			if word, ok := value.(string); ok {
				offered = append(offered, path+"="+word)
			}
		}
	}
	return offered
}
