package rerun

import (
	"reflect"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/build"
)

// causes has, for each field of a manifest that may be the only one to change, the resulting cause in words, one for
// each line; for a field that is not a cause nothing, and the reason. A field covers the fields below it.
var causes = map[string]struct{ cause, reason string }{
	"Format":    {"", "a folder of another is refused"},
	"Status":    {"", "a result"},
	"Scenario":  {"", "a name"},
	"Digest":    {"scenario: its SHA-256 is ddx, and was dd", ""},
	"Overrides": {"", "a rerun takes those of the folder, and a diff lists them as flags"},
	"Models":    {"models: version 4, and was 3", ""},
	"Build.ID":  {"build: v1 go1 onex, and was v1 go1 one", ""},
	"Build":     {"", "the ID names a build"},
	"NotRun":    {"", "a result"},
	"Files":     {"", "a result"},

	"Runs+":              {"", "runs are compared two by two"},
	"Runs-":              {"", "runs are compared two by two"},
	"Runs[].Variant":     {"", "a name"},
	"Runs[].Folder":      {"", "a name"},
	"Runs[].Algorithm":   {"", "those of the flows say more"},
	"Runs[].Seed":        {"seed 2, and was 1", ""},
	"Runs[].Trace":       {"", "a result"},
	"Runs[].Verdict":     {"", "a result"},
	"Runs[].Interrupted": {"", "a result"},

	"Runs[].Algorithms+":                  {"minex ran, and did not", ""},
	"Runs[].Algorithms-":                  {"mine did not run, and did", ""},
	"Runs[].Algorithms[].Name":            {"mine did not run, and did\nminex ran, and did not", ""},
	"Runs[].Algorithms[].Version":         {"mine is version 1.0.0x, and was 1.0.0", ""},
	"Runs[].Algorithms[].Form":            {"mine is processx, and was process", ""},
	"Runs[].Algorithms[].Params.gain":     {"mine has gain=0.2x, and had 0.2", ""},
	"Runs[].Algorithms[].Params.gain=nil": {"mine has gain=a value of its own, and had 0.2", ""},
	"Runs[].Algorithms[].Params.gain-":    {"mine has gain=no such parameter, and had 0.2", ""},
	"Runs[].Algorithms[].Params+":         {"mine has new=0.2x, and had no such parameter", ""},

	"Runs[].Algorithms[].Program=nil":            {"mine is another program: its SHA-256 is not known, and was aa", ""},
	"Runs[].Algorithms[].Program.SHA256":         {"mine is another program: its SHA-256 is aax, and was aa", ""},
	"Runs[].Algorithms[].Program.Build":          {"", "the program's digest says more"},
	"Runs[].Algorithms[].Program.Runtime":        {"mine runs on CPython 3.13x, and did on CPython 3.13", ""},
	"Runs[].Algorithms[].Program.Files+":         {"mine has m.pyx, and had not", ""},
	"Runs[].Algorithms[].Program.Files-":         {"mine has no m.py, and had", ""},
	"Runs[].Algorithms[].Program.Files[].Name":   {"mine has no m.py, and had\nmine has m.pyx, and had not", ""},
	"Runs[].Algorithms[].Program.Files[].SHA256": {"mine has another m.py", ""},
}

// whole is a manifest with something in every field.
func whole() *result.Manifest {
	value := "0.2"
	info := build.Info{
		ID:       "one",
		Version:  "v1",
		Revision: "abc",
		Go:       "go1",
		Modules:  []string{"m v1"},
	}
	return &result.Manifest{
		Format:    result.Format,
		Status:    result.StatusComplete,
		Scenario:  "x",
		Digest:    "dd",
		Overrides: map[string]string{"seed": "1"},
		Build:     info,
		Models:    3,
		NotRun:    []string{"b"},
		Files:     []result.FileSum{{Name: "columns.md", SHA256: "13"}},
		Runs: []result.RunID{{
			Variant:   "a",
			Folder:    "a",
			Algorithm: "mine",
			Seed:      1,
			Trace:     "1111",
			Verdict:   "pass",
			Algorithms: []result.Algorithm{{
				Name:    "mine",
				Version: "1.0.0",
				Form:    result.FormProcess,
				Params:  map[string]*string{"gain": &value},
				Program: &result.Program{
					SHA256:  "aa",
					Build:   &info,
					Runtime: "CPython 3.13",
					Files:   []result.FileSum{{Name: "m.py", SHA256: "ab"}},
				},
			}},
		}},
	}
}

// change makes one thing of a manifest another one.
type change struct {
	path string
	make func()
}

