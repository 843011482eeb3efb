package mutant

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/internal/patch"
	"github.com/rocelab/rocelab/specs/tier"
)

// repair is a weakness that rocelab once had, brought back by a patch that undoes its repair. It names the test that
// turns red then, which shows that the repair is held.
type repair struct {
	*patch.Patch
	// name is the returning fault, as a sentence.
	name string
	// folder is that of the test's package, from the top of the module.
	folder string
	// run selects the test, as in go test -run; focus selects a spec in it, as in -ginkgo.focus, "" for all.
	run, focus string
	// env are further variables of the test's environment, as NAME=value.
	env []string
}

func repairs(t *testing.T) (list []repair) {
	t.Helper()
	patches, err := patch.ReadFolder("repairs")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range patches {
		r := repair{Patch: p}
		once := map[string]*string{"Name": &r.name, "Package": &r.folder, "Run": &r.run, "Focus": &r.focus}
		if err := p.Fields(once, map[string]*[]string{"Env": &r.env}); err != nil {
			t.Error(err)
		}
		if r.name == "" || r.folder == "" || r.run == "" || len(p.Files) == 0 {
			t.Errorf("%s: it must have a Name, a Package, a test to Run and changes of files", p.Path)
		}
		list = append(list, r)
	}
	return list
}

// Each repair can still be undone: the source has not moved on.
func TestRepairsFitTheTree(t *testing.T) {
	for _, r := range repairs(t) {
		if _, err := r.Overlay(absolute(t), t.TempDir()); err != nil {
			t.Error(err)
		}
	}
}

// Without its repair each weakness is back, and the named test turns red: with -v a line for each repair names it.
// ROCELAB_MUTANTS selects some by a word in their names, files or packages.
func TestRepairsAreHeld(t *testing.T) {
	tier.Night(t)
	word := os.Getenv("ROCELAB_MUTANTS")
	for _, r := range repairs(t) {
		if !strings.Contains(r.name+" "+r.folder+" "+r.Files[0].Name+" "+filepath.Base(r.Path), word) {
			continue
		}
		t.Run(r.name, func(t *testing.T) {
			overlay, err := r.Overlay(absolute(t), t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			// By its whole path: the contract's packages are of another module.
			args := []string{"test", "-count=1", "-vet=off", "-v", "-run=" + r.run, "github.com/rocelab/rocelab/" + r.folder}
			if r.focus != "" {
				args = append(args, "-ginkgo.focus="+r.focus)
			}
			test := exec.Command("go", args...)
			test.Dir = absolute(t)
			// The programs that the test builds are to be those without the repair, too.
			test.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -overlay="+overlay)
			test.Env = append(test.Env, r.env...)
			out, err := test.CombinedOutput()
			red := turnedRed(string(out))
			switch {
			case err == nil:
				t.Errorf("green: no test turns red: %s\n%s", strings.Join(args, " "), out)
			case red == "":
				t.Errorf("red, but not by a test that failed: %v\n%s", err, out)
			default:
				t.Logf("red: %s: %s: %s", r.name, r.folder, red)
			}
		})
	}
}

// What go test and Ginkgo print of a failure names the test, the innermost one; a
// program that cannot be built names none.
func TestTurnedRed(t *testing.T) {
	for out, want := range map[string]string{
		"--- FAIL: TestA (0.1s)\n    --- FAIL: TestA/b (0.0s)\nFAIL\n":                 "TestA/b",
		"--- FAIL: TestA (0.1s)\n--- FAIL: TestB (0.1s)\n":                             "TestA",
		"  \x1b[38;5;9m[FAIL]\x1b[0m faults [It] ends\n--- FAIL: TestFaults (9.00s)\n": "faults [It] ends",
		"# pkg [pkg.test]\nx.go:1:1: undefined: y\nFAIL pkg [build failed]\n":          "",
		"panic: test timed out after 10m0s\n\trunning tests:\n\t\tTestA (10m0s)\n":     "TestA (by its time limit)",
	} {
		t.Run(fmt.Sprintf("%.50q", out), func(t *testing.T) {
			if got := turnedRed(out); got != want {
				t.Errorf("%q is red by %q, want %q", out, got, want)
			}
		})
	}
}

// turnedRed returns the test that failed by the output of go test, "" if none did, as when a program cannot be built.
func turnedRed(out string) (name string) {
	out = coloured.ReplaceAllString(out, "")
	if found := sentenceFailed.FindStringSubmatch(out); found != nil {
		return found[1]
	}
	for _, found := range testFailed.FindAllStringSubmatch(out, -1) {
		if strings.HasPrefix(found[1], name) {
			name = found[1]
		}
	}
	if found := timedOut.FindStringSubmatch(out); name == "" && found != nil {
		return found[1] + " (by its time limit)"
	}
	return name
}

var (
	testFailed     = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)
	sentenceFailed = regexp.MustCompile(`(?m)^\s*\[FAIL\] (.*)$`)
	timedOut       = regexp.MustCompile(`panic: test timed out[^\n]*\n\s*running tests:\n\s*(\S+)`)
	coloured       = regexp.MustCompile("\x1b\\[[0-9;]*m")
)
