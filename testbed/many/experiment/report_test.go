package experiment

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/campaign"
)

// report is two runs that sent the same; one misses an expectation.
func report() *Report {
	r := &Report{Scenario: "incast", Folder: "runs/incast-1"}
	effect := result.Finding{Subject: result.Effect, Status: result.Pass, Text: "4 decisions"}
	for _, name := range []string{"pc4", "dcqcn"} {
		run := campaign.Run{
			Summary: &result.Summary{
				Variant:   name,
				Algorithm: "dcqcn",
				Seed:      1,
				Trace:     0xabc,
				FlowFigures: result.FlowFigures{
					Flows:     2,
					Completed: 2,
					FCT:       result.Distribution{Mean: 15, P50: 10, P99: 20, Max: 20},
				},
				SignalFigures: result.SignalFigures{Marks: 4, Decisions: 4},
			},
			Verdict: result.Verdict{Status: result.Pass, Findings: []result.Finding{effect}},
		}
		if name == "dcqcn" {
			run.Summary.FCT.Mean = 16
			missed := result.Finding{Subject: result.Expectation, Status: result.Failed, Text: "marks == 0: it is 4"}
			run.Verdict = result.Verdict{Status: result.Failed, Findings: []result.Finding{effect, missed}}
		}
		r.Runs = append(r.Runs, run)
	}
	return r
}

func printed(t *testing.T, r *Report, f page.Format, colour bool) string {
	t.Helper()
	var b strings.Builder
	if err := r.Print(&b, f, page.Page{Width: page.FixedWidth, Colour: colour}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTableSaysTheVerdictFirst(t *testing.T) {
	text := printed(t, report(), page.FormatTable, false)
	lines := strings.Split(text, "\n")
	if lines[0] != "PASS        pc4: 2 of 2 flows completed" || lines[1] != "FAILED      dcqcn: 2 of 2 flows "+
		"completed; marks == 0: it is 4" {
		t.Errorf("first lines %q, %q", lines[0], lines[1])
	}
	if !strings.HasSuffix(text, "\nrun folder: runs/incast-1\n") {
		t.Error("the folder is not named last")
	}
	for _, want := range []string{"│ pc4 ", "dcqcn: failed: expectation: marks == 0: it is 4",
		"pc4: note: effect: 4 decisions", "│ * 15 us │ 16 us │", "0000000000000abc",
		"* best of its row", "equal in all: flows=2, completed=2, fct_p50_us=10 us"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(strings.Join(strings.Fields(text), " "), want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		})
	}
	if strings.Contains(text, "\x1b") {
		t.Error("colour where none was asked for")
	}
	if !strings.Contains(printed(t, report(), page.FormatTable, true), "\x1b[32;1mPASS") {
		t.Error("no colour where it was asked for")
	}
}

func TestSeedsAreSummedUp(t *testing.T) {
	r := report()
	r.Runs = r.Runs[:1]
	for i, marks := range []uint64{4, 9} {
		summary := *r.Runs[0].Summary
		summary.Seed, summary.Marks = uint64(2+i), marks
		r.Runs = append(r.Runs, campaign.Run{Summary: &summary, Verdict: r.Runs[0].Verdict})
	}
	r.Runs[0].Summary.Marks = 7
	text := printed(t, r, page.FormatTable, false)
	for _, want := range []string{"PASS        pc4 seeds 1 2 3:", "7 [4..9]", "3 seeds: median [least..largest]",
		"pc4: note: effect: 4 decisions, [4..9] marks, 0 CNPs"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		})
	}
}

// Fabrics stand above the table, so that their names do not widen it.
func TestTableIsNotAsWideAsTheFabricsNames(t *testing.T) {
	r := report()
	for i := range r.Runs {
		r.Runs[i].Summary.Fabric = "two-dc at 1/64 of full size"
	}
	text := printed(t, r, page.FormatTable, false)
	if !strings.Contains(text, "\nfabric: two-dc at 1/64 of full size\n┌") {
		t.Errorf("one fabric for all in\n%s", text)
	}
	r.Runs[0].Summary.Fabric += " in one building"
	text = printed(t, r, page.FormatTable, false)
	if !strings.Contains(text, "\nfabric of pc4: two-dc at 1/64 of full size in one building\nfabric of dcqcn: two-dc "+
		"at 1/64 of full size\n┌") {
		t.Errorf("two fabrics in\n%s", text)
	}
}

