package main

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// The packages are those that go test would take, and the own flag does not reach it.
func TestArgumentsAreCutAtThePackages(t *testing.T) {
	t.Setenv("GOFLAGS", "")
	for _, c := range []struct {
		args, before, packages, after, build string
		most                                 float64
		verbose                              bool
	}{
		{args: "./...", packages: "./..."},
		{args: "-v -run X -short ./a ./b", before: "-v -run X -short", packages: "./a ./b", verbose: true},
		{args: "./a ./b -v=true --run=./x", packages: "./a ./b", after: "-v=true --run=./x", verbose: true},
		{args: "-v=false -test.run X ./a", before: "-v=false -test.run X", packages: "./a"},
		{
			args:     "-tags mem -race -count 1 ./a -trimpath",
			before:   "-tags mem -race -count 1",
			packages: "./a",
			after:    "-trimpath",
			build:    "-tags mem -race -trimpath",
		},
		{args: "-most-cpu-seconds 60 ./a", packages: "./a", most: 60},
		{args: "-short ./a --most-cpu-seconds=1.5", before: "-short", packages: "./a", most: 1.5},
		{args: "-cpu 1,2 ./a", before: "-cpu 1,2", packages: "./a"},
		{args: "./a -args -v -most-cpu-seconds x", packages: "./a", after: "-args -v -most-cpu-seconds x"},
		{args: "./a -ginkgo.focus x -v", packages: "./a", after: "-ginkgo.focus x -v", verbose: true},
		{args: "-ginkgo.v ./a", after: "-ginkgo.v ./a"}, // go test takes ./a for a value, perhaps
		{args: "-v", before: "-v", verbose: true},
	} {
		t.Run(c.args, func(t *testing.T) {
			a, err := parse(strings.Fields(c.args))
			got := []string{join(a.before), join(a.packages), join(a.after), join(a.build)}
			want := []string{c.before, c.packages, c.after, c.build}
			if err != nil || !slices.Equal(got, want) || a.most != c.most || a.verbose() != c.verbose {
				t.Errorf("%s: %q, most %v, verbose %v, %v; want %q", c.args, got, a.most, a.verbose(), err, want)
			}
		})
	}
	for _, value := range []string{" ./a", "=0", " -1", ""} {
		t.Run(fmt.Sprintf("%q", value), func(t *testing.T) {
			wrong := "-most-cpu-seconds" + value
			if _, err := parse(strings.Fields(wrong)); err == nil || !strings.Contains(err.Error(), "want a number of seconds") {
				t.Errorf("%s: %v", wrong, err)
			}
		})
	}
	if code, err := run([]string{"-exec=env", "-most-cpu-seconds=1", "./a"}); code != 2 || err == nil {
		t.Errorf("a bound with another -exec: exit code %d, %v", code, err)
	}
}

func join(words []string) string { return strings.Join(words, " ") }

// A time limit is added unless the caller has one, and packages come in order.
func TestCommand(t *testing.T) {
	paths := []string{"b", "a"}
	const exec = "-exec=" + measureCommand
	for _, c := range []struct {
		goflags string
		args    []string
		paths   []string
		want    []string
	}{
		{"", []string{"-short", "./...", "-v"}, paths, []string{"-timeout=20m", exec, "-short", "b", "a", "-v"}},
		{"", []string{"-timeout", "3m", "./..."}, paths, []string{exec, "-timeout", "3m", "b", "a"}},
		{"-mod=mod -timeout=3m", []string{"./..."}, paths, []string{exec, "b", "a"}},
		{"", []string{"-exec=nice", "./..."}, paths, []string{"-timeout=20m", "-exec=nice", "b", "a"}},
		{"", []string{"a_test.go"}, paths, []string{"-timeout=20m", exec, "a_test.go"}},
		{"", []string{"./..."}, nil, []string{"-timeout=20m", exec, "./..."}},
		{"", []string{"-v"}, paths, []string{"-timeout=20m", exec, "-v"}},
	} {
		t.Setenv("GOFLAGS", c.goflags)
		a, err := parse(c.args)
		if got := a.command(c.paths); err != nil || !slices.Equal(got, append([]string{"test", "-json"}, c.want...)) {
			t.Errorf("%q: %q, %v; want %q", c.args, got, err, c.want)
		}
	}
}

// What sees the most comes first, then what takes long, then all others as they were; each of
// them is a folder with tests.
func TestOrder(t *testing.T) {
	paths := []string{module + "cmd/rocelab", module + "nicd", "other/specs/rules", module + "specs/marking",
		module + "specs/rules", module + "specs/veth", module + "wan"}
	order(paths)
	want := []string{module + "specs/rules", module + "specs/marking", module + "specs/veth", module + "cmd/rocelab",
		module + "nicd", "other/specs/rules", module + "wan"}
	if !reflect.DeepEqual(paths, want) {
		t.Errorf("%q, want %q", paths, want)
	}
	for _, folder := range early {
		t.Run(folder, func(t *testing.T) {
			if tests, err := filepath.Glob(filepath.Join("..", "..", folder, "*_test.go")); len(tests) == 0 {
				t.Errorf("%s has no tests: %v", folder, err)
			}
		})
	}
}

// Packages are those of the patterns, and none if go list refuses its arguments.
func TestPackagesAreListed(t *testing.T) {
	a := arguments{packages: []string{"../tier", "."}}
	got := list(a)
	slices.Sort(got)
	if want := []string{module + "specs/run", module + "specs/tier"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := list(arguments{}); !slices.Equal(got, []string{module + "specs/run"}) {
		t.Errorf("of no packages: %v", got)
	}
	if got := list(arguments{packages: a.packages, build: []string{"-no-such-flag"}}); got != nil {
		t.Errorf("by a wrong flag: %v", got)
	}
}

// The contract's module is found by folders in it and around it.
func TestPatternsOfTheContract(t *testing.T) {
	t.Chdir("../..")
	got := withContract([]string{"./plugins/cc/...", "./plugins/cc/unit", "./plugins/...", "./nicd", "fmt"})
	want := []string{contractModule + "/...", contractModule + "/unit", contractModule + "/...", "./plugins/...",
		"./nicd", "fmt"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
