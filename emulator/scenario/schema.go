package scenario

import (
	"bytes"
	"encoding/json"
	"slices"
)

// SchemaID is where the JSON Schema of scenarios is published.
const SchemaID = "https://rocelab.github.io/schema/scenario.json"

// Schema returns the JSON Schema (draft-07) of scenario files, made from the
// same tables that read them. What only the whole plan can tell, such as a
// host that does not exist, is beyond it.
func Schema() []byte {
	s := rootKeys.schema(false)
	s["$schema"] = "http://json-schema.org/draft-07/schema#"
	s["$id"] = SchemaID
	s["title"] = "rocelab scenario"
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(s); err != nil {
		panic(err) // maps, lists, texts and numbers always encode
	}
	return out.Bytes()
}

// schema returns the JSON Schema of the object; overlay asks for the schema of one
// that is laid over another, where no key is required.
func (o *object[T]) schema(overlay bool) map[string]any {
	properties := map[string]any{}
	required := []string{}
	for i := range o.fields {
		key := &o.fields[i]
		p := map[string]any{}
		for k, v := range key.schema(overlay) {
			p[k] = v
		}
		p["description"], p["markdownDescription"] = key.doc, key.doc
		if key.def != "" {
			p["markdownDescription"] = key.doc + " Default `" + key.def + "`."
			p["description"] = key.doc + " Default " + key.def + "."
		}
		properties[key.key] = p
		if key.required && len(key.kinds) == 0 {
			required = append(required, key.key)
		}
	}
	schema := map[string]any{"type": "object", "additionalProperties": false, "properties": properties}
	if o.doc != "" {
		schema["description"] = o.doc
	}
	if overlay {
		return schema
	}
	if len(required) > 0 {
		schema["required"] = required
	}
	if o.kind != "" {
		schema["allOf"] = o.kindRules()
	}
	return schema
}

// kindRules says, kind by kind, which keys do not apply and which must be
// there. A mapping without a kind is of the kind that its keys tell: the first
// key that a kind cannot leave out.
func (o *object[T]) kindRules() []any {
	var rules, told []any
	named := map[string]any{"required": []string{o.kind}}
	for _, kind := range o.kinds {
		then := map[string]any{}
		refused := map[string]any{}
		var required []string
		for i := range o.fields {
			f := &o.fields[i]
			if !f.applies(kind) {
				refused[f.key] = false
			} else if f.required && len(f.kinds) > 0 {
				required = append(required, f.key)
			}
		}
		then["properties"] = refused
		if len(required) > 0 {
			then["required"] = required
		}
		rules = append(rules, map[string]any{
			"if": map[string]any{"required": []string{o.kind},
				"properties": map[string]any{o.kind: map[string]any{"const": kind}}},
			"then": then,
		})
		if len(required) > 0 {
			key := map[string]any{"required": required[:1]}
			told = append(told, key)
			rules = append(rules,
				map[string]any{"if": map[string]any{"allOf": []any{key, map[string]any{"not": named}}},
					"then": then})
		}
	}
	return append(rules, map[string]any{"anyOf": append(told, named)})
}

// patternsSchema is a mapping of names or patterns to settings.
func patternsSchema(one func(bool) map[string]any) func(bool) map[string]any {
	return func(overlay bool) map[string]any {
		return map[string]any{"type": "object", "additionalProperties": one(overlay)}
	}
}

// variantsSchema is a list of overlays.
func variantsSchema(bool) map[string]any {
	one := rootKeys.overlayOf(func(key string) bool { return !notInVariants[key] })
	one["properties"].(map[string]any)["name"] = map[string]any{"type": []string{"string", "number"},
		"pattern": namePattern, "maxLength": 64,
		"description": "Name of the variant, unique."}
	one["required"] = []string{"name"}
	return map[string]any{"type": "array", "minItems": 1, "maxItems": maxVariants, "items": one}
}

// overlayOf returns the overlay schema of the object with some of its keys.
func (o *object[T]) overlayOf(keep func(string) bool) map[string]any {
	part := *o
	part.fields = slices.DeleteFunc(slices.Clone(o.fields), func(f field[T]) bool { return !keep(f.key) })
	return part.schema(true)
}
