package sweep

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/many/experiment"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/model"
)

const small = `name: small
topology: {kind: star, hosts: 3}
algorithm: dcqcn
traffic: [{name: a, kind: incast, senders: 2, size: 20KB}]
variants: [{name: one}, {name: two, algorithm: pc4}]
sweep: {grid: {switch.ecn.kmin: [100KB, 200KB], traffic.size: [10KB, 20KB]}, seeds: 2}
`

// bench carries runs out in memory; change may put something else in place of a run.
type bench struct {
	runs   atomic.Int64
	change func(ctx context.Context, t experiment.Task) (*result.Outcome, error)
}

func (b *bench) of(int) (*Bench, error) {
	return &Bench{
		Run: func(ctx context.Context, t experiment.Task) (*result.Outcome, error) {
			b.runs.Add(1)
			if b.change != nil {
				return b.change(ctx, t)
			}
			return mem.Run(ctx, t.Plan, mem.Options{Workers: 1, Algorithms: shipped.Find})
		},
		Close: func() error { return nil },
	}, nil
}

// runnerOf begins the folder of a scenario's sweep.
func runnerOf(t testing.TB, dir string, b *bench) *Runner {
	t.Helper()
	m, s := makerOf(t, small)
	p, err := m.Plan(s, 1, false)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Begin(dir, []byte(small), p, About{Scenario: "small", Models: m.Models})
	if err != nil {
		t.Fatal(err)
	}
	return &Runner{
		Folder:   f,
		Maker:    m,
		Jobs:     2,
		Room:     &campaign.Room{},
		Bench:    b.of,
		ExitCode: func(err error) int { return codeOf(err) },
		Say:      func(text string) { t.Log(text) },
	}
}

// codeOf is the part of the command's exit codes that the tests need.
func codeOf(err error) int {
	var fault *model.AlgorithmError
	if errors.As(err, &fault) {
		return exit.CodePlugin
	}
	return exit.CodeHost
}

// do carries all runs out.
func do(t *testing.T, r *Runner) {
	t.Helper()
	if err := r.Do(context.Background(), Whole.Runs(r.Folder.Plan)); err != nil {
		t.Fatal(err)
	}
}