// changesOf returns the ways to change one thing in a value.
func changesOf(t *testing.T, of reflect.Value, path string) (list []change) {
	t.Helper()
	add := func(path string, make func()) { list = append(list, change{path, make}) }
	one := func() bool {
		if of.Len() != 1 {
			t.Errorf("the whole manifest has %d %s, want 1", of.Len(), path)
		}
		return of.Len() == 1
	}
	switch of.Kind() {
	case reflect.String:
		add(path, func() { of.SetString(of.String() + "x") })
	case reflect.Int:
		add(path, func() { of.SetInt(of.Int() + 1) })
	case reflect.Uint64:
		add(path, func() { of.SetUint(of.Uint() + 1) })
	case reflect.Bool:
		add(path, func() { of.SetBool(!of.Bool()) })
	case reflect.Struct:
		for i := range of.NumField() {
			if name := strings.TrimPrefix(path+"."+of.Type().Field(i).Name, "."); name != "Host" { // of the host
				list = append(list, changesOf(t, of.Field(i), name)...)
			}
		}
	case reflect.Pointer:
		add(path+"=nil", func() { of.SetZero() })
		if of.IsNil() {
			t.Errorf("the whole manifest lacks %s", path)
			return list
		}
		list = append(list, changesOf(t, of.Elem(), path)...)
	case reflect.Slice:
		if one() {
			add(path+"-", func() { of.SetZero() })
			add(path+"+", func() { of.Set(reflect.Append(of, other(t, of.Index(0)))) })
			list = append(list, changesOf(t, of.Index(0), path+"[]")...)
		}
	case reflect.Map:
		if one() {
			key, value := of.MapKeys()[0], of.MapIndex(of.MapKeys()[0])
			add(path+"."+key.String()+"-", func() { of.SetMapIndex(key, reflect.Value{}) })
			add(path+"+", func() { of.SetMapIndex(reflect.ValueOf("new"), other(t, value)) })
			entry := reflect.New(value.Type()).Elem()
			entry.Set(value)
			for _, c := range changesOf(t, entry, path+"."+key.String()) {
				add(c.path, func() { c.make(); of.SetMapIndex(key, entry) })
			}
		}
	default:
		t.Fatalf("%s is a %v: how may it differ?", path, of.Kind())
	}
	return list
}

// other is a copy of a value whose first text is another.
func other(t *testing.T, of reflect.Value) reflect.Value {
	t.Helper()
	copied := reflect.New(of.Type()).Elem()
	copied.Set(of)
	first := copied
	for first.Kind() != reflect.String {
		switch first.Kind() {
		case reflect.Struct:
			first = first.Field(0)
		case reflect.Pointer:
			first.Set(reflect.New(first.Type().Elem()))
			first.Elem().Set(of.Elem())
			first = first.Elem()
		default:
			t.Fatalf("no text in %v", of.Type())
		}
	}
	first.SetString(first.String() + "x")
	return copied
}

// If just one field of a manifest differs, the causes are the table's; a field that is not in the table is refused.
func TestEachFieldHasItsCause(t *testing.T) {
	seen := map[string]bool{}
	all := changesOf(t, reflect.ValueOf(whole()).Elem(), "")
	for i, c := range all {
		row, key := row(c.path)
		if key == "" {
			t.Errorf("%s: if it decides a run, it wants a cause in cause.go; if not, a reason here", c.path)
			continue
		}
		seen[key] = true
		before, after := whole(), whole()
		changesOf(t, reflect.ValueOf(after).Elem(), "")[i].make()
		if reflect.DeepEqual(before, after) {
			t.Errorf("%s: not changed", c.path)
		}
		list := Causes(before, after)
		if len(after.Runs) > 0 {
			list = append(list, CausesOfRun(before.Runs[0], after.Runs[0])...)
		}
		if got := strings.Join(list, "\n"); got != row.cause {
			t.Errorf("%s: causes\n%s\nwant\n%s", c.path, got, row.cause)
		}
	}
	for path, row := range causes {
		t.Run(path, func(t *testing.T) {
			if (row.cause == "") != (row.reason != "") {
				t.Errorf("%s: a cause %q and a reason %q", path, row.cause, row.reason)
			}
			if !seen[path] {
				t.Errorf("%s: no manifest has it", path)
			}
		})
	}
}

// row returns the table's row for a field, or, for one that is not a cause, for its parent.
func row(path string) (row struct{ cause, reason string }, key string) {
	if row, known := causes[path]; known {
		return row, path
	}
	for key = path; key != ""; {
		key = key[:max(strings.LastIndexAny(key, ".[+-="), 0)]
		if row := causes[key]; row.reason != "" {
			return row, key
		}
	}
	return row, ""
}
