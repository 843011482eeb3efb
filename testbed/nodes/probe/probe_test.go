//go:build linux && !mem

package probe_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/specs/program"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/nodes/container"
	"github.com/rocelab/rocelab/testbed/nodes/probe"
)

func TestMain(m *testing.M) {
	container.Init()
	probe.Become()
	if root := os.Getenv("PROBE_TEST_ROOT"); root != "" {
		if os.Getenv("PROBE_TEST_HURRY") != "" {
			hurry(root, os.Getenv("PROBE_TEST_PROGRAM"))
		}
		be(root, os.Getenv("PROBE_TEST_PROGRAM"))
	}
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// be asks a silent program until this process is killed.
func be(root, program string) {
	h, err := probe.Open(root)
	if err == nil {
		fmt.Println("asks")
		_, err = h.Start(process.Program{Path: program}, process.Options{StartLimit: time.Hour, Deadline: time.Hour})
	}
	fmt.Println(err)
	os.Exit(1)
}

// folder is where the spying program lies, once it is built.
var folder string

var built = sync.OnceValue(func() (err error) {
	if folder, err = os.MkdirTemp("", "probe-test-"); err != nil {
		return err
	}
	return program.Build(folder, []string{"testbed/nodes/probe/testdata/spy"})
})

// spy returns the spying program, called by the given name.
func spy(t *testing.T, name string) process.Program {
	if err := built(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, name)
	if err := os.Link(folder+"/spy", path); err != nil && !errors.Is(err, fs.ErrExist) {
		t.Fatal(err)
	}
	return process.Program{Path: path}
}

func open(t *testing.T) (*probe.Host, string) {
	tier.Root(t, "containers need root")
	root := filepath.Join(t.TempDir(), "run")
	h, err := probe.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(root); err == nil {
			t.Error("the folder is left")
		}
	})
	return h, root
}

// A program that is asked is in a container: without rights, alone, in namespaces of
// its own.
func TestWhatAProgramSees(t *testing.T) {
	h, root := open(t)
	p, err := h.Start(spy(t, "cc-spy"), process.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	seen := p.Algorithm().Describe().Summary
	for _, want := range []string{"Uid:1879048192", "CapPrm:0000000000000000",
		"CapEff:0000000000000000", "NoNewPrivs:1", "Seccomp:2",
		"[/plugins/cc-spy]", "[/proc/sys/net/ipv4/conf/all /proc/sys/net/ipv4/conf/default /proc/sys/net/ipv4/conf/lo]",
		"write: open /plugins/x: read-only file system"} {
		if !strings.Contains(seen, want) {
			t.Errorf("lacks %q: %s", want, seen)
		}
	}
	for _, folder := range []string{"/etc/passwd", "/home", "/root", "/usr"} {
		if strings.Contains(seen, folder+" ") || strings.Contains(seen, folder+"]") {
			t.Errorf("it sees %s: %s", folder, seen)
		}
	}
	for _, space := range []string{"mnt", "net", "pid", "ipc", "uts"} {
		if own, err := os.Readlink("/proc/self/ns/" + space); err != nil || strings.Contains(seen, own) ||
			!strings.Contains(seen, space+":[") {
			t.Errorf("%s namespace: %s, %v", space, own, err)
		}
	}
	if err := probe.Clear(context.Background(), root); err != nil {
		t.Error(err)
	}
	if _, err := p.Algorithm().New(hosting.Params{}); err != nil {
		t.Errorf("what is in use was cleared: %v", err)
	}
}

// Answers cross, refusals too, and what the program prints; a program that breaks is
// named as it is on the host, and nothing that it has started is left.
func TestAnswers(t *testing.T) {
	h, _ := open(t)
	program := spy(t, "cc-spy")
	for _, c := range []struct{ do, want string }{
		{"nothing", ""},
		{"brood", ""},
		{"refuse", "it refuses"},
		{"blame", "is to blame"},
		{"exit", "(plugin " + program.Path + ", pid "},
		{"exit", "exited with code 9 at its configuration"},
	} {
		printed := process.NewTail(1000)
		p, err := h.Start(program, process.Options{Output: printed, Log: filepath.Join(t.TempDir(), "log")})
		if err != nil {
			t.Fatal(err)
		}
		params, err := hosting.Parse(p.Algorithm().Describe(), map[string]string{"do": c.do})
		if err != nil {
			t.Fatal(err)
		}
		controller, err := p.Algorithm().New(params)
		if c.want == "" && (err != nil || controller.Signals() != cc.Signals{INT: true, CNP: true}) {
			t.Errorf("%s: %v", c.do, err)
		} else if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.do, err, c.want)
		}
		var wrong *cc.ParamError
		var fault *process.Error
		if errors.As(err, &wrong) != (c.do == "blame") || errors.As(err, &fault) != (c.do == "exit") {
			t.Errorf("%s: %T", c.do, err)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if text := string(printed.Bytes()); !strings.Contains(text, "the spy prints") {
			t.Errorf("%s: printed %q", c.do, text)
		}
		if left := called("cc-silent-child"); len(left) > 0 {
			t.Errorf("left: %q", left)
		}
	}
}

