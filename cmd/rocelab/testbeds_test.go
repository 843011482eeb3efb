//go:build linux && !mem

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/nodes/doctor"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// newLab is a shell with room for testbeds of its own, and a name for one.
func newLab(t *testing.T) (*shell, string) {
	t.Helper()
	tier.Root(t, "a testbed")
	if err := doctor.Required(); err != nil {
		t.Skip(err)
	}
	s := newShell(t)
	root := filepath.Join(t.TempDir(), "r")
	t.Setenv("ROCELAB_RUN", root)
	t.Cleanup(func() {
		s.process(0, "destroy", "--all", "--force")
		if exists(root) {
			t.Error("the folder of testbeds is left")
		}
		if mounts, err := os.ReadFile("/proc/mounts"); err != nil || bytes.Contains(mounts, []byte(root)) {
			t.Errorf("mounts are left: %v\n%s", err, mounts)
		}
	})
	return s, fmt.Sprintf("cli-%d", os.Getpid())
}

func TestTestbedFromDeployToDestroy(t *testing.T) {
	s, name := newLab(t)
	s.run(0, "inspect")
	s.says(s.stdout, "There is no testbed")
	s.run(0, "inspect", "--format", "csv")
	columns := s.stdout
	s.run(0, "deploy", "incast.yaml", "--testbed", name, "--runtime", "builtin")
	s.says(s.stdout, "testbed "+name+" is up: 6 nodes in 6 containers (builtin), 5 veth pairs, 6 daemons, in ")
	s.run(2, "deploy", "incast.yaml", "--testbed", name)
	s.says(s.stderr, "exists already")

	s.run(0, "inspect")
	s.says(s.stdout, "│ "+name+" │ idle  │ incast ")
	s.run(0, "inspect", "--testbed", name)
	for _, words := range []string{"testbed " + name + ": idle, of scenario incast", "MTU: 1186", "│ s0   │ switch │ s0 ",
		"│ p0 to p4 ", "│ h3:0 │ roce0     │ s0:3 │ p3 "} {
		s.says(s.stdout, words)
	}
	s.run(0, "inspect", "--testbed", name, "--format", "json")
	var one testbedView
	if err := json.Unmarshal([]byte(s.stdout), &one); err != nil || one.Status != "idle" || len(one.Nodes) != 6 ||
		len(one.Links) != 5 || one.Containers[0].Pid == 0 {
		t.Errorf("%v, %s", err, s.stdout)
	}
	s.run(0, "inspect", "--format", "csv")
	if head, _, _ := strings.Cut(s.stdout, "\n"); columns != head+"\n" {
		t.Errorf("the columns are %s, without a testbed %s", head, columns)
	}
	s.run(0, "inspect", "--format", "json")
	var all []testbedView
	if err := json.Unmarshal([]byte(s.stdout), &all); err != nil || len(all) != 1 || all[0].Name != name {
		t.Errorf("%v, %s", err, s.stdout)
	}

	for _, command := range []string{"inspect", "run", "exec", "destroy"} {
		s.run(0, "__complete", command, "--testbed", "")
		s.says(s.stdout, name+"\n")
	}
	s.run(0, "__complete", "exec", "h")
	s.says(s.stdout, "h0\nh1\n")
	s.run(0, "__complete", "capture", "s0:0", "s0:")
	if !strings.Contains(s.stdout, "s0:1\n") || strings.Contains(s.stdout, "s0:0\n") {
		t.Error(s.stdout)
	}

	s.run(0, "destroy", "--testbed", name)
	s.says(s.stdout, "testbed "+name+" is gone")
	s.run(0, "destroy", "--testbed", name)
	s.says(s.stdout, "there is no testbed "+name)
	s.run(0, "destroy")
	s.says(s.stdout, "there is no testbed\n")
}

func TestDeployedTestbedHoldsThePlugins(t *testing.T) {
	tier.Root(t, "a testbed")
	dir := pluginFolder(t, "cc-dcqcn", "cc-fixed") // before the folder changes
	s, name := newLab(t)
	s.run(0, "deploy", "incast.yaml", "--testbed", name, "--runtime", "builtin", "--run-as", "process",
		"--plugin-dir", dir)
	s.run(0, "inspect", "--testbed", name)
	s.says(s.stdout, "algorithms: process")
	run := []string{"run", "incast.yaml", "--variant", "dcqcn", "--no-folder"}
	s.run(0, run...)
	want := trace.FindString(s.stdout)
	s.run(0, append(run, "--on", "veth", "--testbed", name, "--run-as", "process", "--plugin-dir", dir)...)
	if got := trace.FindString(s.stdout); got != want || want == "" {
		t.Errorf("%q with processes in containers, %q in memory", got, want)
	}
}

// trace is a run's trace hash in its report.
var trace = regexp.MustCompile(`trace +│ [0-9a-f]{16}`)

