package container

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// roleVariable makes the test binary play a part inside a container, or that of
// another process on the host.
const roleVariable = "CONTAINER_TEST_ROLE"

func TestMain(m *testing.M) {
	Init()
	if role := os.Getenv(roleVariable); role != "" {
		os.Exit(play(role))
	}
	os.Exit(m.Run())
}

// play is the program inside the test's containers.
func play(role string) int {
	switch role {
	case "report":
		if err := json.NewEncoder(os.NewFile(3, "report")).Encode(look()); err != nil {
			fmt.Println(err)
			return 1
		}
		return 7
	case "sleep":
		_ = unix.Pause()
	case "remove":
		var h Handle
		if err := json.NewDecoder(os.Stdin).Decode(&h); err != nil {
			fmt.Println(err)
			return 1
		}
		for range 2 {
			if err := Remove(context.Background(), h); err != nil {
				fmt.Println(err)
				return 1
			}
		}
	}
	return 0
}

// view is what a program sees of its container.
type view struct {
	Hostname     string
	Pid          int
	Args, Env    []string
	Root         map[string]string // mode of each entry of /
	Bin, Plugins []string
	Files        []string // what descriptors from 0 on are
	Status       string   // /proc/self/status
	Net          string   // its network namespace
	Mounts       string
	Cgroups      string
	Fifth        string // text read from descriptor 4
	WriteRoot    string // error of writing into /
	WriteTmp     string
	Plugin       string // output of a plugin
	Null         string // error of opening /dev/null
	Session      int
}

func look() view {
	v := view{Pid: os.Getpid(), Args: os.Args, Env: os.Environ(), Root: map[string]string{}}
	v.Hostname, _ = os.Hostname()
	names := func(dir string) (names []string) {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}
	for _, name := range names("/") {
		v.Root[name] = ""
	}
	v.Bin, v.Plugins = names("/bin"), names("/plugins")
	for fd := range 10 {
		if target, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", fd)); err == nil {
			v.Files = append(v.Files, fmt.Sprintf("%d %s", fd, target))
		}
	}
	text := func(path string) string { b, _ := os.ReadFile(path); return string(b) }
	v.Status, v.Mounts, v.Cgroups = text("/proc/thread-self/status"), text("/proc/self/mountinfo"), text("/proc/self/cgroup")
	v.Net, _ = os.Readlink("/proc/self/ns/net")
	fifth, _ := io.ReadAll(os.NewFile(4, "text"))
	v.Fifth = string(fifth)
	v.WriteRoot = fmt.Sprint(os.WriteFile("/x", nil, 0o600))
	v.WriteTmp = fmt.Sprint(os.WriteFile("/tmp/x", nil, 0o600))
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	v.Null = fmt.Sprint(err)
	null.Close()
	if len(v.Plugins) > 0 {
		cmd := exec.Command("/plugins/" + v.Plugins[0])
		cmd.Env = []string{roleVariable + "=plugin"}
		out, err := cmd.CombinedOutput()
		v.Plugin = fmt.Sprintf("%s%v", out, err)
	}
	v.Session, _ = unix.Getsid(0)
	return v
}

// each runs a test with every runtime of this host.
func each(t *testing.T, test func(t *testing.T, r Runtime)) {
	for _, name := range []string{Builtin, Runc} {
		t.Run(name, func(t *testing.T) { test(t, find(t, name)) })
	}
}

func find(t testing.TB, name string) Runtime {
	t.Helper()
	r, err := Find(name)
	if err != nil {
		t.Skip(err)
	}
	return r
}

// fixture describes a container with the test binary in the given role.
func fixture(t testing.TB, role string) Spec {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	return Spec{
		ID:       fmt.Sprintf("ctrtest%d-%s", os.Getpid(), role),
		Hostname: "leaf1",
		NetNS:    namespace(t),
		Program:  self,
		Env:      []string{roleVariable + "=" + role},
		Log:      log,
		Dir:      t.TempDir(),
	}
}

