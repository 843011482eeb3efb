package campaign

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/model"
)

// A kept run is found by a process that comes after one that was killed, with its files; a damaged or truncated one is
// not; and once all is done nothing is left. Tier: -short. Red if the digest is not compared.
func TestUnfinished(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "unfinished")
	killed := OpenUnfinished(dir)
	id, err := IDOf("test", 1)
	if err != nil {
		t.Fatal(err)
	}
	killed.Keep(id, &Row{Error: "kept"}, func(dir string) error {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, "flows.csv"), []byte("text"), 0o666)
	})
	kept := filepath.Join(dir, "runs", string(id[:2]), string(id), "kept")
	whole, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ what, text string }{
		{"whole", string(whole)},
		{"cut off", string(whole[:len(whole)-3])},
		{"empty", ""},
		{"one digit", strings.Replace(string(whole), "kept", "kepT", 1)}, // the last one is damaged
	} {
		t.Run(c.what, func(t *testing.T) {
			if err := os.WriteFile(kept, []byte(c.text), 0o666); err != nil {
				t.Fatal(err)
			}
			row := &Row{}
			files, found := OpenUnfinished(dir).Find(id, row)
			if found != (c.what == "whole") {
				t.Errorf("found %v", found)
			}
			if _, err := os.Stat(filepath.Join(files, "flows.csv")); found && (err != nil || row.Error != "kept") {
				t.Errorf("%+v, %v", row, err)
			}
		})
	}
	next := OpenUnfinished(dir)
	next.Keep(id, &Row{}, nil) // in place of what is damaged
	if found, left := next.Close(false); found != 0 || left != 1 {
		t.Errorf("%d found, %d left", found, left)
	}
	last := OpenUnfinished(dir)
	if _, found := last.Find(id, &Row{}); !found {
		t.Error("it is not found after an interruption")
	}
	if found, left := last.Close(true); found != 1 || left != 0 {
		t.Errorf("%d found, %d left", found, left)
	}
	killed.Close(true)
	if _, err := os.Stat(dir); err == nil {
		t.Error("the folder stays when nothing is in it")
	}
}

// A folder that cannot be written costs the keeping and nothing else.
func TestUnfinishedThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, u := range []*Unfinished{OpenUnfinished(filepath.Join(file, "below")), nil} {
		id, _ := IDOf("test")
		u.Keep(id, &Row{}, nil)
		if _, found := u.Find(id, &Row{}); found {
			t.Error("found")
		}
		if found, kept := u.Close(false); found+kept > 0 {
			t.Error(found, kept)
		}
	}
}

// A run has another name as soon as anything of its plan, its algorithms or its purpose differs. Tier: -short. Red if
// the plan is named by Plan.Digest, which leaves out the seed and the records.
func TestIDs(t *testing.T) {
	plain := func() *plan.Plan {
		return &plan.Plan{
			Seed:  1,
			MTU:   1000,
			Links: []plan.Link{{}},
			Flows: []plan.Flow{{Name: "f", Size: 5, Algorithm: &plan.Algorithm{Name: "pc4"}}},
		}
	}
	names := map[ID]string{}
	add := func(what, kind string, p *plan.Plan, algorithms ...result.Algorithm) {
		t.Helper()
		id, err := IDOf(kind, p, algorithms)
		if err != nil {
			t.Fatal(err)
		}
		if other, taken := names[id]; taken {
			t.Errorf("%s has the name of %s", what, other)
		}
		names[id] = what
	}
	add("the run", "run", plain())
	add("another kind", "check", plain())
	add("an algorithm", "run", plain(), result.Algorithm{Name: "pc4", Version: "2"})
	for what, change := range map[string]func(*plan.Plan){
		"seed":      func(p *plan.Plan) { p.Seed = 2 },
		"variant":   func(p *plan.Plan) { p.Name = "v" },
		"rate":      func(p *plan.Plan) { p.Links[0].Forward.Rate = unit.Gbps },
		"size":      func(p *plan.Plan) { p.Flows[0].Size = 6 },
		"limit":     func(p *plan.Plan) { p.Limit = 7 },
		"recording": func(p *plan.Plan) { p.Record.Off = true },
		"parameter": func(p *plan.Plan) { p.Flows[0].Algorithm.Params = map[string]string{"g": "1"} },
	} {
		p := plain()
		change(p)
		add(what, "run", p)
	}
	again, err := IDOf("run", plain(), []result.Algorithm(nil))
	if err != nil || names[again] != "the run" {
		t.Errorf("the run has another name the second time: %v", err)
	}
}

// All of a run is kept: the process that writes it reaches all of its fields, except the verdict of a live run, which
// is not kept. Tier: -short. Red with a field that is not exported, or a pointer to a number: its 0 would come back as
// nil.
func TestRunsCanBeKept(t *testing.T) {
	seen := map[reflect.Type]bool{}
	var walk func(at string, of reflect.Type)
	walk = func(at string, of reflect.Type) {
		switch of.Kind() {
		case reflect.Interface, reflect.Func, reflect.Chan:
			t.Errorf("%s is a %v", at, of)
		case reflect.Pointer:
			if of.Elem().Kind() != reflect.Struct {
				t.Errorf("%s is a %v", at, of)
			}
			walk(at, of.Elem())
		case reflect.Slice, reflect.Array, reflect.Map:
			if of.Elem().Kind() == reflect.Pointer {
				t.Errorf("%s has elements that may be nil: %v", at, of)
			}
			walk(at+"[]", of.Elem())
		case reflect.Struct:
			if seen[of] {
				return
			}
			seen[of] = true
			for i := range of.NumField() {
				f := of.Field(i)
				if !f.IsExported() && at+"."+f.Name != "Run.Verdict.inside" {
					t.Errorf("%s.%s is not exported", at, f.Name)
				}
				walk(at+"."+f.Name, f.Type)
			}
		}
	}
	walk("Run", reflect.TypeFor[Run]())
}

