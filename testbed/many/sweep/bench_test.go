package sweep

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/campaign"
)

// BenchmarkPlan plans 10 000 runs: 2000 combinations of keys, five seeds.
func BenchmarkPlan(b *testing.B) {
	var values []string
	for i := range 100 {
		values = append(values, fmt.Sprintf("%dKB", 10+i))
	}
	list := strings.Join(values, ", ")
	src := swept + "sweep: {grid: {switch.ecn.kmin: [" + list + "], traffic.size: [" + strings.Join(values[:10], ", ") +
		"]}, seeds: 5}\n"
	for b.Loop() {
		if p := planOf(b, src); len(p.Runs) != 10_000 {
			b.Fatal(len(p.Runs))
		}
	}
}

// BenchmarkTable reads and writes the table of 10 000 runs that are there, with all metrics.
func BenchmarkTable(b *testing.B) {
	f := &Folder{Store: campaign.NewStore(b.TempDir()), Plan: &Plan{Keys: []string{"switch.ecn.kmin"}}}
	if err := f.Open(); err != nil {
		b.Fatal(err)
	}
	metrics := map[string]json.Number{}
	for _, m := range result.Metrics() {
		metrics[m.Name] = "12345.678"
	}
	for i := range 10_000 {
		id := campaign.ID(digestOf([]byte(fmt.Sprint(i))))
		f.Plan.Runs = append(f.Plan.Runs, Run{Index: i, ID: id, Keys: map[string]string{"switch.ecn.kmin": "100KB"}})
		staged, err := f.Stage(id)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := f.Publish(staged, &campaign.Row{ID: id, Verdict: "pass", Trace: "01", Metrics: metrics}); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		lines, err := f.Lines(false)
		if err != nil {
			b.Fatal(err)
		}
		table := &Table{Lines: lines, Keys: f.Plan.Keys, Metrics: result.Metrics()}
		if err := page.WriteCSV(io.Discard, table.Sheet()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRun is a whole run of almost no traffic: its time is a sweep's overhead for a run.
func BenchmarkRun(b *testing.B) {
	work := &bench{}
	for b.Loop() {
		r := runnerOf(b, filepath.Join(b.TempDir(), "s"), work)
		r.Jobs = 1
		if err := r.Do(context.Background(), Whole.Runs(r.Folder.Plan)[:10]); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(work.runs.Load()), "ms/run")
}

// FuzzReadPlan reads any text as a plan, and an accepted plan is written as it was.
func FuzzReadPlan(f *testing.F) {
	id := digestOf(nil)
	f.Add([]byte(`{"index":0,"id":"` + id + `","keys":{"a":"1"},"variant":"","seed":1}` + "\n"))
	f.Add([]byte(`{"index":1}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := readPlan(text)
		if err != nil {
			return
		}
		var out strings.Builder
		if err := p.Write(&out); err != nil {
			t.Fatal(err)
		}
		if again, err := readPlan([]byte(out.String())); err != nil || len(again.Runs) != len(p.Runs) {
			t.Errorf("%v", err)
		}
	})
}
