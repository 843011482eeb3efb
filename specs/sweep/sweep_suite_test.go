package sweep

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/internal/lab"
	programs "github.com/rocelab/rocelab/specs/program"
)

func TestSweep(t *testing.T) { lab.Suite(t, "Sweeps", "sweep") }

// built is the folder of the programs that specs run, made when the first is asked for.
var built = struct {
	sync.Mutex
	folder string
}{}

var _ = AfterSuite(func() {
	if built.folder != "" {
		Expect(os.RemoveAll(built.folder)).To(Succeed())
	}
})

// rocelab is the program, built as in the README. One whose models have another version is that of a node with another
// build.
func rocelab(otherModels bool) string {
	GinkgoHelper()
	built.Lock()
	defer built.Unlock()
	if built.folder == "" {
		folder, err := os.MkdirTemp("", "rocelab-sweep-")
		Expect(err).NotTo(HaveOccurred())
		built.folder = folder
	}
	if !otherModels {
		program := filepath.Join(built.folder, "rocelab")
		if _, err := os.Stat(program); err != nil {
			Expect(programs.Build(built.folder, []string{"cmd/rocelab"})).To(Succeed())
		}
		return program
	}
	program := filepath.Join(built.folder, "rocelab-other")
	if _, err := os.Stat(program); err == nil {
		return program
	}
	// Without a profile, for which all packages would be compiled once more.
	build := exec.Command("go", "build", "-pgo=off", "-overlay", overlay(built.folder), "-o", program, "./cmd/rocelab")
	build.Dir = "../.."
	out, err := build.CombinedOutput()
	Expect(err).NotTo(HaveOccurred(), string(out))
	return program
}

// overlay has the source of another version of the models.
func overlay(folder string) string {
	GinkgoHelper()
	source, err := filepath.Abs("../../testbed/model/version.go")
	Expect(err).NotTo(HaveOccurred())
	text, err := os.ReadFile(source)
	Expect(err).NotTo(HaveOccurred())
	other := bytes.Replace(text, []byte("const Version = "), []byte("const Version = 1000 + "), 1)
	Expect(other).NotTo(Equal(text), "the version of the models is not where it was")
	changed, list := filepath.Join(folder, "version.go"), filepath.Join(folder, "overlay.json")
	Expect(os.WriteFile(changed, other, 0o600)).To(Succeed())
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{source: changed}})
	Expect(err).NotTo(HaveOccurred())
	Expect(os.WriteFile(list, replace, 0o600)).To(Succeed())
	return list
}

// incast is a scenario whose runs take time by their size: 10 MB some 30 ms.
func incast(folder, size string) string {
	GinkgoHelper()
	path := filepath.Join(folder, "incast.yaml")
	text := fmt.Sprintf(`name: incast
topology: {kind: star, hosts: 5, rate: 100Gbps}
switch: {buffer: 16MB, ecn: {kmin: 100KB, kmax: 400KB}}
algorithm: dcqcn
traffic:
  - {name: a, kind: incast, senders: 4, size: %s}
`, size)
	Expect(os.WriteFile(path, []byte(text), 0o600)).To(Succeed())
	return path
}

// said is the result of a command.
type said struct {
	code           int
	stdout, stderr string
}

// run runs a command to its end.
func run(c *exec.Cmd) said {
	GinkgoHelper()
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	err := c.Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		Expect(err).NotTo(HaveOccurred(), "%q", c.Args)
	}
	GinkgoWriter.Printf("%s\nexit code %d\n%s%s\n", strings.Join(c.Args, " "), c.ProcessState.ExitCode(), &stdout, &stderr)
	return said{c.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// sweeps runs `rocelab sweep`.
func sweeps(ctx context.Context, args ...string) said {
	GinkgoHelper()
	return run(exec.CommandContext(ctx, rocelab(false), append([]string{"sweep"}, args...)...))
}

// table is the sweep's table as CSV, whose bytes must not depend on who ran what.
func table(ctx context.Context, out string) string {
	GinkgoHelper()
	s := sweeps(ctx, "table", out, "--format", "csv")
	Expect(s.code).To(BeZero())
	return s.stdout
}

// reference is the table of a sweep that is made here, in one process.
func reference(ctx context.Context, scenario string, runs int) string {
	GinkgoHelper()
	out := filepath.Join(GinkgoT().TempDir(), "reference")
	Expect(sweeps(ctx, scenario, "--seeds", fmt.Sprint(runs), "--out", out).code).To(BeZero())
	csv := table(ctx, out)
	Expect(strings.Count(csv, "\n")).To(Equal(runs+1), "a row for each run, and the head")
	Expect(strings.Count(csv, ",pass,0,")).To(Equal(runs))
	return csv
}

// rows are the places of the results that are there.
func rows(out string) []string {
	GinkgoHelper()
	all, err := filepath.Glob(filepath.Join(out, "runs", "*", "*", "row.json"))
	Expect(err).NotTo(HaveOccurred())
	return all
}

// nothingHalf insists that no result is incomplete.
func nothingHalf(out string) {
	GinkgoHelper()
	runs, err := filepath.Glob(filepath.Join(out, "runs", "*", "*"))
	Expect(err).NotTo(HaveOccurred())
	Expect(rows(out)).To(HaveLen(len(runs)))
	for _, row := range rows(out) {
		Expect(os.ReadFile(row)).To(ContainSubstring(`"verdict": "pass"`))
	}
}

// nothingLeft insists that stopped runs left nothing half done.
func nothingLeft(out string) {
	GinkgoHelper()
	nothingHalf(out)
	Expect(filepath.Join(out, "part")).NotTo(BeADirectory())
}

// processes are the command lines of the processes here that have all of these words, by PID.
func processes(words ...string) map[int]string {
	GinkgoHelper()
	found := map[int]string{}
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	Expect(err).NotTo(HaveOccurred())
	for _, path := range lines {
		text, _ := os.ReadFile(path) // it may end meanwhile
		line := strings.ReplaceAll(string(text), "\x00", " ")
		has := true
		for _, word := range words {
			has = has && strings.Contains(line, word)
		}
		pid := 0
		if has {
			fmt.Sscanf(path, "/proc/%d/", &pid)
			found[pid] = line
		}
	}
	return found
}

// patience is a spec's time limit for steps that other work on the machine may delay.
const patience = 2 * time.Minute
