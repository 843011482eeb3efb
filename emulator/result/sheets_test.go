package result

import (
	"bytes"
	"strings"
	"testing"
)

// The list of columns equals the written and documented ones.
func TestSheetColumnsAreThoseOfTheDocumentation(t *testing.T) {
	all := SheetColumns()
	file := ""
	documented := map[string][]string{}
	for line := range strings.Lines(string(Columns(nil))) {
		line = strings.TrimSpace(line)
		if name, is := strings.CutPrefix(line, "## "); is {
			file = name
		}
		if name, is := strings.CutPrefix(line, "| `"); is && strings.HasSuffix(file, ".csv") {
			name, _, _ = strings.Cut(name, "`")
			documented[file] = append(documented[file], name)
		}
	}
	if len(documented) != len(sheets) {
		t.Errorf("%d sheets are documented, of %d", len(documented), len(sheets))
	}
	for file, columns := range documented {
		t.Run(file, func(t *testing.T) {
			var names []string
			for _, c := range all[file][2:] {
				names = append(names, c.Name)
			}
			if strings.Join(names, " ") != strings.Join(columns, " ") {
				t.Errorf("%s has %v, and documented are %v", file, names, columns)
			}
		})
	}
	var text bytes.Buffer
	if _, err := portSheet.write(&text, runLabel{"x", 1}, func(func(*ranPort) bool) {}); err != nil {
		t.Fatal(err)
	}
	for i, name := range strings.Split(strings.TrimSpace(text.String()), ",") {
		if c := all["ports.csv"][i]; c.Name != name ||
			(c.Kind == TextColumn) != (name == "variant" || name == "node" || name == "peer") ||
			(c.Kind == TimeColumn) != (name == "busy_us") {
			t.Errorf("column %d of ports.csv is %+v, and %s is written", i, c, name)
		}
	}
}