func TestExecRunsInTheNode(t *testing.T) {
	s, name := newLab(t)
	s.run(0, "deploy", "incast.yaml", "--testbed", name, "--runtime", "builtin")
	s.process(5, "exec", "s0", "--", "sh", "-c", "uname -n; cat /proc/net/dev; exit 5")
	s.says(s.stdout, "s0\n")
	s.says(s.stdout, " p4:")
	s.process(2, "exec", "h0", "--testbed", name, "--in-container", "--", "/bin/nicd", "--help")
	s.says(s.stderr, "nicd is a daemon of a rocelab testbed")
	for _, c := range []struct{ args, words string }{
		{"exec h0 -- no-such-command", "executable file not found"},
		{"exec h0 --in-container -- sh", "the container has its daemon and its plugins only"},
		{"exec h9 -- true", `has no node "h9": it has s0, h0, h1, h2, h3, h4`},
		{"exec h0 --testbed nowhere -- true", `there is no testbed "nowhere"`},
		{"exec h0 true", "write rocelab exec NODE -- COMMAND"},
		{"exec h0 ls -l", "flags of the command go after --"},
		{"exec -- h0 true", "write rocelab exec NODE -- COMMAND"},
	} {
		s.process(2, strings.Fields(c.args)...)
		s.says(s.stderr, c.words)
	}
}

// begin starts a process and waits for words on its stderr.
func begin(t *testing.T, cmd *exec.Cmd, words string) {
	t.Helper()
	cmd.Stderr = nil
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var said []byte
	for b := make([]byte, 1); !bytes.Contains(said, []byte(words)); said = append(said, b[0]) {
		if _, err := stderr.Read(b); err != nil {
			t.Fatalf("%v: it says %q, not %q", err, said, words)
		}
	}
}

func TestLiveCaptureEqualsThatOfMem(t *testing.T) {
	s, name := newLab(t)
	s.run(0, "deploy", "incast.yaml", "--testbed", name, "--runtime", "builtin", "--daemons", "pool")
	ports := []string{"s0:4", "h4", "s0:0"}
	live, _, _ := s.program(append([]string{"capture", "-w", "live.pcapng"}, ports...)...)
	begin(t, live, "waiting for a run")
	s.run(0, "run", "incast.yaml", "--variant", "dcqcn", "--on", "veth", "--testbed", name, "--no-folder")
	if err := live.Wait(); err != nil {
		t.Fatal(err)
	}
	mem := []string{"run", "incast.yaml", "--variant", "dcqcn", "--out", "mem"}
	for _, p := range ports {
		mem = append(mem, "--capture", p)
	}
	s.run(0, mem...)
	want, err1 := os.ReadFile("mem/dcqcn/capture.pcapng")
	got, err2 := os.ReadFile("live.pcapng")
	if err := errors.Join(err1, err2); err != nil || !bytes.Equal(got, want) || len(want) < 100_000 {
		t.Errorf("%v: %d bytes, in memory %d", err, len(got), len(want))
	}
}

func TestCaptureEndsWithTheRunOrItsOwn(t *testing.T) {
	s, name := newLab(t)
	s.run(0, "deploy", "incast.yaml", "--testbed", name, "--runtime", "builtin")
	for _, c := range []struct{ args, words string }{
		{"capture", "which ports?"},
		{"capture s0", "port s0: write one of s0:0 to s0:4"},
		{"capture s0:5", "port s0:5: write one of s0:0 to s0:4"},
		{"capture h0:1", "port h0:1: h0 has port 0 only"},
		{"capture h0 h0:0", "port h0:0 is given twice"},
		{"capture x:1", `has no node "x": it has s0, h0`},
	} {
		s.run(2, strings.Fields(c.args)...)
		s.says(s.stderr, c.words)
	}
	s.run(4, "capture", "h0", "-w", "no/folder/x.pcapng")

	// Before any run: nothing is left.
	live, _, _ := s.program("capture", "h0", "-w", "none.pcapng")
	begin(t, live, "waiting for a run")
	if err := live.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	live.Wait()
	if code := live.ProcessState.ExitCode(); code != 130 || exists("none.pcapng") {
		t.Errorf("exit code %d, file %v", code, exists("none.pcapng"))
	}

	// During a run that is then killed: the testbed is not busy any more, and
	// the capture ends.
	run, _, _ := s.program("run", "incast.yaml", "--variant", "fixed", "--set", "traffic.size=2GB", "--on", "veth",
		"--testbed", name, "--no-folder")
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the run is under way", func() bool {
		live, err := veth.Attach(name)
		if err != nil {
			return false
		}
		defer live.Close()
		return live.Now() > unit.Time(unit.Millisecond)
	})
	s.run(2, "destroy", "--testbed", name)
	s.says(s.stderr, "has a run in progress")
	live, _, said := s.program("capture", "h0", "-w", "killed.pcapng")
	if err := live.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the file grows", func() bool {
		info, err := os.Stat("killed.pcapng")
		return err == nil && info.Size() > 1000
	})
	run.Process.Kill()
	run.Wait()
	if err := live.Wait(); err != nil || !strings.Contains(said.String(), "the run ended with an error") ||
		strings.Contains(said.String(), "were missed") {
		t.Errorf("%v, says %q", err, said)
	}
	s.run(0, "destroy", "--testbed", name)
	s.says(s.stdout, "is gone")
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for began := time.Now(); !is(); time.Sleep(time.Millisecond) {
		if time.Since(began) > 20*time.Second {
			t.Fatal("it never happened that ", what)
		}
	}
}

