package reproduce

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/many/experiment"
	"github.com/rocelab/rocelab/testbed/many/sweep"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/model"
)

// small has two columns, two variants, one of which the columns change, and a key of two values.
const small = `name: small
topology: {kind: star, hosts: 3}
algorithms: {subject: {name: fixed, params: {rate: 10Gbps}}}
traffic:
  - {name: a, kind: incast, senders: 2, size: 10KB, jitter: 1us}
variants:
  - {name: ours, algorithm: subject}
  - {name: theirs, algorithm: dcqcn}
sweep:
  record: true
  grid: {"traffic.size": [10KB, 20KB]}
`

func smallRow() *Row {
	return &Row{
		ID:       "S1",
		Title:    "Small",
		Paper:    paper,
		Scenario: []byte(small),
		Seeds:    []uint64{1, 2},
		Columns: []Column{
			{Name: "slow", Set: map[string]string{"algorithms.subject.params.rate": "10Gbps"}, Beside: true},
			{Name: "quick", Set: map[string]string{"algorithms.subject.params.rate": "20Gbps"}},
		},
		Quick: form{Grid: map[string][]string{"traffic.size": {"20KB"}}, Seeds: []uint64{3}},
		Measure: func(r *Results) (list []Figure) {
			for _, column := range r.Columns() {
				list = append(list, r.Of(column, "ours", "traffic.size=20KB").Metric(column, "FCT", "us", "fct_mean_us"))
			}
			return append(list, r.Of("slow", "theirs", "traffic.size=20KB").Figure("dcqcn", "flows", "",
				func(run *Run) float64 { return float64(len(run.Flows())) }))
		},
		Criteria: []Criterion{{
			Name:  "slower",
			Text:  "at 20 Gb/s it is quicker",
			Grade: Pass,
			Holds: must(`median("FCT", "quick") < median("FCT", "slow")`),
		}},
	}
}

// counted is a site that counts its runs.
func counted(runs *int) *Site {
	return &Site{
		Parse: func(name string, text []byte, changes map[string]string) (*scenario.Scenario, error) {
			return scenario.Parse(name, text, model.Checker(shipped.Find), scenario.WithOverrides(changes))
		},
		Identify: func(a *plan.Algorithm) (sweep.Algorithm, error) {
			return sweep.Algorithm{Name: a.Name, Params: a.Params}, nil
		},
		Bench: func(int) (*sweep.Bench, error) {
			*runs++
			return &sweep.Bench{
				Run: func(ctx context.Context, t experiment.Task) (*result.Outcome, error) {
					return mem.Run(ctx, t.Plan, mem.Options{Algorithms: shipped.Find, Workers: 1})
				},
				Close: func() error { return nil },
			}, nil
		},
		ExitCode: func(error) int { return exit.CodePlugin },
		Models:   1,
	}
}

// carry carries a row out and returns what it came to.
func carry(t *testing.T, ctx context.Context, job *Job, out string) *Judged {
	t.Helper()
	var judged *Judged
	work := &Work{List: []*Job{job}, Out: out, Jobs: 1, Say: func(text string) { t.Log(text) }}
	if err := work.Do(ctx, func(j *Judged) error { judged = j; return nil }); err != nil {
		t.Fatal(err)
	}
	return judged
}

// A form has its own values and seeds; a variant that columns do not change is run once; finished work is not repeated,
// also in another form; and an interruption leaves a row that reports it.
func TestCarriedOut(t *testing.T) {
	runs, out := 0, t.TempDir()
	site := counted(&runs)
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if j := carry(t, stopped, site.Plan(smallRow(), false, nil), out); !errors.Is(j.Err, ErrUnfinished) {
		t.Errorf("interrupted: %v", j.Err)
	}
	runs = 0
	j := carry(t, t.Context(), site.Plan(smallRow(), false, nil), out)
	if j.Err != nil || j.Red() || runs != 3 || len(j.Runs) != 4 {
		t.Errorf("%v, red %v, %d runs of %v", j.Err, j.Red(), runs, j.Runs)
	}
	if f := j.figure("dcqcn", "flows"); f == nil || !slices.Equal(f.Values, []float64{2}) {
		t.Errorf("flows %+v", j.Figures)
	}
	if carry(t, t.Context(), site.Plan(smallRow(), false, nil), out); runs != 3 {
		t.Errorf("%d runs where all were there", runs)
	}
	row := smallRow()
	row.Full = form{Seeds: []uint64{2, 3}}
	if j := carry(t, t.Context(), site.Plan(row, true, nil), out); j.Err != nil || runs != 12 {
		t.Errorf("%v, %d runs, of which the quick form had made 3 of 12", j.Err, runs)
	}
	if f := j.figure("slow", "FCT"); len(f.Values) != 1 {
		t.Errorf("a figure of %d seeds", len(f.Values))
	}
	slower := site.Plan(smallRow(), false, map[string]string{"topology.rate": "1Gbps"})
	if j := carry(t, t.Context(), slower, out); j.Err != nil || !j.Red() || runs != 15 {
		t.Errorf("with a fault: %v, red %v, %d runs", j.Err, j.Red(), runs)
	}
}

