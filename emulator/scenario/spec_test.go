package scenario

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/specs/tier"
)

const specs = "../../specs/scenarios"

// known accepts the shipped algorithms by their names, and refuses one parameter
// that none has and one value of a parameter.
func known(name string, params map[string]string) error {
	if _, ok := shipped.Find(name); !ok {
		return fmt.Errorf("there is no algorithm %q: allowed are dcqcn, fixed, pc4", name)
	}
	for p, v := range params {
		if p == "bogus" {
			return fmt.Errorf("algorithm %s: %w", name, &ParamProblem{p, "there is no such parameter"})
		}
		if p == "beta" && v == "huge" {
			return fmt.Errorf("algorithm %s: %w", name, &ParamProblem{p, `"huge" is not a number`})
		}
	}
	return nil
}

func compiled(t testing.TB) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(Schema())))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(SchemaID, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(SchemaID)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// instance reads YAML as an editor's language server does.
func instance(src []byte) (any, error) {
	j, err := yaml.YAMLToJSON(src)
	if err != nil {
		return nil, err
	}
	return jsonschema.UnmarshalJSON(strings.NewReader(string(j)))
}

func shippedScenarios(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(specs + "/*.yaml")
	live, _ := filepath.Glob(specs + "/live/*.yaml")
	if files = append(files, live...); len(live) < 2 {
		t.Fatalf("%d scenarios in %s/live, want at least 2", len(live), specs)
	}
	// printed values, no scenarios
	files = slices.DeleteFunc(files, func(f string) bool { return strings.HasSuffix(f, ".reference.yaml") })
	if err != nil || len(files) < 8 {
		t.Fatalf("%d scenarios in %s (%v), want at least 8", len(files), specs, err)
	}
	return files
}

func TestShippedScenarios(t *testing.T) {
	schema := compiled(t)
	for _, file := range shippedScenarios(t) {
		s, err := Load(file, known)
		if err != nil {
			t.Errorf("%s:\n%v", file, err)
			continue
		}
		if want := fileName(file); s.Name != want {
			t.Errorf("%s has the name %s, want %s", file, s.Name, want)
		}
		if v, err := instance(s.Source); err != nil {
			t.Errorf("%s: %v", file, err)
		} else if err := schema.Validate(v); err != nil {
			t.Errorf("%s does not agree with the schema: %v", file, err)
		}
	}
}

// The same file gives the same plans, to the last bit.
func TestPlansAreDeterministic(t *testing.T) {
	tier.Everyday(t)
	for _, file := range shippedScenarios(t) {
		if strings.Contains(file, "1024") && testing.Short() {
			continue
		}
		a, err := Load(file, known)
		if err != nil {
			t.Fatal(err)
		}
		b, err := Load(file, known)
		if err != nil {
			t.Fatal(err)
		}
		p, _ := a.Plans()
		q, _ := b.Plans()
		if !reflect.DeepEqual(p, q) {
			t.Errorf("%s gives two different sets of plans", file)
		}
	}
}

func TestSchemaIsDocumented(t *testing.T) {
	var s map[string]any
	if err := json.Unmarshal(Schema(), &s); err != nil {
		t.Fatal(err)
	}
	if s["$id"] != SchemaID {
		t.Errorf("$id is %v", s["$id"])
	}
	described := 0
	var walk func(path string, s map[string]any)
	walk = func(path string, s map[string]any) {
		props, _ := s["properties"].(map[string]any)
		for key, p := range props {
			m := p.(map[string]any)
			if doc, _ := m["description"].(string); len(doc) < 10 {
				t.Errorf("%s.%s has no description", path, key)
			}
			described++
			walk(path+"."+key, m)
		}
	}
	walk("scenario", s)
	for name, d := range s["definitions"].(map[string]any) {
		if !strings.HasPrefix(name, "whole-") { // these say only what must be there
			walk(name, d.(map[string]any))
		}
	}
	if described < 200 {
		t.Errorf("%d keys are described, want all", described)
	}
}

// Each default in the schema is one that the schema takes.
func TestSchemaTakesItsDefaults(t *testing.T) {
	var s map[string]any
	if err := json.Unmarshal(Schema(), &s); err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(Schema())))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.AddResource(SchemaID, doc); err != nil {
		t.Fatal(err)
	}
	defaults := 0
	for name, d := range s["definitions"].(map[string]any) {
		properties, _ := d.(map[string]any)["properties"].(map[string]any)
		for key, p := range properties {
			value, ok := p.(map[string]any)["default"]
			if !ok {
				continue
			}
			defaults++
			one, err := c.Compile(SchemaID + "#/definitions/" + name + "/properties/" + key)
			if err != nil {
				t.Fatal(err)
			}
			if err := one.Validate(value); err != nil {
				t.Errorf("%s.%s: default %v: %v", name, key, value, err)
			}
		}
	}
	if defaults < 100 {
		t.Errorf("%d keys have a default, want all", defaults)
	}
}

// The schema's patterns are the ones that parse values, and its size stays small enough for an editor to read at once.
func TestSchemaSaysEachThingOnce(t *testing.T) {
	text := string(Schema())
	for _, n := range []*unit.Notation{unit.Durations, unit.Lengths, unit.Sizes, unit.Rates} {
		pattern, err := json.Marshal(n.Pattern())
		if err != nil {
			t.Fatal(err)
		}
		if found := strings.Count(text, `"pattern":`+string(pattern)); found != 1 {
			t.Errorf("the pattern %s is there %d times, want once", pattern, found)
		}
	}
	if len(text) > 104_000 {
		t.Errorf("the schema has %d bytes: does something repeat what could be a definition?", len(text))
	}
	if strings.Count(text, "anyOf") > 3 { // of kinds, as conditions
		t.Error("anyOf names all alternatives where one is meant: use if and then")
	}
}
