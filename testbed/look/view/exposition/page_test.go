package exposition_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/testbed/look/view/exposition"
)

var update = flag.Bool("update", false, "write the table of docs/prometheus.md anew")

// table returns the table of readings for docs/prometheus.md.
func table() string {
	var text strings.Builder
	text.WriteString("| name | type | more labels | of runs | what |\n|---|---|---|---|---|\n")
	for _, f := range exposition.Families() {
		when := ""
		switch {
		case f.While && f.When:
			when = "live"
		case f.While:
			when = "only live"
		}
		more := ""
		if f.Label != "" {
			more = "`" + f.Label + "`"
		}
		fmt.Fprintf(&text, "| `%s` | %s | %s | %s | %s |\n", f.Name, f.Type, more, when, f.Help)
	}
	return text.String()
}

// The page lists the exposed readings. go test ./testbed/look/view/exposition -update writes it again.
func TestPage(t *testing.T) {
	const path, begin, end = "../../../../docs/prometheus.md", "<!-- families -->\n", "<!-- end of families -->\n"
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(page), begin)
	has, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("%s has no %s", path, begin)
	}
	if has == table() {
		return
	}
	if !*update {
		t.Fatalf("%s is stale: go test ./testbed/look/view/exposition -update", path)
	}
	if err := os.WriteFile(path, []byte(before+begin+table()+end+after), 0o666); err != nil {
		t.Fatal(err)
	}
}