// namespace makes a network namespace that lives as long as the test: a thread
// holds it.
func namespace(t testing.TB) string {
	t.Helper()
	path, release := make(chan string), make(chan struct{})
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
			path <- ""
			return
		}
		path <- fmt.Sprintf("/proc/%d/task/%d/ns/net", os.Getpid(), unix.Gettid())
		<-release
	}()
	p := <-path
	if p == "" {
		t.Skip("this host lets us make no network namespace")
	}
	t.Cleanup(func() { close(release) })
	return p
}

// start starts a container and removes it when the test ends.
func start(t testing.TB, r Runtime, s Spec) Container {
	t.Helper()
	c, err := r.Start(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Remove(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return c
}

func TestInside(t *testing.T) {
	each(t, func(t *testing.T, r Runtime) {
		s := fixture(t, "report")
		report, err := os.Create(filepath.Join(t.TempDir(), "report"))
		if err != nil {
			t.Fatal(err)
		}
		defer report.Close()
		text, in, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer text.Close()
		_, _ = in.WriteString("a descriptor")
		in.Close()
		plugin := filepath.Join(t.TempDir(), "cc-test")
		if err := os.Link(s.Program, plugin); err != nil {
			copyFile(t, s.Program, plugin)
		}
		s.Files = []*os.File{report, text}
		s.Plugins = []string{plugin}
		s.Args = []string{"-node", "leaf1"}
		s.Memory, s.Pids = 256<<20, 100
		c := start(t, r, s)
		if status, err := c.Wait(); err != nil || status != (Status{Code: 7}) {
			t.Fatalf("ended with %v, %v; log: %s", status, err, logOf(t, s))
		}
		var v view
		data, _ := os.ReadFile(report.Name())
		if err := json.Unmarshal(data, &v); err != nil {
			t.Fatalf("%v in %q", err, data)
		}
		check := func(what string, got, want any) {
			t.Helper()
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s: got %v, want %v", what, got, want)
			}
		}
		check("hostname", v.Hostname, "leaf1")
		check("pid", v.Pid, 1)
		check("session", v.Session, 1)
		check("arguments", v.Args, []string{"/bin/" + filepath.Base(s.Program), "-node", "leaf1"})
		check("environment", withoutHome(v.Env), s.Env)
		check("entries of /", sortedKeys(v.Root), "[bin dev plugins proc tmp]")
		check("/bin", v.Bin, []string{filepath.Base(s.Program)})
		check("/plugins", v.Plugins, "[cc-test]")
		check("output of the plugin", v.Plugin, "<nil>")
		check("text from descriptor 4", v.Fifth, "a descriptor")
		check("writing to /", v.WriteRoot, "open /x: read-only file system")
		check("writing to /tmp", v.WriteTmp, "<nil>")
		check("opening /dev/null", v.Null, "<nil>")
		for _, set := range []string{"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"} {
			check(set, field(v.Status, set), "0000000000000000")
		}
		check("NoNewPrivs", field(v.Status, "NoNewPrivs"), "1")
		check("files", len(v.Files) >= 5 && !strings.Contains(strings.Join(v.Files, "\n"), "socket"), true)
		net, _ := os.Readlink(s.NetNS)
		check("network namespace", v.Net, net)
		if strings.Contains(v.Mounts, s.Dir+" ") || strings.Contains(v.Mounts, "/sys/fs/cgroup") {
			t.Errorf("sees mounts of the host:\n%s", v.Mounts)
		}
		for line := range strings.Lines(v.Cgroups) {
			if strings.Contains(line, "memory") || strings.Contains(line, "pids") {
				check("own cgroup", strings.HasSuffix(line, ":/\n"), true)
			}
		}
	})
}

// withoutHome drops what runc adds to an environment that has no HOME.
func withoutHome(env []string) []string {
	return slices.DeleteFunc(env, func(v string) bool { return strings.HasPrefix(v, "HOME=") })
}

func field(status, name string) string {
	for line := range strings.Lines(status) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			return strings.TrimSpace(rest)
		}
	}
	return "absent"
}

