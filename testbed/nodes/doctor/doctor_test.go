package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/rocelab/rocelab/specs/tier"
)

// asUser makes the test binary print its findings, as an ordinary user.
const asUser = "ROCELAB_DOCTOR_PRINT"

func TestMain(m *testing.M) {
	if os.Getenv(asUser) != "" {
		if err := json.NewEncoder(os.Stdout).Encode(Examine(context.Background(), Footprint{})); err != nil {
			panic(err)
		}
		return
	}
	os.Exit(m.Run())
}

func needRoot(t *testing.T) {
	t.Helper()
	tier.Root(t, "looking at a capable host")
}

func find(t *testing.T, list []Finding, name string) Finding {
	t.Helper()
	i := slices.IndexFunc(list, func(f Finding) bool { return f.Name == name })
	if i < 0 {
		t.Fatalf("no finding %q among %v", name, list)
	}
	return list[i]
}

func TestAnOrdinaryUserIsToldWhatRootIsNeededFor(t *testing.T) {
	needRoot(t)
	exe := filepath.Join(t.TempDir(), "doctor.test")
	self, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(exe, self, 0o755); err != nil {
		t.Fatal(err)
	}
	for dir := filepath.Dir(exe); dir != "/tmp" && dir != "/"; dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(exe)
	cmd.Dir, cmd.Env = "/", []string{asUser + "=1", "PATH=" + os.Getenv("PATH")}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := cmd.Output()
	if errors.Is(err, os.ErrPermission) {
		t.Skip("an ordinary user may not run programs in the temporary folder")
	}
	if err != nil {
		t.Fatal(err)
	}
	var list []struct{ Name, Status, Detail, Remedy string }
	if err := json.Unmarshal(out, &list); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	status := map[string]string{}
	for _, f := range list {
		status[f.Name] = f.Status
		if f.Status == "missing" && f.Remedy != asRoot {
			t.Errorf("%s: remedy %q", f.Name, f.Remedy)
		}
	}
	for name, want := range map[string]string{"Linux": "ok", "rights": "missing", "namespaces": "missing",
		"veth":         "missing",
		"packet rings": "missing", "system calls": "ok", "cgroups": "missing", "memory": "ok", "/run": "missing"} {
		t.Run(name, func(t *testing.T) {
			if status[name] != want {
				t.Errorf("%s: %q, want %q", name, status[name], want)
			}
		})
	}
}

// traces lists what an examination could leave.
func traces(t *testing.T) (all []string) {
	t.Helper()
	for _, pattern := range []string{"/sys/fs/cgroup/rocelab-doctor*", "/sys/fs/cgroup/*/rocelab-doctor*",
		"/sys/fs/cgroup/*/*/rocelab-doctor*", "/sys/fs/cgroup/*/*/*/rocelab-doctor*", "/run/rocelab-doctor*",
		"/sys/class/net/doctor*"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, names...)
	}
	for _, ns := range []string{"net", "mnt", "uts", "ipc", "pid", "pid_for_children"} {
		link, err := os.Readlink("/proc/self/ns/" + ns)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, link)
	}
	descriptors, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return append(all, fmt.Sprint(len(descriptors), " descriptors"))
}

func TestNothingIsLeftBehind(t *testing.T) {
	Examine(context.Background(), Footprint{}) // the runtime opens what it needs
	before := traces(t)
	for range 3 {
		Examine(context.Background(), Footprint{})
	}
	if after := traces(t); !slices.Equal(before, after) {
		t.Errorf("before %q\nafter  %q", before, after)
	}
}

