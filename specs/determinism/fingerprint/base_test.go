package fingerprint

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/internal/patch"
	"github.com/rocelab/rocelab/specs/tier"
)

// Of a changed trace the first frame that differs from the last commit's is named. Tier: slow, it builds rocelab twice.
func TestTheFirstFrameIsNamed(t *testing.T) {
	tier.Slow(t)
	top := treeOf(t)
	_, stored, err := store.Read()
	if err != nil {
		t.Fatal(err)
	}
	row := row{file: "loss.yaml", sets: reductions["loss.yaml"], variant: "ooo-1"}
	run := row.run(0, strings.Fields(stored[row.String()]))
	restarted, err := patch.Read("testdata/restarted.patch")
	if err != nil {
		t.Fatal(err)
	}
	overlay, err := restarted.Overlay(top, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	mutated := Builder{Top: top, Folder: t.TempDir(), Flags: []string{"-overlay", overlay}}
	got := mutated.FirstFrame(t.Context(), run)
	t.Log(got)
	named := regexp.MustCompile(`the first frame that differs: at [0-9.]+[mun]?s, [a-z0-9]+:[0-9]+\n(?s:.*) PSN [0-9]+`)
	if !named.MatchString(got) || strings.Contains(got, mutated.Folder) {
		t.Error(got)
	}
	again := run
	if again.Stored, err = run.make(t.Context(), filepath.Join(mutated.Folder, "rocelab"), top,
		filepath.Join(t.TempDir(), "again")); err != nil {
		t.Fatal(err)
	}
	got = mutated.FirstFrame(t.Context(), again)
	if !strings.Contains(got, "gives the stored trace: the test was built") {
		t.Error(got)
	}
	run.Stored = "0000000000000000"
	t.Setenv("ROCELAB_BASE", "HEAD")
	got = mutated.FirstFrame(t.Context(), run)
	if !strings.Contains(got, "no commit that was tried gives the stored trace") {
		t.Error(got)
	}
	t.Setenv("ROCELAB_BASE", "no-such-commit")
	if got := mutated.FirstFrame(t.Context(), run); !strings.Contains(got, "git knows no commit no-such-commit here") {
		t.Error(got)
	}
}

// treeOf is the root of the tree; a test is skipped without git or a repository.
func treeOf(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("git", "rev-parse", "--show-toplevel").Output()
	if err != nil {
		t.Skip("needs git and a repository")
	}
	top, err := filepath.EvalSymlinks(strings.TrimSpace(string(out)))
	if err != nil {
		t.Fatal(err)
	}
	return top
}
