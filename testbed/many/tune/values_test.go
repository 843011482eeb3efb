package tune

import (
	"slices"
	"strings"
	"testing"
)

// Values are listed, or a span in steps of one factor.
func TestParseAxis(t *testing.T) {
	for _, c := range []struct {
		text   string
		path   string
		values []string
		err    string
	}{
		{"switch.ecn.kmin=50KB, 100KB,1.5bdp", "switch.ecn.kmin", []string{"50KB", "100KB", "1.5bdp"}, ""},
		{"algorithm.params.first_rtt=line,1pkt", "algorithm.params.first_rtt", []string{"line", "1pkt"}, ""},
		{"a.b=10KB..1000KB", "a.b", []string{"10KB", "100KB", "1000KB"}, ""},
		{"a.b=1..4bdp", "a.b", []string{"1bdp", "2bdp", "4bdp"}, ""},
		{"a.b=0.01..1", "a.b", []string{"0.01", "0.1", "1"}, ""},
		{"a.b", "", nil, "is not a key with values"},
		{"a.b=", "", nil, "is not a key with values"},
		{"a.b=1,,2", "", nil, "a value is missing"},
		{"a.b=1KB..1us", "", nil, "two numbers of one unit"},
		{"a.b=5..1", "", nil, "a low end above 0"},
		{"a.b=0..1", "", nil, "a low end above 0"},
		{"a.b=x..y", "", nil, "two numbers of one unit"},
	} {
		t.Run(c.text, func(t *testing.T) {
			axis, err := ParseAxis(c.text, 3)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Errorf("%s: %v, want %q", c.text, err, c.err)
				}
				return
			}
			if err != nil || axis.Path != c.path || !slices.Equal(axis.Values, c.values) {
				t.Errorf("%s: %v, %v; want %s %v", c.text, axis, err, c.path, c.values)
			}
		})
	}
	if _, err := ParseAxis("a=1..2", 1); err == nil {
		t.Error("one step is accepted")
	}
}

// A grid has every combination, the last axis fastest, and each knows its neighbours.
func TestGrid(t *testing.T) {
	list := Grid([]Axis{{"a", []string{"1", "2"}}, {"b", []string{"x", "y", "z"}}})
	var names []string
	for i := range list {
		names = append(names, list[i].Name)
	}
	if !slices.Equal(names, []string{"a=1 b=x", "a=1 b=y", "a=1 b=z", "a=2 b=x", "a=2 b=y", "a=2 b=z"}) {
		t.Errorf("the grid is %v", names)
	}
	var next []int
	for i := range list {
		if list[i].nextTo(&list[1]) {
			next = append(next, i)
		}
	}
	if !slices.Equal(next, []int{0, 2, 4}) {
		t.Errorf("next to a=1 b=y are %v", next)
	}
	if rule := (Candidate{Name: "rule"}); rule.nextTo(&list[0]) || !rule.Known() || list[0].Known() {
		t.Error("a rule lies in the grid")
	}
}
