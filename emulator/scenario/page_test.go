package scenario

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestThePageStatesTheDefaults: the two tables of docs/scenarios.md that have a column of
// defaults state those of the schema. Short tier, 10 ms.
func TestThePageStatesTheDefaults(t *testing.T) {
	page, err := os.ReadFile("../../docs/scenarios.md")
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Definitions map[string]struct {
			Properties map[string]struct{ Default any }
		}
	}
	if err := json.Unmarshal(Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, table := range []struct {
		head, of string
		defaults int
	}{
		{head: "| key | default | meaning |", of: "switch", defaults: 1},
		{head: "| key | meaning | default |", of: "edge", defaults: 2},
	} {
		t.Run(table.head, func(t *testing.T) {
			_, rest, found := strings.Cut(string(page), table.head)
			if !found {
				t.Fatalf("docs/scenarios.md has no table %q", table.head)
			}
			rows, _, _ := strings.Cut(rest, "\n\n")
			for _, row := range strings.Split(rows, "\n")[2:] { // below the head
				cells := strings.Split(strings.ReplaceAll(strings.Trim(row, "| "), "`", ""), " | ")
				keys, stated := strings.Split(cells[0], ", "), strings.Split(cells[table.defaults], ", ")
				for i, key := range keys {
					of, name := table.of, key
					if group, inner, nested := strings.Cut(key, "."); nested {
						of, name = group, inner
					}
					property, known := schema.Definitions[of].Properties[name]
					if !known {
						t.Errorf("docs/scenarios.md: %s has no key %q", of, name)
						continue
					}
					if property.Default == nil {
						continue // the page describes it in words
					}
					compared++
					if want := fmt.Sprint(property.Default); stated[min(i, len(stated)-1)] != want {
						t.Errorf("docs/scenarios.md: the default of %s is %s, not %q", key, want, stated[min(i, len(stated)-1)])
					}
				}
			}
		})
	}
	if compared < 10 {
		t.Errorf("%d defaults were compared, of 11", compared)
	}
}
