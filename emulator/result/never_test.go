package result

import (
	"path/filepath"
	"strings"
	"testing"
)

// What never happened has an empty cell, not a time.
func TestNeverIsEmpty(t *testing.T) {
	o := star()
	o.Flows[0].Sender.FirstCNP = 3 * us
	o.Switches[0].Ports[2].Queues.Of(3).Congested = 2 * us
	dir := filepath.Join(t.TempDir(), "run")
	writeFolder(t, dir, o)
	files := contents(t, dir)
	for _, c := range []struct{ file, column, want string }{
		{"a/flows.csv", "first_cnp_us", "3.000000 "},
		{"a/queues.csv", "congested_us", "2.000000"},
	} {
		t.Run(c.file, func(t *testing.T) {
			var cells []string
			at := -1
			for line := range strings.Lines(files[c.file]) {
				row := strings.Split(strings.TrimSpace(line), ",")
				if at < 0 {
					for at = 0; at < len(row) && row[at] != c.column; at++ {
					}
					continue
				}
				cells = append(cells, row[at])
			}
			if got := strings.Join(cells, " "); !strings.Contains(got, c.want) || strings.Contains(got, "0.000000 ") ||
				strings.HasSuffix(got, " 0.000000") {
				t.Errorf("%s of %s is %q", c.column, c.file, got)
			}
		})
	}
}
