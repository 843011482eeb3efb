package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// arguments are those of this program: its own flag, and those of go test, cut at the
// packages.
type arguments struct {
	// most is the bound of the tests' CPU time, in s; 0 for none.
	most float64
	// before and after are what go test gets before and after the packages; with no
	// packages, before has all.
	before, packages, after []string
	// build are those of the flags that go list takes, too.
	build []string
	given map[string]string
}

// mostFlag bounds the CPU time of all tests together. Go test has no such flag, nor one
// that begins like it.
const mostFlag = "most-cpu-seconds"

// Flags of go test, by whether they take a value as an argument of their own
// (go help build, test and testflag).
var (
	buildSwitches = []string{"a", "asan", "buildvcs", "linkshared", "modcacherw", "msan", "race", "trimpath"}
	buildValues   = []string{"asmflags", "buildmode", "compiler", "gccgoflags", "gcflags", "installsuffix",
		"ldflags", "mod", "modfile", "overlay", "pgo", "pkgdir", "tags", "toolexec"}
	testSwitches = []string{"artifacts", "benchmem", "c", "cover", "failfast", "fullpath", "json", "n", "short", "v",
		"work", "x"}
	testValues = []string{"bench", "benchtime", "blockprofile", "blockprofilerate", "count", "covermode", "coverpkg",
		"coverprofile", "cpu", "cpuprofile", "exec", "fuzz", "fuzzminimizetime", "fuzztime", "list", "memprofile",
		"memprofilerate", "mutexprofile", "mutexprofilefraction", "o", "outputdir", "p", "parallel", "run", "shuffle",
		"skip", "timeout", "trace", "vet"}
)

// parse cuts the arguments as go test does: the packages are the first row of words that
// are neither flags nor values of known flags. There are none after a flag that go test
// does not know, for what follows may be its value.
func parse(args []string) (a arguments, err error) {
	a.given = map[string]string{}
	for _, arg := range strings.Fields(os.Getenv("GOFLAGS")) {
		a.note(arg, "")
	}
	to := &a.before
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		if !strings.HasPrefix(arg, "-") || arg == "-" {
			if to == &a.before {
				to = &a.packages
			}
			*to = append(*to, arg)
			continue
		}
		if to == &a.packages {
			to = &a.after
		}
		name, value, whole := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-"), "=")
		name = strings.TrimPrefix(name, "test.")
		build, takes := slices.Contains(buildSwitches, name), slices.Contains(testValues, name) || name == mostFlag
		if slices.Contains(buildValues, name) {
			build, takes = true, true
		}
		words := []string{arg}
		switch {
		case takes && !whole && len(args) > 0:
			value, words, args = args[0], append(words, args[0]), args[1:]
		case !takes && !build && !slices.Contains(testSwitches, name): // not go test's, or -args
			to = &a.after
			if name == "args" || name == "" {
				words, args = append(words, args...), nil
			}
		}
		switch {
		case name == mostFlag:
			if a.most, err = strconv.ParseFloat(value, 64); err != nil || !(a.most > 0) {
				return a, fmt.Errorf("-%s %q: want a number of seconds above 0", mostFlag, value)
			}
			continue
		case build:
			a.build = append(a.build, words...)
		}
		a.note(arg, value)
		*to = append(*to, words...)
	}
	return a, nil
}

// note remembers a flag and its value; that of a switch without one is "".
func (a *arguments) note(arg, value string) {
	name, inArg, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	if value == "" {
		value = inArg
	}
	a.given[strings.TrimPrefix(name, "test.")] = value
}

// has reports whether a flag was given.
func (a *arguments) has(name string) bool {
	_, given := a.given[name]
	return given
}

// verbose reports whether go test was asked for -v.
func (a *arguments) verbose() bool {
	value, given := a.given["v"]
	return given && (value == "" || value == "true" || value == "test2json")
}
