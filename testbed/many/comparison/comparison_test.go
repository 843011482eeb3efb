package comparison

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/model"
)

const incast = `
topology: {kind: star, hosts: 5}
switch: {ecn: {kmin: 20KB, kmax: 80KB}}
traffic: [{kind: incast, size: 100KB}]
`

// contender runs a scenario in memory.
func contender(t *testing.T, entry, yaml string) Contender {
	t.Helper()
	e, err := parseEntry(entry)
	if err != nil {
		t.Fatal(err)
	}
	return Contender{
		Entry: e, Algorithm: e.Name,
		Plan: func(seed uint64) (*plan.Plan, error) {
			s, err := scenario.Parse("x.yaml", []byte(fmt.Sprintf("seed: %d\nalgorithm: %s\n%s", seed, e.Name, yaml)),
				model.Checker(shipped.Find))
			if err != nil {
				return nil, err
			}
			plans, err := s.Plans()
			return plans[0], err
		},
		Run: func(ctx context.Context, p *plan.Plan, _ int, progress func(model.Progress)) (*result.Outcome, error) {
			return mem.Run(ctx, p, mem.Options{Workers: 1, Algorithms: shipped.Find, Progress: progress})
		},
	}
}

func comparing(t *testing.T, yaml string, jobs int, entries ...string) *Comparison {
	t.Helper()
	rows, err := Metrics(nil, false)
	if err != nil {
		t.Fatal(err)
	}
	c := &Comparison{Scenario: "incast", Seeds: []uint64{1, 2, 3}, Jobs: jobs, Metrics: rows}
	for _, e := range entries {
		c.Contenders = append(c.Contenders, contender(t, e, yaml))
	}
	return c
}

func printed(t *testing.T, r *Report, f page.Format) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.Print(&b, f, page.Page{Width: page.FixedWidth}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestJobsChangeNothing(t *testing.T) {
	var want string
	for _, jobs := range []int{1, 2, 7} {
		r, err := comparing(t, incast, jobs, "pc4", "dcqcn").Do(context.Background())
		if err != nil || r.ExitCode() != exit.CodePass {
			t.Fatal(err, r.ExitCode())
		}
		got := printed(t, r, page.FormatJSON)
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("%d jobs:\n%s\none job:\n%s", jobs, got, want)
		}
	}
}

