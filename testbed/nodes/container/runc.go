package container

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/internal/cgroup"
)

// runc is the runtime of that name, run as a command for each container.
type runc struct {
	path  string
	trees []cgroup.Hierarchy // where it makes cgroups
}

// Files and folders of runc in a container's folder.
const (
	runcState = "runc"     // its state
	runcLog   = "runc.log" // what it has to say
	runcPid   = "runc.pid" // the process ID of the program
)

// becomeSubreaper makes this process the one that inherits orphans: runc leaves the
// program behind when it ends, and only a parent learns how a process ended.
var becomeSubreaper = sync.OnceValue(func() error {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("become a subreaper: %w", err)
	}
	return nil
})

func newRunc() (Runtime, error) {
	if err := requireRoot(); err != nil {
		return nil, err
	}
	path, err := exec.LookPath("runc")
	if err != nil {
		return nil, fmt.Errorf("runc is not in $PATH: apt install runc, or use the runtime %s", Builtin)
	}
	trees, err := hierarchies()
	if err != nil {
		return nil, err
	}
	return runc{path, trees}, nil
}

func (runc) Name() string { return Runc }

func (r runc) Start(ctx context.Context, s Spec) (Container, error) {
	c, err := r.start(ctx, s)
	if err != nil {
		return nil, fmt.Errorf("start container %s: %w", s.ID, err)
	}
	return c, nil
}

func (r runc) start(ctx context.Context, s Spec) (_ *instance, err error) {
	if err := s.validate(); err != nil {
		return nil, err
	}
	oci, err := OCI(s)
	if err != nil {
		return nil, err
	}
	if err := becomeSubreaper(); err != nil {
		return nil, err
	}
	fence, err := s.fence(r.trees)
	if err != nil {
		return nil, err
	}
	at, err := makePlace(s, append(everyGroup(r.trees, oci.Linux.CgroupsPath), fence.Folders()...))
	if err != nil {
		return nil, err
	}
	ctx, done := starting(ctx)
	defer done()
	var c *instance
	defer func() {
		if err != nil {
			err = errors.Join(err, undo(at, c))
		}
	}()
	gate, err := s.enclose(fence)
	if err != nil {
		return nil, err
	}
	defer gate.Close()
	description, err := json.Marshal(oci)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(at.dir, "config.json"), description, 0o600); err != nil {
		return nil, err
	}
	if err := r.run(ctx, at.dir, s); err != nil {
		return nil, err
	}
	// The program runs, or has ended and waits to be reaped: its number is its.
	text, err := os.ReadFile(filepath.Join(at.dir, runcPid))
	if err != nil {
		return nil, err
	}
	pid, err := strconv.Atoi(string(text))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", runcPid, err)
	}
	process, err := os.FindProcess(pid)
	if err != nil {
		return nil, err
	}
	c = newInstance(at, process)
	return c, context.Cause(ctx)
}

// run makes runc start the program and returns while that runs on. If ctx ends, runc still completes, which takes
// milliseconds: a killed runc leaves children with unknown numbers.
func (r runc) run(ctx context.Context, dir string, s Spec) error {
	cmd := exec.CommandContext(ctx, r.path, "--root", filepath.Join(dir, runcState),
		"--log", filepath.Join(dir, runcLog), "--log-format", "json",
		"run", "--detach", "--bundle", dir, "--pid-file", filepath.Join(dir, runcPid),
		"--preserve-fds", strconv.Itoa(len(s.Files)), s.ID)
	cmd.Cancel, cmd.WaitDelay = func() error { return nil }, 5*time.Second
	if s.Log != nil {
		// A file, never a pipe: the program keeps it open.
		cmd.Stdout, cmd.Stderr = s.Log, s.Log
	}
	cmd.ExtraFiles = s.Files
	// Its own session, since Ctrl-C is not for it; but it must not go on after
	// this process was killed. That signal comes when the thread ends.
	cmd.SysProcAttr = &unix.SysProcAttr{Setsid: true, Pdeathsig: unix.SIGKILL}
	runtime.LockOSThread()
	err := cmd.Run()
	runtime.UnlockOSThread()
	if cmd.ProcessState != nil && cmd.ProcessState.Success() {
		return nil
	}
	if cmd.Process != nil {
		reapGroup(cmd.Process.Pid)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return runcError(filepath.Join(dir, runcLog), err)
}

// reapGroup ends and reaps what a failed runc left in its process group, which
// became this process's children.
func reapGroup(group int) {
	_ = unix.Kill(-group, unix.SIGKILL)
	for {
		if _, err := unix.Wait4(-group, nil, 0, nil); err != nil && !errors.Is(err, unix.EINTR) {
			return // none left
		}
	}
}

// runcError is the last thing runc said before it failed, or that it failed.
func runcError(log string, failed error) error {
	text, _ := os.ReadFile(log)
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	var said struct{ Level, Msg string }
	if json.Unmarshal(lines[len(lines)-1], &said) == nil && said.Level == "error" && said.Msg != "" {
		return fmt.Errorf("runc: %s", strings.TrimSpace(said.Msg))
	}
	var disk unix.Statfs_t
	if len(text) == 0 && unix.Statfs(filepath.Dir(log), &disk) == nil && disk.Bavail == 0 {
		return fmt.Errorf("runc: %w, with no word, as it has no room for one: %w", failed, unix.ENOSPC)
	}
	return fmt.Errorf("runc: %w", failed)
}