// Rows that are carried out together are given in the order of the list, and a run that two of them have is made once;
// when the host refuses a run, its error ends the work. Red if rows are given as they end.
func TestRowsTogether(t *testing.T) {
	for _, lacks := range []bool{false, true} {
		t.Run(fmt.Sprint(lacks), func(t *testing.T) {
			runs, one := 0, sync.Mutex{}
			site := counted(&runs)
			bench := site.Bench
			site.Bench = func(job int) (*sweep.Bench, error) {
				one.Lock()
				defer one.Unlock()
				if runs == 3 && lacks {
					return nil, errors.New("no room")
				}
				return bench(job)
			}
			site.ExitCode = func(error) int { return exit.CodeHost }
			work := &Work{Out: t.TempDir(), Jobs: 1, Say: func(text string) { t.Log(text) }}
			for _, id := range []string{"S1", "S2", "S3", "S4"} {
				row := smallRow()
				row.ID = id
				if id < "S3" {
					row.Runs = "shared"
				}
				if id == "S4" {
					row.Scenario, row.Compute = nil, func(context.Context, bool) ([]Figure, error) { return nil, nil }
				}
				work.List = append(work.List, site.Plan(row, false, nil))
			}
			if !lacks {
				work.Jobs = 2
			}
			var given []string
			err := work.Do(t.Context(), func(j *Judged) error {
				given = append(given, fmt.Sprint(j.Row.ID, " ", errors.Is(j.Err, ErrUnfinished)))
				return nil
			})
			want := []string{"S1 false", "S2 false", "S3 false", "S4 false"}
			if lacks {
				want = want[:2]
			}
			if !slices.Equal(given, want) || exit.Is(err, exit.CodeHost) != lacks {
				t.Errorf("%q were given, %v", given, err)
			}
			if !lacks && runs != 6 || lacks && runs != 3 {
				t.Errorf("%d runs", runs)
			}
			stop := errors.New("the page is full")
			if err := work.Do(t.Context(), func(*Judged) error { return stop }); err != stop {
				t.Errorf("%v, want what done returned", err)
			}
		})
	}
}

// The remaining work is reported: runs that two rows share count once, and the time is the recorded one for the
// remaining part.
func TestLeft(t *testing.T) {
	runs := 0
	site, one, other := counted(&runs), smallRow(), smallRow()
	one.Runs, other.Runs, other.ID = "shared", "shared", "S2"
	work := &Work{
		List:    []*Job{site.Plan(one, false, nil), site.Plan(other, false, nil)},
		Out:     t.TempDir(),
		Seconds: func(job *Job) float64 { return map[string]float64{"S1": 30}[job.Row.ID] },
	}
	left, err := work.Left()
	if err != nil || left.Runs != 3 || left.Time != 30*time.Second || len(left.Unknown) != 0 {
		t.Errorf("%+v, %v", left, err)
	}
	work.List = work.List[1:]
	if left, err := work.Left(); err != nil || left.Runs != 3 || left.Time != 0 || len(left.Unknown) != 1 {
		t.Errorf("%+v, %v", left, err)
	}
}

