//go:build linux && !mem

package keeper

import (
	"encoding/json"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/internal/cgroup"
)

// firstFile is the first descriptor that a parent passes on.
const firstFile = 3

// init turns a process that was started as a keeper into one, before anything else
// of the program happens. Code that runs before main runs on the main thread, to
// which the end of the held program is tied.
func init() {
	if len(os.Args) < 3 || os.Args[0] != name {
		return
	}
	var o order
	if json.Unmarshal([]byte(os.Args[1]), &o) != nil {
		os.Exit(2)
	}
	line := firstFile + o.Files
	k := &keep{order: o, line: line, alone: os.Getpid() != 1}
	var failed *Error
	if k.alone && o.Guard == 0 {
		failed = k.guard(os.Args[2:])
	} else {
		failed = k.hold(os.Args[2], os.Args[2:])
	}
	if failed != nil {
		k.say(report{Failed: failed}, -1)
	}
	os.Exit(0)
}

// keep is a keeper at work.
type keep struct {
	order order
	line  int
	// alone is set if the keeper works without a PID namespace.
	alone  bool
	folder string
	// pid and pidfd are the program's; pidfd is -1 where the kernel has none.
	pid, pidfd int
}

// hold starts the program, waits for an end, and leaves nothing.
func (k *keep) hold(path string, args []string) *Error {
	if failed := k.settle(); failed != nil {
		return failed
	}
	ignoreSignals()
	resumed := make(chan os.Signal, 1)
	signal.Notify(resumed, unix.SIGCONT)
	if k.orphaned() {
		return nil // its host has given up
	}
	if failed := k.makeFolder(); failed != nil {
		return failed
	}
	defer os.RemoveAll(k.folder)
	if failed := k.start(path, args); failed != nil {
		return failed
	}
	k.say(report{}, k.pidfd)
	go k.watch()
	go func() {
		for range resumed {
			if k.orphaned() {
				k.kill()
			}
		}
	}()
	status := k.await()
	heard := k.say(report{Status: &status}, -1)
	k.clear()
	if !heard {
		cgroup.Remove(k.order.Fence)
	}
	return nil
}

// ignoreSignals: signals to a keeper are meant for other processes. Only the line ends it.
func ignoreSignals() {
	signal.Notify(make(chan os.Signal, 1), unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGTERM, unix.SIGPIPE)
}

// settle makes this process fit to keep others.
func (k *keep) settle() *Error {
	if err := unix.CloseRange(firstFile, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC); err != nil {
		return newError("keep descriptors from the program", err)
	}
	comm, _ := unix.BytePtrFromString(name)
	for _, p := range []struct {
		step   string
		option int
		value  uintptr
	}{
		{"take its name", unix.PR_SET_NAME, addressOf(comm)},
		{"become a subreaper", unix.PR_SET_CHILD_SUBREAPER, 1},
		{"set no_new_privs", unix.PR_SET_NO_NEW_PRIVS, 1},
		{"become undumpable", unix.PR_SET_DUMPABLE, 0}, // the program must not trace it
	} {
		if err := unix.Prctl(p.option, p.value, 0, 0, 0); err != nil {
			return newError(p.step, err)
		}
	}
	return nil
}

// makeFolder makes the program's folder.
func (k *keep) makeFolder() *Error {
	if k.order.Folder == "" {
		return nil
	}
	if err := os.Mkdir(k.order.Place, 0o700); err != nil {
		return newError("make a folder in "+filepath.Dir(k.order.Place), err)
	}
	k.folder = k.order.Place
	if u := k.order.User; u != nil {
		if err := os.Lchown(k.folder, int(u.UID), int(u.GID)); err != nil {
			os.Remove(k.folder)
			return newError("give away "+k.folder, err)
		}
	}
	return nil
}

// start starts the program. Its standard input is empty; the other standard files belong to the program only from then
// on.
func (k *keep) start(path string, args []string) *Error {
	null, err := unix.Open(os.DevNull, unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil { // in a root without devices
		null, err = unix.MemfdCreate("null", unix.MFD_CLOEXEC)
	}
	if err != nil {
		return newError("open "+os.DevNull, err)
	}
	files := []uintptr{uintptr(null), 1, 2}
	for i := range k.order.Files {
		files = append(files, uintptr(firstFile+i))
	}
	env := os.Environ()
	if k.folder != "" {
		env = append(env, k.order.Folder+"="+k.folder)
	}
	k.pidfd = -1
	attr := &syscall.ProcAttr{
		Files: files,
		Env:   env,
		Sys:   &syscall.SysProcAttr{Setsid: true, Pdeathsig: unix.SIGKILL, PidFD: &k.pidfd},
	}
	if u := k.order.User; u != nil {
		attr.Sys.Credential = &syscall.Credential{Uid: u.UID, Gid: u.GID, Groups: u.Groups}
	}
	if failed := k.within(func() (err error) {
		k.pid, _, err = syscall.StartProcess(path, args, attr)
		return err
	}); failed != nil {
		return failed
	}
	for i := range k.order.Files {
		unix.Close(firstFile + i)
	}
	if err := leaveOutput(null); err != nil {
		k.kill()
		return newError("leave its output to the program", err)
	}
	return nil
}

// leaveOutput puts an empty file in the place of the standard files.
func leaveOutput(null int) error {
	for standard := range firstFile {
		if err := unix.Dup3(null, standard, 0); err != nil {
			return err
		}
	}
	return nil
}

// within runs start, which starts the program, in the program's fence if it has one.
func (k *keep) within(start func() error) *Error {
	var failed *Error
	execute := func() error {
		if err := start(); err != nil {
			failed = newError(Execute, err)
		}
		return nil
	}
	if !k.order.Fenced {
		if most := uint64(k.order.Memory); most > 0 {
			// Counts private writable memory. The address space of a Go program does not tell anything.
			unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: most, Max: most})
		}
		execute()
		return failed
	}
	gate := cgroup.GateOf(uintptr(k.line + 1))
	defer gate.Close()
	if err := gate.Within(execute); err != nil && failed == nil {
		return newError("enter the cgroup of its limits", err)
	}
	return failed
}

// say sends a report, with a descriptor if that is not negative, and reports whether the other side still listens.
func (k *keep) say(r report, descriptor int) bool {
	text, err := json.Marshal(r)
	if err != nil {
		return true
	}
	var rights []byte
	if descriptor >= 0 {
		rights = unix.UnixRights(descriptor)
	}
	return unix.Sendmsg(k.line, text, rights, nil, unix.MSG_NOSIGNAL) == nil
}

// watch kills the program once the line closes: its host is gone, or wants its end.
func (k *keep) watch() {
	var nothing [1]byte
	for {
		n, err := unix.Read(k.line, nothing[:])
		if n == 0 && err == nil || err != nil && err != unix.EINTR {
			k.kill()
			return
		}
	}
}

// kill kills the program, and in a PID namespace all that is in it.
func (k *keep) kill() {
	switch {
	case !k.alone:
		unix.Kill(-1, unix.SIGKILL)
	case k.pidfd >= 0:
		unix.PidfdSendSignal(k.pidfd, unix.SIGKILL, nil, 0)
	default:
		unix.Kill(k.pid, unix.SIGKILL)
	}
}

// await returns how the program ended, once it has; it reaps orphans that end meanwhile.
func (k *keep) await() (status syscall.WaitStatus) {
	for {
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		if pid == k.pid || err != nil && err != syscall.EINTR {
			return status
		}
	}
}
