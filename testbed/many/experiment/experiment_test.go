package experiment

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/model"
)

// fixture is an experiment with two variants whose runs send nothing, so that
// their verdicts are void.
func fixture(t *testing.T, seeds ...uint64) (*Experiment, string) {
	dir := filepath.Join(t.TempDir(), "run")
	return &Experiment{
		Name:   "x",
		Digest: "d",
		Source: []byte("name: x\n"),
		Seeds:  seeds,
		Plans: func(seed *uint64) ([]*plan.Plan, error) {
			a, b := &plan.Plan{Name: "a", Seed: 1}, &plan.Plan{Name: "b", Seed: 1}
			if seed != nil {
				a.Seed, b.Seed = *seed, *seed
			}
			return []*plan.Plan{a, b}, nil
		},
		Folder: func() (*result.Folder, error) { return result.Create(dir) },
		Run: func(_ context.Context, t Task) (*result.Outcome, error) {
			if t.Capture != nil {
				if _, err := io.WriteString(t.Capture, "pcapng"); err != nil {
					return nil, err
				}
			}
			return &result.Outcome{Plan: t.Plan, End: unit.Time(unit.Microsecond)}, nil
		},
	}, dir
}

func do(t *testing.T, e *Experiment) *Report {
	t.Helper()
	r, err := e.Do(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func folders(t *testing.T, dir string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var m result.Manifest
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	list := []string{m.Status}
	for _, r := range m.Runs {
		list = append(list, r.Folder)
		if _, err := os.Stat(filepath.Join(dir, r.Folder, "summary.json")); err != nil {
			t.Error(err)
		}
	}
	return strings.Join(list, " ")
}

func TestEachVariantHasAFolder(t *testing.T) {
	e, dir := fixture(t)
	r := do(t, e)
	if r.Folder != dir || len(r.Runs) != 2 || r.ExitCode() != exit.CodeVerdict {
		t.Errorf("%+v", r)
	}
	if got := folders(t, dir); got != "complete a b" {
		t.Error(got)
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "scenario.yaml")); string(b) != "name: x\n" {
		t.Errorf("scenario %q", b)
	}
}

func TestSeedsStandBelowTheVariant(t *testing.T) {
	e, dir := fixture(t, 3, 4)
	do(t, e)
	if got := folders(t, dir); got != "complete a/seed-3 b/seed-3 a/seed-4 b/seed-4" {
		t.Error(got)
	}
}

// One run has the place that it would have among several.
func TestTheOnlyRunHasAFolder(t *testing.T) {
	e, dir := fixture(t)
	e.Variants, e.Capture = []string{"b"}, true
	if r := do(t, e); r.Runs[0].Summary.Variant != "b" {
		t.Error("wrong variant")
	}
	if got := folders(t, dir); got != "complete b" {
		t.Error(got)
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "b", "capture.pcapng")); string(b) != "pcapng" {
		t.Errorf("capture %q", b)
	}
}

func TestUsage(t *testing.T) {
	e, dir := fixture(t)
	e.Variants = []string{"c"}
	_, err := e.Do(context.Background())
	if !exit.Is(err, exit.CodeUsage) || err.Error() != `x has no variant "c": it has a, b` {
		t.Error(err)
	}
	if _, err := os.Stat(dir + ".part"); err == nil {
		t.Error("a folder was begun")
	}
	e, _ = fixture(t)
	e.Capture, e.Folder = true, nil
	if _, err := e.Do(context.Background()); !exit.Is(err, exit.CodeUsage) {
		t.Error(err)
	}
}

func TestInterruptionEndsTheExperiment(t *testing.T) {
	e, dir := fixture(t)
	run := e.Run
	e.Run = func(ctx context.Context, t Task) (*result.Outcome, error) {
		o, err := run(ctx, t)
		o.Interrupted = true
		return o, err
	}
	r := do(t, e)
	if len(r.Runs) != 1 || r.ExitCode() != exit.CodeInterrupted || !slices.Equal(r.NotRun, []string{"b"}) {
		t.Errorf("%+v", r)
	}
	if got := folders(t, dir); got != "interrupted a" {
		t.Error(got)
	}
}