func TestReportNamesWhatWasNotRun(t *testing.T) {
	r := report()
	if strings.Contains(printed(t, r, page.FormatTable, false)+printed(t, r, page.FormatJSON, false), "not_run") {
		t.Error("all was run")
	}
	r.NotRun = []string{"fixed", "none"}
	if text := printed(t, r, page.FormatTable, false); !strings.Contains(text, "\nNOT RUN     fixed, none\n\n") {
		t.Error(text)
	}
	var j struct {
		NotRun []string `json:"not_run"`
	}
	if err := json.Unmarshal([]byte(printed(t, r, page.FormatJSON, false)), &j); err != nil || len(j.NotRun) != 2 {
		t.Errorf("%v, %v", err, j)
	}
	r.NotRun = make([]string, 15)
	if text := printed(t, r, page.FormatTable, false); !strings.Contains(text, ", and 5 more\n") {
		t.Error(text)
	}
}

// Of every two verdicts the graver one's code counts, beside a baseline that is missed too, and an interruption is
// known from a run's findings.
func TestExitCodeOfTwoRuns(t *testing.T) {
	for a := result.Pass; a <= result.Red; a++ {
		for b := result.Pass; b <= result.Red; b++ {
			r := report()
			r.Runs[0].Verdict, r.Runs[1].Verdict = result.Verdict{Status: a}, result.Verdict{Status: b}
			if got, want := r.ExitCode(), result.ExitCode(r.Runs[0].Verdict, r.Runs[1].Verdict); got != want {
				t.Errorf("%v, %v: exit code %d, want %d", a, b, got, want)
			}
			if got, want := r.Interrupted(), a == result.Interrupted || b == result.Interrupted; got != want {
				t.Errorf("%v, %v: interrupted %v, want %v", a, b, got, want)
			}
		}
	}
	r := report()
	r.NotRun = []string{"c"}
	if !r.Interrupted() {
		t.Error("an interruption that left no time for a run is none")
	}
}

func TestMachineFormats(t *testing.T) {
	r := report()
	r.Runs[0].Summary.Jain = math.NaN() // not measured
	var j struct {
		Runs []struct {
			Variant, Verdict string
			Metrics          map[string]*float64
			Findings         []struct{ About, Status, Text string }
		}
	}
	if err := json.Unmarshal([]byte(printed(t, r, page.FormatJSON, false)), &j); err != nil {
		t.Fatal(err)
	}
	if x := j.Runs[1]; x.Variant != "dcqcn" || x.Verdict != "failed" || *x.Metrics["fct_mean_us"] != 16 ||
		len(x.Metrics) != len(result.Metrics()) {
		t.Errorf("%+v", x)
	}
	if v, ok := j.Runs[0].Metrics["jain"]; v != nil || !ok {
		t.Error("what was not measured is not null")
	}
	rows, err := csv.NewReader(strings.NewReader(printed(t, r, page.FormatCSV, false))).ReadAll()
	if err != nil || len(rows) != 3 || rows[2][1] != "dcqcn" || rows[2][4] != "failed" {
		t.Errorf("%v, %v", rows, err)
	}
	for name, ok := range map[string]bool{"table": true, "json": true, "csv": true, "markdown": true, "html": true,
		"xml": false, "": false} {
		t.Run(fmt.Sprintf("%q", name), func(t *testing.T) {
			if _, err := page.ParseFormat(name, page.Formats...); (err == nil) != ok {
				t.Errorf("format %q: %v", name, err)
			}
		})
	}
	if r.ExitCode() != exit.CodeFailed {
		t.Errorf("exit code %d", r.ExitCode())
	}
}
