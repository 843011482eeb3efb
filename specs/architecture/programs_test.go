package architecture

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// programsFolder holds the programs of one algorithm each.
const programsFolder = "plugins/shipped"

// Every shipped algorithm is a program of its own too, cc-NAME, and imports
// nothing of the project but its algorithm and what serves it. No other program
// has such a name.
func TestEachAlgorithmIsAProgram(t *testing.T) {
	for _, problem := range programs(algorithms(), imports(t)) {
		t.Error(problem)
	}
}

// programs returns the problems of the programs of algorithms.
func programs(algorithms map[string]string, imports map[string][]string) (problems []string) {
	for _, name := range slices.Sorted(maps.Keys(algorithms)) {
		path := programsFolder + "/cc-" + name
		list, ok := imports[path]
		if !ok {
			problems = append(problems, "the algorithm "+name+" is shipped, and there is no "+path)
			continue
		}
		var got []string
		for _, to := range list {
			got = append(got, strings.TrimPrefix(to, module))
		}
		slices.Sort(got)
		want := slices.Sorted(slices.Values([]string{algorithms[name], "plugins/cc/serve"}))
		if !slices.Equal(got, want) {
			problems = append(problems, path+" imports "+strings.Join(got, " and ")+", not "+strings.Join(want, " and "))
		}
	}
	for _, path := range slices.Sorted(maps.Keys(imports)) {
		name, ok := strings.CutPrefix(filepath.Base(path), "cc-")
		if ok && filepath.Dir(path) == programsFolder && algorithms[name] == "" {
			problems = append(problems, path+" is a program of no shipped algorithm: add it to plugins/shipped")
		}
	}
	return problems
}

// A program that is missing, that serves another algorithm or that serves none
// is named.
func TestWrongProgramsAreNamed(t *testing.T) {
	shipped := map[string]string{"a": "plugins/a", "b": "plugins/b", "c": "plugins/c"}
	problems := programs(shipped, map[string][]string{
		programsFolder + "/cc-a": {module + "plugins/a", module + "plugins/cc/serve"},
		programsFolder + "/cc-b": {module + "plugins/a", module + "plugins/cc/serve"},
		programsFolder + "/cc-d": {module + "plugins/d", module + "plugins/cc/serve"},
	})
	want := []string{
		programsFolder + "/cc-b imports plugins/a and plugins/cc/serve, not plugins/b and plugins/cc/serve",
		"the algorithm c is shipped, and there is no " + programsFolder + "/cc-c",
		programsFolder + "/cc-d is a program of no shipped algorithm: add it to plugins/shipped",
	}
	if !slices.Equal(problems, want) {
		t.Errorf("problems are %q, want %q", problems, want)
	}
}

// The program of all algorithms depends only on plugins, and on their allowed imports: not on models or the testbed.
func TestAlgorithmProgramHasPluginsAlone(t *testing.T) {
	all := imports(t)
	for _, name := range slices.Sorted(maps.Keys(algorithms())) {
		if to := module + algorithms()[name]; !slices.Contains(all["plugins/shipped"], to) {
			t.Errorf("plugins/shipped, which rocelab-cc serves, does not import %s", to)
		}
	}
	for _, path := range behind(all, "cmd/rocelab-cc") {
		if outside(path) {
			t.Errorf("behind cmd/rocelab-cc is %s", path)
		}
	}
	if !outside("testbed/mem") || !outside("nicd") || !outside("emulator/engine") {
		t.Error("a program of all algorithms may have anything behind it")
	}
	if got := behind(all, "cmd/rocelab"); !slices.ContainsFunc(got, outside) {
		t.Errorf("behind cmd/rocelab there are plugins alone: %v", got)
	}
}

// outside reports whether a package is none that plugins may have behind them.
func outside(path string) bool {
	rooms := []string{"cmd/rocelab-cc", "plugins"}
	return !slices.ContainsFunc(rooms, func(room string) bool { return matches(path, room) })
}

// behind are the packages of the project that a package imports, over any number of
// others.
func behind(imports map[string][]string, from string) []string {
	seen := map[string]bool{from: true}
	list := []string{from}
	for i := 0; i < len(list); i++ {
		for _, to := range imports[list[i]] {
			to, inside := strings.CutPrefix(to, module)
			if inside && !seen[to] {
				seen[to] = true
				list = append(list, to)
			}
		}
	}
	return list
}

// builtOtherwise are the tests that build programs in a way of their own, with the reason. All others have them from
// specs/program: built once for all suites, and results that go test keeps depend on their sources.
var builtOtherwise = map[string]string{
	"cmd/rocelab/diff_builds_test.go":             "an overlay",
	"cmd/rocelab/pack_root_test.go":               "for another root file system",
	"cmd/rocelab/readme_test.go":                  "an overlay",
	"internal/build/build_test.go":                "builds are what it tests",
	"plugins/fused_test.go":                       "what the compiler writes is what it tests",
	"specs/architecture/inline_test.go":           "what the compiler says is what it tests",
	"specs/faults/crash_test.go":                  "an overlay",
	"specs/faults/daemon_test.go":                 "an overlay",
	"testbed/many/judge/contract_mutants_test.go": "for several processors",
	"specs/packages/packages_test.go":             "as an author without a checkout does",
	"specs/sweep/sweep_suite_test.go":             "an overlay",
	"specs/vagrant/up_test.go":                    "in a virtual machine's folder",
	"specs/architecture/programs_test.go":         "this list",
}

var buildsPrograms = regexp.MustCompile(`"build", |go build -o`)

// Tests have programs from specs/program, and the list names only others. Tier: -short. Red: without one of the list.
func TestProgramsAreBuiltOnce(t *testing.T) {
	others := maps.Clone(builtOtherwise)
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel("../..", path)
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata"):
			return filepath.SkipDir
		case !strings.HasSuffix(path, "_test.go") || strings.HasPrefix(name, "packaging/"):
			return nil
		}
		text, err := os.ReadFile(path)
		found := buildsPrograms.Find(text)
		_, listed := others[name]
		delete(others, name)
		if builds := found != nil && strings.Contains(string(text), "ommand("); listed && !builds {
			t.Errorf("%s builds no program: remove it from builtOtherwise", name)
		} else if builds && !listed {
			t.Errorf("%s builds a program (%s): have it from specs/program, or name the reason in builtOtherwise", name, found)
		}
		return err
	})
	if err != nil || len(others) > 0 {
		t.Errorf("%v; not there: %v", err, others)
	}
}
