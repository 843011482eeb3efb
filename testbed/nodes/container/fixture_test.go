package container

import (
	"context"
	"encoding/json"
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

	"github.com/rocelab/rocelab/specs/tier"
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
	case "start":
		return startMany()
	case "remove":
		for again := range 2 {
			found, err := RemoveAll(context.Background(), Remains{IDs: func(id string) bool { return id == os.Args[1] }})
			if err != nil || found != (again == 0) {
				fmt.Println(found, err)
				return 1
			}
		}
	}
	return 0
}

// startMany starts containers as described on its standard input until it is
// killed.
func startMany() int {
	var s struct {
		Runtime string
		Spec
	}
	if err := json.NewDecoder(os.Stdin).Decode(&s); err != nil {
		fmt.Println(err)
		return 1
	}
	r, err := Find(s.Runtime)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	for i := 0; ; i++ {
		one := s.Spec
		one.ID = fmt.Sprintf("%s%d", s.ID, i)
		if _, err := r.Start(context.Background(), one); err != nil {
			fmt.Println(err)
			return 1
		}
	}
}

// view is a program's view of its container.
type view struct {
	Hostname     string
	Pid          int
	Args, Env    []string
	Root         []string // entries of /
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
	v := view{Pid: os.Getpid(), Args: os.Args, Env: os.Environ()}
	v.Hostname, _ = os.Hostname()
	names := func(dir string) (names []string) {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}
	v.Root, v.Bin, v.Plugins = names("/"), names("/bin"), names("/plugins")
	for _, fd := range names("/proc/self/fd") {
		target, err := os.Readlink("/proc/self/fd/" + fd)
		if err != nil || strings.HasPrefix(target, "anon_inode:") {
			continue // closed again, or this program's own
		}
		target, _, _ = strings.Cut(target, ":") // without the number of a pipe
		v.Files = append(v.Files, fd+" "+target)
	}
	text := func(path string) string { b, _ := os.ReadFile(path); return string(b) }
	v.Status, v.Mounts, v.Cgroups = text("/proc/thread-self/status"), text("/proc/self/mountinfo"),
		text("/proc/self/cgroup")
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
	tier.Root(t, "a container")
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
	tier.Root(t, "a network namespace")
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

func field(status, name string) string {
	for line := range strings.Lines(status) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			return strings.TrimSpace(rest)
		}
	}
	return "absent"
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
func takeDown(t testing.TB, s Spec, containers []Container) {
	t.Helper()
	if _, err := RemoveAll(context.Background(), remainsOf(s)); err != nil {
		t.Fatal(err)
	}
	for _, c := range containers {
		if err := c.Remove(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
}

// remainsOf are containers like s, whose IDs go on with a number.
func remainsOf(s Spec) Remains {
	return Remains{IDs: func(id string) bool { return strings.HasPrefix(id, s.ID) }}
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
	mine := fmt.Sprintf("ctrtest%d", os.Getpid())
	for line := range strings.Lines(string(mounts)) {
		if strings.Contains(line, mine) {
			found = append(found, "mount "+line)
		}
	}
	children, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", os.Getpid()))
	for _, path := range children {
		text, _ := os.ReadFile(path)
		for pid := range strings.FieldsSeq(string(text)) {
			found = append(found, "process "+pid)
		}
	}
	groups, err := filepath.Glob("/proc/[0-9]*/cgroup")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range groups {
		if text, err := os.ReadFile(path); err == nil && strings.Contains(string(text), mine) {
			found = append(found, "process "+path)
		}
	}
	all, err := hierarchies()
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range all {
		groups, _ := filepath.Glob(filepath.Join(h.Parent, "rocelab-*"))
		for _, g := range groups {
			if strings.Contains(g, mine) {
				found = append(found, "cgroup "+g)
			}
		}
	}
	slices.Sort(found)
	return found
}

// sameTraces checks that nothing came and stayed. What a killed starter leaves
// may become this process's children, who reaps them here, and dead processes
// take a moment to vanish.
func sameTraces(t testing.TB, before []string) {
	t.Helper()
	var now []string
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		for pid := 1; pid > 0; {
			pid, _ = unix.Wait4(-1, nil, unix.WNOHANG, nil)
		}
		if now = traces(t); slices.Equal(before, now) {
			return
		}
	}
	t.Errorf("left behind: %v", slices.DeleteFunc(now, func(s string) bool { return slices.Contains(before, s) }))
}
