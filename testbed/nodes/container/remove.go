package container

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/internal/cgroup"
)

// Remains are containers that any process started, as visible on the host. There is no record of their processes, for a
// record may be damaged, stale or forged. A process is a container's if it is in another PID namespace than this one
// and
//
//   - in a network namespace that a file in Folder keeps, or
//   - in a cgroup that is named after the container, as it is from its birth on,
//     and in no network namespace that a file elsewhere keeps: that would be the
//     container of a testbed of the same name.
type Remains struct {
	// IDs reports whether a container of that ID is one of them.
	IDs func(id string) bool
	// Folder is where the files that keep their network namespaces are, at any depth,
	// or the only such file; "" if there are none.
	Folder string
}

// dying is the time limit for killed processes to end, Patience the limit for cgroups to become empty afterwards.
// Waiting gives up after that.
const (
	dying    = 20 * time.Second
	patience = 5 * time.Second
)

// RemoveAll kills every process of the containers and removes their cgroups. Their folders are the caller's to remove:
// best before, so that none starts meanwhile. It reports whether there was anything. It is idempotent, goes on after an
// error and joins them all. It does not reap: the starter of a container still calls its Wait.
//
// A process in one of the cgroups that does not belong to them is not touched, and named by the error: someone put it
// there.
func RemoveAll(ctx context.Context, r Remains) (found bool, err error) {
	census, err := r.look()
	if err != nil {
		return false, err
	}
	paths, err := findCgroups(r.IDs)
	if err != nil {
		return false, err
	}
	for _, path := range paths {
		// In version 1 a frozen process does not even die. Other trees have no such file.
		_ = cgroup.Write(filepath.Join(path, "freezer.state"), "THAWED")
	}
	killed, err := census.kill(ctx)
	return killed || len(paths) > 0, errors.Join(err, removeCgroups(ctx, paths, census))
}

// census distinguishes the processes of some containers from all others.
type census struct {
	ids  func(id string) bool
	self string          // PID namespace of this process, as the kernel names it: "pid:[4026531836]"
	mine map[string]bool // network namespaces that files of the containers keep
	kept map[string]bool // those that other files keep
}

func (r Remains) look() (*census, error) {
	c := &census{ids: r.IDs, mine: map[string]bool{}, kept: map[string]bool{}}
	var err error
	if c.self, err = os.Readlink("/proc/self/ns/pid"); err != nil {
		return nil, err
	}
	mounts, err := Mounts()
	if err != nil {
		return nil, err
	}
	for _, m := range mounts {
		if m.Kind != "nsfs" {
			continue
		}
		if r.Folder != "" && m.Below(r.Folder) {
			c.mine[m.Root] = true
		} else {
			c.kept[m.Root] = true
		}
	}
	return c, nil
}

// whose is the owner of a process.
type whose int

const (
	foreign whose = iota
	ours
	others // containers of another testbed of that name
)

func (c *census) whose(pid int) whose {
	dir := fmt.Sprintf("/proc/%d/", pid)
	space, err := os.Readlink(dir + "ns/pid")
	if err != nil || space == c.self { // err: it has ended
		return foreign
	}
	network, err := os.Readlink(dir + "ns/net")
	if err != nil {
		return foreign
	}
	if c.mine[network] {
		return ours
	}
	groups, _ := os.ReadFile(dir + "cgroup")
	for line := range strings.Lines(string(groups)) {
		id, named := strings.CutPrefix(filepath.Base(strings.TrimSpace(line)), cgroupName(""))
		if named && c.ids(id) {
			if c.kept[network] {
				return others
			}
			return ours
		}
	}
	return foreign
}

// kill ends all processes of the containers: with the first of a PID namespace all
// others in it die. It looks again until there are none, for as long as
// these may take.
func (c *census) kill(ctx context.Context) (any bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, dying)
	defer cancel()
	for {
		all, err := processes()
		if err != nil {
			return any, err
		}
		var victims []int // pidfds
		for _, pid := range all {
			if c.whose(pid) != ours {
				continue
			}
			if fd, killed := c.killOne(pid); killed {
				victims = append(victims, fd)
			}
		}
		if len(victims) == 0 {
			return any, nil
		}
		any = true
		if err := ended(ctx, victims); err != nil {
			return any, err
		}
	}
}

// killOne sends SIGKILL to a process and returns its pidfd. A pidfd cannot come to
// mean another process, and whose it is is asked once more after it was opened.
func (c *census) killOne(pid int) (fd int, killed bool) {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return -1, false // ended
	}
	if c.whose(pid) != ours || unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0) != nil {
		unix.Close(fd)
		return -1, false
	}
	return fd, true
}

// ended waits until killed processes have ended, reaped by their parents or not.
func ended(ctx context.Context, pidfds []int) (err error) {
	for _, fd := range pidfds {
		for err == nil {
			n, failed := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 50)
			if n > 0 {
				break
			}
			switch {
			case failed != nil && !errors.Is(failed, unix.EINTR):
				err = failed
			case ctx.Err() != nil:
				err = fmt.Errorf("a process of a container was killed but has not ended: %w", ctx.Err())
			}
		}
		unix.Close(fd)
	}
	return err
}

// processes lists the processes that this one can see.
func processes() (pids []int, err error) {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil, err
	}
	defer proc.Close()
	names, err := proc.Readdirnames(-1)
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids, err
}