func TestInterruptionNamesWhatWasNotRun(t *testing.T) {
	for at, want := range map[int]string{
		1: "b seed 3, a seed 4, b seed 4, a seed 5, b seed 5",
		2: "a seed 4, b seed 4, a seed 5, b seed 5",
		6: "",
	} {
		t.Run(fmt.Sprintf("at=%v", at), func(t *testing.T) {
			e, dir := fixture(t, 3, 4, 5)
			run := e.Run
			e.Run = func(ctx context.Context, t Task) (*result.Outcome, error) {
				o, err := run(ctx, t)
				o.Interrupted = t.Number == at
				return o, err
			}
			r := do(t, e)
			var m result.Manifest
			b, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
			if err != nil || json.Unmarshal(b, &m) != nil {
				t.Fatal(err)
			}
			for _, got := range [][]string{r.NotRun, m.NotRun} {
				if strings.Join(got, ", ") != want {
					t.Errorf("interrupted in run %d: %q, want %q", at, got, want)
				}
			}
		})
	}
}

func TestAFaultLeavesNoFolder(t *testing.T) {
	fault := errors.New("fault")
	for _, capture := range []bool{false, true} {
		t.Run(fmt.Sprintf("capture=%v", capture), func(t *testing.T) {
			e, dir := fixture(t)
			run := e.Run
			e.Capture = capture
			e.Run = func(ctx context.Context, t Task) (*result.Outcome, error) {
				if t.Number == 2 {
					return nil, fault
				}
				return run(ctx, t)
			}
			r, err := e.Do(context.Background())
			if !errors.Is(err, fault) || err.Error() != "variant b: fault" {
				t.Error(err)
			}
			if len(r.Runs) != 1 || r.Folder != "" {
				t.Errorf("%+v", r)
			}
			if left, _ := filepath.Glob(dir + "*"); len(left) != 0 {
				t.Error(left)
			}
		})
	}
}

// If an algorithm failed, the runs before are kept, and the manifest describes the fault.
func TestAFaultOfAnAlgorithmKeepsTheFolder(t *testing.T) {
	e, dir := fixture(t)
	run := e.Run
	e.Run = func(ctx context.Context, t Task) (*result.Outcome, error) {
		if t.Number == 2 {
			return nil, &model.AlgorithmError{Err: errors.New("oops")}
		}
		return run(ctx, t)
	}
	r, err := e.Do(context.Background())
	var fault *model.AlgorithmError
	if !errors.As(err, &fault) || len(r.Runs) != 1 || r.Folder != dir {
		t.Errorf("%v, %+v", err, r)
	}
	if got := folders(t, dir); got != "failed a" {
		t.Error(got)
	}
	m, err := result.ReadManifest(os.DirFS(dir))
	if err != nil || !slices.Equal(m.NotRun, []string{"b"}) {
		t.Errorf("%v, %+v", err, m)
	}
	host, err := result.ReadHost(os.DirFS(dir))
	if err != nil || host.Fault != "variant b: algorithm fault: oops" {
		t.Errorf("%v, %+v", err, host)
	}
}

// What programs printed is in the folder, as a part of the host's.
func TestWhatProgramsPrintedIsKept(t *testing.T) {
	e, dir := fixture(t)
	e.Printed = func() map[string][]byte { return map[string][]byte{"cc-b.log": []byte("b"), "cc a.log": []byte("a")} }
	if r := do(t, e); !slices.Equal(r.Printed, []string{"plugins/cc_a.log", "plugins/cc-b.log"}) {
		t.Error(r.Printed)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "plugins", "cc-b.log")); err != nil || string(text) != "b" {
		t.Errorf("%q, %v", text, err)
	}
	host, err := result.ReadHost(os.DirFS(dir))
	if err != nil || len(host.Files) != 2 || host.Files[0].Name != "plugins/cc-b.log" {
		t.Errorf("%v, %+v", err, host)
	}
	m, err := result.ReadManifest(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(m.Files, func(f result.FileSum) bool { return strings.HasPrefix(f.Name, "plugins/") }) {
		t.Error("what programs printed counts as a result")
	}
}

