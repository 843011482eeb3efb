package tune

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/many/sweep"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/model"
)

// pair is three hosts; two of them, or one, send to the third.
const pair = `
name: pair
algorithm: dcqcn
topology: {kind: star, hosts: 3}
traffic: [{kind: incast, senders: SENDERS, receiver: h2, size: 400KB}]
`

func patternOf(t *testing.T, senders string) *Pattern {
	t.Helper()
	text := strings.Replace(pair, "SENDERS", senders, 1)
	s, err := scenario.Parse("pair.yaml", []byte(text), model.Checker(shipped.Find))
	if err != nil {
		t.Fatal(err)
	}
	maker, err := makerOf(s.Template())
	if err != nil {
		t.Fatal(err)
	}
	return &Pattern{Name: s.Name + " of " + senders, Maker: maker}
}

// makerOf makes plans of a template, for version 1 of the models.
func makerOf(template *scenario.Template) (*sweep.Maker, error) {
	return &sweep.Maker{
		Template: template,
		Models:   1,
		Identify: func(a *plan.Algorithm) (sweep.Algorithm, error) {
			return sweep.Algorithm{Name: a.Name, Version: "1", Params: a.Params}, nil
		},
	}, nil
}

// small is a search of four thresholds on one pattern; ran counts its runs.
func small(t *testing.T, senders string, ran *atomic.Int64) *Search {
	t.Helper()
	seen := patternOf(t, senders)
	probe, err := seen.Probe()
	if err != nil {
		t.Fatal(err)
	}
	s := &Search{
		Candidates:  Grid([]Axis{{"switch.ecn.kmin", []string{"5KB", "50KB"}}, {"switch.ecn.pmax", []string{"0.1", "1"}}}),
		Known:       []Candidate{{Name: "rule", Settings: []scenario.Setting{{Path: "switch.ecn.kmin", Text: "300KB"}}}},
		Patterns:    []*Pattern{seen},
		Unseen:      []*Pattern{patternOf(t, senders)},
		Seeds:       []uint64{1, 2},
		UnseenSeeds: []uint64{11, 12},
		Slack:       0.02,
		Jobs:        1,
		Run: func(ctx context.Context, p *plan.Plan, _ int, _ func(model.Progress)) (*result.Outcome, error) {
			ran.Add(1)
			return mem.Run(ctx, p, mem.Options{Workers: 1, Algorithms: shipped.Find})
		},
	}
	for _, name := range []string{"fct_p99_us", "queueing_p99_us"} {
		s.Objectives = append(s.Objectives, Objective{Metric: metric(t, name), Zero: Zero(metric(t, name), probe)})
	}
	return s
}

