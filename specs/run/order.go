package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// module is the path of rocelab's module.
const module = "github.com/rocelab/rocelab/"

// contractModule is the module of the contract for algorithms.
const contractModule = module + "plugins/cc"

// early are the packages that are tested before all others. Go test starts packages in
// the order in which it is given them, each as soon as there is room: those first that
// see the most faults in the least time, so that a run that will be red is red soon; then
// the long ones, so that the end is not one of them alone on a machine that has nothing
// else to do.
var early = []string{
	"specs/rules", "specs/marking", "specs/determinism/fingerprint", "specs/recovery", "specs/lossless",
	"specs/veth", "specs/mutant", "specs/twodc", "specs/faults/nemesis", "specs/authoring", "specs/browser",
	"specs/packages", "cmd/rocelab", "testbed/many/judge", "specs/determinism", "testbed/many/tune",
	"specs/sweep", "specs/faults", "specs/hostile", "specs/live", "specs/rxe", "specs/vagrant",
}

// list asks go list for the import paths of the packages that go test would test, and brings them into order.
// What it cannot list is go test's to report: the list is empty then.
func list(a arguments) (paths []string) {
	patterns := a.packages
	if patterns == nil {
		patterns = []string{"."}
	}
	patterns = withContract(patterns)
	args := append([]string{"list", "-e", "-f", "{{.ImportPath}}"}, a.build...)
	command := exec.Command("go", append(append(args, "--"), patterns...)...)
	out, err := command.Output()
	if err != nil {
		return nil
	}
	paths = strings.Fields(string(out))
	order(paths)
	return paths
}

// withContract are patterns by which go lists the module of the contract for algorithms, too: a pattern of a folder in
// it is named by its import path, and one of a folder around it, which ends for go at the nested go.mod, has it added.
func withContract(patterns []string) (all []string) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", contractModule).Output()
	if err != nil {
		return patterns
	}
	folder := strings.TrimSpace(string(out))
	for _, p := range patterns {
		below, tree := strings.CutSuffix(p, "/...")
		root, err := filepath.Abs(below)
		switch rest, inside := strings.CutPrefix(root, folder); {
		case err != nil || !strings.HasPrefix(p, "."):
		case inside && (rest == "" || rest[0] == filepath.Separator):
			p = contractModule + filepath.ToSlash(rest) + strings.TrimPrefix(p, below)
		case tree && strings.HasPrefix(folder, root+string(filepath.Separator)):
			all = append(all, contractModule+"/...")
		}
		all = append(all, p)
	}
	return all
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
func (a arguments) command(paths []string) []string {
	args := []string{"test", "-json"}
	if !a.has("timeout") {
		args = append(args, "-timeout="+timeout)
	}
	if a.measures() {
		args = append(args, "-exec="+measureCommand)
	}
	packages := a.packages
	if packages != nil && !slices.ContainsFunc(packages, isFile) && len(paths) > 0 {
		packages = paths
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
func environment(self string) []string {
	os.Unsetenv("SUDO_UID")
	return append(os.Environ(), selfVariable+"="+self)
}
