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

	"github.com/rocelab/rocelab/plugins/shipped"
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
	var walk func(path string, s map[string]any)
	walk = func(path string, s map[string]any) {
		props, _ := s["properties"].(map[string]any)
		for key, p := range props {
			m := p.(map[string]any)
			if doc, _ := m["description"].(string); len(doc) < 10 {
				t.Errorf("%s.%s has no description", path, key)
			}
			walk(path+"."+key, m)
		}
	}
	walk("scenario", s)
}