// A matrix that was interrupted or killed continues at its place, for any number of jobs, and has the same result.
// Tier: -short. Red if the kept run of another cell is taken, or one that was interrupted is kept.
func TestMatrixResumes(t *testing.T) {
	for _, jobs := range []int{1, 3} {
		t.Run(fmt.Sprintf("jobs=%v", jobs), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "unfinished")
			made := 0
			attempt := func(stop int) (kept map[string]uint64, found int) {
				u := OpenUnfinished(dir)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				m := &Matrix{Jobs: jobs, Unfinished: u}
				kept = map[string]uint64{}
				made = 0
				for i := range 6 {
					name := fmt.Sprint(i)
					m.Cells = append(m.Cells, Cell{
						Name: name,
						Plan: func() (*plan.Plan, error) { return &plan.Plan{Name: name, Seed: uint64(i)}, nil },
						ID:   func(p *plan.Plan) (ID, error) { return IDOf("run", p) },
						Run: func(_ context.Context, p *plan.Plan, _ int, _ func(model.Progress)) (*result.Outcome, error) {
							o := &result.Outcome{Plan: p, Interrupted: ctx.Err() != nil}
							o.Trace = p.Seed * 7
							return o, nil
						},
						Keep: func(o *result.Outcome, run Run) error {
							if o != nil {
								made++
							}
							kept[name] = run.Summary.Trace
							if len(kept) == stop {
								cancel()
							}
							return nil
						},
					})
				}
				if _, err := m.Do(ctx); err != nil {
					t.Fatal(err)
				}
				if stop > 6 {
					found, _ = u.Close(true)
				} // else it was killed
				return kept, found
			}
			first, _ := attempt(3)
			second, found := attempt(7)
			if len(first) < 3 || found != len(first) || made != 6-found || len(second) != 6 {
				t.Errorf("%d jobs: %v, then %v: %d found, %d made", jobs, first, second, found, made)
			}
			for i := range 6 {
				if second[fmt.Sprint(i)] != uint64(i)*7 {
					t.Errorf("%d jobs: %v", jobs, second)
				}
			}
		})
	}
}

// A folder that others can write to, or that is a link, is neither read nor written, and the reason is known; old
// work is removed; and a find that could not be used does not count. Red without ownFolder, prune or Refuse.
func TestUntrustedUnfinished(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "unfinished")
	id, _ := IDOf("test", 1)
	own := OpenUnfinished(dir)
	own.Keep(id, &Row{}, nil)
	own.Close(false)
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Fatalf("%v, %v", info, err)
	}
	link := dir + ".link"
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	distrusts := func(name string, mode os.FileMode) {
		t.Helper()
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		u := OpenUnfinished(name)
		_, found := u.Find(id, &Row{})
		u.Keep(id, &Row{}, nil)
		if n, left := u.Close(true); found || n+left > 0 || u.Distrusted() == nil {
			t.Errorf("%s: found %v, %d, %d left, %v", name, found, n, left, u.Distrusted())
		}
	}
	distrusts(dir, 0o777)
	distrusts(link, 0o700)
	unused := OpenUnfinished(dir)
	if _, found := unused.Find(id, &Row{}); !found {
		t.Error("not found")
	}
	unused.Refuse(id)
	if found, _ := unused.Close(false); found != 0 {
		t.Errorf("%d found", found)
	}
	kept := filepath.Join(unused.store.RunDir(id), keptName)
	if err := os.Chtimes(kept, time.Time{}, time.Now().Add(-keptFor-time.Hour)); err != nil {
		t.Fatal(err)
	}
	other, _ := IDOf("test", 2)
	later := OpenUnfinished(dir)
	later.Keep(other, &Row{}, nil)
	if _, found := later.Find(id, &Row{}); found {
		t.Error("what was kept long ago is found")
	}
	later.Close(true)
}

// Of two equal commands at a time neither replaces what the other has kept and may be reading, nor takes it away if it
// has not read it itself; what could not be used is replaced.
func TestTwoEqualCommandsKeepTheSame(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "unfinished")
	id, err := IDOf("test", 1)
	if err != nil {
		t.Fatal(err)
	}
	keep := func(u *Unfinished, by string) {
		u.Keep(id, &Row{Error: by}, func(dir string) error {
			if err := os.MkdirAll(dir, 0o777); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(dir, by), nil, 0o666)
		})
	}
	holds := func(u *Unfinished, by string) {
		t.Helper()
		row := &Row{}
		files, found := u.Find(id, row)
		if _, err := os.Stat(filepath.Join(files, by)); !found || row.Error != by || err != nil {
			t.Errorf("found %v, of %q, want that of %q: %v", found, row.Error, by, err)
		}
	}
	early, late := OpenUnfinished(dir), OpenUnfinished(dir)
	keep(early, "early")
	keep(late, "late")
	late.Close(true)
	holds(early, "early")
	early.Close(true)
	one, other := OpenUnfinished(dir), OpenUnfinished(dir)
	keep(one, "one")
	keep(other, "other")
	holds(other, "one")
	other.Refuse(id)
	keep(other, "other")
	holds(one, "other")
	one.Close(true) // it is done, and the other goes on
	keep(other, "again")
	holds(other, "again")
	other.Close(true)
	if _, err := os.Stat(dir); err == nil {
		t.Error("the folder stays when nothing is in it")
	}
}