func TestFormats(t *testing.T) {
	c := comparing(t, incast, 1, "pc4", "dcqcn")
	c.Reference = &Reference{Source: "a paper",
		Values: map[string]map[string]float64{"dcqcn": {"rtt_mean_us": 10, "duration_us": 50, "drops": 0}}}
	r, err := c.Do(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	text := printed(t, r, page.FormatTable)
	unfolded := strings.ReplaceAll(text, "\n    ", " ")
	for _, words := range []string{"PASS        pc4: 3 of 3 runs pass\nPASS        dcqcn: 3 of 3 runs pass\n\nincast, " +
		"3 seeds (1 2 3): median", "dcqcn / pc4",
		"3 against 3 seeds can give no p below 0.1000", "printed: a paper; in brackets", "duration_us"} {
		t.Run(fmt.Sprintf("%.50q", words), func(t *testing.T) {
			if !strings.Contains(unfolded, words) {
				t.Errorf("no %q in\n%s", words, text)
			}
		})
	}
	if strings.Contains(text, "iteration_mean_us") {
		t.Error("a metric that was not measured has a row")
	}
	markdown := printed(t, r, page.FormatMarkdown)
	if !strings.Contains(markdown, "| metric | pc4 | dcqcn | printed |\n| --- | ---:| ---:| ---:|\n") ||
		!strings.Contains(markdown, "- PASS pc4: 3 of 3 runs pass\n") {
		t.Error(markdown)
	}
	rows, err := csv.NewReader(strings.NewReader(printed(t, r, page.FormatCSV))).ReadAll()
	if err != nil || len(rows) != 1+2*(len(c.Metrics)+1) || rows[1][2] != "pc4" || rows[2][2] != "dcqcn" ||
		rows[1][8] != "" || rows[2][8] == "" {
		t.Errorf("%v, %v", rows, err)
	}
	var j reportJSON
	decoded := json.NewDecoder(strings.NewReader(printed(t, r, page.FormatJSON)))
	if err := decoded.Decode(&j); err != nil || len(j.Algorithms[1].Runs) != 3 {
		t.Fatal(j, err)
	}
	for _, m := range j.Metrics {
		d := m.Algorithms[1]
		measured := 3
		if strings.HasPrefix(m.Name, "iteration_") || strings.HasPrefix(m.Name, "busbw_") {
			measured = 0 // an incast has none
		}
		if d.Against == nil || len(d.Values) != 3 || d.N != measured {
			t.Errorf("%s: %+v", m.Name, d)
		}
		switch m.Name {
		case "duration_us", "rtt_mean_us":
			if want := d.Median / *d.Printed - 1; *d.Deviation < want-1e-9 || *d.Deviation > want+1e-9 {
				t.Errorf("%s: deviation %v, want %v", m.Name, *d.Deviation, want)
			}
		case "drops":
			if d.Printed == nil || *d.Printed != 0 {
				t.Errorf("drops: %+v", d)
			}
		default:
			if d.Printed != nil {
				t.Errorf("%s has a printed value", m.Name)
			}
		}
	}
}

// The figures equal the summaries'.
func TestFigures(t *testing.T) {
	r := &Report{Seeds: []uint64{1, 2, 3}, Columns: make([]column, 2)}
	var err error
	if r.Metrics, err = Metrics([]string{"duration_us"}, false); err != nil {
		t.Fatal(err)
	}
	for i, values := range [][]float64{{10, 30, 20}, {80, nan, 40}} {
		r.Columns[i].Entry.Text = fmt.Sprint("a", i)
		for seed, v := range values {
			r.Columns[i].Runs = append(r.Columns[i].Runs,
				campaign.Run{Summary: &result.Summary{Seed: uint64(seed), FlowFigures: result.FlowFigures{DurationUS: v}}})
		}
	}
	row := r.Rows()[0]
	if f := row.Figures[0]; f.Median != 20 || f.Min != 10 || f.Max != 30 || f.N != 3 {
		t.Errorf("%+v", f)
	}
	if f := row.Figures[1]; f.Median != 60 || f.Min != 40 || f.Max != 80 || f.N != 2 {
		t.Errorf("%+v", f)
	}
	// All of 40, 80 exceed 10, 20, 30: 2 of C(5, 2) = 10 choices.
	if a := row.Against[1]; a.Ratio != 3 || a.Test.U != 0 || a.Test.P != 0.2 {
		t.Errorf("%+v", a)
	}
	want := page.Cell{Text: "60 us (2 of 3)", Detail: "[40..80]", Alone: "[40..80] us"}
	if got := row.Cells([]bool{true, true})[1]; got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := r.against(&row, 1).Text; got != "3.000" {
		t.Errorf("%q, want the ratio 3.000", got)
	}
}

// The printed medians, ranges and values are the compared ones: the values of summary.json.
func TestPrintedMediansAreTheComparedOnes(t *testing.T) {
	r := &Report{Seeds: []uint64{1, 2}, Columns: make([]column, 2)}
	var err error
	if r.Metrics, err = Metrics([]string{"jain"}, false); err != nil {
		t.Fatal(err)
	}
	for i, values := range [][]float64{{0.912349, 0.912349}, {0.987654, 0.987651}} {
		for _, v := range values {
			r.Columns[i].Runs = append(r.Columns[i].Runs,
				campaign.Run{Summary: &result.Summary{FairnessFigures: result.FairnessFigures{Jain: v}}})
		}
	}
	row := r.Rows()[0]
	a, b, d := row.Figures[0], row.Figures[1], row.Against[1]
	if a.Median != d.A || b.Median != d.B || b.Median/a.Median != d.Ratio || a.Median != 0.9123 || b.Max != 0.9877 {
		t.Errorf("printed %+v and %+v, compared %+v", a, b, d)
	}
	lines := r.sheet()
	if strings.Join(lines[2][5:9], " ") != "0.9877 0.9877 0.9877 "+number(0.9877/0.9123).text() {
		t.Errorf("%q", lines[2])
	}
}

func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		more, says string
		code       int
	}{
		{"expect: {checks: [cnps == 0]}\n", "PASS        dcqcn: 3 of 3 runs pass\nnote        dcqcn seeds 1 2 3: not as " +
			"the scenario expects: cnps == 0", exit.CodePass},
		{"run: {limit: 20us}\n", "FAILED      dcqcn: 0 of 3 runs pass\nFAILED      dcqcn seeds 1 2 3: 0 of 4 flows " +
			"completed; the run's limit", exit.CodeFailed},
		{"expect: {congestion: required, checks: [cnps == 0]}\nswitch: {ecn: {kmin: 2MB, kmax: 3MB}}\nrun: {until: 1us}\n",
			"VOID        dcqcn: 0 of 3 runs pass\n", exit.CodeVerdict},
	} {
		t.Run(c.says, func(t *testing.T) {
			yaml := incast
			if strings.Contains(c.more, "switch:") {
				yaml = strings.Replace(yaml, "switch: {ecn: {kmin: 20KB, kmax: 80KB}}\n", "", 1)
			}
			r, err := comparing(t, yaml+c.more, 1, "dcqcn").Do(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if text := printed(t, r, page.FormatTable); !strings.HasPrefix(text, c.says) || r.ExitCode() != c.code {
				t.Errorf("exit code %d, want %d, says\n%s", r.ExitCode(), c.code, text)
			}
		})
	}
}