func printed(t *testing.T, a *Answer, axes ...string) string {
	t.Helper()
	var b strings.Builder
	if err := a.Document(axes, nil, nil).Print(&b, page.FormatTable, page.Page{Width: 120}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The answer is the same for any number of jobs, and names what it rests on.
func TestAnswerIsTheSameForAnyJobs(t *testing.T) {
	var texts []string
	for _, jobs := range []int{1, 3} {
		var ran atomic.Int64
		s := small(t, "2", &ran)
		s.Jobs = jobs
		a, err := s.Do(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if a.Nothing != "" || a.Advice() == nil || a.Check == nil || int64(a.Runs) != ran.Load() {
			t.Fatalf("jobs %d: nothing %q, advice %v, checked %v, %d runs of %d",
				jobs, a.Nothing, a.Advice(), a.Check, a.Runs, ran.Load())
		}
		texts = append(texts, printed(t, a, "Kmin", "Pmax"))
	}
	if texts[0] != texts[1] {
		t.Errorf("one job says\n%s\nthree say\n%s", texts[0], texts[1])
	}
	for _, want := range []string{"Recommended: ", "rule", "How sensitive it is", "seeds 11, 12", "promised is x 1.020",
		"at the end of the range tried for Kmin"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(texts[0], want) {
				t.Errorf("it does not say %q:\n%s", want, texts[0])
			}
		})
	}
}

// Without congestion nothing is recommended.
func TestNothingWithoutCongestion(t *testing.T) {
	var ran atomic.Int64
	a, err := small(t, "1", &ran).Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(a.Nothing, "no congestion") || a.Advice() != nil || a.Missed() || ran.Load() != 5 {
		t.Errorf("nothing %q, advice %v, %d runs", a.Nothing, a.Advice(), ran.Load())
	}
	if text := printed(t, a, "Kmin", "Pmax"); !strings.HasPrefix(text, "Nothing is recommended") {
		t.Error(text)
	}
}

// A stopped search resumes, and ends as one that was not; a damaged row is made again, and rows of other models count
// for nothing. The rows have a sweep's names of the runs.
func TestSearchGoesOn(t *testing.T) {
	var ran atomic.Int64
	whole, err := small(t, "2", &ran).Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all := ran.Swap(0)
	dir := t.TempDir()
	again := func(models int, stopAfter int64) (*Answer, error) {
		s := small(t, "2", &ran)
		for _, p := range append(slices.Clone(s.Patterns), s.Unseen...) {
			p.Maker.Models = models
		}
		var err error
		if s.Memory, err = OpenMemory(dir); err != nil {
			t.Fatal(err)
		}
		defer s.Memory.Close()
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		run := s.Run
		s.Run = func(ctx context.Context, p *plan.Plan, job int, f func(model.Progress)) (*result.Outcome, error) {
			if ran.Load() == stopAfter {
				stop()
			}
			return run(ctx, p, job, f)
		}
		return s.Do(ctx)
	}
	if _, err := again(1, 3); !errors.Is(err, context.Canceled) {
		t.Fatalf("stopped: %v", err)
	}
	rows, err := filepath.Glob(filepath.Join(dir, "runs", "*", "*", campaign.RowName))
	if err != nil || len(rows) != 3 {
		t.Fatalf("after three runs the folder has %v, %v", rows, err)
	}
	first := patternOf(t, "2")
	id, err := first.Maker.ID(&sweep.Run{
		Keys: map[string]string{"switch.ecn.kmin": "5KB", "switch.ecn.pmax": "0.1"}, Seed: 1})
	if err != nil || !slices.Contains(rows, filepath.Join(campaign.NewStore(dir).RunDir(id), campaign.RowName)) {
		t.Errorf("the first run is %s, %v, and the folder has %v", id, err, rows)
	}
	text, err := os.ReadFile(rows[2])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(rows[2], text[:len(text)-5], 0o666); err != nil { // it is cut
		t.Fatal(err)
	}
	ran.Store(0)
	a, err := again(1, -1)
	if err != nil {
		t.Fatal(err)
	}
	if a.Remembered != 2 || ran.Load() != all-2 {
		t.Errorf("%d were remembered and %d ran, of %d", a.Remembered, ran.Load(), all)
	}
	if !reflect.DeepEqual(a.Seen, whole.Seen) || !reflect.DeepEqual(a.Unseen, whole.Unseen) || a.Chosen != whole.Chosen {
		t.Errorf("it ended with\n%s\nwant\n%s", printed(t, a, "Kmin", "Pmax"),
			printed(t, whole, "Kmin", "Pmax"))
	}
	ran.Store(0)
	if a, err = again(1, -1); err != nil || int64(a.Remembered) != all || ran.Load() != 0 {
		t.Errorf("a search that was done remembers %d and ran %d of %d, %v", a.Remembered, ran.Load(), all, err)
	}
	if a, err = again(2, -1); err != nil || a.Remembered != 0 || ran.Load() != all {
		t.Errorf("other models remember %d and ran %d of %d, %v", a.Remembered, ran.Load(), all, err)
	}
}

// A sweep's folder is not taken for a search's, nor a search's for a sweep's.
func TestMemoryIsNoSweep(t *testing.T) {
	dir := t.TempDir()
	about, keys := sweep.About{Models: 1}, map[string]string{"seed": "1"}
	p := &sweep.Plan{Runs: []sweep.Run{{ID: campaign.ID(strings.Repeat("ab", 32)), Keys: keys}}}
	if _, err := sweep.Begin(dir, nil, p, about); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenMemory(dir); err == nil || !strings.Contains(err.Error(), "is the folder of a sweep") {
		t.Errorf("a sweep's folder: %v", err)
	}
	dir = t.TempDir()
	store, err := OpenMemory(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := sweep.Begin(dir, nil, p, about); err == nil || !strings.Contains(err.Error(), "not a folder of a "+
		"sweep") {
		t.Errorf("a search's folder: %v", err)
	}
}

// A candidate whose runs end red or unfinished counts for nothing, and is named.
func TestBadCandidateCountsForNothing(t *testing.T) {
	var ran atomic.Int64
	s := small(t, "2", &ran)
	s.Candidates = Grid([]Axis{{"run.limit", []string{"1us", "1s"}}, {"switch.ecn.kmin", []string{"5KB", "50KB"}}})
	a, err := s.Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Bad) != 2 || !strings.Contains(a.Bad[0], "run.limit=1us") || a.Advice() == nil ||
		!strings.HasPrefix(a.Advice().Name, "run.limit=1s") {
		t.Errorf("bad are %q, nothing %q, advice %v", a.Bad, a.Nothing, a.Advice())
	}
}

// If frames are marked and candidates do not change anything, nothing is recommended either, for another reason. Tier:
// -short.
func TestNothingWhereAllAreTheSame(t *testing.T) {
	var ran atomic.Int64
	s := small(t, "2", &ran)
	s.Candidates = Grid([]Axis{{"switch.ecn.kmin", []string{"5KB"}}, {"run.limit", []string{"1s", "2s"}}})
	s.Known = nil
	a, err := s.Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if a.Nothing != "all candidates give the same result in every run" || a.Advice() != nil {
		t.Errorf("nothing %q, advice %v", a.Nothing, a.Advice())
	}
}
