package doctor

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// hierarchy is a mounted hierarchy of cgroups.
type hierarchy struct {
	mount       string // where it is mounted
	own         string // the group of this process, below mount
	unified     bool   // version 2
	controllers []string
}

// wanted are the controllers that limit containers.
var wanted = []string{"memory", "pids"}

// hierarchies reads them from mountinfo (proc(5)): field 4 is the group that
// the mount shows, field 5 where, after the dash the type and the options.
func (h host) hierarchies() ([]hierarchy, error) {
	mounts, err := h.text("proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	groups, err := h.text("proc/self/cgroup")
	if err != nil {
		return nil, err
	}
	var list []hierarchy
	for line := range strings.Lines(mounts) {
		left, right, _ := strings.Cut(line, " - ")
		place, kind := strings.Fields(left), strings.Fields(right)
		if len(place) < 5 || len(kind) < 3 || kind[0] != "cgroup" && kind[0] != "cgroup2" {
			continue
		}
		one := hierarchy{mount: place[4], unified: kind[0] == "cgroup2"}
		if !one.unified {
			one.controllers = strings.Split(kind[2], ",")
		}
		one.own = one.groupOf(groups, place[3])
		if one.unified {
			enabled, _ := h.text(path.Join(one.parent(), "cgroup.controllers"))
			one.controllers = strings.Fields(enabled)
		}
		list = append(list, one)
	}
	return list, nil
}

// groupOf finds the group of this process in /proc/self/cgroup, whose lines
// are number:controllers:path; shown is the group at the mount point.
func (r *hierarchy) groupOf(groups, shown string) string {
	for line := range strings.Lines(groups) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		names := strings.Split(parts[1], ",")
		if r.unified && parts[0] == "0" || !r.unified && parts[1] != "" && slices.Contains(r.controllers, names[0]) {
			if below, ok := strings.CutPrefix(parts[2], strings.TrimSuffix(shown, "/")); ok {
				return path.Join("/", below)
			}
		}
	}
	return "/"
}

// parent is the folder of the group in which containers get theirs: the own one
// in version 1, the one around it in version 2, where a group with processes
// has no children with limits.
func (r *hierarchy) parent() string {
	if r.unified {
		return path.Join(r.mount, path.Dir(r.own))
	}
	return path.Join(r.mount, r.own)
}

// with returns the hierarchy that has a controller.
func with(list []hierarchy, controller string) *hierarchy {
	for i := range list {
		if slices.Contains(list[i].controllers, controller) {
			return &list[i]
		}
	}
	return nil
}

func (h host) cgroups() []Finding {
	const name = "cgroups"
	list, err := h.hierarchies()
	if err != nil {
		return []Finding{failed(name, err, "mount /proc")}
	}
	if len(list) == 0 {
		return []Finding{{name, Missing, "no hierarchy is mounted", "mount -t cgroup2 cgroup2 /sys/fs/cgroup"}}
	}
	for _, controller := range wanted {
		r := with(list, controller)
		if r == nil {
			return []Finding{{name, Missing, fmt.Sprintf("no mounted hierarchy has the %s controller", controller),
				"mount it, and let the kernel's command line not turn it off (cgroup_disable, cgroup_enable=memory)"}}
		}
		if err := h.tryGroup(r); err != nil {
			return []Finding{failed(name, fmt.Errorf("make a group below %s: %w", r.parent(), err),
				"mount the hierarchy writable; in a container, docker run --privileged --cgroupns=host")}
		}
	}
	return []Finding{found(name, "%s, %s writable", version(list), strings.Join(wanted, " and "))}
}

// tryGroup makes a group and removes it.
func (h host) tryGroup(r *hierarchy) error {
	dir := h.path(path.Join(r.parent(), fmt.Sprintf("rocelab-doctor-%d", os.Getpid())))
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	if err := unix.Rmdir(dir); err != nil {
		return fmt.Errorf("remove it: %w", err)
	}
	if !r.unified {
		return nil
	}
	return unix.Access(h.path(path.Join(r.parent(), "cgroup.subtree_control")), unix.W_OK)
}

// version says which versions of cgroups are mounted; hybrid is both.
func version(list []hierarchy) string {
	one := slices.ContainsFunc(list, func(r hierarchy) bool { return !r.unified })
	two := slices.ContainsFunc(list, func(r hierarchy) bool { return r.unified })
	switch {
	case one && two:
		return "version 1 and 2 (hybrid)"
	case two:
		return "version 2"
	}
	return "version 1"
}

// left returns what the limits of this process's groups leave of a resource:
// the least of limit minus usage from its own group up to the mount point.
func (h host) left(controller string, limit, usage func(r *hierarchy, dir string) (int64, error)) int64 {
	list, err := h.hierarchies()
	if err != nil {
		return unlimited
	}
	r := with(list, controller)
	if r == nil {
		return unlimited
	}
	least := int64(unlimited)
	for dir := r.own; ; dir = path.Dir(dir) {
		// The root of a hierarchy has no limit and no such file.
		if most, err := limit(r, path.Join(r.mount, dir)); err == nil && most < unlimited {
			if used, err := usage(r, path.Join(r.mount, dir)); err == nil {
				least = min(least, max(0, most-used))
			}
		}
		if dir == "/" || dir == "." {
			return least
		}
	}
}
