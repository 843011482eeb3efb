package container

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// Handle is a container as plain data, from which any later process on the same
// host can remove it.
type Handle struct {
	ID      string `json:"id"`
	Runtime string `json:"runtime"` // Builtin or Runc
	// Pid is the process ID of the program on the host, and Started its start
	// time in clock ticks since boot (field 22 of proc_pid_stat(5)), by which a
	// later process with the same ID is told apart. Zero: not started yet.
	Pid     int    `json:"pid"`
	Started uint64 `json:"started"`
	// Cgroups are the folders of its cgroups; some may never have been made.
	Cgroups []string `json:"cgroups"`
	// Dir is the folder that belongs to this container alone.
	Dir string `json:"dir"`
}

// recordName is the file in Handle.Dir that holds the handle.
const recordName = "container.json"

// Handles reads the records of all containers below dir, the Dir of their Spec:
// those that run and those that a killed process left behind. A folder that is
// not there holds none. Order: by ID.
func Handles(dir string) ([]Handle, error) {
	records, err := filepath.Glob(filepath.Join(escapeGlob(dir), "*", recordName))
	if err != nil {
		return nil, err
	}
	var handles []Handle
	for _, path := range records {
		h, err := readRecord(filepath.Dir(path))
		if errors.Is(err, os.ErrNotExist) {
			continue // removed meanwhile
		}
		if err != nil {
			return nil, err
		}
		handles = append(handles, h)
	}
	return handles, nil
}

// Remove kills every process of a container that any process started and takes
// away what it left. It is idempotent: what is gone, or belongs to a newer
// process or container by now, is left alone.
func Remove(ctx context.Context, h Handle) error {
	return RemoveAll(ctx, []Handle{h})
}

// RemoveAll removes many containers together, much faster than one by one: all
// are killed first and end at the same time. It goes on after an error and joins
// them all. It reaps nothing: whoever started a container still calls its Wait.
func RemoveAll(ctx context.Context, handles []Handle) error {
	errs := make([]error, len(handles))
	victims := make([]victim, len(handles))
	for i, h := range handles {
		victims[i], errs[i] = kill(h)
	}
	for i := range victims {
		if errs[i] == nil {
			errs[i] = victims[i].ended(ctx)
		}
	}
	var group sync.WaitGroup
	slots := make(chan struct{}, 2*runtime.NumCPU())
	for i, h := range handles {
		if errs[i] != nil {
			continue
		}
		group.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			errs[i] = clean(ctx, h)
		})
	}
	group.Wait()
	for i, err := range errs {
		if err != nil {
			errs[i] = fmt.Errorf("remove container %s: %w", handles[i].ID, err)
		}
	}
	return errors.Join(errs...)
}

// victim is a killed process that may not have ended yet: its pidfd, or -1.
type victim int

// kill sends SIGKILL to the container's first process, with which all others in
// its PID namespace die. A pidfd cannot come to mean another process, and the
// start time is checked after it was opened.
func kill(h Handle) (victim, error) {
	if h.Pid == 0 {
		return -1, nil
	}
	fd, err := unix.PidfdOpen(h.Pid, 0)
	if errors.Is(err, unix.ESRCH) {
		return -1, nil
	}
	if err != nil {
		return -1, fmt.Errorf("open process %d: %w", h.Pid, err)
	}
	if started, err := startTime(h.Pid); err != nil || started != h.Started {
		unix.Close(fd)
		return -1, nil // ended, and the number may be another's
	}
	if err := unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0); err != nil && !errors.Is(err, unix.ESRCH) {
		unix.Close(fd)
		return -1, fmt.Errorf("kill process %d: %w", h.Pid, err)
	}
	return victim(fd), nil
}

// ended waits until the process has ended, reaped by its parent or not.
func (v victim) ended(ctx context.Context) error {
	if v < 0 {
		return nil
	}
	defer unix.Close(int(v))
	for {
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(v), Events: unix.POLLIN}}, 50)
		switch {
		case n > 0:
			return nil
		case err != nil && !errors.Is(err, unix.EINTR):
			return err
		case ctx.Err() != nil:
			return fmt.Errorf("its process was killed but has not ended: %w", ctx.Err())
		}
	}
}

// clean takes away what a container whose processes have ended left behind.
func clean(ctx context.Context, h Handle) error {
	if h.ID == "" || filepath.Base(h.Dir) != h.ID {
		return fmt.Errorf("its folder %q is not named after it", h.Dir)
	}
	if now, err := readRecord(h.Dir); err == nil && (now.Pid != h.Pid || now.Started != h.Started) {
		return nil // a newer container of that name
	}
	var errs []error
	if h.Runtime == Runc {
		errs = append(errs, runcDelete(ctx, h))
	}
	errs = append(errs, removeCgroups(ctx, h.Cgroups), os.RemoveAll(h.Dir))
	return errors.Join(errs...)
}

// makeFolder makes the folder of a container whose ID is free, with the first
// appendRecord in it, which claims the ID.
func makeFolder(s Spec, runtime string, cgroups []string) (Handle, error) {
	h := Handle{ID: s.ID, Runtime: runtime, Cgroups: cgroups, Dir: s.folder()}
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return h, err
	}
	// An empty folder is no container yet: who made it was killed.
	if err := os.Remove(h.Dir); err != nil && !errors.Is(err, os.ErrNotExist) {
		return h, fmt.Errorf("%s exists: the container runs, or a killed run left it (remove that first)", h.Dir)
	}
	if err := removeLeftCgroups(cgroups); err != nil {
		return h, err
	}
	if err := os.Mkdir(h.Dir, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return h, err
	}
	if err := h.appendRecord(os.O_EXCL); err != nil {
		return h, err
	}
	if err := os.Mkdir(filepath.Join(h.Dir, rootName), 0o755); err != nil {
		return h, errors.Join(err, os.RemoveAll(h.Dir))
	}
	return h, nil
}

// appendRecord appends the handle to the record in the container's folder, as a line:
// the last whole one counts. (To replace a file costs a flush on ext4.)
func (h Handle) appendRecord(flags int) error {
	line, err := json.Marshal(h)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(h.Dir, recordName), os.O_CREATE|os.O_APPEND|os.O_WRONLY|flags, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}

// readRecord reads the record in a container's folder.
func readRecord(dir string) (Handle, error) {
	path := filepath.Join(dir, recordName)
	text, err := os.ReadFile(path)
	if err != nil {
		return Handle{}, err
	}
	lines := bytes.Split(text, []byte("\n")) // after the last whole one, a torn one or none
	if len(lines) < 2 {
		// Its maker was killed before it made anything else.
		return Handle{ID: filepath.Base(dir), Dir: dir}, nil
	}
	var h Handle
	if err := json.Unmarshal(lines[len(lines)-2], &h); err != nil {
		return h, fmt.Errorf("read %s: %w", path, err)
	}
	return h, nil
}

// started completes the handle with the container's first process, once that is
// in the record: the two always agree.
func (h *Handle) started(pid int) (err error) {
	next := *h
	next.Pid = pid
	if next.Started, err = startTime(pid); err != nil {
		return err
	}
	if err := next.appendRecord(0); err != nil {
		return err
	}
	*h = next
	return nil
}

// startTime reads when a process started, in clock ticks since boot.
func startTime(pid int) (uint64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	// The name, in parentheses, may hold spaces and parentheses.
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < 20 {
		return 0, fmt.Errorf("read /proc/%d/stat: %q is too short", pid, text)
	}
	return strconv.ParseUint(fields[22-3], 10, 64)
}

// escapeGlob makes a path match itself alone in filepath.Glob.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