// An interruption that left no time for a run counts before every verdict.
func TestExitCodeOfACutComparison(t *testing.T) {
	for status := result.Pass; status <= result.Red; status++ {
		run := campaign.Run{Verdict: result.Verdict{Status: status}}
		r := &Report{Columns: []column{{Runs: []campaign.Run{run}}}, NotRun: []string{"pc4 seed 2"}}
		if got := r.ExitCode(); got != exit.CodeInterrupted {
			t.Errorf("%v, and one not run: exit code %d", status, got)
		}
	}
}

// Runs made before an interruption are reported, the rest is named.
func TestInterruption(t *testing.T) {
	c := comparing(t, incast, 1, "pc4", "dcqcn")
	ctx, cancel := context.WithCancel(context.Background())
	run, count := c.Contenders[0].Run, 0
	c.Contenders[0].Run = func(ctx context.Context, p *plan.Plan, job int,
		progress func(model.Progress)) (*result.Outcome, error) {
		if count++; count == 2 {
			cancel()
		}
		return run(ctx, p, job, progress)
	}
	r, err := c.Do(ctx)
	if err != nil || r.Empty() || r.ExitCode() != exit.CodeInterrupted {
		t.Fatal(err, r.ExitCode())
	}
	text := printed(t, r, page.FormatTable)
	if !strings.Contains(text, "PASS        pc4: 1 of 1 runs pass\n") || !strings.Contains(text,
		"NOT RUN     pc4 seed 2, dcqcn seed 2, pc4 seed 3, dcqcn seed 3\n") ||
		!strings.Contains(text, "3 seeds (1 2 3), not all of them run: ") || !strings.Contains(text,
		"One seed does not show the effect of chance") {
		t.Error(text)
	}
}

func TestFaultEndsTheRest(t *testing.T) {
	c := comparing(t, incast, 1, "pc4", "dcqcn")
	broken := errors.New("broken")
	c.Contenders[1].Run = func(context.Context, *plan.Plan, int, func(model.Progress)) (*result.Outcome, error) {
		return nil, broken
	}
	r, err := c.Do(context.Background())
	if !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "dcqcn seed 1: ") || len(r.NotRun) != 5 {
		t.Error(err, r.NotRun)
	}
}

func TestMeter(t *testing.T) {
	var b bytes.Buffer
	var ticks atomic.Int64
	clock := func() time.Time { return time.Unix(ticks.Add(3), 0) }
	c := comparing(t, incast, 1, "pc4")
	c.Meter = &campaign.Meter{To: &b, Together: true, Now: clock}
	if _, err := c.Do(context.Background()); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "1 of 3 runs, 33.3 %, ") || !strings.Contains(b.String(), "3 of 3 runs, 100.0 %\n") ||
		!strings.HasSuffix(b.String(), " 3 of 3  pass       0.0 s  pc4 seed 3\n") {
		t.Error(b.String())
	}
}

func TestMetricNames(t *testing.T) {
	for _, c := range []struct{ names, says string }{{"speed", `there is no metric "speed"`},
		{"jain,jain", "metric jain is given twice"}} {
		t.Run(c.says, func(t *testing.T) {
			if _, err := Metrics(strings.Split(c.names, ","), false); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Error(err)
			}
		})
	}
}

// Of runs with two jobs a comparison has the rows of each in the place of averages over them; the shares of packets
// that were sent again and of frames that were lost are beside the goodput, if they are not zero.
func TestRowsOfJobsAndShares(t *testing.T) {
	const jobs = `
topology: {kind: star, hosts: 8}
nic: {rto: {floor: 100us, initial: 200us}}
switch: {ecn: {kmin: 5KB, kmax: 20KB}}
traffic:
  - {name: a, operation: all-to-all, size: 2MB, compute: 50us, iterations: 2, hosts: [h0, h1, h2, h3]}
  - {name: b, operation: all-to-all, size: 1MB, compute: 50us, iterations: 2, hosts: [h4, h5, h6, h7]}
`
	for _, c := range []struct {
		faults string
		shares bool
	}{{"", false}, {"faults: [{link: h0-s0, loss: 0.05}]\n", true}} {
		t.Run(fmt.Sprintf("%.50q", c.faults), func(t *testing.T) {
			r, err := comparing(t, jobs+c.faults, 1, "dcqcn", "pc4").Do(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			text := printed(t, r, page.FormatTable)
			for row, want := range map[string]bool{"a.iteration_mean_us": true, "b.iteration_mean_us": true,
				"iteration_mean_us": false, "resent_share": c.shares, "dropped_share": c.shares} {
				if strings.Contains(text, "│ "+row+" ") != want {
					t.Errorf("%q: a row %s: %v\n%s", c.faults, row, !want, text)
				}
			}
		})
	}
}
