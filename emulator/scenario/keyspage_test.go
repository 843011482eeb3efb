package scenario

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// keySchema is the part of the JSON Schema that docs/keys.md shows.
type keySchema struct {
	Ref                  string `json:"$ref"`
	Description          string
	Enum                 []any
	Items                json.RawMessage
	AdditionalProperties json.RawMessage
	Then                 *keySchema
	AllOf, AnyOf         []keySchema
	Properties           map[string]keySchema
	Definitions          map[string]keySchema
}

// UnmarshalJSON skips whatever is not an object, such as a list of items or false.
func (k *keySchema) UnmarshalJSON(text []byte) error {
	type plain keySchema
	if text[0] != '{' {
		return nil
	}
	return json.Unmarshal(text, (*plain)(k))
}

// section is the section with the keys of a definition, "" if it has none.
func (k *keySchema) section(all map[string]keySchema) string {
	name := strings.TrimPrefix(strings.TrimPrefix(k.Ref, "#/definitions/"), "whole-")
	if len(all[name].Properties) > 0 {
		return name
	}
	parts := slices.Concat(k.AllOf, k.AnyOf)
	for _, text := range []json.RawMessage{k.Items, k.AdditionalProperties} {
		var part keySchema
		if text != nil && json.Unmarshal(text, &part) == nil {
			parts = append(parts, part)
		}
	}
	if k.Then != nil {
		parts = append(parts, *k.Then)
	}
	for i := range parts {
		if name := parts[i].section(all); name != "" {
			return name
		}
	}
	return ""
}

// keysPage is the generated part of docs/keys.md.
func keysPage(t *testing.T) string {
	var root keySchema
	if err := json.Unmarshal(Schema(), &root); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	kinds := map[string]map[string][]string{
		"traffic entry": kindsByKey(trafficKeys),
		"topology":      kindsByKey(fabricKeys),
		"fault":         kindsByKey(faultKeys),
	}
	write := func(title string, k keySchema) {
		fmt.Fprintf(&b, "## %s\n\n%s\n\n| key | meaning |\n|---|---|\n", title, wrap(k.Description, 120))
		for _, key := range slices.Sorted(maps.Keys(k.Properties)) {
			property := k.Properties[key]
			text := strings.ReplaceAll(property.Description, "|", "\\|")
			if of := kinds[title][key]; len(of) > 0 {
				text += " Only for kind " + strings.Join(of, ", ") + "."
			}
			if len(property.Enum) > 0 && len(property.Enum) < 20 {
				var words []string
				for _, word := range property.Enum {
					words = append(words, fmt.Sprintf("`%v`", word))
				}
				text += " One of " + strings.Join(words, ", ") + "."
			}
			if name := property.section(root.Definitions); name != "" {
				title := titleOf(name)
				text += fmt.Sprintf(" Keys: [%s](#%s).", title, strings.ReplaceAll(title, " ", "-"))
			}
			fmt.Fprintf(&b, "| `%s` | %s |\n", key, strings.TrimSpace(text))
		}
		b.WriteByte('\n')
	}
	write("scenario", root)
	for _, name := range slices.Sorted(maps.Keys(root.Definitions)) {
		if k := root.Definitions[name]; len(k.Properties) > 0 && !strings.HasPrefix(name, "whole-") {
			write(titleOf(name), k)
		}
	}
	return b.String()
}

// kindsByKey returns the kinds that have a key, for keys of only some kinds.
func kindsByKey[T any](o *object[T]) map[string][]string {
	list := map[string][]string{}
	for i := range o.fields {
		if f := &o.fields[i]; len(f.kinds) < len(o.kinds) {
			list[f.key] = append(list[f.key], f.kinds...)
		}
	}
	return list
}

// titleOf is the heading of a definition; its anchor is the same with hyphens.
func titleOf(definition string) string {
	return strings.NewReplacer("-", " ", ".", " ", "_", " ").Replace(definition)
}

// wrap breaks a text into lines of at most width bytes.
func wrap(text string, width int) string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return strings.Join(append(lines, line), "\n")
}

// TestThePageListsTheKeys: docs/keys.md has every key of a scenario, as the schema describes
// it. Short tier, 20 ms.
func TestThePageListsTheKeys(t *testing.T) {
	const path, begin, end = "../../docs/keys.md", "<!-- keys -->\n\n", "<!-- end of keys -->"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begin)
	has, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("%s has no place for the keys", path)
	}
	want := keysPage(t)
	if *rewrite {
		if err := os.WriteFile(path, []byte(before+begin+want+end+after), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if has != want {
		t.Errorf("%s has other keys than the schema: go test ./emulator/scenario -run ThePageListsTheKeys -rewrite", path)
	}
}