func sortedKeys(m map[string]string) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func copyFile(t testing.TB, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, data, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func logOf(t testing.TB, s Spec) string {
	t.Helper()
	text, err := os.ReadFile(s.Log.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestDynamicallyLinked(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell here")
	}
	each(t, func(t *testing.T, r Runtime) {
		s := fixture(t, "shell")
		s.Program, s.Args = shell, []string{"-c", "echo it runs"}
		oci, err := OCI(s)
		if err != nil {
			t.Fatal(err)
		}
		if len(oci.Mounts) < 5 {
			t.Skip("the shell of this host is linked statically")
		}
		c := start(t, r, s)
		if status, err := c.Wait(); err != nil || status != (Status{}) || logOf(t, s) != "it runs\n" {
			t.Errorf("ended with %v, %v; log: %s", status, err, logOf(t, s))
		}
	})
}

func TestFailures(t *testing.T) {
	plain := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(plain, []byte("no program"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		change func(*Spec)
		want   string
	}{
		{"missing program", func(s *Spec) { s.Program = "/nowhere/switchd" }, "program /nowhere/switchd: no such file or directory"},
		{"missing plugin", func(s *Spec) { s.Plugins = []string{"/nowhere/cc-x"} }, "plugin /nowhere/cc-x: no such file or directory"},
		{"no executable", func(s *Spec) { s.Program = "/etc/passwd" }, "program /etc/passwd: not an executable file: chmod +x, if it is a program"},
		{"no ELF", func(s *Spec) { s.Program = plain }, "not an ELF executable"},
		{"missing namespace", func(s *Spec) { s.NetNS = "/nowhere/net" }, "network namespace /nowhere/net: no such file or directory"},
		{"wrong namespace", func(s *Spec) { s.NetNS = "/proc/self/ns/uts" }, "network namespace /proc/self/ns/uts: the file is none"},
		{"relative path", func(s *Spec) { s.Program = "switchd" }, `program "switchd": want an absolute path`},
		{"bad ID", func(s *Spec) { s.ID = "../x" }, `ID "../x"`},
		{"two plugins of a name", func(s *Spec) { s.Plugins = []string{"/a/cc", "/b/cc"} }, "plugins /a/cc and /b/cc share the name /plugins/cc"},
	} {
		t.Run(c.name, func(t *testing.T) {
			each(t, func(t *testing.T, r Runtime) {
				s := fixture(t, "sleep")
				c.change(&s)
				before := traces(t)
				started, err := r.Start(t.Context(), s)
				if err == nil {
					_ = started.Remove(context.Background())
					t.Fatal("started")
				}
				if !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "start container "+s.ID) {
					t.Errorf("error %q does not tell %q", err, c.want)
				}
				sameTraces(t, before)
				if _, err := os.Stat(s.folder()); !errors.Is(err, os.ErrNotExist) {
					t.Errorf("its folder is left: %v", err)
				}
			})
		})
	}
}

func TestProgramThatDiesAtOnce(t *testing.T) {
	each(t, func(t *testing.T, r Runtime) {
		s := fixture(t, "die")
		c := start(t, r, s)
		for range 2 {
			if status, err := c.Wait(); err != nil || status.String() != "exit status 0" {
				t.Errorf("ended with %v, %v", status, err)
			}
		}
	})
}

func TestKilledProgram(t *testing.T) {
	each(t, func(t *testing.T, r Runtime) {
		c := start(t, r, fixture(t, "sleep"))
		if err := unix.Kill(c.Pid(), unix.SIGKILL); err != nil {
			t.Fatal(err)
		}
		if status, err := c.Wait(); err != nil || status.String() != "signal: killed" {
			t.Errorf("ended with %v, %v", status, err)
		}
	})
}

func TestTakenID(t *testing.T) {
	each(t, func(t *testing.T, r Runtime) {
		s := fixture(t, "sleep")
		first := start(t, r, s)
		_, err := r.Start(t.Context(), s)
		if err == nil || !strings.Contains(err.Error(), "exists") {
			t.Errorf("error %v", err)
		}
		if err := unix.Kill(first.Pid(), 0); err != nil {
			t.Errorf("the first one: %v", err)
		}
	})
}

func TestCancelled(t *testing.T) {
	each(t, func(t *testing.T, r Runtime) {
		before := traces(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		s := fixture(t, "sleep")
		if _, err := r.Start(ctx, s); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		sameTraces(t, before)
	})
}

func TestManyAtOnce(t *testing.T) {
	const many = 40
	each(t, func(t *testing.T, r Runtime) {
		s := fixture(t, "sleep")
		before := traces(t)
		containers := bringUp(t, r, s, many)
		var handles []Handle
		for _, c := range containers {
			handles = append(handles, c.Handle())
		}
		slices.SortFunc(handles, func(a, b Handle) int { return strings.Compare(a.ID, b.ID) })
		if recorded, err := Handles(s.Dir); err != nil || fmt.Sprint(recorded) != fmt.Sprint(handles) {
			t.Errorf("recorded %v, %v; want %v", recorded, err, handles)
		}
		if now := traces(t); len(now) <= len(before) {
			t.Errorf("no trace of %d containers: %v", many, now)
		}
		takeDown(t, containers)
		sameTraces(t, before)
		if left, _ := os.ReadDir(s.Dir); len(left) > 0 {
			t.Errorf("folders left: %v", left)
		}
	})
}

// bringUp starts n containers like s, eight at once.
func bringUp(t testing.TB, r Runtime, s Spec, n int) []Container {
	t.Helper()
	containers, errs := make([]Container, n), make(chan error, n)
	slots := make(chan struct{}, 8)
	for i := range n {
		go func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			one := s
			one.ID = fmt.Sprintf("%s%d", s.ID, i)
			var err error
			containers[i], err = r.Start(context.Background(), one)
			errs <- err
		}()
	}
	for range n {
		if err := <-errs; err != nil {
			t.Fatal(err)
		}
	}
	return containers
}

// takeDown removes containers as their parent.
func takeDown(t testing.TB, containers []Container) {
	t.Helper()
	var handles []Handle
	for _, c := range containers {
		handles = append(handles, c.Handle())
	}
	if err := RemoveAll(context.Background(), handles); err != nil {
		t.Fatal(err)
	}
	for _, c := range containers {
		if _, err := c.Wait(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRemoveByAnotherProcess(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, r Runtime) {
		before := traces(t)
		s := fixture(t, "sleep")
		c, err := r.Start(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		handle, err := json.Marshal(c.Handle())
		if err != nil {
			t.Fatal(err)
		}
		other := exec.Command(self)
		other.Env = append(os.Environ(), roleVariable+"=remove")
		other.Stdin = bytes.NewReader(handle)
		if out, err := other.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
		if status, err := c.Wait(); err != nil || status.Signal != unix.SIGKILL {
			t.Errorf("ended with %v, %v", status, err)
		}
		if err := c.Remove(t.Context()); err != nil {
			t.Error(err)
		}
		sameTraces(t, before)
	})
}

func TestReusedPidIsSpared(t *testing.T) {
	bystander := exec.Command("sleep", "60")
	if err := bystander.Start(); err != nil {
		t.Skip(err)
	}
	defer func() { _ = bystander.Process.Kill(); _ = bystander.Wait() }()
	started, err := startTime(bystander.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	h := Handle{ID: "x", Runtime: Builtin, Pid: bystander.Process.Pid, Started: started - 1, Dir: filepath.Join(t.TempDir(), "x")}
	if err := Remove(t.Context(), h); err != nil {
		t.Error(err)
	}
	if now, err := startTime(bystander.Process.Pid); err != nil || now != started {
		t.Errorf("it is gone: %v", err)
	}
}

func TestNewerContainerIsSpared(t *testing.T) {
	each(t, func(t *testing.T, r Runtime) {
		s := fixture(t, "sleep")
		older := start(t, r, s)
		if err := older.Remove(t.Context()); err != nil {
			t.Fatal(err)
		}
		newer := start(t, r, s)
		if err := errors.Join(older.Remove(t.Context()), Remove(t.Context(), older.Handle())); err != nil {
			t.Error(err)
		}
		if err := unix.Kill(newer.Pid(), 0); err != nil {
			t.Errorf("the newer one: %v", err)
		}
		if _, err := os.Stat(s.folder()); err != nil {
			t.Error(err)
		}
	})
}

func TestLimits(t *testing.T) {
	each(t, func(t *testing.T, r Runtime) {
		s := fixture(t, "sleep")
		s.Memory, s.Pids = 128<<20, 50
		c := start(t, r, s)
		got := map[string]bool{}
		for _, path := range c.Handle().Cgroups {
			for _, file := range []string{"memory.limit_in_bytes", "memory.max", "pids.max"} {
				if text, err := os.ReadFile(filepath.Join(path, file)); err == nil {
					got[strings.TrimSpace(string(text))] = true
				}
			}
		}
		if !got["134217728"] || !got["50"] {
			t.Errorf("limits are %v, want 134217728 and 50", got)
		}
		self, err := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", c.Pid()))
		if err != nil || !strings.Contains(string(self), "/rocelab-"+s.ID) {
			t.Errorf("its cgroups are %s, %v", self, err)
		}
	})
}

func TestFind(t *testing.T) {
	if _, err := Find("docker"); err == nil || !strings.Contains(err.Error(), "use auto, runc or builtin") {
		t.Errorf("error %v", err)
	}
	r := find(t, Auto)
	if _, err := exec.LookPath("runc"); (err == nil) != (r.Name() == Runc) {
		t.Errorf("auto is %s", r.Name())
	}
	for _, name := range []string{Builtin, Runc} {
		if err := Probe(t.Context(), find(t, name)); err != nil {
			t.Error(err)
		}
	}
}

// traces lists what containers leave on a host: processes of the test binary,
// cgroups, mounts of this process's namespace.
func traces(t testing.TB) []string {
	t.Helper()
	var found []string
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(mounts)) {
		found = append(found, "mount "+line)
	}
	children, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", os.Getpid()))
	for _, path := range children {
		text, _ := os.ReadFile(path)
		for pid := range strings.FieldsSeq(string(text)) {
			found = append(found, "process "+pid)
		}
	}
	all, err := hierarchies()
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range all {
		groups, _ := filepath.Glob(filepath.Join(h.parent, "rocelab-*"))
		for _, g := range groups {
			if strings.Contains(g, fmt.Sprintf("ctrtest%d", os.Getpid())) {
				found = append(found, "cgroup "+g)
			}
		}
	}
	slices.Sort(found)
	return found
}

// sameTraces checks that nothing came and stayed. Threads that held a test's
// namespace may take a moment to end.
func sameTraces(t testing.TB, before []string) {
	t.Helper()
	var now []string
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if now = traces(t); slices.Equal(before, now) {
			return
		}
	}
	t.Errorf("left behind: %v", slices.DeleteFunc(now, func(s string) bool { return slices.Contains(before, s) }))
}

func BenchmarkUpAndDown(b *testing.B) {
	for _, name := range []string{Builtin, Runc} {
		b.Run(name, func(b *testing.B) {
			const many = 40
			r := find(b, name)
			s := fixture(b, "sleep")
			var up, down time.Duration
			for b.Loop() {
				begin := time.Now()
				containers := bringUp(b, r, s, many)
				middle := time.Now()
				takeDown(b, containers)
				up, down = up+middle.Sub(begin), down+time.Since(middle)
			}
			per := func(d time.Duration) float64 { return d.Seconds() * 1e3 / many / float64(b.N) }
			b.ReportMetric(per(up), "ms-up/container")
			b.ReportMetric(per(down), "ms-down/container")
		})
	}
}
