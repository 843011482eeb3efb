package prometheus

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/testbed/look/view/exposition"
)

// board is the part of a dashboard that concerns Prometheus.
type board struct {
	Templating struct {
		List []struct {
			Name, Type string
			// Query is text of a source, and of a variable it has the text in it.
			Query json.RawMessage
		}
	}
	Panels []struct {
		Title   string
		Targets []struct{ Expr string }
	}
}

func readBoard(t *testing.T) (b board) {
	t.Helper()
	if err := json.Unmarshal(exposition.Dashboard, &b); err != nil {
		t.Fatal(err)
	}
	return b
}

// filled puts values in the place of variables, as Grafana does with "All": $run becomes
// (a|b), each escaped as a regular expression within a string of PromQL.
func filled(text string, values map[string][]string) string {
	for name, list := range values {
		var all []string
		for _, value := range list {
			all = append(all, strings.ReplaceAll(regexp.QuoteMeta(value), `\`, `\\`))
		}
		text = strings.ReplaceAll(text, "$"+name, "("+strings.Join(all, "|")+")")
	}
	return strings.ReplaceAll(text, "$__rate_interval", "30s")
}

// variables are the values of the dashboard's variables, asked for in their order.
func (s *server) variables(b board) (map[string][]string, error) {
	values := map[string][]string{}
	for _, variable := range b.Templating.List {
		if variable.Type != "query" {
			continue
		}
		var asked struct{ Query string }
		if err := json.Unmarshal(variable.Query, &asked); err != nil {
			return nil, err
		}
		list, err := s.labelValues(filled(asked.Query, values))
		if err != nil {
			return nil, err
		}
		values[variable.Name] = list
	}
	return values, nil
}
