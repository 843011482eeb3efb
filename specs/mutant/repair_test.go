package mutant

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/specs/tier"
)

// Each repair can still be undone: the source has not moved on.
func TestRepairsFitTheTree(t *testing.T) {
	for _, r := range Repairs {
		if _, err := r.Overlay(absolute(t), t.TempDir()); err != nil {
			t.Error(err)
		}
	}
}

// Without its repair each weakness is back, and the test that is named turns red.
// ROCELAB_MUTANTS selects some by a word in their names, files or packages.
func TestRepairsAreHeld(t *testing.T) {
	tier.Night(t)
	word := os.Getenv("ROCELAB_MUTANTS")
	for _, r := range Repairs {
		if !strings.Contains(r.Name+" "+r.Package+" "+r.Edits[0].File, word) {
			continue
		}
		t.Run(r.Name, func(t *testing.T) {
			overlay, err := r.Overlay(absolute(t), t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			args := []string{"test", "-count=1", "-vet=off", "-v", "-run=" + r.Run, "./" + r.Package}
			if r.Focus != "" {
				args = append(args, "-ginkgo.focus="+r.Focus)
			}
			test := exec.Command("go", args...)
			test.Dir = absolute(t)
			// The programs that the test builds are to be those without the repair, too.
			test.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -overlay="+overlay)
			test.Env = append(test.Env, r.Env...)
			out, err := test.CombinedOutput()
			switch {
			case err == nil:
				t.Errorf("no test turns red: %s\n%s", strings.Join(args, " "), out)
			case !testFailed.Match(out):
				t.Errorf("red, but not by a test that failed: %v\n%s", err, out)
			default:
				t.Logf("red: %s", testFailed.Find(out))
			}
		})
	}
}

// testFailed is how go test names what failed, in contrast to a program that cannot
// be built.
var testFailed = regexp.MustCompile(`(?m)^\s*--- FAIL: .*$|\[FAIL\] .*$`)
