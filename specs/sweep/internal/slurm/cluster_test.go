package slurm_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rocelab/rocelab/specs/sweep/internal/slurm"
	"github.com/rocelab/rocelab/specs/tier"
)

// Every node runs what it is given under its own name, and nothing is left when the
// cluster stops. Tier: slow, 1 s.
func TestTheNodesRunWhatTheyAreGiven(t *testing.T) {
	tier.Slow(t)
	tier.Root(t, "a cluster of namespaces")
	if missing := slurm.Missing(); missing != "" {
		t.Skip("not installed: " + missing)
	}
	folder := t.TempDir()
	c, err := slurm.Start(t.Context(), folder, 2, 20*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if len(living(t, folder)) < 4 { // slurmctld, munged and two slurmd at least
		t.Error("what is left afterwards would not be seen")
	}
	out, err := c.Command(t.Context(), "srun", "--nodes=2", "--ntasks=2", "--mem=100M", "hostname").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "n1\n") || !strings.Contains(string(out), "n2\n") {
		t.Errorf("srun: %v: %s", err, out)
	}
	if err := c.Stop(); err != nil {
		t.Error(err)
	}
	if left := living(t, folder); len(left) > 0 {
		t.Errorf("after the cluster: %q", left)
	}
}

// living are the command lines of processes that name the folder.
func living(t *testing.T, folder string) (lines []string) {
	t.Helper()
	processes, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, process := range processes {
		line, _ := os.ReadFile(process) // it may end meanwhile
		environment, _ := os.ReadFile(filepath.Join(filepath.Dir(process), "environ"))
		if strings.Contains(string(line)+string(environment), folder) {
			lines = append(lines, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return lines
}