// tableOf is the folder's table as CSV and as JSON lines.
func tableOf(t *testing.T, f *Folder) string {
	t.Helper()
	lines, err := f.Lines(false)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	table := &Table{Lines: lines, Keys: f.Plan.Keys, Metrics: result.Metrics()}
	if err := errors.Join(page.WriteCSV(&out, table.Sheet()), table.WriteJSONLines(&out)); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Each run is made once, and the folder has all of it; a sweep that is done does nothing.
func TestRunner(t *testing.T) {
	b := &bench{}
	r := runnerOf(t, filepath.Join(t.TempDir(), "s"), b)
	do(t, r)
	if got := b.runs.Load(); got != 16 {
		t.Errorf("%d runs were made", got)
	}
	do(t, r)
	if got := b.runs.Load(); got != 16 {
		t.Errorf("runs were made again: %d", got)
	}
	status, err := r.Folder.Status()
	if err != nil || status.Done != 16 || status.Missing+status.Errors+len(status.Damaged)+len(status.AtWork) > 0 {
		t.Errorf("%+v, %v", status, err)
	}
	columns, err := os.ReadFile(filepath.Join(r.Folder.Dir(), columnsName))
	if err != nil || !bytes.Contains(columns, []byte("## edges.csv")) {
		t.Errorf("%v: a sweep has no documentation, or that of no kind of node", err)
	}
	for _, run := range r.Folder.Plan.Runs {
		row, err := r.Folder.Row(run.ID)
		if err != nil || row.Metrics["completed"] != "2" {
			t.Fatalf("%+v, %v", row, err)
		}
		if err := result.Check(os.DirFS(r.Folder.RunDir(run.ID))); err != nil {
			t.Error(err)
		}
		for _, pattern := range []string{"*/series_*", columnsName} {
			t.Run(pattern, func(t *testing.T) {
				files, err := filepath.Glob(filepath.Join(r.Folder.RunDir(run.ID), pattern))
				if err != nil || len(files) > 0 {
					t.Errorf("each run has %v, %v", files, err)
				}
			})
		}
		sheets, err := filepath.Glob(filepath.Join(r.Folder.RunDir(run.ID), "*", "*.csv"))
		if err != nil || len(sheets) < 5 {
			t.Fatalf("%v, %v", sheets, err)
		}
		for _, sheet := range sheets {
			text, err := os.ReadFile(sheet)
			if err != nil {
				t.Fatal(err)
			}
			head, _, _ := strings.Cut(string(text), "\n")
			_, section, found := strings.Cut(string(columns), "## "+filepath.Base(sheet)+"\n")
			section, _, _ = strings.Cut(section, "\n## ")
			for _, column := range strings.Split(head, ",")[2:] { // after variant and seed
				if !found || !strings.Contains(section, "| `"+column+"` | ") {
					t.Errorf("%s does not explain %s of %s", columnsName, column, filepath.Base(sheet))
				}
			}
		}
	}
	tries, err := r.Folder.Tries()
	if err != nil {
		t.Fatal(err)
	}
	for id, list := range tries {
		if made, count := campaign.Made(list); count != 1 || made.Host == "" || made.WallSeconds <= 0 {
			t.Errorf("%s: %+v", id.Short(), list)
		}
	}
}

// The table is the same for any makers of the runs: two at once without shards, shards, and one after another. Tier:
// -short.
func TestTableIsTheSame(t *testing.T) {
	alone := runnerOf(t, filepath.Join(t.TempDir(), "s"), &bench{})
	do(t, alone)
	want := tableOf(t, alone.Folder)
	if !strings.HasPrefix(want, "run,switch.ecn.kmin,traffic.size,variant,seed,verdict,exit,") ||
		strings.Count(want, "pass") != 32 {
		t.Fatalf("the table is another:\n%s", want)
	}
	dir := filepath.Join(t.TempDir(), "s")
	var group sync.WaitGroup
	for range 2 {
		r := runnerOf(t, dir, &bench{})
		group.Go(func() {
			if err := r.Do(context.Background(), Whole.Runs(r.Folder.Plan)); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	shards := runnerOf(t, filepath.Join(t.TempDir(), "s"), &bench{})
	for _, i := range []int{2, 0, 1} {
		if err := shards.Do(context.Background(), Shard{i, 3}.Runs(shards.Folder.Plan)); err != nil {
			t.Fatal(err)
		}
	}
	together := &Folder{Store: campaign.NewStore(dir), Plan: alone.Folder.Plan}
	for what, folder := range map[string]*Folder{"two": together, "shards": shards.Folder} {
		t.Run(what, func(t *testing.T) {
			if got := tableOf(t, folder); got != want {
				t.Errorf("%s: the table is another:\n%s\n%s", what, got, want)
			}
		})
	}
}

// Among any two results the graver one counts, in either order; an unfinished run has none.
func TestExitCode(t *testing.T) {
	rank := []int{exit.CodePass, exit.CodeFailed, exit.CodeVerdict, exit.CodeUsage, exit.CodePlugin}
	if got := campaign.ExitCode([]*campaign.Row{nil}); got != exit.CodePass {
		t.Errorf("of no result %d", got)
	}
	for i, a := range rank {
		t.Run(fmt.Sprint(a), func(t *testing.T) {
			if !campaign.IsFinal(a) {
				t.Errorf("no result has exit code %d", a)
			}
			for j, b := range rank {
				if got, want := campaign.ExitCode([]*campaign.Row{{Exit: a}, nil, {Exit: b}}), rank[max(i, j)]; got != want {
					t.Errorf("of %d and %d it is %d, want %d", a, b, got, want)
				}
			}
		})
	}
}

// A run that is red when it is interrupted is not a result: its figures cover a part of it.
func TestARedRunThatIsInterruptedIsNoResult(t *testing.T) {
	b := &bench{}
	b.change = func(ctx context.Context, task experiment.Task) (*result.Outcome, error) {
		o, err := mem.Run(ctx, task.Plan, mem.Options{Workers: 1, Algorithms: shipped.Find})
		if err == nil {
			o.Interrupted = true
			o.Deadlocks = append(o.Deadlocks, result.Deadlock{At: o.End, Queues: []string{"s0:1/3", "s0:2/3"}})
			if status := result.Judge(o, result.Summarise(o)).Status; status != result.Red {
				t.Errorf("the run is %v", status)
			}
		}
		return o, err
	}
	r := runnerOf(t, filepath.Join(t.TempDir(), "s"), b)
	do(t, r)
	status, err := r.Folder.Status()
	if err != nil || status.Done != 0 || status.Missing != 16 {
		t.Errorf("%+v, %v", status, err)
	}
}

// An interruption leaves nothing half done, and the sweep goes on.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	b := &bench{}
	b.change = func(ctx context.Context, task experiment.Task) (*result.Outcome, error) {
		if b.runs.Load() == 5 {
			cancel()
		}
		return mem.Run(ctx, task.Plan, mem.Options{Workers: 1, Algorithms: shipped.Find})
	}
	r := runnerOf(t, filepath.Join(t.TempDir(), "s"), b)
	r.Jobs = 1
	if err := r.Do(ctx, Whole.Runs(r.Folder.Plan)); err != nil {
		t.Fatal(err)
	}
	status, err := r.Folder.Status()
	if err != nil || status.Done != 4 || status.Missing != 12 || len(status.AtWork)+len(status.Damaged) > 0 {
		t.Fatalf("%+v, %v", status, err)
	}
	b.change = nil
	do(t, r)
	if status, err := r.Folder.Status(); err != nil || status.Done != 16 || b.runs.Load() != 5+12 {
		t.Errorf("%+v, %v, %d runs", status, err, b.runs.Load())
	}
}

// A run whose algorithm fails is a row without a result and is not tried again; the others go
// on. What the host lacks ends the sweep, and is tried again.
func TestFaults(t *testing.T) {
	b := &bench{}
	r := runnerOf(t, filepath.Join(t.TempDir(), "s"), b)
	b.change = func(ctx context.Context, task experiment.Task) (*result.Outcome, error) {
		if task.Plan.Seed == 2 {
			return nil, &model.AlgorithmError{Err: errors.New("it hung")}
		}
		return mem.Run(ctx, task.Plan, mem.Options{Workers: 1, Algorithms: shipped.Find})
	}
	do(t, r)
	status, err := r.Folder.Status()
	if err != nil || status.Errors != 8 || status.Verdicts["pass"] != 8 || status.Missing > 0 {
		t.Fatalf("%+v, %v", status, err)
	}
	var rows []*campaign.Row
	for _, run := range r.Folder.Plan.Runs {
		row, err := r.Folder.Row(run.ID)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	if code := campaign.ExitCode(rows); code != exit.CodePlugin {
		t.Errorf("exit code %d", code)
	}
	do(t, r)
	if b.runs.Load() != 16 {
		t.Errorf("%d runs: some were made again", b.runs.Load())
	}
	if table := tableOf(t, r.Folder); strings.Count(table, "it hung") != 16 {
		t.Errorf("the table does not say why:\n%s", table)
	}

	lacks := &bench{change: func(context.Context, experiment.Task) (*result.Outcome, error) {
		return nil, errors.New("no room")
	}}
	r = runnerOf(t, filepath.Join(t.TempDir(), "s"), lacks)
	if err := r.Do(context.Background(), Whole.Runs(r.Folder.Plan)); !exit.Is(err, exit.CodeHost) {
		t.Errorf("%v", err)
	}
	status, err = r.Folder.Status()
	if err != nil || status.Missing != 16 || len(status.AtWork) > 0 || lacks.runs.Load() > 2 {
		t.Errorf("%+v, %v, %d runs", status, err, lacks.runs.Load())
	}
}

// A run that cannot be published has no line of a finished run, and is missing.
func TestARunThatIsNotPublishedIsNotFinished(t *testing.T) {
	b := &bench{}
	r := runnerOf(t, filepath.Join(t.TempDir(), "s"), b)
	var printed bytes.Buffer
	r.Jobs, r.Meter = 1, &campaign.Meter{To: &printed, Together: true, Now: time.Now}
	b.change = func(ctx context.Context, task experiment.Task) (*result.Outcome, error) {
		// Something has taken the place of the results.
		if err := os.WriteFile(filepath.Join(r.Folder.Dir(), "runs"), nil, 0o666); err != nil {
			t.Error(err)
		}
		return mem.Run(ctx, task.Plan, mem.Options{Workers: 1, Algorithms: shipped.Find})
	}
	if err := r.Do(context.Background(), Whole.Runs(r.Folder.Plan)); !exit.Is(err, exit.CodeHost) {
		t.Errorf("%v, want an error of the host", err)
	}
	if b.runs.Load() != 1 || strings.Contains(printed.String(), " 1 of 16") {
		t.Errorf("%d runs were made; printed %q", b.runs.Load(), &printed)
	}
}

// Another build, or another program, never makes a run of this plan.
func TestMismatch(t *testing.T) {
	r := runnerOf(t, filepath.Join(t.TempDir(), "s"), &bench{})
	r.Maker.Models = 2
	err := r.Do(context.Background(), Whole.Runs(r.Folder.Plan))
	if !exit.Is(err, exit.CodeHost) || !strings.Contains(err.Error(), "models here have version 2, the plan's 1") {
		t.Errorf("%v", err)
	}
}

// A damaged result is set aside and made again.
func TestDamagedIsMadeAnew(t *testing.T) {
	b := &bench{}
	r := runnerOf(t, filepath.Join(t.TempDir(), "s"), b)
	do(t, r)
	want := tableOf(t, r.Folder)
	if err := os.Truncate(filepath.Join(r.Folder.RunDir(r.Folder.Plan.Runs[3].ID), campaign.RowName), 30); err != nil {
		t.Fatal(err)
	}
	if status, err := r.Folder.Status(); err != nil || len(status.Damaged) != 1 {
		t.Fatalf("%+v, %v", status, err)
	}
	do(t, r)
	if got := tableOf(t, r.Folder); got != want || b.runs.Load() != 17 {
		t.Errorf("%d runs; the table is\n%s", b.runs.Load(), got)
	}
}

// Verify finds nothing if nothing was changed, and each change.
func TestVerify(t *testing.T) {
	r := runnerOf(t, filepath.Join(t.TempDir(), "s"), &bench{})
	do(t, r)
	verify := func() (found []string, runs int) {
		chosen, err := r.Choose(Whole.Runs(r.Folder.Plan), 16, 1)
		if err != nil || len(chosen) != 16 {
			t.Fatal(err, len(chosen))
		}
		if err := r.Verify(context.Background(), chosen, func(v Verified) {
			runs++
			found = append(found, v.Differences...)
		}); err != nil {
			t.Fatal(err)
		}
		return found, runs
	}
	if found, runs := verify(); len(found) > 0 || runs != 16 {
		t.Errorf("%d runs: %v", runs, found)
	}
	four, err := r.Choose(Whole.Runs(r.Folder.Plan), 4, 1)
	if err != nil || len(four) != 4 {
		t.Fatal(err, len(four))
	}
	again, _ := r.Choose(Whole.Runs(r.Folder.Plan), 4, 1)
	if !slices.Equal(four, again) {
		t.Error("of one seed other runs are chosen")
	}
	row := filepath.Join(r.Folder.RunDir(r.Folder.Plan.Runs[0].ID), campaign.RowName)
	text, err := os.ReadFile(row)
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.Replace(text, []byte(`"completed": 2`), []byte(`"completed": 3`), 1)
	if err := os.WriteFile(row, text, 0o666); err != nil {
		t.Fatal(err)
	}
	sheet := filepath.Join(r.Folder.RunDir(r.Folder.Plan.Runs[1].ID), "one", "flows.csv")
	if err := os.WriteFile(sheet, []byte("flow\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	found, _ := verify()
	all := strings.Join(found, "; ")
	if len(found) != 2 || !strings.Contains(all, `completed in row.json is "2", and was "3"`) ||
		!strings.Contains(all, "one/flows.csv was changed") {
		t.Errorf("%s", all)
	}
	if left := r.Folder.Left(); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// Verify reports results that come out differently, though the folder is whole: trace, metrics and files.
func TestVerifyFindsAnotherOutcome(t *testing.T) {
	b := &bench{}
	r := runnerOf(t, filepath.Join(t.TempDir(), "s"), b)
	do(t, r)
	b.change = func(ctx context.Context, task experiment.Task) (*result.Outcome, error) {
		task.Plan.Flows[0].Size += 4096
		return mem.Run(ctx, task.Plan, mem.Options{Workers: 1, Algorithms: shipped.Find})
	}
	var all string
	if err := r.Verify(context.Background(), Whole.Runs(r.Folder.Plan)[:1], func(v Verified) {
		all = strings.Join(v.Differences, "; ")
	}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"its trace is ", "its goodput_gbps in row.json is ", "one/flows.csv differs"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(all, want) {
				t.Errorf("%q is not said: %s", want, all)
			}
		})
	}
	sum := func(name, digest string) result.FileSum { return result.FileSum{Name: name, SHA256: digest} }
	was := []result.FileSum{sum("a", "1"), sum("b", "1"), sum("c", "1"), sum("scenario.yaml", "1")}
	now := []result.FileSum{sum("a", "1"), sum("b", "2"), sum("d", "1"), sum("scenario.yaml", "2")}
	if got := compareFiles(was, now); !slices.Equal(got, []string{"b differs", "c is missing", "d is new"}) {
		t.Errorf("%q", got)
	}
}

// A sample keeps nothing.
func TestSample(t *testing.T) {
	b := &bench{}
	r := runnerOf(t, filepath.Join(t.TempDir(), "s"), b)
	e, err := r.Sample(context.Background(), Whole.Runs(r.Folder.Plan))
	if err != nil || e.Sampled != 3 || e.Wall <= 0 || b.runs.Load() != 3 {
		t.Errorf("%+v, %v", e, err)
	}
	if status, err := r.Folder.Status(); err != nil || status.Done > 0 {
		t.Errorf("%+v, %v", status, err)
	}
}