// A folder that cannot be finished is as if it had never been begun.
func TestAFolderThatCannotBeFinishedIsNotNamed(t *testing.T) {
	e, dir := fixture(t)
	run := e.Run
	e.Run = func(ctx context.Context, t Task) (*result.Outcome, error) {
		if t.Number == 2 { // in the way of the last files
			if err := os.Mkdir(filepath.Join(dir+".part", "columns.md"), 0o700); err != nil {
				return nil, err
			}
		}
		return run(ctx, t)
	}
	r, err := e.Do(context.Background())
	var refused *result.FolderError
	if !errors.As(err, &refused) {
		t.Error(err)
	}
	if len(r.Runs) != 2 || r.Folder != "" {
		t.Errorf("%+v", r)
	}
	if left, _ := filepath.Glob(dir + "*"); len(left) != 0 {
		t.Error(left)
	}
}

// If only the name is refused, whole results are not thrown away.
func TestAFolderWithoutItsNameIsKept(t *testing.T) {
	e, dir := fixture(t)
	run := e.Run
	e.Run = func(ctx context.Context, t Task) (*result.Outcome, error) {
		if err := os.MkdirAll(filepath.Join(dir, "taken"), 0o700); err != nil {
			return nil, err
		}
		return run(ctx, t)
	}
	r, err := e.Do(context.Background())
	if err == nil || !strings.Contains(err.Error(), "the results are in "+dir+".part") || r.Folder != "" {
		t.Errorf("%q, %v", r.Folder, err)
	}
	if _, err := os.Stat(filepath.Join(dir+".part", "manifest.json")); err != nil {
		t.Error(err)
	}
}

func TestFolderNames(t *testing.T) {
	for name, want := range map[string]string{"pc4": "pc4", "a b/c": "a_b_c", "..": "_..", "": "",
		"x.1": "x.1", "ö": "_"} {
		t.Run(fmt.Sprintf("%q", name), func(t *testing.T) {
			if got := folderName(name); got != want {
				t.Errorf("%q: %q, want %q", name, got, want)
			}
		})
	}
	s := session{Experiment: &Experiment{}, names: map[string]bool{}, total: 3}
	got := s.subfolder(&plan.Plan{Name: "a b"}) + " " + s.subfolder(&plan.Plan{Name: "a_b"}) + " " + s.subfolder(
		&plan.Plan{Name: "a/b"})
	if got != "a_b a_b-2 a_b-3" {
		t.Error(got)
	}
}

// A command takes over runs of another one, which had other subfolders for them, into its own. Red if the
// subfolder of the kept run stays.
func TestAdoptedRunsHaveTheSubfolderOfTheCommand(t *testing.T) {
	kept := filepath.Join(t.TempDir(), "unfinished")
	resuming := func(e *Experiment) {
		e.Unfinished = campaign.OpenUnfinished(kept)
		e.ID = func(p *plan.Plan) (campaign.ID, error) { return campaign.IDOf("run", p) }
	}
	first, _ := fixture(t)
	resuming(first)
	do(t, first)
	first.Unfinished.Close(false)
	second, dir := fixture(t, 1, 2)
	resuming(second)
	made, run := 0, second.Run
	second.Run = func(ctx context.Context, task Task) (*result.Outcome, error) {
		made++
		return run(ctx, task)
	}
	do(t, second)
	if found, _ := second.Unfinished.Close(true); found != 2 || made != 2 {
		t.Errorf("%d found, %d made", found, made)
	}
	if got := folders(t, dir); got != "complete a/seed-1 b/seed-1 a/seed-2 b/seed-2" {
		t.Error(got)
	}
}