// called are the processes with that name in their command line.
func called(name string) (list []string) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		if text, _ := os.ReadFile(file); strings.Contains(string(text), name) {
			list = append(list, file+" "+strings.ReplaceAll(string(text), "\x00", " "))
		}
	}
	return list
}

// What cannot be a program in a container is an error that names the file.
func TestWhatIsNoProgram(t *testing.T) {
	h, _ := open(t)
	dir := t.TempDir()
	for name, c := range map[string]struct {
		text string
		mode os.FileMode
		want string
	}{
		"script": {"#!/bin/sh\n", 0o755, "is not a program by itself"},
		"plain":  {"x", 0o644, "has no permission to be executed"},
		"cut":    {"\x7fELF", 0o755, "is not a program by itself"},
	} {
		path := filepath.Join(dir, name)
		os.WriteFile(path, []byte(c.text), c.mode)
		_, err := h.Start(process.Program{Path: path}, process.Options{})
		var fault *process.Error
		if !errors.As(err, &fault) || fault.Path != path || !strings.Contains(fault.Problem, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for path, want := range map[string]string{
		dir + "/none": "is missing",
		dir:           "is a folder",
		"/bin/true":   "is not a plugin",
	} {
		_, err := h.Start(process.Program{Path: path}, process.Options{})
		if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// A host that is killed while it asks a silent program leaves no process, and only files that Clear removes.
func TestAKilledHost(t *testing.T) {
	_, root := open(t)
	program := spy(t, fmt.Sprintf("cc-silent-%d", os.Getpid()))
	host := exec.Command("/proc/self/exe")
	host.Env = append(os.Environ(), "PROBE_TEST_ROOT="+root, "PROBE_TEST_PROGRAM="+program.Path)
	out, _ := host.StdoutPipe()
	if err := host.Start(); err != nil {
		t.Fatal(err)
	}
	defer host.Process.Kill()
	fmt.Fscanln(out, new(string))
	name := filepath.Base(program.Path)
	for limit := time.Now().Add(20 * time.Second); len(called("/plugins/"+name)) < 2; time.Sleep(time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatalf("it does not start: %q", called(name))
		}
	}
	host.Process.Kill()
	host.Wait()
	var left []string
	for limit := time.Now().Add(20 * time.Second); time.Now().Before(limit); time.Sleep(time.Millisecond) {
		if left = called("/plugins/" + name); len(left) == 0 {
			break
		}
	}
	if len(left) > 0 {
		t.Errorf("left: %q", left)
	}
	if groups := cgroupsOf(host.Process.Pid); len(groups) == 0 {
		t.Error("it had no cgroups")
	}
	if err := probe.Clear(context.Background(), root); err != nil {
		t.Error(err)
	}
	if groups := cgroupsOf(host.Process.Pid); len(groups) > 0 {
		t.Errorf("left: %q", groups)
	}
}

// Who ends in a hurry leaves nothing of a probe that comes up meanwhile. Tier: everyday,
// as root.
func TestProbesThatComeUpEndToo(t *testing.T) {
	tier.Everyday(t)
	_, root := open(t)
	program := spy(t, fmt.Sprintf("cc-silent-%d-up", os.Getpid()))
	for range 20 {
		host := exec.Command("/proc/self/exe")
		host.Env = append(os.Environ(), "PROBE_TEST_ROOT="+root, "PROBE_TEST_PROGRAM="+program.Path, "PROBE_TEST_HURRY=1")
		if out, err := host.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if groups := cgroupsOf(host.Process.Pid); len(groups) > 0 {
			t.Fatalf("left: %q", groups)
		}
	}
}

// hurry asks a program, and ends with all probes once the first is about to be one.
func hurry(root, program string) {
	h, err := probe.Open(root)
	if err != nil {
		panic(err)
	}
	for range 3 {
		go h.Start(process.Program{Path: program}, process.Options{StartLimit: time.Hour, Deadline: time.Hour})
	}
	for len(cgroupsOf(os.Getpid())) == 0 {
		time.Sleep(time.Millisecond)
	}
	if err := probe.DestroyOwn(context.Background()); err != nil {
		panic(err)
	}
	os.Exit(0)
}

// cgroupsOf are the cgroups of a host's probes.
func cgroupsOf(pid int) (list []string) {
	for _, pattern := range []string{"/sys/fs/cgroup/%s", "/sys/fs/cgroup/*/%s", "/sys/fs/cgroup/*/*/%s",
		"/sys/fs/cgroup/*/*/*/%s"} {
		found, _ := filepath.Glob(fmt.Sprintf(pattern, fmt.Sprintf("rocelab-probe-%d-*", pid)))
		list = append(list, found...)
	}
	return list
}
