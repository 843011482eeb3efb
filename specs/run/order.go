package main

import (
	"bytes"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// module is the path of rocelab's module.
const module = "github.com/rocelab/rocelab/"

// early are the packages that are tested before all others. Go test starts packages in
// the order in which it is given them, each as soon as there is room: those first that
// see the most faults in the least time, so that a run that will be red is red soon; then
// the long ones, so that the end is not one of them alone on a machine that has nothing
// else to do.
var early = []string{
	"specs/rules", "specs/marking", "specs/determinism/fingerprint", "specs/recovery", "specs/lossless",
	"specs/veth", "specs/mutant", "specs/twodc", "specs/faults/nemesis", "specs/authoring", "specs/browser",
	"specs/packages", "cmd/rocelab", "specs/judge", "specs/determinism", "testbed/tune", "specs/sweep", "specs/faults",
	"specs/hostile", "specs/live", "specs/rxe", "specs/vagrant",
}

// suites are packages to be tested.
type suites struct {
	// paths are their import paths, in the order in which they are tested.
	paths []string
	// at are the import paths by folder.
	at map[string]string
}

// list asks go list for the packages that go test would test, and brings them into order.
// What it cannot list is go test's to report: suites is empty then.
func list(a arguments) suites {
	patterns := a.packages
	if patterns == nil {
		patterns = []string{"."}
	}
	args := append([]string{"list", "-e", "-f", "{{.ImportPath}}\t{{.Dir}}"}, a.build...)
	command := exec.Command("go", append(append(args, "--"), patterns...)...)
	out, err := command.Output()
	if err != nil {
		return suites{}
	}
	found := suites{at: map[string]string{}}
	for line := range strings.Lines(string(bytes.TrimSpace(out))) {
		path, folder, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		found.paths = append(found.paths, path)
		found.at[folder] = path
	}
	order(found.paths)
	return found
}

// order brings import paths into the order in which they are tested.
func order(paths []string) {
	rank := func(path string) int {
		if at := slices.Index(early, strings.TrimPrefix(path, module)); at >= 0 {
			return at
		}
		return len(early)
	}
	slices.SortStableFunc(paths, func(a, b string) int { return rank(a) - rank(b) })
}

// command are the arguments of go.
func (a arguments) command(of suites) []string {
	args := []string{"test", "-json"}
	if !a.has("timeout") {
		args = append(args, "-timeout="+timeout)
	}
	if a.measures() {
		args = append(args, "-exec="+measureCommand)
	}
	packages := a.packages
	if packages != nil && !slices.ContainsFunc(packages, isFile) && len(of.paths) > 0 {
		packages = of.paths
	}
	return slices.Concat(args, a.before, packages, a.after)
}

// timeout is how long the tests of a package may take if the caller gives no -timeout: the
// longest take 8 minutes on two cores that they share with one other.
const timeout = "20m"

// isFile reports whether an argument is a source file, which go test takes as well.
func isFile(arg string) bool { return strings.HasSuffix(arg, ".go") }

// environment is go's: with what the measuring of tests needs. Tests as root under sudo are root's
// own: theirs are files and programs that its caller may not read.
func environment(self, measures string) []string {
	os.Unsetenv("SUDO_UID")
	return append(os.Environ(), selfVariable+"="+self, measuresVariable+"="+measures)
}
