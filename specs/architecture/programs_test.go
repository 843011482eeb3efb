package architecture

import (
	"maps"
	"path/filepath"
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

// programs returns what is wrong with the programs of algorithms.
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
		want := slices.Sorted(slices.Values([]string{algorithms[name], "plugins/process"}))
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
		programsFolder + "/cc-a": {module + "plugins/a", module + "plugins/process"},
		programsFolder + "/cc-b": {module + "plugins/a", module + "plugins/process"},
		programsFolder + "/cc-d": {module + "plugins/d", module + "plugins/process"},
	})
	want := []string{
		programsFolder + "/cc-b imports plugins/a and plugins/process, not plugins/b and plugins/process",
		"the algorithm c is shipped, and there is no " + programsFolder + "/cc-c",
		programsFolder + "/cc-d is a program of no shipped algorithm: add it to plugins/shipped",
	}
	if !slices.Equal(problems, want) {
		t.Errorf("problems are %q, want %q", problems, want)
	}
}

// The program of all algorithms has plugins alone behind it, and what they may
// import: no model, no testbed.
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
	rooms := []string{"cmd/rocelab-cc", "plugins", "emulator/unit", "emulator/chance", "emulator/telemetry",
		"emulator/terminal"}
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
