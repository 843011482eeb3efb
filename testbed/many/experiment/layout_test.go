package experiment

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/campaign"
)

var rewrite = flag.Bool("rewrite", false, "store the layouts in testdata anew")

// variantsOf is a report of n variants with the given number of seeds, with figures as large as a long incast's. The
// last variant leaves a flow incomplete.
func variantsOf(n, seeds int) *Report {
	r := &Report{Scenario: "incast", Folder: "rocelab-runs/incast-1"}
	for seed := range seeds {
		for v := range n {
			k := float64(1 + v)
			s := &result.Summary{
				Variant:   fmt.Sprintf("kmin-%d00KB", 1+v),
				Algorithm: "dcqcn",
				Seed:      uint64(1 + seed),
				Trace:     0xc1bde9aaf86420f5 + uint64(v),
				FlowFigures: result.FlowFigures{
					Flows:       16,
					Completed:   16,
					DurationUS:  14000*k + float64(seed),
					GoodputGbps: 91 / k,
				},
				FairnessFigures: result.FairnessFigures{Jain: 1 - 0.01*k},
				PortFigures:     result.PortFigures{QueueMaxBytes: uint64(9384460 + 1000*v + seed)},
				SignalFigures:   result.SignalFigures{Marks: uint64(23939 - 100*v - seed), Decisions: 7745},
			}
			s.FCT = result.Distribution{Mean: 13000 * k, P50: 12000 * k, P99: s.DurationUS, Max: s.DurationUS}
			run := campaign.Run{Summary: s}
			if v == n-1 {
				s.Completed, s.Incomplete = 15, 1
				s.FCT.Mean = 1
				run.Verdict.Status = result.Failed
				run.Verdict.Findings = []result.Finding{{Status: result.Failed, Subject: result.Completion,
					Text: fmt.Sprintf("the run's limit of %dms came with 1 of 16 flows incomplete", 20+seed)}}
			}
			run.Verdict.Findings = append(run.Verdict.Findings, result.Finding{Subject: result.Effect, Text: "one of many"})
			run.Verdict.Congestion = []result.Evidence{{Count: s.Marks, What: "marks"},
				{What: "a queue beyond one BDP at s0:16"}}
			r.Runs = append(r.Runs, run)
		}
	}
	return r
}

// What a report looks like at three widths, with two to eight variants, with one
// seed and with three, plain and in colours. No line but a long path is wider
// than the page.
func TestLayouts(t *testing.T) {
	for _, variants := range []int{2, 4, 8} {
		t.Run(fmt.Sprintf("variants=%v", variants), func(t *testing.T) {
			for _, width := range []int{80, 120, 200} {
				for _, seeds := range []int{1, 3} {
					golden(t, fmt.Sprintf("%d-variants-%d-seeds-%d", variants, seeds, width), variantsOf(variants, seeds),
						page.Page{Width: width})
				}
			}
		})
	}
	golden(t, "2-variants-1-seeds-80-colour", variantsOf(2, 1), page.Page{Width: 80, Colour: true})
	jobs := variantsOf(2, 1)
	for i := range jobs.Runs {
		s, k := jobs.Runs[i].Summary, float64(1+i)
		s.Collectives = collectives(24291 * k)
		s.Jobs = []result.Job{{Name: "job0", Collectives: collectives(44400 * k)}, {Name: "job1",
			Collectives: collectives(4100 * k)}}
	}
	golden(t, "2-variants-1-seeds-80-jobs", jobs, page.Page{Width: 80})
	wide := variantsOf(2, 1)
	wide.Wide = true
	golden(t, "2-variants-1-seeds-80-wide", wide, page.Page{Width: 80})
}

// collectives are ten iterations of this time.
func collectives(us float64) result.Collectives {
	return result.Collectives{
		Iterations:     10,
		IterationsDone: 10,
		Iteration:      result.Distribution{Mean: us, P50: us, P99: us * 1.1, Max: us * 1.2},
		Collective:     result.Distribution{Mean: us / 2, P50: us / 2, P99: us / 2, Max: us / 2},
		AlgBW:          1e5 / us,
		BusBW:          2e5 / us,
	}
}

// golden compares a report with the file of that name, and its lines with the
// page's width.
func golden(t *testing.T, name string, r *Report, p page.Page) {
	t.Helper()
	var b strings.Builder
	if err := r.Print(&b, page.FormatTable, p); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	for line := range strings.Lines(got) {
		if w := text.StringWidthWithoutEscSequences(strings.TrimSuffix(line, "\n")); w > p.Width {
			t.Errorf("%s: %d columns, want at most %d: %s", name, w, p.Width, line)
		}
	}
	file := filepath.Join("testdata", name+".txt")
	if *rewrite {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
	}
}

// --metrics shows the chosen ones, zero or not, and nothing is hidden.
func TestChosenMetrics(t *testing.T) {
	r := variantsOf(2, 1)
	var err error
	if r.Metrics, err = Metrics([]string{"drops", "fct_max_us", "duration_us"}); err != nil {
		t.Fatal(err)
	}
	text := printed(t, r, page.FormatTable, false)
	for _, row := range []string{"│ drops ", "│ fct_max_us ", "│ duration_us "} {
		t.Run(row, func(t *testing.T) {
			if !strings.Contains(text, row) {
				t.Errorf("no %q in\n%s", row, text)
			}
		})
	}
	if strings.Contains(text, "hidden") || strings.Contains(text, "│ marks ") {
		t.Errorf("rows that nobody chose in\n%s", text)
	}
	for name, words := range map[string]string{"fct_p99": "did you mean fct_p99_us?", "jan": "did you mean jain?",
		"x": "there is no metric \"x\": `rocelab metrics` lists"} {
		t.Run(name, func(t *testing.T) {
			if _, err := Metrics([]string{name}); err == nil || !strings.Contains(err.Error(), words) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// The text on several seeds: numbers as ranges, the digits in names as they are, and seeds with another text
// separately.
func TestSeedsOfWhichTheSameIsSaid(t *testing.T) {
	got := MergeSeeds([]SeedLine{
		{1, "s0:16 dropped 12 frames at 4.5us (10 in all)"},
		{2, "s0:17 dropped 12 frames at 4.5us (10 in all)"},
		{3, "s0:16 dropped 9 frames at 11us (10 in all)"},
		{3, "s0:16 dropped 10 frames at 12us (10 in all)"},
	})
	want := []SeedsLine{
		{[]uint64{1, 3}, "s0:16 dropped [9..12] frames at [4.5..12]us (10 in all)"},
		{[]uint64{2}, "s0:17 dropped 12 frames at 4.5us (10 in all)"},
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
	if of := got[0].Of(3) + got[1].Of(3); of != " seeds 1 3 seed 2" {
		t.Errorf("%q", of)
	}
	many := SeedsLine{Seeds: make([]uint64, 11)}
	if of := many.Of(12); of != ", 11 of 12 seeds" {
		t.Errorf("%q", of)
	}
}
