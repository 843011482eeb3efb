package architecture

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

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
		path := "cmd/cc-" + name
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
		if ok && filepath.Dir(path) == "cmd" && algorithms[name] == "" {
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
		"cmd/cc-a": {module + "plugins/a", module + "plugins/process"},
		"cmd/cc-b": {module + "plugins/a", module + "plugins/process"},
		"cmd/cc-d": {module + "plugins/d", module + "plugins/process"},
	})
	want := []string{
		"cmd/cc-b imports plugins/a and plugins/process, not plugins/b and plugins/process",
		"the algorithm c is shipped, and there is no cmd/cc-c",
		"cmd/cc-d is a program of no shipped algorithm: add it to plugins/shipped",
	}
	if !slices.Equal(problems, want) {
		t.Errorf("problems are %q, want %q", problems, want)
	}
}
