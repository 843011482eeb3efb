package doctor

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/internal/cgroup"
)

// wanted are the controllers that limit containers.
var wanted = []string{"memory", "pids"}

// hierarchyWith returns the hierarchy that has a controller, nil if none has.
func hierarchyWith(list []cgroup.Hierarchy, controller string) *cgroup.Hierarchy {
	for i := range list {
		if list[i].Has(controller) {
			return &list[i]
		}
	}
	return nil
}

func (h host) cgroups() []Finding {
	const name = "cgroups"
	list, err := cgroup.Read(h.root)
	if err != nil {
		return []Finding{failed(name, err, "mount /proc")}
	}
	if len(list) == 0 {
		return []Finding{{name, Missing, "no hierarchy is mounted that shows the group of this process",
			"mount -t cgroup2 cgroup2 /sys/fs/cgroup"}}
	}
	for _, controller := range wanted {
		r := hierarchyWith(list, controller)
		if r == nil {
			return []Finding{{name, Missing, fmt.Sprintf("no mounted hierarchy has the %s controller", controller),
				"mount it, and let the kernel's command line not turn it off (cgroup_disable, cgroup_enable=memory)"}}
		}
		if err := h.tryGroup(r); err != nil {
			return []Finding{failed(name, fmt.Errorf("make a group below %s: %w", r.Parent, err),
				"mount the hierarchy writable; in a container, docker run --privileged --cgroupns=host")}
		}
	}
	return []Finding{found(name, "%s, %s writable", version(list), strings.Join(wanted, " and "))}
}

// tryGroup makes a group and removes it.
func (h host) tryGroup(r *cgroup.Hierarchy) error {
	dir := h.path(path.Join(r.Parent, fmt.Sprintf("rocelab-doctor-%d", os.Getpid())))
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	if err := unix.Rmdir(dir); err != nil {
		return fmt.Errorf("remove it: %w", err)
	}
	if !r.Unified {
		return nil
	}
	return unix.Access(h.path(path.Join(r.Parent, "cgroup.subtree_control")), unix.W_OK)
}

// version names the mounted versions of cgroups; hybrid is both.
func version(list []cgroup.Hierarchy) string {
	one := slices.ContainsFunc(list, func(r cgroup.Hierarchy) bool { return !r.Unified })
	two := slices.ContainsFunc(list, func(r cgroup.Hierarchy) bool { return r.Unified })
	switch {
	case one && two:
		return "version 1 and 2 (hybrid)"
	case two:
		return "version 2"
	}
	return "version 1"
}

// remaining returns what the limits of this process's groups leave of a resource:
// the least of limit minus usage from its own group up to the mount point.
func (h host) remaining(controller string, limit, usage func(r *cgroup.Hierarchy, dir string) (int64, error)) int64 {
	list, err := cgroup.Read(h.root)
	if err != nil {
		return unlimited
	}
	r := hierarchyWith(list, controller)
	if r == nil {
		return unlimited
	}
	least := int64(unlimited)
	for dir := r.Own; ; dir = path.Dir(dir) {
		// The root of a hierarchy has no limit and no such file.
		if most, err := limit(r, dir); err == nil && most < unlimited {
			if used, err := usage(r, dir); err == nil {
				least = min(least, max(0, most-used))
			}
		}
		if dir == r.Mount {
			return least
		}
	}
}
