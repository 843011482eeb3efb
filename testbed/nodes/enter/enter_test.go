package enter

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/specs/tier"
)

// The test binary plays several parts, chosen by this variable.
const part = "ROCELAB_ENTER_PART"

func TestMain(m *testing.M) {
	switch os.Getenv(part) {
	case "":
		os.Exit(m.Run())
	case "container":
		contain()
	case "command", "inside":
		os.Exit(enterAs(os.Getenv(part)))
	case "report":
		report()
	case "killed":
		unix.Kill(unix.Getpid(), unix.SIGKILL)
		select {}
	case "terminated":
		s := make(chan os.Signal, 1)
		signal.Notify(s, unix.SIGTERM)
		fmt.Println("ready")
		<-s
		os.Exit(9)
	}
}

// contain makes this process the first of a container: in its namespaces it
// takes a name and a root with the test binary alone, and waits for the end of
// its input.
func contain() {
	must := func(err error) {
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	root := os.Args[1]
	must(unix.Sethostname([]byte("leaf9")))
	must(unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""))
	must(unix.Mount("tmpfs", root, "tmpfs", 0, ""))
	self, err := os.ReadFile("/proc/self/exe")
	must(err)
	must(os.Mkdir(filepath.Join(root, "bin"), 0o755))
	must(os.WriteFile(filepath.Join(root, "bin/part"), self, 0o755))
	// A root below that of the mount namespace is the harder case to enter.
	must(unix.Chroot(root))
	must(os.Chdir("/"))
	fmt.Println("ready")
	io.Copy(io.Discard, os.Stdin)
}

// enterAs enters a node: arguments are its PID and the command.
func enterAs(how string) (code int) {
	var n Node
	fmt.Sscan(os.Args[1], &n.Pid)
	n.Name, n.NetNS = "leaf9", fmt.Sprintf("/proc/%d/ns/net", n.Pid)
	os.Unsetenv(part)
	var err error
	if how == "command" {
		err = n.Command(os.Args[2:], os.Environ())
	} else {
		code, err = n.Inside(os.Args[2:], []string{"PATH=/sbin:/bin", part + "=" + os.Getenv("THEN")})
	}
	if err != nil {
		fmt.Println(err)
		return 99
	}
	return code
}

func report() {
	name, _ := os.Hostname()
	entries, _ := os.ReadDir("/")
	fmt.Println(name, "pid", os.Getpid(), entries, os.Args[1:])
	os.Exit(5)
}

// node is a container for tests.
func node(t *testing.T) Node {
	t.Helper()
	tier.Root(t, "entering a container")
	if self, err := elf.Open("/proc/self/exe"); err != nil {
		t.Fatal(err)
	} else if libraries, _ := self.ImportedLibraries(); len(libraries) > 0 {
		t.Skip("the container of this test holds no libraries, and this test binary needs some: ", libraries)
	}
	cmd := exec.Command("/proc/self/exe", t.TempDir())
	cmd.Env = []string{part + "=container"}
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: unix.CLONE_NEWNET | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC |
			unix.CLONE_NEWCGROUP}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); errors.Is(err, unix.EPERM) {
		t.Skip("the host refuses new namespaces: ", err)
	} else if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		cmd.Wait()
	})
	if ready := line(out); ready != "ready" {
		t.Fatalf("the container says %q", ready)
	}
	return Node{Name: "leaf9", NetNS: fmt.Sprintf("/proc/%d/ns/net", cmd.Process.Pid), Pid: cmd.Process.Pid}
}

// line reads up to the end of the line and no further.
func line(r io.Reader) string {
	var all []byte
	for b := make([]byte, 1); ; all = append(all, b[0]) {
		if _, err := r.Read(b); err != nil || b[0] == '\n' {
			return string(all)
		}
	}
}

// as starts a process that enters the node.
func as(how, then string, n Node, argv ...string) (*exec.Cmd, *bytes.Buffer) {
	cmd := exec.Command("/proc/self/exe", append([]string{fmt.Sprint(n.Pid)}, argv...)...)
	cmd.Env = append(os.Environ(), part+"="+how, "THEN="+then)
	var out bytes.Buffer
	cmd.Stdout = &out
	return cmd, &out
}

func code(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	if err != nil {
		return -1
	}
	return 0
}

func TestCommandHasTheHostsFilesAndTheNodesNetwork(t *testing.T) {
	n := node(t)
	cmd, out := as("command", "", n, "sh", "-c", "uname -n; echo $$; readlink /proc/self/ns/net /proc/self/ns/mnt "+
		"/proc/self/ns/pid; exit 7")
	if got := code(cmd.Run()); got != 7 {
		t.Errorf("exit code %d, want 7", got)
	}
	want := fmt.Sprintf("leaf9\n%d\n%s\n%s\n%s\n", cmd.Process.Pid, link(t, n.Pid, "net"), link(t, os.Getpid(), "mnt"),
		link(t, os.Getpid(), "pid"))
	if out.String() != want {
		t.Errorf("says\n%s, want\n%s", out, want)
	}
}

