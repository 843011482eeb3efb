package papers_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/testbed/many/reproduce"
	"github.com/rocelab/rocelab/testbed/many/reproduce/published"
	"github.com/rocelab/rocelab/testbed/many/sweep"
)

// ROCELAB_DUMP=FILE go test ./specs/papers -run Dump writes what every row is: its words, and in each form the hash
// of its runs, variant by variant, seed by seed. Two of them are compared when rows are written in another way. With
// figures, compare the output of rocelab reproduce --all --format json from one folder of runs. Tier: by hand.
func TestDumpOfRows(t *testing.T) {
	file := os.Getenv("ROCELAB_DUMP")
	if file == "" {
		t.Skip("ROCELAB_DUMP names no file")
	}
	var out strings.Builder
	for _, row := range published.All() {
		dumpWords(t, &out, row)
		for _, full := range []bool{false, true} {
			if row.Scenario == nil {
				continue
			}
			job := lab.Site.Plan(row, full, nil)
			if job.Err != nil {
				t.Fatal(row.ID, job.Err)
			}
			var runs strings.Builder
			for _, run := range sweep.Whole.Runs(job.Plan) {
				fmt.Fprintln(&runs, run.ID, run.Variant, run.Seed, run.Keys)
			}
			fmt.Fprintf(&out, "%s %v: %d runs, %s\n", row.ID, full, len(job.Plan.Runs), digest([]byte(runs.String())))
		}
	}
	if err := os.WriteFile(file, []byte(out.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

func dumpWords(t *testing.T, out *strings.Builder, row *reproduce.Row) {
	t.Helper()
	one := *row
	one.Scenario, one.Measure, one.Compute = nil, nil, nil
	text, err := json.MarshalIndent(one, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(out, "%s\nscenario %s, computes: %v\n", text, digest(row.Scenario), row.Compute != nil)
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}