// A mistake of a row is reported by name: values of a key that is not swept, a faulty scenario, missing or ambiguous
// runs, an unknown metric or file.
func TestMistakesAreNamed(t *testing.T) {
	runs := 0
	site := counted(&runs)
	measured := func(of func(*Results)) func(*Row) {
		return func(r *Row) { r.Measure = func(results *Results) []Figure { of(results); return nil } }
	}
	for want, change := range map[string]func(*Row){
		"form quick has values of x.y, which is not a " +
			"key": func(r *Row) { r.Quick.Grid = map[string][]string{"x.y": {"1"}} },
		`unknown key of scenario "speed"`:                 func(r *Row) { r.Quick.Set = map[string]string{"speed": "1"} },
		`there is no run of column "slow", variant "its"`: measured(func(r *Results) { r.Of("slow", "its") }),
		`name all swept keys`: func(r *Row) {
			r.Quick.Grid = nil
			measured(func(results *Results) { results.Of("slow", "ours") })(r)
		},
		"there is no metric speed": measured(func(r *Results) { r.Of("slow", "ours")[0].Metric("speed") }),
		"flow.csv: no such file":   measured(func(r *Results) { r.Of("slow", "ours")[0].Lines("flow.csv")(nil) }),
		"there is no series_x.csv": measured(func(r *Results) { r.Of("slow", "ours")[0].Series("series_x.csv", "x") }),
		"its verdict is failed":    func(r *Row) { r.Quick.Set = map[string]string{"expect.checks": "[drops > 0]"} },
	} {
		t.Run(want, func(t *testing.T) {
			row := smallRow()
			change(row)
			j := carry(t, t.Context(), site.Plan(row, false, nil), t.TempDir())
			if j.Err == nil || !strings.Contains(strings.ReplaceAll(j.Err.Error(), "open ", ""), want) {
				t.Errorf("%v, want %s", j.Err, want)
			}
		})
	}
}

// Series have their bins from 0 on, and are 0 where the file has no row.
func TestSeries(t *testing.T) {
	runs := 0
	row := smallRow()
	row.Quick.Set = map[string]string{"record.interval": "1us"}
	row.Measure = func(r *Results) []Figure {
		run := r.Of("slow", "theirs")[0]
		sent := run.Series("series_ports.csv", "tx_bytes", "node=s0", "port=2")
		total := 0.0
		for line := range run.Lines("ports.csv") {
			if line.Text("node") == "s0" && line.Text("port") == "2" {
				total = line.Number("tx_bytes")
			}
		}
		all := sent.Between(0, 1000)
		if len(all) != 1000 || sent.Width != 1 || Mean(all)*1000 != total || total < 40_000 || all[999] != 0 {
			t.Errorf("%d bins of %v us, %v bytes of %v", len(all), sent.Width, Mean(all)*1000, total)
		}
		if flow := run.Flows()[0]; flow.Size != 20_000 || flow.Group != "a" ||
			math.Abs(flow.FCT-flow.End+flow.Start) > 0.001 {
			t.Errorf("flow %+v", flow)
		}
		return nil
	}
	row.Criteria = nil
	if j := carry(t, t.Context(), counted(&runs).Plan(row, false, nil), t.TempDir()); j.Err != nil {
		t.Error(j.Err)
	}
}

// A job takes as long as its seeds do, however many were recorded: of one recorded seed five take five times as long.
// Tier: -short. Red if the recorded time is taken for that of all seeds of the job, as it once was.
func TestSecondsAreOfTheSeedsAsked(t *testing.T) {
	runs := 0
	site, row := counted(&runs), smallRow()
	row.Full = form{Seeds: []uint64{1, 2, 3, 4, 5}}
	recorded := &Recorded{Rows: map[string]*RecordedRow{"S1": {Full: &RecordedForm{
		Seconds: 420,
		Figures: []Figure{{Name: "FCT", Values: []float64{1}}},
	}}}}
	job := site.Plan(row, true, nil)
	if got := recorded.SecondsOf(job); got != 2100 {
		t.Errorf("%v s for five seeds, want 2100", got)
	}
	recorded.Rows["S1"].Full.Figures[0].Values = []float64{1, 2, 3, 4, 5}
	if got := recorded.SecondsOf(job); got != 420 {
		t.Errorf("%v s for the five seeds that were recorded, want 420", got)
	}
	if got := recorded.SecondsOf(site.Plan(row, false, nil)); got != 0 {
		t.Errorf("%v s for a form that was not recorded", got)
	}
	left := Left{Runs: 5, Time: 2100 * time.Second}
	if got := left.Text(2); got != "35m0s of processor time, 17m30s with 2 at a time" {
		t.Error(got)
	}
}
