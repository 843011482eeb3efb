//go:build linux && !mem

package process

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/internal/cgroup"
)

// held holds a program to its limits: a fence, or only the kernel's counts for each process.
type held struct {
	own    *cgroup.Fence // to be removed; nil if it is not this plugin's
	gate   *cgroup.Gate  // nil for none
	before cgroup.Met    // by others in the same fence
}

// hold prepares the program's limits: the fence that was made for it, or one of its
// own where this process may make one, which takes root.
func (p *Plugin) hold() error {
	h := &p.held
	if h.gate = p.options.Gate; h.gate == nil && os.Geteuid() == 0 {
		if err := h.fence(p.options.Limits.Fence()); err != nil {
			return fmt.Errorf("limit plugin %s: %w", p.program, err)
		}
	}
	if h.gate != nil {
		h.before, _ = h.gate.Met()
	}
	return nil
}

// fences counts the fences of this process.
var fences atomic.Int64

// fenceName is the beginning of the name of a plugin's cgroup; the host's process ID and a number follow.
const fenceName = "rocelab@plugin-"

// fence makes a fence of the plugin's own. A host whose cgroups are not mounted, lack
// a controller or cannot be written sets no limits.
func (h *held) fence(l cgroup.Limits) error {
	trees, err := cgroup.Read("/")
	if err != nil {
		return nil
	}
	fence, err := cgroup.At(trees, fmt.Sprintf("%s%d-%d", fenceName, os.Getpid(), fences.Add(1)))
	if err != nil {
		return nil
	}
	for _, folder := range fence.Folders() {
		sweep(filepath.Dir(folder))
	}
	if err = fence.Make(l); err == nil {
		h.gate, err = fence.Open("")
	}
	if err != nil {
		fence.Remove()
		return nil
	}
	h.own = fence
	return nil
}

// Sweep removes the fences that killed processes left.
func Sweep() {
	trees, _ := cgroup.Read("/")
	for _, tree := range trees {
		sweep(tree.Parent)
	}
}

// sweep removes the fences that a killed process left in a folder. They are empty:
// programs end with their host.
func sweep(folder string) {
	left, _ := filepath.Glob(filepath.Join(folder, fenceName+"*"))
	for _, path := range left {
		text, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(path), fenceName), "-")
		if pid, err := strconv.Atoi(text); err == nil && errors.Is(unix.Kill(pid, 0), unix.ESRCH) {
			unix.Rmdir(path)
		}
	}
}

// files are those for the keeper.
func (h *held) files() []*os.File {
	if h.gate == nil {
		return nil
	}
	return h.gate.Files()
}

// met returns the limit that the program has met, "" if none.
func (p *Plugin) met() string {
	if p.held.gate == nil {
		return ""
	}
	now, err := p.held.gate.Met()
	limits := p.options.Limits.OrDefault()
	switch {
	case err != nil:
		return ""
	case now.Killed > p.held.before.Killed:
		return fmt.Sprintf("; it met its limit of %v of memory, which --plugin-memory raises", limits.Memory)
	case now.Refused > p.held.before.Refused:
		if limits.Tasks == 1 {
			return "; it met its limit of 1 task, which --plugin-tasks raises"
		}
		return fmt.Sprintf("; it met its limit of %d tasks, which --plugin-tasks raises", limits.Tasks)
	}
	return ""
}

// release gives up the fence.
func (h *held) release() error {
	if h.own == nil {
		return nil
	}
	h.gate.Close()
	err := h.own.Remove()
	h.own, h.gate = nil, nil
	return err
}
