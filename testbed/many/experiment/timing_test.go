package experiment

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/campaign"
)

// liveReport is report with the first run held to the clock, and an edge that was late to the given degree.
func liveReport(status result.Status, ns int64) *Report {
	r := report()
	t := &result.Timing{Dilation: 1, Reference: 400 * time.Microsecond}
	t.Edges = []result.EdgeTiming{{Name: "a", Interface: "vethA", Moved: 3}, {Name: "b"}}
	t.Edges[0].Received, t.Edges[0].Sent = 7, 2
	t.Edges[0].Lost[result.RingFull] = 5
	t.Edges[0].Lateness.Add(ns)
	t.Edges[0].Lateness.Add(ns)
	t.Edges[1].Lateness.Add(1500)
	t.Edges[0].Taken.Add(150_000)
	t.Lag.Add(12_300)
	t.Standstills = []result.Standstill{{Took: time.Second}}
	r.Runs[0].Timing = t
	r.Runs[0].Verdict = result.Verdict{Status: status, Findings: []result.Finding{
		{Subject: result.Timeliness, Status: status, Text: "edge a (vethA): late"},
	}}
	return r
}

// Tables, CSV and JSON have the counts at the edges, and only for live runs.
func TestReportOfALiveRun(t *testing.T) {
	r := liveReport(result.Red, int64(5*time.Millisecond))
	text := strings.Join(strings.Fields(printed(t, r, page.FormatTable, false)), " ")
	for _, want := range []string{
		"RED pc4: 2 of 2 flows completed; edge a (vethA): late",
		"lateness at the edges, on the wall (in: of incoming frames):",
		"│ pc4 │ a │ vethA │ 7 │ 2 │ 5ms │ 5ms │ 5ms │ 5ms │ 150us │ 5 │",
		"│ pc4 │ b │ │ 0 │ 0 │ 1.5us │ 1.5us │ 1.5us │ 1.5us │ 0s │ 0 │",
		"pc4: red: timing: edge a (vethA): late",
	} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		})
	}
	if json := printed(t, r, page.FormatJSON, false); strings.Count(json, `"timing": {`) != 1 ||
		!strings.Contains(json, `"ring_full": 5`) || !strings.Contains(json, `"reference_us": 400`) {
		t.Error(json)
	}
	rows, err := csv.NewReader(strings.NewReader(printed(t, r, page.FormatCSV, false))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	first := slices.Index(rows[0], "timing")
	want := []string{"red", "1", "400.000", "5000.000", "5000.000", "5000.000", "5000.000", "150.000",
		"150.000", "150.000", "150.000", "5", "3", "12.300", "12.300", "12.300", "1"}
	if first < 0 || !slices.Equal(rows[1][first:], want) || strings.Join(rows[2][first:], "") != "" {
		t.Errorf("%q\n%q\n%q", rows[0], rows[1], rows[2])
	}
	for _, f := range page.Formats {
		if text := printed(t, report(), f, false); strings.Contains(text, "dilation") || strings.Contains(text, "lateness") {
			t.Errorf("a run that was not live, as %s:\n%s", f, text)
		}
	}
}

// The line of the verdict has amber, beside a failure too.
func TestVerdictLineSaysAmber(t *testing.T) {
	r := liveReport(result.Amber, int64(300*time.Microsecond))
	r.Runs[0].Timing.Standstills = nil
	text := printed(t, r, page.FormatTable, false)
	if !strings.HasPrefix(text, "AMBER       pc4: 2 of 2 flows completed; edge a") {
		t.Error(text)
	}
	if code := (&Report{Runs: r.Runs[:1]}).ExitCode(); code != exit.CodePass {
		t.Errorf("exit code %d", code)
	}
	r.Runs[0].Verdict.Status = result.Failed
	text = printed(t, r, page.FormatTable, false)
	if !strings.Contains(text, "FAILED      pc4: 2 of 2 flows completed; on time: AMBER") {
		t.Error(text)
	}
}

// Rows of several seeds say which.
func TestEdgesOfSeveralSeeds(t *testing.T) {
	r := liveReport(result.Pass, 1000)
	second := r.Runs[0]
	summary := *second.Summary
	summary.Seed, second.Summary = 2, &summary
	r.Runs = []campaign.Run{r.Runs[0], second}
	text := strings.Join(strings.Fields(printed(t, r, page.FormatTable, false)), " ")
	if !strings.Contains(text, "│ pc4 │ 1 │ a │") || !strings.Contains(text, "│ pc4 │ 2 │ a │") {
		t.Error(text)
	}
}
