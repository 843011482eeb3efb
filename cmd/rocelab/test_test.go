package main

import (
	"bufio"
	"encoding/json"
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rocelab/rocelab/specs/acceptance"
	"github.com/rocelab/rocelab/specs/tier"
)

// Specs run once in a process, so these command lines are processes.

func TestAcceptanceSpecsOfAnAlgorithm(t *testing.T) {
	s := newShell(t)
	s.process(0, "test", "--algorithm", "pc4", "--label", "recovery || clocks", "--junit", "reports/junit.xml", "--json", "reports/specs.json", "--progress", "plain")
	if !strings.HasPrefix(s.stdout, "PASS        pc4: 3 of 3 specs pass\n\nPASS        survives the loss of one frame in a thousand\n            1") {
		t.Error(s.stdout)
	}
	if !strings.HasPrefix(s.stderr, "1 of 3: pass: survives ") || strings.Count(s.stderr, "\n") != 3 {
		t.Error(s.stderr)
	}
	var junit struct {
		Tests  int `xml:"tests,attr"`
		Suites []struct {
			Name  string `xml:"name,attr"`
			Cases []struct {
				Name string `xml:"name,attr"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	text, err := os.ReadFile("reports/junit.xml")
	if err == nil {
		err = xml.Unmarshal(text, &junit)
	}
	if err != nil || len(junit.Suites) != 1 || junit.Suites[0].Name != "rocelab acceptance: pc4" || !strings.Contains(string(text), "stands clocks that are off") {
		t.Errorf("%v: %s", err, text)
	}
	var report []struct{ SuiteSucceeded bool }
	text, err = os.ReadFile("reports/specs.json")
	if err == nil {
		err = json.Unmarshal(text, &report)
	}
	if err != nil || len(report) != 1 || !report[0].SuiteSucceeded {
		t.Errorf("%v: %s", err, text)
	}
}

func TestAcceptanceSpecsOfAPoorSetting(t *testing.T) {
	s := newShell(t)
	s.process(1, "test", "--algorithm", "fixed", "--set", "rate=100Mbps", "--label", "lossless", "--junit", "junit.xml")
	if !strings.HasPrefix(s.stdout, "FAILED      fixed rate=100Mbps: 0 of 3 specs pass, 2 failed, 1 skipped\n") {
		t.Error(s.stdout)
	}
	s.says(s.stdout, "FAILED      completes an incast of 8 and loses no frame\n            8 of 8 flows did not complete within 100ms\n")
	s.says(s.stdout, "SKIPPED     keeps the queue of sixteen flows bounded\n            exempt: fixed declares itself uncontrolled\n")
	text, _ := os.ReadFile("junit.xml")
	s.says(string(text), `failures="2"`)
}

// A program decides as the built-in form does, by its path and by its name.
func TestAcceptanceSpecsOfAProgram(t *testing.T) {
	tier.Everyday(t)
	dir := pluginFolder(t, "cc-dcqcn")
	s := newShell(t)
	s.process(0, "test", "--algorithm", "dcqcn", "--run-as", "process", "--plugin-dir", dir, "--label", "determinism")
	s.says(s.stdout, "PASS        dcqcn: 4 of 4 specs pass\n")
	byName := s.stdout[strings.Index(s.stdout, "trace "):][:22]
	s.process(0, "test", "--algorithm", dir+"/cc-dcqcn", "--label", "determinism")
	s.says(s.stdout, ": 3 of 4 specs pass, 1 skipped\n")
	s.says(s.stdout, byName)
	s.process(0, "test", "--algorithm", "dcqcn", "--label", "determinism", "--plugin-dir", t.TempDir())
	s.says(s.stdout, "algorithm dcqcn is built in, and there is no program of it: looked for cc-dcqcn in ")
	s.says(s.stdout, byName)
}

func TestAcceptanceSpecsOnVeth(t *testing.T) {
	s, _ := newLab(t)
	s.process(0, "test", "--algorithm", "dcqcn", "--on", "veth", "--label", "clocks || veth", "--runtime", "builtin")
	s.says(s.stdout, "PASS        dcqcn: 2 of 2 specs pass\n")
	// What it measured on containers is what it measures in memory.
	onVeth := s.stdout[strings.Index(s.stdout, "incast of 8 done"):]
	s.process(0, "test", "--algorithm", "dcqcn", "--label", "clocks")
	if inMemory := s.stdout[strings.Index(s.stdout, "incast of 8 done"):]; !strings.HasPrefix(onVeth, inMemory) {
		t.Errorf("%s\nin memory %s", onVeth, inMemory)
	}
}

func TestAcceptanceSpecsExitCodes(t *testing.T) {
	tier.Everyday(t)
	program := filepath.Join(t.TempDir(), "crashing")
	if out, err := exec.Command("go", "build", "-o", program, "../../testbed/mem/testdata/crashing").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	s := newShell(t)
	s.process(5, "test", "--algorithm", program, "--label", "lossless", "--json", "specs.json")
	s.says(s.stderr, "the sender gives up")
	s.says(s.stdout, "NOT RUN     completes an incast of 16 and loses no frame\n")
	if !exists("specs.json") {
		t.Error("no report of what there was")
	}
	for _, c := range []struct{ args, words string }{
		{"", "--algorithm: name the algorithm to test"},
		{"--algorithm cubic", `there is no algorithm "cubic"`},
		{"--algorithm pc4 --set speed=1", "parameter speed: pc4 has no such parameter"},
		{"--algorithm pc4 --set beta", `--set "beta": write param=value`},
		{"--algorithm pc4 --set beta=1 --set beta=1", "--set beta is given twice"},
		{"--algorithm pc4 --on cloud", `--on "cloud": allowed are mem, veth`},
		{"--algorithm pc4 --label speed", "--label: no spec is labelled speed: labels are lossless, fairness, "},
		{"--algorithm pc4 --label (", `--label: "(" is no filter of labels`},
		{"--algorithm pc4 --progress loud", "allowed are auto, plain, none"},
		{"--algorithm pc4 --runtime docker", "is no container runtime"},
		{"--list --label speed", "--label: no spec is labelled speed"},
		{"pc4", "rocelab test --help"},
	} {
		s.process(2, append([]string{"test"}, strings.Fields(c.args)...)...)
		s.says(s.stderr, c.words)
		if s.stdout != "" {
			t.Errorf("%s: stdout %s", c.args, s.stdout)
		}
	}
	s.write("file", "")
	s.process(4, "test", "--algorithm", "pc4", "--junit", "file/junit.xml")
	s.says(s.stderr, "write report: ")
	t.Setenv("ROCELAB_RUN", "/proc/nowhere")
	s.process(4, "test", "--algorithm", "pc4", "--on", "veth")
	s.says(s.stderr, "/proc/nowhere")
}

// Without rights what needs containers is skipped, with what is lacking; where
// that is all that was asked for, the host is to blame.
func TestAcceptanceSpecsWithoutRights(t *testing.T) {
	s := newShell(t)
	program, err := os.ReadFile("/proc/self/exe")
	if err == nil {
		err = os.WriteFile("rocelab", program, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	run := func(want int, args ...string) {
		t.Helper()
		cmd, stdout, stderr := s.program(args...)
		cmd.Path, cmd.Dir = "./rocelab", "."
		if os.Geteuid() == 0 {
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		err := cmd.Run()
		s.stdout, s.stderr = stdout.String(), stderr.String()
		if got := cmd.ProcessState.ExitCode(); got != want {
			t.Errorf("exit code %d, want %d (%v); stderr: %s", got, want, err, s.stderr)
		}
	}
	run(0, "test", "--algorithm", "pc4", "--label", "veth || clocks")
	s.says(s.stdout, "PASS        pc4: 1 of 2 specs pass, 1 skipped\n")
	s.says(s.stdout, "SKIPPED     does on containers and veth pairs what it does in memory\n            ")
	s.says(s.stdout, "root")
	run(4, "test", "--algorithm", "pc4", "--label", "veth")
	s.says(s.stdout, "SKIPPED     pc4: 0 of 1 specs pass, 1 skipped\n")
	s.says(s.stderr, "root")
	run(4, "test", "--algorithm", "pc4", "--label", "clocks", "--on", "veth")
	s.says(s.stderr, "root")
	if s.stdout != "" {
		t.Error(s.stdout)
	}
}

func TestAcceptanceSpecsInterrupted(t *testing.T) {
	s := newShell(t)
	cmd, stdout, _ := s.program("test", "--algorithm", "pc4", "--label", "lossless || convergence", "--progress", "plain", "--junit", "junit.xml")
	cmd.Stderr = nil
	stderr, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stderr)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "1 of 5") {
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	for lines.Scan() {
	}
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 130 || !strings.HasPrefix(stdout.String(), "NOT RUN     pc4: ") || !exists("junit.xml") {
		t.Errorf("exit code %d, stdout %s", code, stdout)
	}
}

func TestAcceptanceSpecsAreListed(t *testing.T) {
	s := newShell(t)
	s.process(0, "test", "--list")
	for _, label := range acceptance.KnownLabels {
		s.says(s.stdout, "│ "+label+" ")
	}
	if n := strings.Count(s.stdout, "\n"); n != 14+4 {
		t.Errorf("%d lines:\n%s", n, s.stdout)
	}
	s.process(0, "test", "--list", "--label", "veth")
	s.says(s.stdout, "│ veth   │ does on containers and veth pairs what it does in memory │")
}
