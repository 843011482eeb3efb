package scenario

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// SchemaID is where the JSON Schema of scenarios is published.
const SchemaID = "https://rocelab.github.io/schema/scenario.json"

// Schema returns the JSON Schema (draft-07) of scenario files, made from the
// same tables that read them. What only the whole plan can tell, such as a
// host that does not exist, is beyond it. Where values differ by type or by
// kind it says so by if and then, so that whoever checks a file names the key
// that is wrong, not all that it could have been. The descriptions, defaults
// and errorMessages are for editors.
func Schema() []byte {
	made := &outline{definitions: map[string]any{}}
	s := rootKeys.mapping(made)
	whole := rootKeys.whole()
	s["required"], s["allOf"] = whole["required"], whole["allOf"]
	s["$schema"] = "http://json-schema.org/draft-07/schema#"
	s["$id"] = SchemaID
	s["title"] = "rocelab scenario"
	s["definitions"] = made.definitions
	return []byte(encodeLines(s, 2) + "\n")
}

// encodeLines returns JSON in which each entry down to a depth has a line of
// its own.
func encodeLines(s schema, depth int) string {
	var lines []string
	for _, key := range slices.Sorted(maps.Keys(s)) {
		value, isMapping := s[key].(schema)
		text := ""
		if isMapping && depth > 1 {
			text = encodeLines(value, depth-1)
		} else {
			text = encode(s[key])
		}
		lines = append(lines, encode(key)+": "+text)
	}
	return "{\n" + strings.Join(lines, ",\n") + "\n}"
}

func encode(s any) string {
	var out strings.Builder
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err) // maps, lists, texts and numbers always encode
	}
	return strings.TrimSpace(out.String())
}

// schema is a JSON Schema.
type schema = map[string]any

// outline is a schema in the making.
type outline struct {
	// definitions are the parts that others refer to, by name.
	definitions schema
	// overlay asks for what may be laid over the rest, where no key is required.
	overlay bool
}

// define returns a reference to a definition, which is made by make at its
// first use.
func (o *outline) define(name string, make func() schema) schema {
	if o.definitions[name] == nil {
		o.definitions[name] = make()
	}
	return schema{"$ref": "#/definitions/" + name}
}

// asOverlay and asWhole return the outline for a part that is laid over
// another, and for one that is all there is.
func (o *outline) asOverlay() *outline { return &outline{o.definitions, true} }
func (o *outline) asWhole() *outline   { return &outline{o.definitions, false} }

// byType returns the schema of a value that is of a type or something else.
func byType(kind string, then, otherwise schema) schema {
	return schema{"if": schema{"type": kind}, "then": then, "else": otherwise}
}

// schema returns the JSON Schema of the object. What must be there in one that
// is no overlay is a definition over that of its keys.
func (o *object[T]) schema(s *outline) schema {
	name := strings.ReplaceAll(o.what, " ", "-")
	keys := s.define(name, func() schema { return o.mapping(s.asOverlay()) })
	whole := o.whole()
	if s.overlay || whole == nil {
		return keys
	}
	return s.define("whole-"+name, func() schema {
		rules, _ := whole["allOf"].([]any)
		whole["allOf"] = append([]any{keys}, rules...)
		return whole
	})
}

// whole returns the conditions on a mapping that is not an overlay; nil if there are none.
func (o *object[T]) whole() schema {
	out, properties := schema{}, schema{}
	var required []string
	var rules []any
	for i := range o.fields {
		f := &o.fields[i]
		switch {
		case !f.required || len(f.kinds) > 0:
		case f.unless != nil:
			rules = append(rules, schema{"if": f.unless.schema, "else": schema{"required": []string{f.key}}})
		default:
			required = append(required, f.key)
		}
		if f.whole != nil {
			if below := f.whole(); below != nil {
				properties[f.key] = below
			}
		}
	}
	if len(required) > 0 {
		out["required"] = required
	}
	if len(properties) > 0 {
		out["properties"] = properties
	}
	if o.kind != "" {
		rules = append(rules, o.kindRules()...)
	}
	if len(rules) > 0 {
		out["allOf"] = rules
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// mapping returns the JSON Schema of the object's keys, all optional.
func (o *object[T]) mapping(s *outline) schema {
	properties := schema{}
	for i := range o.fields {
		properties[o.fields[i].key] = o.fields[i].property(s)
	}
	out := schema{"type": "object", "additionalProperties": false, "properties": properties}
	if o.doc != "" {
		out["description"] = o.doc
	}
	return out
}

// property returns the schema of a key's value, with what editors show.
func (f *field[T]) property(s *outline) schema {
	out := schema{"description": f.doc}
	for k, v := range f.schema(s) {
		out[k] = v
	}
	if f.def != "" {
		out["description"] = f.doc + " Default " + f.def + "."
		if def := parseTree("default", []byte(f.def), newProblems()); def != nil {
			out["default"] = def.Plain()
		}
	}
	return out
}

// kindRules lists, kind by kind, the keys that do not apply and the required ones. A mapping without a kind is of the
// kind that its keys imply: the first key that a kind cannot leave out.
func (o *object[T]) kindRules() []any {
	var rules, told []any
	for _, kind := range o.kinds {
		refused := schema{}
		var required []string
		for i := range o.fields {
			f := &o.fields[i]
			if !f.applies(kind) {
				refused[f.key] = false
			} else if f.useBy(kind).required && len(f.kinds) > 0 {
				required = append(required, f.key)
			}
		}
		then := schema{"properties": refused}
		var unnamed any = false
		if len(required) > 0 {
			then["required"] = required
			if !slices.Contains(o.written, kind) {
				unnamed = schema{"required": required[:1]}
				told = append(told, unnamed)
			}
		}
		rules = append(rules, schema{
			"if": schema{
				"if":   schema{"required": []string{o.kind}},
				"then": schema{"properties": schema{o.kind: schema{"const": kind}}},
				"else": unnamed,
			},
			"then": then,
		})
	}
	return append(rules, schema{"if": schema{"not": schema{"anyOf": told}}, "then": schema{"required": []string{o.kind}}})
}

// patternsSchema is a mapping of names or patterns to settings.
func patternsSchema(one func(*outline) schema) func(*outline) schema {
	return func(s *outline) schema {
		return schema{"type": "object", "additionalProperties": one(s)}
	}
}

// variantsSchema is a list of overlays.
func variantsSchema(s *outline) schema {
	part := *rootKeys
	part.doc = ""
	part.fields = slices.Clone(rootKeys.fields)
	part.fields = slices.DeleteFunc(part.fields, func(f field[draft]) bool { return notInVariants[f.key] })
	one := part.mapping(s.asOverlay())
	name := nameSchema(s)
	name["description"] = "Name of the variant, unique."
	one["properties"].(schema)["name"] = name
	one["required"] = []string{"name"}
	return schema{"type": "array", "minItems": 1, "maxItems": maxVariants, "items": one}
}
