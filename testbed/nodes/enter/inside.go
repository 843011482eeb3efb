package enter

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// The namespaces of a container. The PID namespace becomes that of children;
// the mount namespace comes last, since /proc is another's from then on.
var spaces = []space{{"IPC", "ns/ipc", unix.CLONE_NEWIPC}, uts, {"network", "ns/net", unix.CLONE_NEWNET},
	{"cgroup", "ns/cgroup", unix.CLONE_NEWCGROUP}, {"PID", "ns/pid", unix.CLONE_NEWPID},
	{"mount", "ns/mnt", unix.CLONE_NEWNS}}

// Inside runs a program of the node's container in all of its namespaces and
// returns its exit code, 128 + n if signal n ended it. A name without a slash is
// looked for in PATH of env. The program has this process's standard streams and
// terminal; signals that this process is sent are passed on.
func (n Node) Inside(argv, env []string) (code int, err error) {
	err = Thread(func() error {
		if err := n.enter(); err != nil {
			return err
		}
		path, err := find(argv[0], env)
		if err == nil {
			code, err = run(path, argv, env)
		}
		if err != nil {
			return fmt.Errorf("in the container of node %s: %w", n.Name, err)
		}
		return nil
	})
	return code, err
}

// enter takes this thread into the container.
func (n Node) enter() error {
	network, err := n.network()
	if err != nil {
		return err
	}
	defer network.Close()
	process, err := n.process(network)
	if err != nil {
		return err
	}
	defer process.Close()
	root, err := open(process, "root", unix.O_DIRECTORY)
	if err != nil {
		return fmt.Errorf("node %s: %w", n.Name, err)
	}
	defer unix.Close(root)
	// A thread may enter a mount namespace only if it shares root and working
	// directory with no other.
	if err := unix.Unshare(unix.CLONE_FS); err != nil {
		return fmt.Errorf("node %s: unshare root and working directory: %w", n.Name, err)
	}
	for _, s := range spaces {
		if err := s.setns(process); err != nil {
			return fmt.Errorf("node %s: %w", n.Name, err)
		}
	}
	if err := unix.Fchdir(root); err != nil {
		return fmt.Errorf("node %s: enter its root: %w", n.Name, err)
	}
	if err := unix.Chroot("."); err != nil {
		return fmt.Errorf("node %s: enter its root: %w", n.Name, err)
	}
	return nil
}

// find looks for a program as execvp(3) does. os/exec would take PATH from this
// process.
func find(name string, env []string) (string, error) {
	if strings.Contains(name, "/") {
		return name, nil
	}
	for _, e := range env {
		list, ok := strings.CutPrefix(e, "PATH=")
		if !ok {
			continue
		}
		for _, dir := range filepath.SplitList(list) {
			path := filepath.Join(dir, name)
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
				return path, nil
			}
		}
	}
	return "", fmt.Errorf("%s: %w; %s", name, exec.ErrNotFound, contents)
}

// run runs a program from this thread, whose namespaces a child gets, and waits
// for it.
func run(path string, argv, env []string) (int, error) {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, unix.SIGINT, unix.SIGQUIT, unix.SIGTERM, unix.SIGHUP, unix.SIGUSR1, unix.SIGUSR2)
	defer signal.Stop(signals)
	process, err := os.StartProcess(path, argv, &os.ProcAttr{Env: env, Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}})
	if errors.Is(err, fs.ErrNotExist) {
		if _, missing := os.Stat(path); missing == nil {
			return 0, fmt.Errorf("run %s: its interpreter or loader is not in the container", path)
		}
		return 0, fmt.Errorf("%s: %w; %s", path, exec.ErrNotFound, contents)
	}
	if err != nil {
		return 0, fmt.Errorf("run %s: %w", path, err)
	}
	done := make(chan struct{})
	defer close(done)
	go forward(process, signals, done)
	state, err := process.Wait()
	if err != nil {
		return 0, fmt.Errorf("wait for %s: %w", path, err)
	}
	if status := state.Sys().(syscall.WaitStatus); status.Signaled() {
		return 128 + int(status.Signal()), nil
	}
	return state.ExitCode(), nil
}

// contents ends the message about a program that is not found.
const contents = "the container has its daemon and its plugins only"

// forward passes signals on. Signals of the keyboard reach all processes of the terminal's foreground group by
// themselves.
func forward(process *os.Process, signals <-chan os.Signal, done <-chan struct{}) {
	keyboard := hasTerminal()
	for {
		select {
		case s := <-signals:
			if !keyboard || s != unix.SIGINT && s != unix.SIGQUIT {
				process.Signal(s) // an error means that it has ended
			}
		case <-done:
			return
		}
	}
}

// hasTerminal reports whether this process has a controlling terminal.
func hasTerminal() bool {
	f, err := os.Open("/dev/tty")
	if err != nil {
		return false
	}
	f.Close()
	return true
}

// Thread runs do on a thread that ends with it, so that do may take the thread into other namespaces for good. do must
// not start a goroutine that relies on them.
func Thread(do func() error) error {
	result := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // for ever: the thread ends with the goroutine
		if unix.Gettid() == unix.Getpid() {
			// The main thread would live on, and /proc/self shows its
			// namespaces: while it is held here, do gets another.
			result <- Thread(do)
			runtime.UnlockOSThread()
			return
		}
		result <- do()
	}()
	return <-result
}
