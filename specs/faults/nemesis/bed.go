//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// bed is one case's part of the host: folders and names of its own, and its processes.
type bed struct {
	*Case
	settings Settings

	dir, state, temporary, work string
	// name of the testbed where the case has given it one, and all names that
	// there have been.
	name  string
	names []string

	command    *job     // the disturbed one
	traced     []string // the command line before that of the disturbed command, nil for none
	tracing    bool     // it is being started
	ran        bool     // the run had its page
	mounts     []string
	crampedShm bool            // the command has a /dev/shm without room
	foreign    *exec.Cmd       // a process that is none of rocelab's
	silent     []*net.UnixConn // connections that say nothing
	waited     sync.Map        // process IDs of commands that this process waits for
	stopped    <-chan struct{}
	notes      []string
}

// Settings are the settings of all cases.
type Settings struct {
	Programs   string // folder of rocelab and rocelab-cc, in which nothing is written
	Own        string // folder of the nemesis' own: its plugin in Python, undisturbed traces
	Bound      time.Duration
	Standstill time.Duration
	// Path is the environment's PATH, with a Python that runs plugins first.
	Path string
	// Start is the bound on the start of a plugin, if rocelab has such a flag.
	Start time.Duration
}

func (b *bed) note(format string, args ...any) {
	b.notes = append(b.notes, fmt.Sprintf(format, args...))
}

// open makes the folders. Paths of sockets are short, so theirs are.
func (b *bed) open() (err error) {
	if b.dir, err = os.MkdirTemp("/tmp", "nm-"); err != nil {
		return err
	}
	at, err := mountUnder(b)
	if err != nil {
		return err
	}
	b.state, b.temporary, b.work = filepath.Join(at, "s", "run"), filepath.Join(at, "t"), filepath.Join(at, "w")
	for _, dir := range []string{filepath.Dir(b.state), b.temporary, b.work} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			return err
		}
	}
	if b.Form != "alone" && b.onContainers() {
		b.name = fmt.Sprintf("nemesis-%d", os.Getpid())
		b.names = []string{b.name}
	}
	return os.WriteFile(b.path("nemesis.yaml"), []byte(b.scenario()), 0o600)
}

// path is that of a file that the case works with.
func (b *bed) path(name string) string { return filepath.Join(b.work, name) }

// out is the folder of run folders.
func (b *bed) out() string { return filepath.Join(filepath.Dir(b.work), "o") }

// close takes away all remains of the case.
func (b *bed) close() {
	for range 400 {
		list := descendants()
		for _, p := range list {
			unix.Kill(p.pid, unix.SIGKILL)
		}
		b.alive() // reaps
		if len(list) == 0 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	for _, path := range append(b.mountsLeft(), b.mounts...) {
		unix.Unmount(path, unix.MNT_DETACH)
	}
	for _, path := range b.cgroups() {
		unix.Rmdir(path)
	}
	os.RemoveAll(b.dir)
}

// job is a command under way.
type job struct {
	*exec.Cmd
	out, err bytes.Buffer
	ended    chan struct{}
}

func (j *job) over() bool {
	select {
	case <-j.ended:
		return true
	default:
		return false
	}
}

// cramped is a shell's way to a /dev/shm without room, for one command only.
const cramped = `mount -t tmpfs -o size=4096 nemesis /dev/shm && head -c 4096 /dev/zero >/dev/shm/full &&
exec "$0" "$@"`

// start starts rocelab.
func (b *bed) start(args ...string) (*job, error) {
	program := filepath.Join(b.settings.Programs, "rocelab")
	words := append([]string{program}, args...)
	if b.tracing {
		words = append(append([]string{}, b.traced...), words...)
	}
	c := exec.Command(words[0], words[1:]...)
	c.SysProcAttr = &unix.SysProcAttr{Setpgid: true} // a Ctrl-C of the nemesis is not for it
	if b.crampedShm {
		c = exec.Command("/bin/sh", append([]string{"-c", cramped, program}, args...)...)
		c.SysProcAttr = &unix.SysProcAttr{Setpgid: true, Unshareflags: unix.CLONE_NEWNS}
	}
	j := &job{Cmd: c, ended: make(chan struct{})}
	j.Dir = b.work
	j.Env = append(os.Environ(), "ROCELAB_RUN="+b.state, "TMPDIR="+b.temporary, "PATH="+b.settings.Path)
	j.Stdout, j.Stderr = &j.out, &j.err
	j.WaitDelay = time.Second // what is left may hold its pipes
	if err := j.Start(); err != nil {
		return nil, err
	}
	pid := j.Process.Pid
	b.waited.Store(pid, true)
	b.names = append(b.names, fmt.Sprintf("run-%d", pid))
	go func() {
		j.Wait()
		b.waited.Delete(pid)
		close(j.ended)
	}()
	return j, nil
}

// waitedFor reports whether a process is a command that this process waits for.
func (b *bed) waitedFor(pid int) bool {
	_, ok := b.waited.Load(pid)
	return ok
}

// errHung means that a command did not end.
var errHung = errors.New("did not end")

// finish waits for a command and returns its exit code, 128 + n for signal n. One
// that does not end in time is killed.
func (b *bed) finish(j *job) (int, error) {
	select {
	case <-j.ended:
	case <-b.stopped:
		return -1, errStopped
	case <-time.After(b.settings.Bound):
		j.Process.Signal(unix.SIGKILL)
		<-j.ended
		return -1, fmt.Errorf("%s %w within %v", strings.Join(j.Args[1:], " "), errHung, b.settings.Bound)
	}
	if status, ok := j.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal()), nil
	}
	return j.ProcessState.ExitCode(), nil
}

// errStopped means that the nemesis itself was interrupted.
var errStopped = errors.New("interrupted")

// do runs a command to its end, undisturbed.
func (b *bed) do(args ...string) (j *job, code int, err error) {
	if j, err = b.start(args...); err != nil {
		return nil, 0, err
	}
	code, err = b.finish(j)
	return j, code, err
}