func link(t *testing.T, pid int, kind string) string {
	t.Helper()
	s, err := os.Readlink(fmt.Sprintf("/proc/%d/ns/%s", pid, kind))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestInsideIsInAllNamespaces(t *testing.T) {
	n := node(t)
	cmd, out := as("inside", "report", n, "part", "a", "b c")
	if got := code(cmd.Run()); got != 5 {
		t.Errorf("exit code %d, want 5", got)
	}
	var pid int
	if _, err := fmt.Sscanf(out.String(), "leaf9 pid %d [d bin/] [a b c]\n", &pid); err != nil || pid < 2 || pid > 100 {
		t.Errorf("says %q", out)
	}
}

func TestInsideTellsHowAProgramEnded(t *testing.T) {
	n := node(t)
	cmd, _ := as("inside", "killed", n, "/bin/part")
	if got := code(cmd.Run()); got != 128+9 {
		t.Errorf("exit code %d, want 137", got)
	}
	for _, program := range []string{"nothing", "/bin/nothing"} {
		cmd, out := as("inside", "", n, program)
		if got := code(cmd.Run()); got != 99 || !strings.HasSuffix(out.String(), "its daemon and its plugins only\n") {
			t.Errorf("%d, %q", got, out)
		}
	}
}

func TestInsidePassesSignalsOn(t *testing.T) {
	n := node(t)
	cmd, _ := as("inside", "terminated", n, "part")
	cmd.Stdout = nil
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if s := line(out); s != "ready" {
		t.Errorf("says %q", s)
	}
	if err := cmd.Process.Signal(unix.SIGTERM); err != nil {
		t.Error(err)
	}
	if got := code(cmd.Wait()); got != 9 {
		t.Errorf("exit code %d, want 9", got)
	}
}

// spacesOf lists the namespaces of a process.
func spacesOf(t *testing.T) (list []string) {
	t.Helper()
	for _, kind := range []string{"net", "mnt", "uts", "ipc", "pid", "pid_for_children", "cgroup"} {
		list = append(list, link(t, os.Getpid(), kind))
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return append(list, dir)
}

func TestFailuresLeaveTheProcessWhereItWas(t *testing.T) {
	n := node(t)
	before := fmt.Sprint(spacesOf(t))
	// A Command that does not fail replaces this process by false, and so fails
	// the test.
	for _, c := range []struct {
		n           Node
		command     string
		gone        bool
		words, what string
	}{
		{Node{n.Name, "/run/nowhere", n.Pid}, "false", true, "network namespace of node leaf9: it is gone", "namespace gone"},
		{Node{n.Name, n.NetNS, os.Getpid()}, "false", true, "container of node leaf9: it is gone", "the PID is another's"},
		{Node{n.Name, n.NetNS, 1 << 22}, "false", true, "container of node leaf9: it is gone", "no such process"},
	} {
		err := c.n.Command([]string{c.command}, nil)
		if err == nil || errors.Is(err, errGone) != c.gone || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: Command: %v", c.what, err)
		}
		if _, err := c.n.Inside([]string{c.command}, nil); err == nil || errors.Is(err, errGone) != c.gone ||
			!strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: Inside: %v", c.what, err)
		}
	}
	if err := n.Command([]string{"no-such-command"}, nil); !errors.Is(err, exec.ErrNotFound) {
		t.Error(err)
	}
	if _, err := n.Inside([]string{"no-such-command"}, []string{"PATH=/sbin:/bin"}); !errors.Is(err, exec.ErrNotFound) {
		t.Error(err)
	}
	if _, err := (Node{n.Name, n.NetNS, 0}).Inside([]string{"part"}, nil); err == nil || !strings.Contains(err.Error(),
		"no container of its own") {
		t.Error(err)
	}
	file := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(file, []byte("\x7fELF no program"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := n.Command([]string{file}, nil); !errors.Is(err, unix.ENOEXEC) {
		t.Error(err)
	}
	if after := fmt.Sprint(spacesOf(t)); after != before {
		t.Errorf("was in %s, is in %s", before, after)
	}
}

func TestThreadKeepsTheProcessWhereItIs(t *testing.T) {
	tier.Root(t, "entering a container")
	before := fmt.Sprint(spacesOf(t))
	for range 20 {
		if err := Thread(func() error { return unix.Unshare(unix.CLONE_NEWUTS) }); err != nil {
			t.Fatal(err)
		}
	}
	if after := fmt.Sprint(spacesOf(t)); after != before {
		t.Errorf("was in %s, is in %s", before, after)
	}
	want := errors.New("x")
	if err := Thread(func() error { return want }); err != want {
		t.Error(err)
	}
}
