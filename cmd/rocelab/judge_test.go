//go:build !mem

package main

import (
	"bufio"
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	programs "github.com/rocelab/rocelab/specs/program"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/many/judge"
)

// Ginkgo runs a suite once in a process, so these command lines are processes.

// report reads a report that was printed as JSON.
func (s *shell) report() *judge.Report {
	s.t.Helper()
	r := &judge.Report{}
	if err := json.Unmarshal([]byte(s.stdout), r); err != nil {
		s.t.Fatalf("%v: %s%s", err, s.stdout, s.stderr)
	}
	return r
}

func TestAnAlgorithmIsJudged(t *testing.T) {
	s := newShell(t)
	s.process(0, "test", "--algorithm", "pc4", "--label", "loss || outage || clocks", "--junit", "reports/junit.xml",
		"--json", "reports/judge.json", "--progress", "plain")
	if !strings.HasPrefix(s.stdout, "PASS        pc4 2.0.0, built in: 3 of 3 checks pass\n") {
		t.Error(s.stdout)
	}
	s.says(s.stdout, "│ loss   │ pass   │ 14 frames lost, ")
	if seconds := regexp.MustCompile(` +\d+\.\d s  `); seconds.ReplaceAllString(s.stderr, ": ") !=
		" 1 of 3  pass: loss\n 2 of 3  pass: outage\n 3 of 3  pass: clocks\n" {
		t.Error(s.stderr)
	}
	var junit struct {
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
	if err != nil || len(junit.Suites) != 1 || junit.Suites[0].Name != "rocelab: pc4" ||
		!strings.Contains(string(text), "stands clocks that are off") {
		t.Errorf("%v: %s", err, text)
	}
	file, err := os.ReadFile("reports/judge.json")
	if err != nil {
		t.Fatal(err)
	}
	s.process(0, "test", "--algorithm", "pc4", "--label", "loss || outage || clocks", "--format", "json")
	if s.stdout != string(file) {
		t.Errorf("stdout %s\nfile %s", s.stdout, file)
	}
	r := s.report()
	if r.Verdict != judge.Pass || r.Algorithm != "pc4" || len(r.Checks) != 3 || r.Checks[0].Labels[0] != judge.Behaviour {
		t.Errorf("%+v", r)
	}
}

func TestAPoorSettingFails(t *testing.T) {
	s := newShell(t)
	t.Setenv("COLUMNS", "200") // no cell is folded
	s.process(1, "test", "--algorithm", "fixed", "--set", "rate=100Mbps", "--label", "incast-8 || incast-16 || queue",
		"--junit", "junit.xml")
	if !strings.HasPrefix(s.stdout, "FAILED      fixed 1.0.0, built in, rate=100Mbps, which declares itself "+
		"uncontrolled: 0 of 3 checks\n            pass, 2 failed, 1 exempt\n") {
		t.Error(s.stdout)
	}
	s.says(s.stdout, "8 of 8 flows did not complete within 100ms")
	s.says(s.stdout, "fixed declares itself uncontrolled")
	text, _ := os.ReadFile("junit.xml")
	s.says(string(text), `failures="2"`)
	// A rate that is given makes DCQCN's floor its ceiling: it reacts to nothing.
	s.process(1, "algorithm", "check", "dcqcn", "--set", "rpg_min_rate=100Gbps", "--check", "reaction", "--format", "json")
	r := s.report()
	if r.Algorithm != "dcqcn" || len(r.Checks) != 1 || r.Checks[0].Result != judge.Failed || r.Verdict != judge.Failed {
		t.Errorf("%+v", r)
	}
}

// The quick part is of the whole, under the same names.
func TestCheckIsTheQuickPartOfTest(t *testing.T) {
	s := newShell(t)
	t.Setenv("COLUMNS", "200") // no cell is folded
	lines := func(args ...string) []string {
		s.process(0, args...)
		return strings.Split(strings.TrimSpace(s.stdout), "\n")
	}
	all, quick := lines("test", "--list"), lines("algorithm", "check", "--list")
	if len(all) != 26+4 || len(quick) != 16+4 {
		t.Errorf("%d and %d lines", len(all), len(quick))
	}
	for _, line := range quick[3 : len(quick)-1] {
		name := strings.Fields(line)[1]
		same := func(l string) bool { return slices.Contains(strings.Fields(l), name) }
		if !slices.ContainsFunc(all, same) || !strings.Contains(line, "quick") {
			t.Error(line)
		}
	}
	if cheap := lines("test", "--list", "--quick"); len(cheap) != 13+4 {
		t.Errorf("--quick has %d lines", len(cheap))
	}
	s.process(0, "test", "--list", "--label", "veth")
	s.says(s.stdout, "│ veth  │ contract, veth │ decides the same on containers and veth pairs │")
	s.process(0, "algorithm", "check", "fixed", "--check", "parameters", "--check", "reaction", "--check", "fuzz")
	s.says(s.stdout, "PASS        fixed 1.0.0, built in, which declares itself uncontrolled: 2 of 3 checks pass, "+
		"1 exempt\n")
	// A named check is carried out, quick or not.
	s.process(0, "algorithm", "check", "pc4", "--check", "clocks")
	s.says(s.stdout, ": 1 of 1 checks pass\n")
}

// A program decides as the built-in form does, by its path and by its name.
func TestAProgramIsJudged(t *testing.T) {
	tier.Everyday(t)
	dir := pluginFolder(t, "cc-dcqcn")
	s := newShell(t)
	t.Setenv("COLUMNS", "300") // for verdicts and remarks on one line
	s.process(0, "test", "--algorithm", "dcqcn", "--run-as", "process", "--plugin-dir", dir,
		"--label", "repeat || process || workers || windows")
	s.says(s.stdout, "PASS        dcqcn 1.2.0, "+dir+"/cc-dcqcn: 5 of 5 checks pass\n")
	s.says(s.stdout, "│ handshake │ pass ")
	byName := s.stdout[strings.Index(s.stdout, "trace "):][:22]
	s.process(0, "test", "--algorithm", dir+"/cc-dcqcn", "--label", "repeat || process || workers || windows")
	s.says(s.stdout, ": 5 of 5 checks pass\n")
	s.says(s.stdout, byName)
	s.process(0, "test", "--algorithm", "dcqcn", "--label", "process || windows",
		"--plugin-dir", t.TempDir(), "--format", "json")
	row := s.report().Find("process")
	if row.Result != judge.Skipped || !strings.Contains(row.Remark,
		"algorithm dcqcn is built in, and there is no program of it: looked for cc-dcqcn in ") {
		t.Errorf("%+v", row)
	}
	s.says(s.stdout, byName)
}

// The handshake is always checked: a program that is not a plugin passes nothing.
func TestWhatIsNoPluginFails(t *testing.T) {
	tier.Everyday(t)
	s := newShell(t)
	s.write("README.md", "text")
	for _, c := range []struct{ program, says string }{
		{"/bin/true", "is not a plugin"},
		{"./README.md", "is not an executable program"},
	} {
		t.Run(c.says, func(t *testing.T) {
			for _, args := range []string{
				"algorithm check %",
				"algorithm check % --check repeat",
				"algorithm check % --set x=1",
				"test --algorithm %",
				"test --algorithm % --label clocks",
			} {
				s.process(5, strings.Fields(strings.ReplaceAll(args, "%", c.program))...)
				if !strings.HasPrefix(s.stdout, "FAILED      /") {
					t.Error(s.stdout)
				}
				s.says(s.stdout, "│ handshake ")
				s.says(s.stdout, " not run ")
				s.says(s.stderr, c.says)
			}
		})
	}
	s.process(5, "algorithm", "check", "/bin/true", "--check", "repeat", "--format", "json")
	r := s.report()
	if r.Verdict != judge.Failed || len(r.Checks) != 2 || !strings.Contains(r.Checks[0].Remark, "is not a plugin") {
		t.Errorf("%+v", r)
	}
}

// unfolded is an output with what the page folded on one line again.
func unfolded(output string) string { return folded.ReplaceAllString(output, " ") }

var folded = regexp.MustCompile(`\n +`)

func TestJudgementExitCodes(t *testing.T) {
	tier.Everyday(t)
	folder := t.TempDir()
	if err := programs.Build(folder, []string{"testbed/mem/testdata/crashing"}); err != nil {
		t.Fatal(err)
	}
	crashing := filepath.Join(folder, "crashing")
	s := newShell(t)
	s.process(5, "test", "--algorithm", crashing, "--label", "incast-8 || incast-16", "--json", "judge.json")
	s.says(s.stderr, "the sender gives up")
	s.says(unfolded(s.stdout), "FAILED      crashing 1.0.0, "+crashing+": 1 of 3 checks pass, 1 failed, 1 not run\n")
	s.says(s.stdout, "│ incast-16 │ not run ")
	if !exists("judge.json") {
		t.Error("no report of what there was")
	}
	// The checks of the contract go on after a fault.
	s.process(5, "algorithm", "check", crashing, "--check", "fuzz", "--check", "reorder")
	s.says(unfolded(s.stdout), ": 1 of 3 checks pass, 2 failed\n")
	for _, c := range []struct{ args, words string }{
		{"test", "--algorithm: name the algorithm to test"},
		{"test --algorithm cubic", `there is no algorithm "cubic"`},
		{"test --algorithm ./cubic", "no such file"},
		{"test --algorithm pc4 --set speed=1", "parameter speed: pc4 has no such parameter"},
		{"test --algorithm pc4 --set beta", `--set "beta": write name=value`},
		{"test --algorithm pc4 --set beta=1 --set beta=1", "--set beta is given twice"},
		{"test --algorithm pc4:beta=1 --set beta=1", "--set beta is given twice"},
		{"test --algorithm pc4 --on cloud", `--on "cloud": allowed are mem, veth`},
		{"test --algorithm pc4 --label speed", "no check is labelled speed: labels are contract, "},
		{"test --algorithm pc4 --label (", `"(" is not a filter of labels`},
		{"test --algorithm pc4 --progress loud", "allowed are auto, plain, none"},
		{"test --algorithm pc4 --runtime docker", "is not a container runtime"},
		{"test --algorithm pc4 --seeds x", "seeds"},
		{"test --algorithm pc4 --quick --check loss", "--quick chooses the checks: leave out --check and --label"},
		{"test --list --label speed", "no check is labelled speed"},
		{"test pc4", "rocelab test --help"},
		{"algorithm check", "rocelab: algorithm check needs NAME|PROGRAM and got nothing"},
		{"algorithm check fixed --check beauty", `there is no check "beauty"`},
		{"algorithm check cubic", `there is no algorithm "cubic"`},
		{"algorithm check dcqcn --set g=2", "--set: algorithm dcqcn: parameter g: 2 is above 1"},
		{"algorithm check ./cubic", "no such file"},
		{"algorithm check fixed --format xml", `"xml" is not a format`},
	} {
		t.Run(c.args, func(t *testing.T) {
			s.process(2, strings.Fields(c.args)...)
			s.says(s.stderr, c.words)
			if s.stdout != "" {
				t.Errorf("%s: stdout %s", c.args, s.stdout)
			}
		})
	}
	s.write("file", "")
	s.process(4, "test", "--algorithm", "pc4", "--junit", "file/junit.xml")
	s.says(s.stderr, "write report: ")
	t.Setenv("ROCELAB_RUN", "/proc/nowhere")
	s.process(4, "test", "--algorithm", "pc4", "--label", "loss", "--on", "veth")
	s.says(s.stderr, "/proc/nowhere")
}

// Ctrl-C prints what there was by then.
func TestJudgementInterrupted(t *testing.T) {
	s := newShell(t)
	for _, args := range []string{
		"test --algorithm pc4 --label queue||joining||incast-8||incast-16 --junit junit.xml",
		"algorithm check pc4 --check parameters --check fairness --check latecomers --seeds 1-99",
	} {
		t.Run(args, func(t *testing.T) {
			cmd, stdout, _ := s.program(append(strings.Fields(args), "--progress", "plain")...)
			cmd.Stderr = nil
			stderr, err := cmd.StderrPipe()
			if err == nil {
				err = cmd.Start()
			}
			if err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewScanner(stderr)
			for lines.Scan() && !strings.HasPrefix(lines.Text(), " 1 of ") {
			}
			if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
				t.Fatal(err)
			}
			for lines.Scan() {
			}
			cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != 130 || !strings.HasPrefix(stdout.String(), "NOT RUN     pc4 ") ||
				!strings.Contains(stdout.String(), " │ pass ") || !exists("junit.xml") {
				t.Errorf("exit code %d, stdout %s", code, stdout)
			}
		})
	}
}