func TestWhichTestbed(t *testing.T) {
	s := newShell(t)
	root := t.TempDir()
	t.Setenv("ROCELAB_RUN", root)
	s.run(2, "exec", "h0", "--", "true")
	s.says(s.stderr, "there is no testbed: `rocelab deploy SCENARIO` creates one")
	for _, name := range []string{"a", "b"} {
		if err := os.MkdirAll(filepath.Join(root, name, "net"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name, "testbed.json"), []byte("{"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.run(2, "exec", "h0", "--", "true")
	s.says(s.stderr, "several testbeds exist, a, b")
	s.write(filepath.Join(root, "b", "testbed.json"), `{"name": "b", "ephemeral": true, "daemons": "server"}`)
	s.run(4, "exec", "h0", "--", "true") // that of a run does not count beside one that was deployed
	s.says(s.stderr, "testbed a: its state is damaged")
	s.run(2, "destroy")
	s.says(s.stderr, "several testbeds exist, a, b: name one with --testbed, or destroy all with --all")
	s.run(2, "destroy", "--testbed", "a", "--all")
	s.run(2, "destroy", "--testbed", "../a")
	s.run(2, "inspect", "--testbed", "c")
	s.run(4, "inspect", "--testbed", "a")
	s.says(s.stderr, "its state is damaged")
	// Damaged ones go, too.
	s.run(0, "destroy", "--testbed", "a")
	s.run(0, "destroy", "--all")
	if s.stdout != "testbed b is gone\n" || exists(root) {
		t.Errorf("%q", s.stdout)
	}
}

func TestDeployIsRefused(t *testing.T) {
	s := newShell(t)
	t.Setenv("ROCELAB_RUN", t.TempDir())
	for _, c := range []struct{ args, words string }{
		{"deploy", "needs one scenario file"},
		{"deploy nowhere.yaml", "no such file"},
		{"deploy incast.yaml --testbed A/B", `--testbed: "A/B" is not a name for a testbed`},
		{"deploy incast.yaml --variant x", `incast has no variant "x": it has dcqcn, fixed`},
		{"deploy incast.yaml --daemons many", "allowed are node, server, pool"},
	} {
		s.run(2, strings.Fields(c.args)...)
		s.says(s.stderr, c.words)
	}
}

func TestNames(t *testing.T) {
	for scenario, want := range map[string]string{"incast": "incast", "HD.Incast_16": "hd-incast-16",
		"-a-": "a", "...": "testbed",
		"123456789-123456789-123456789-1.3": "123456789-123456789-123456789-1"} {
		t.Run(scenario, func(t *testing.T) {
			got := nameOf(scenario)
			if got != want || veth.CheckName(got) != nil {
				t.Errorf("%s: %q, want %q", scenario, got, want)
			}
		})
	}
	many := slices.Repeat([]string{"x"}, 20)
	if got := abridged(many); !strings.HasSuffix(got, "... x (20 in all)") || strings.Count(got, "x") != 12 {
		t.Error(got)
	}
}

func TestWantOfRightsSaysSo(t *testing.T) {
	err := asOwner(&fs.PathError{Op: "open", Path: "/run/rocelab", Err: fs.ErrPermission})
	if exit.Of(err) != 4 || !strings.Contains(err.Error(), "run it as root") {
		t.Error(err)
	}
}

// On a narrow page the list of testbeds has fewer columns.
func TestListOfTestbedsFitsThePage(t *testing.T) {
	list := []*veth.State{{Name: "incast", Scenario: "incast", Runtime: "builtin"}}
	for _, c := range []struct {
		columns  string
		runtimes int
	}{{"80", 0}, {"120", 1}} {
		t.Run(c.columns, func(t *testing.T) {
			t.Setenv("COLUMNS", c.columns)
			var b strings.Builder
			p := pageOf(&b)
			if err := testbedsDocument(list, p).Print(&b, page.FormatTable, p); err != nil {
				t.Fatal(err)
			}
			if got := strings.Count(b.String(), "runtime"); got != c.runtimes || !strings.Contains(b.String(), "incomplete") {
				t.Errorf("%s columns: %s", c.columns, b.String())
			}
		})
	}
}
