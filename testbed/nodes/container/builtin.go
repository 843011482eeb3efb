package container

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/opencontainers/runtime-spec/specs-go"

	"github.com/rocelab/rocelab/internal/cgroup"
	"github.com/rocelab/rocelab/internal/crash"
)

// builtin is the runtime that needs nothing installed: it runs this executable
// once more, in new namespaces and cgroups, as the stage that sets the container
// up from inside and then executes the program (see Init).
type builtin struct {
	trees []cgroup.Hierarchy // where it makes cgroups
}

func newBuiltin() (Runtime, error) {
	if err := requireRoot(); err != nil {
		return nil, err
	}
	trees, err := hierarchies()
	if err != nil {
		return nil, err
	}
	return builtin{trees}, nil
}

func (builtin) Name() string { return Builtin }

func (b builtin) Start(ctx context.Context, s Spec) (Container, error) {
	c, err := b.start(ctx, s)
	if err != nil {
		return nil, fmt.Errorf("start container %s: %w", s.ID, err)
	}
	return c, nil
}

// start makes the parts in an order in which a later process can remove them should this one be killed: first the
// folder and the cgroups, whose names identify it, and into these the first process is born.
func (b builtin) start(ctx context.Context, s Spec) (_ *instance, err error) {
	if !initCalled.Load() {
		return nil, errors.New("container.Init is not called first in main, as the built-in runtime needs")
	}
	if err := s.validate(); err != nil {
		return nil, err
	}
	oci, err := OCI(s)
	if err != nil {
		return nil, err
	}
	cgroups := groups(b.trees, oci.Linux.CgroupsPath)
	if err := checkControllers(cgroups, oci.Linux.Resources); err != nil {
		return nil, err
	}
	var paths []string
	for _, g := range cgroups {
		paths = append(paths, g.path)
	}
	fence, err := s.fence(b.trees)
	if err != nil {
		return nil, err
	}
	paths = append(paths, fence.Folders()...)
	at, err := makePlace(s, paths)
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
	for _, g := range cgroups {
		if err := g.create(); err != nil {
			return nil, err
		}
	}
	gate, err := s.enclose(fence)
	if err != nil {
		return nil, err
	}
	defer gate.Close()
	// Who stops before it executes the stage keeps the launch from its end.
	stop := context.AfterFunc(ctx, func() { _ = at.remains().kill() })
	defer stop()
	stage, process, err := launch(s, oci, cgroups)
	if err != nil {
		return nil, err
	}
	defer stage.Close()
	c = newInstance(at, process)
	for _, g := range cgroups {
		if err := g.limit(oci.Linux.Resources); err != nil {
			return nil, err
		}
	}
	return c, directStage(ctx, stage, oci, c)
}

// startLimit is the time limit of a container's set-up. It usually takes milliseconds, and seconds on a host that
// starts hundreds.
var startLimit = 20 * time.Second

// starting bounds a start.
func starting(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, startLimit,
		fmt.Errorf("its set-up has not ended after %v: a process of it was stopped, or the host is overloaded", startLimit))
}

// undo removes what a failed start had made.
func undo(at place, c *instance) error {
	// The caller's context may be what ended the start.
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if c != nil {
		return c.Remove(ctx)
	}
	_, err := RemoveAll(ctx, at.remains())
	return errors.Join(err, at.remove(ctx))
}

// remains are the processes of one container.
func (p place) remains() Remains {
	return Remains{IDs: func(id string) bool { return id == p.id }, Folder: p.netNS}
}

// kill ends the processes, and leaves the cgroups.
func (r Remains) kill() error {
	census, err := r.look()
	if err == nil {
		_, err = census.kill(context.Background())
	}
	return err
}

// launch runs the stage: this executable in the namespaces and cgroups of the container, with its descriptors, and one
// more for directing it.
func launch(s Spec, oci *specs.Spec, cgroups []group) (stage *os.File, process *os.Process, err error) {
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("make socket pair: %w", err)
	}
	theirs := os.NewFile(uintptr(pair[1]), "stage")
	defer theirs.Close()
	if err := syscall.SetNonblock(pair[0], true); err != nil {
		syscall.Close(pair[0])
		return nil, nil, err
	}
	stage = os.NewFile(uintptr(pair[0]), "stage") // non-blocking, so that deadlines work
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		stage.Close()
		return nil, nil, err
	}
	defer null.Close()
	log := s.Log
	if log == nil {
		log = null
	}
	files := append([]*os.File{null, log, log}, s.Files...)
	attr := &os.ProcAttr{
		Files: append(files, theirs),
		// The stage is a Go program that lives for a millisecond on one thread.
		Env: []string{"GOGC=off", "GOMAXPROCS=1", fmt.Sprintf("%s=%d", stageVariable, len(files))},
		Sys: &syscall.SysProcAttr{Setsid: true, Cloneflags: cloneFlags(oci)},
	}
	if process, err = launchWithin(cgroups, attr); err != nil {
		stage.Close()
		return nil, nil, err
	}
	return stage, process, nil
}

// launchWithin starts the stage as a member of the cgroups.
func launchWithin(cgroups []group, attr *os.ProcAttr) (process *os.Process, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer crash.Guard()()
		runtime.LockOSThread()
		err = within(cgroups, func(unified int) (err error) {
			if unified >= 0 {
				attr.Sys.UseCgroupFD, attr.Sys.CgroupFD = true, unified
			}
			process, err = os.StartProcess("/proc/self/exe", []string{stageName}, attr)
			return err
		})
		if err == nil {
			runtime.UnlockOSThread()
		}
		// A thread that may not have left the cgroups ends with this goroutine.
	}()
	<-done
	if err != nil && process != nil {
		err = errors.Join(err, process.Kill())
		_, _ = process.Wait()
	}
	return process, err
}

// cloneFlags are the new namespaces of a container, except for the ones that the stage enters itself: the network
// namespace exists, and the root of a cgroup namespace is the cgroup of its creator.
func cloneFlags(oci *specs.Spec) (flags uintptr) {
	of := map[specs.LinuxNamespaceType]uintptr{
		specs.MountNamespace: syscall.CLONE_NEWNS,
		specs.PIDNamespace:   syscall.CLONE_NEWPID,
		specs.UTSNamespace:   syscall.CLONE_NEWUTS,
		specs.IPCNamespace:   syscall.CLONE_NEWIPC,
	}
	for _, n := range oci.Linux.Namespaces {
		flags |= of[n.Type]
	}
	return flags
}

// directStage gives the stage its order and returns when it has executed the
// program, or with the reason why not.
func directStage(ctx context.Context, stage *os.File, oci *specs.Spec, c *instance) error {
	stop := context.AfterFunc(ctx, func() { _ = stage.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	text, err := json.Marshal(stageOrderOf(oci))
	if err != nil {
		return err
	}
	_, sent := stage.Write(append(text, '\n'))
	answer, err := io.ReadAll(stage)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case len(answer) > 1:
		return errors.New(strings.TrimPrefix(string(answer), ready))
	case len(answer) == 0:
		status, _ := c.Wait()
		return errors.Join(fmt.Errorf("its set-up stage ended without a word: %v", status), sent, err)
	}
	return err
}
