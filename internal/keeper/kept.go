//go:build linux && !mem

package keeper

import (
	"bufio"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Kept is a program that is held, as its host has it.
type Kept struct {
	order Order
	// folder is the program's, "" for none. Its name is known here before the keeper
	// makes it: whichever of the two lives longer removes it.
	folder string
	// line is the host's end, theirs the keeper's until it is started.
	line   *net.UnixConn
	theirs *os.File

	// heard is closed once the keeper has said whether the program runs; silent once it
	// will say no more.
	heard, silent chan struct{}
	// All fields below come from reports: read failed and pidfd after heard, and status after silent.
	failed error
	pidfd  int
	status *syscall.WaitStatus
	listen sync.Once
}

// New prepares to hold a program. The caller closes what it returns.
func New(o Order) (*Kept, error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("make a socket pair: %w", err)
	}
	ours := os.NewFile(uintptr(pair[0]), "keeper")
	defer ours.Close()
	k := &Kept{
		order:  o,
		theirs: os.NewFile(uintptr(pair[1]), "keeper"),
		pidfd:  -1,
		heard:  make(chan struct{}),
		silent: make(chan struct{}),
	}
	if o.Folder != "" {
		k.folder = filepath.Join(os.TempDir(), "rocelab-plugin-"+rand.Text()[:10])
	}
	conn, err := net.FileConn(ours)
	if err != nil {
		k.theirs.Close()
		return nil, err
	}
	k.line = conn.(*net.UnixConn)
	return k, nil
}

// Commands are the ways to start the keeper, the best first: it is the first that the kernel lets start. The caller
// that started one calls Started.
func (k *Kept) Commands() []*exec.Cmd {
	held := &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWPID}
	if uid, gid := os.Geteuid(), os.Getegid(); uid != 0 {
		held.Cloneflags |= unix.CLONE_NEWUSER
		held.UidMappings = []syscall.SysProcIDMap{{ContainerID: uid, HostID: uid, Size: 1}}
		held.GidMappings = []syscall.SysProcIDMap{{ContainerID: gid, HostID: gid, Size: 1}}
	}
	var commands []*exec.Cmd
	for _, attr := range []*syscall.SysProcAttr{held, {}} {
		attr.Setsid = true
		attr.Pdeathsig = unix.SIGCONT // a stopped keeper goes on and sees that its line is closed
		commands = append(commands, &exec.Cmd{
			Path:        "/proc/self/exe",
			Args:        k.order.arguments(k.folder),
			Env:         k.order.Env[:len(k.order.Env):len(k.order.Env)],
			ExtraFiles:  slices.Concat(k.order.Files, []*os.File{k.theirs}, k.order.Gate),
			SysProcAttr: attr,
		})
	}
	return commands
}

// Started returns once the program runs, or with the reason why not, an *Error if the
// system gave it. It waits for the given time at most.
func (k *Kept) Started(limit time.Duration) error {
	k.theirs.Close()
	k.listen.Do(func() { go k.read() })
	select {
	case <-k.heard:
		return k.failed
	case <-time.After(limit):
		return fmt.Errorf("the keeper did not start within %v", limit)
	}
}

// read takes the keeper's reports until its end.
func (k *Kept) read() {
	defer close(k.silent)
	first := sync.OnceFunc(func() { close(k.heard) })
	defer first()
	k.failed = errors.New("the keeper ended before it started the program")
	text, rights := make([]byte, 4096), make([]byte, unix.CmsgSpace(4))
	for {
		n, extra, _, _, err := k.line.ReadMsgUnix(text, rights)
		if err != nil || n == 0 {
			return
		}
		var r report
		if json.Unmarshal(text[:n], &r) != nil {
			return
		}
		switch {
		case r.Failed != nil:
			k.failed = r.Failed
		case r.Status != nil:
			k.status = r.Status
		default:
			k.failed, k.pidfd = nil, descriptor(rights[:extra])
		}
		first()
	}
}

// descriptor is the one that came with a message, -1 if there is none.
func descriptor(rights []byte) int {
	messages, err := unix.ParseSocketControlMessage(rights)
	if err != nil || len(messages) == 0 {
		return -1
	}
	files, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(files) == 0 {
		return -1
	}
	return files[0]
}

// Pidfd is the started program's, -1 where the kernel has none. It is closed with
// Kept.
func (k *Kept) Pidfd() int { return k.pidfd }

// Pid is the started program's process ID as the host counts, 0 if it is not known
// or has ended.
func (k *Kept) Pid() int {
	if k.pidfd < 0 {
		return 0
	}
	f, err := os.Open(fmt.Sprintf("/proc/self/fdinfo/%d", k.pidfd))
	if err != nil {
		return 0
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if text, found := strings.CutPrefix(lines.Text(), "Pid:"); found {
			pid, _ := strconv.Atoi(strings.TrimSpace(text))
			return max(pid, 0)
		}
	}
	return 0
}

// Barred returns the first of the folders above the program's own that its user may not
// enter by its mode, "" if there is none: a reason why a program that was started cannot
// be reached.
func (k *Kept) Barred() string {
	if k.folder == "" || k.order.User == nil {
		return ""
	}
	barred := ""
	for folder := filepath.Dir(k.folder); ; folder = filepath.Dir(folder) {
		if info, err := os.Stat(folder); err == nil && !k.order.User.enters(info) {
			barred = folder
		}
		if folder == filepath.Dir(folder) {
			return barred
		}
	}
}

// enters reports whether a folder's mode lets the user in.
func (u *User) enters(folder os.FileInfo) bool {
	of := folder.Sys().(*syscall.Stat_t)
	switch mode := folder.Mode().Perm(); {
	case u.UID == 0:
		return true
	case of.Uid == u.UID:
		return mode&0o100 != 0
	case of.Gid == u.GID || slices.Contains(u.Groups, of.Gid):
		return mode&0o010 != 0
	default:
		return mode&0o001 != 0
	}
}

// Release removes the program's folder, which it needs no more.
func (k *Kept) Release() {
	if k.folder != "" {
		os.RemoveAll(k.folder)
	}
}

// Kill has the keeper kill the program and all that it has started, and returns once
// that is done, at most after the given time.
func (k *Kept) Kill(limit time.Duration) {
	k.line.CloseWrite()
	select {
	case <-k.silent:
	case <-time.After(limit):
	}
}

// Status returns how the program ended, nil if that is not known within the given time.
func (k *Kept) Status(limit time.Duration) *syscall.WaitStatus {
	select {
	case <-k.silent:
		return k.status
	case <-time.After(limit):
		return nil
	}
}

// Close gives up the line, which ends the keeper and the program if they still run.
func (k *Kept) Close() {
	k.theirs.Close()
	k.line.Close()
	k.Release()
	if k.pidfd >= 0 {
		unix.Close(k.pidfd)
		k.pidfd = -1
	}
}