func TestEveryFindingIsComplete(t *testing.T) {
	list := Examine(context.Background(), Footprint{})
	seen := map[string]bool{}
	for _, f := range list {
		if f.Name == "" || f.Detail == "" || seen[f.Name] || f.Status != OK && f.Remedy == "" {
			t.Errorf("%+v", f)
		}
		seen[f.Name] = true
	}
	if len(list) < 19 {
		t.Errorf("%d findings: %v", len(list), list)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if list := Examine(ctx, Footprint{}); len(list) != 0 {
		t.Errorf("examined after the end: %v", list)
	}
}

func TestLackNamesWhatIsMissingAndTheRemedy(t *testing.T) {
	if err := Lack([]Finding{{"a", OK, "x", ""}, {"b", Warning, "x", "y"}, {"c", OptionalMissing, "x", "y"}}); err != nil {
		t.Error(err)
	}
	err := Lack([]Finding{{"veth", Missing, "no such module", "modprobe veth"}, {"a", OK, "", ""}})
	if got, want := fmt.Sprint(err),
		"this host lacks requirements of the testbed: veth: no such module (modprobe veth)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	err = Lack([]Finding{{"a", Missing, "x", "y"}, {"b", Missing, "z", "y"}})
	if want := "this host lacks requirements of the testbed (y):\n  a: x\n  b: z"; err == nil || err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
	err = Lack([]Finding{{"a", Missing, "x", "y"}, {"b", Missing, "z", ""}})
	if got, want := fmt.Sprint(err), "this host lacks requirements of the testbed:\n  a: x (y)\n  b: z"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// machine is a host of files.
type machine struct {
	t *testing.T
	host
}

func newMachine(t *testing.T, files map[string]string) machine {
	m := machine{t, host{t.TempDir()}}
	for name, text := range files {
		m.write(name, text)
	}
	return m
}

func (m machine) write(name, text string) {
	m.t.Helper()
	if err := os.MkdirAll(filepath.Dir(m.path(name)), 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(m.path(name), []byte(text), 0o644); err != nil {
		m.t.Fatal(err)
	}
}

// expect checks the only finding of an examination.
func (m machine) expect(list []Finding, s Status, detail, remedy string) {
	m.t.Helper()
	if len(list) != 1 || list[0].Status != s || !strings.Contains(list[0].Detail, detail) ||
		!strings.Contains(list[0].Remedy, remedy) ||
		remedy == "" && list[0].Remedy != "" {
		m.t.Errorf("%+v\nwant %s %q, remedy %q", list, s, detail, remedy)
	}
}

func TestKernelVersion(t *testing.T) {
	for release, want := range map[string]Status{"5.3.0": OK, "5.2.21-generic": Missing, "4.19.0-27-amd64": Missing,
		"6.1.0-40-amd64": OK, "10.0": OK, "odd": OK} {
		t.Run(release, func(t *testing.T) {
			m := newMachine(t, map[string]string{"proc/sys/kernel/osrelease": release + "\n"})
			remedy := ""
			if want == Missing {
				remedy = "5.3 or later"
			}
			m.expect(m.linux(), want, release, remedy)
		})
	}
	m := newMachine(t, nil)
	m.expect(m.linux(), Missing, "no such file", "on Linux")
}

func TestRights(t *testing.T) {
	m := newMachine(t, map[string]string{"proc/self/status": "Name:\tx\nCapEff:\t0000000000000000\n"})
	m.expect(m.rights(), Missing, "ordinary user", "sudo")
	m.write("proc/self/status", "CapEff:\t000001ffffdfefff\n") // without 12 (NET_ADMIN) and 21 (SYS_ADMIN)
	m.expect(m.rights(), Missing, "without CAP_SYS_ADMIN (namespaces and mounts), CAP_NET_ADMIN (veth pairs)",
		"--privileged")
	m.write("proc/self/status", "CapEff:\t000001ffffffffff\n")
	m.expect(m.rights(), OK, "all", "")
}

const (
	v1 = "30 25 0:26 / /cg/memory rw - cgroup cgroup rw,memory\n31 25 0:27 / /cg/pids rw - cgroup cgroup rw,pids\n"
	v2 = "32 25 0:28 / /cg/unified rw - cgroup2 cgroup2 rw\n"
)

func TestCgroups(t *testing.T) {
	m := newMachine(t, map[string]string{"proc/self/mountinfo": "25 1 0:5 / / rw - ext4 /dev/root rw\n",
		"proc/self/cgroup": "4:memory:/a/b\n3:pids:/\n0::/s\n"})
	m.expect(m.cgroups(), Missing, "no hierarchy", "mount -t cgroup2")

	for _, shown := range []string{"/other", "/a/bc"} { // a part of the tree that this process is not in
		m.write("proc/self/mountinfo", "30 25 0:26 "+shown+" /cg/memory rw - cgroup cgroup rw,memory\n")
		m.expect(m.cgroups(), Missing, "no hierarchy", "mount -t cgroup2")
	}

	m.write("proc/self/mountinfo", v1)
	m.expect(m.cgroups(), Missing, "below /cg/memory/a/b", "writable") // there is no such folder
	m.write("cg/memory/a/b/tasks", "")
	m.write("cg/pids/tasks", "")
	m.expect(m.cgroups(), OK, "version 1, memory and pids writable", "")
	m.write("cg/unified/cgroup.controllers", "\n")
	m.write("proc/self/mountinfo", v1+v2)
	m.expect(m.cgroups(), OK, "hybrid", "")

	m.write("proc/self/mountinfo", v2)
	m.expect(m.cgroups(), Missing, "memory controller", "mount it")
	m.write("cg/unified/cgroup.controllers", "cpu memory pids\n")
	m.expect(m.cgroups(), Missing, "below /cg/unified", "writable") // no subtree_control
	m.write("cg/unified/cgroup.subtree_control", "")
	m.expect(m.cgroups(), OK, "version 2", "")
	m.write("proc/self/cgroup", "0::/box/in\n") // groups are made beside the own one
	m.expect(m.cgroups(), Missing, "memory controller", "mount it")
	m.write("cg/unified/box/cgroup.controllers", "memory pids\n")
	m.write("cg/unified/box/cgroup.subtree_control", "")
	m.expect(m.cgroups(), OK, "version 2", "")
	for _, path := range []string{"cg/memory/a/b", "cg/pids", "cg/unified", "cg/unified/box"} {
		t.Run(path, func(t *testing.T) {
			if names, _ := filepath.Glob(m.path(path + "/rocelab*")); len(names) > 0 {
				t.Errorf("left %v", names)
			}
		})
	}
}

func TestMemoryIsTheLeastOfMachineAndCgroups(t *testing.T) {
	m := newMachine(t, map[string]string{
		"proc/meminfo":        "MemTotal: 9000000 kB\nMemAvailable:  4000000 kB\n",
		"proc/self/mountinfo": v1, "proc/self/cgroup": "4:memory:/a/b\n3:pids:/\n",
		"cg/memory/memory.limit_in_bytes":     "9223372036854771712\n",
		"cg/memory/memory.usage_in_bytes":     "100\n",
		"cg/memory/memory.stat":               "total_inactive_file 0\n",
		"cg/memory/a/memory.limit_in_bytes":   "3000000000\n", // the parent is the tighter one
		"cg/memory/a/memory.usage_in_bytes":   "2500000000\n",
		"cg/memory/a/memory.stat":             "total_cache 7\ntotal_inactive_file 500000000\n",
		"cg/memory/a/b/memory.limit_in_bytes": "5000000000\n", "cg/memory/a/b/memory.usage_in_bytes": "0\n",
		"cg/memory/a/b/memory.stat": "total_inactive_file 0\n",
	})
	m.expect([]Finding{m.memory(Footprint{Memory: 1_000_000_000})}, OK,
		"1GB available by the limit of this process's cgroup, 1GB needed", "")
	m.expect([]Finding{m.memory(Footprint{Memory: 1_000_000_001})}, Missing, "1GB available", "smaller fabric")
	m.write("proc/meminfo", "MemAvailable: 1000 kB\n")
	m.expect([]Finding{m.memory(Footprint{Memory: 2_000_000})}, Missing, "1.024MB available, 2MB needed", "more memory")

	// Version 2, in a container that sees its own group as the root.
	m = newMachine(t, map[string]string{
		"proc/meminfo":        "MemAvailable:  4000000 kB\n",
		"proc/self/mountinfo": "32 25 0:28 /box /cg/unified rw - cgroup2 cgroup2 rw\n", "proc/self/cgroup": "0::/box/in\n",
		"cg/unified/cgroup.controllers": "memory pids", "cg/unified/memory.max": "max\n",
		"cg/unified/in/memory.max": "600000000\n", "cg/unified/in/memory.current": "300000000\n",
		"cg/unified/in/memory.stat": "anon 1\ninactive_file 100000000\n",
	})
	m.expect([]Finding{m.memory(Footprint{Memory: 1})}, OK, "400MB available by the limit", "")
}

func TestProcesses(t *testing.T) {
	m := newMachine(t, map[string]string{
		"proc/loadavg": "0.10 0.20 0.30 2/400 12345\n", "proc/sys/kernel/pid_max": "1000\n",
		"proc/sys/kernel/threads-max": "5000\n",
		"proc/self/mountinfo":         v1, "proc/self/cgroup": "3:pids:/\n",
	})
	m.expect([]Finding{m.tasks(Footprint{Nodes: 25})}, OK, "600 more threads by kernel.pid_max, 600 needed", "")
	m.expect([]Finding{m.tasks(Footprint{Nodes: 26})}, Missing, "624 needed", "sysctl -w kernel.pid_max=1648")
	m.write("cg/pids/pids.max", "100\n")
	m.write("cg/pids/pids.current", "40\n")
	m.expect([]Finding{m.tasks(Footprint{Nodes: 5})}, Missing, "60 more threads by pids.max", "TasksMax")
}

func TestLimits(t *testing.T) {
	m := newMachine(t, map[string]string{"proc/sys/user/max_net_namespaces": "100\n",
		"proc/sys/user/max_pid_namespaces": "90\n"})
	m.expect([]Finding{m.quota(Footprint{Nodes: 45})}, OK, "at least 90", "")
	m.expect([]Finding{m.quota(Footprint{Nodes: 46})}, Missing, "max_pid_namespaces is 90, 92 needed",
		"sysctl -w user.max_pid_namespaces=92")
	m.expect([]Finding{m.descriptors(Footprint{Descriptors: 1 << 40})}, Missing, "limit ", "LimitNOFILE")
	m.expect([]Finding{m.descriptors(Footprint{Descriptors: 1})}, OK, "1 needed", "")

	m.expect(m.backlog(), Warning, "cannot be seen", "on the host")
	m.write("proc/sys/net/core/netdev_max_backlog", "1000\n")
	m.expect(m.backlog(), Warning, "may be sent again, which slows a run", "sysctl -w net.core.netdev_max_backlog=16384")
	m.write("proc/sys/net/core/netdev_max_backlog", "16384\n")
	m.expect(m.backlog(), OK, "is 16384", "")

	m.expect(m.run(), Missing, "no such file", "tmpfs")
	m.write("run/x", "")
	m.expect(m.run(), OK, "writable", "")
	if names, _ := filepath.Glob(m.path("run/rocelab*")); len(names) > 0 {
		t.Errorf("left %v", names)
	}
}

func TestRoomLooksAtThisHost(t *testing.T) {
	if err := Room(Footprint{}); err != nil {
		t.Error(err)
	}
	err := Room(Footprint{Nodes: 1 << 40, Memory: 1 << 60, Descriptors: 1 << 40})
	var lack *lackError
	if !errors.As(err, &lack) || len(lack.Missing) != 4 {
		t.Error(err)
	}
}

func TestNamespacesOfAKernelWithout(t *testing.T) {
	m := newMachine(t, map[string]string{"proc/self/ns/net": "", "proc/self/ns/mnt": "", "proc/self/ns/uts": ""})
	m.expect(m.namespaces(), Missing, "no PID, IPC namespaces", "CONFIG_")
}

func TestToolsThatAreNotThere(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	for _, f := range tools(context.Background()) {
		if f.Status != OptionalMissing || !strings.HasPrefix(f.Remedy, "apt install ") {
			t.Errorf("%+v", f)
		}
	}
	for name, script := range map[string]string{"runc": "#!/bin/sh\necho runc version 9.8.7\necho more\n",
		"ip": "#!/bin/sh\n"} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755); err != nil {
				t.Fatal(err)
			}
		})
	}
	list := tools(context.Background())
	if f := find(t, list, "runc"); f.Status != OK || f.Detail != dir+"/runc, version 9.8.7" {
		t.Errorf("%+v", f)
	}
	if f := find(t, list, "ip"); f.Status != OK || f.Detail != dir+"/ip" {
		t.Errorf("%+v", f)
	}
	if err := os.WriteFile(filepath.Join(dir, "runc"), []byte("#!/bin/sh\nexit 3\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if f := runc(context.Background()); f.Status != OptionalMissing || !strings.Contains(f.Detail, "exit status 3") {
		t.Errorf("%+v", f)
	}
}

// People read sizes as tables have them, and programs all digits.
func TestSizesForPeople(t *testing.T) {
	f := Finding{Detail: "24.512345GB available, 256MB needed by HPCCB at 5GBps"}
	if got := f.Text(); got != "24.51 GB available, 256 MB needed by HPCCB at 5GBps" {
		t.Errorf("%q", got)
	}
}
