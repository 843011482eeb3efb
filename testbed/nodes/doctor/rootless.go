package doctor

import (
	"fmt"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/internal/cgroup"
)

// rootless describes the needs of a testbed without root, in a user namespace of the user's own: the features that this
// host allows, and the further ones needed. Tried on Linux 6.18: links, network namespaces, mounts, /proc and packet
// sockets work in there.
func (h host) rootless() []Finding {
	return []Finding{{
		Name:   "without root",
		Status: OptionalMissing,
		Detail: fmt.Sprintf("no: %s; %s; in such a namespace the launcher can neither make the files of /dev nor give "+
			"plugins users of their own, and needs a folder that ROCELAB_RUN names", h.userNamespaces(), h.delegation()),
		Remedy: asRoot,
	}}
}

// refusals are the settings of kernels that keep users from namespaces of their own,
// with the value that lets them.
var refusals = []struct{ file, allows string }{
	{"proc/sys/kernel/unprivileged_userns_clone", "1"}, // Debian before 11
	{"proc/sys/kernel/apparmor_restrict_unprivileged_userns", "0"},
}

// userNamespaces reports whether users may make user namespaces, and the obstacle if not.
func (h host) userNamespaces() string {
	if most, err := h.number("proc/sys/user/max_user_namespaces"); err != nil {
		return "this kernel has no user namespaces"
	} else if most == 0 {
		return "sysctl -w user.max_user_namespaces=15000 would let users make user namespaces"
	}
	for _, r := range refusals {
		if is, err := h.text(r.file); err == nil && is != r.allows {
			key := strings.ReplaceAll(strings.TrimPrefix(r.file, "proc/sys/"), "/", ".")
			return fmt.Sprintf("sysctl -w %s=%s would let users make user namespaces", key, r.allows)
		}
	}
	return "users may make user namespaces"
}

// delegation reports whether this process may limit containers in its own cgroup: for a user that takes version 2, and
// an owner who gives a part of it away.
func (h host) delegation() string {
	list, err := cgroup.Read(h.root)
	if err != nil {
		return "cgroups cannot be seen"
	}
	for _, controller := range wanted {
		at := hierarchyWith(list, controller)
		switch {
		case at == nil || !at.Unified:
			return fmt.Sprintf("the %s controller is not in version 2 of cgroups, and only that version can be "+
				"delegated to a user (systemd.unified_cgroup_hierarchy=1 on the kernel's command line)", controller)
		case unix.Access(h.path(at.Parent), unix.W_OK) != nil:
			return "the cgroup around this process is not this user's (systemd-run --user -p Delegate=yes gives one)"
		}
	}
	return "cgroups can be given to a user (systemd-run --user -p Delegate=yes)"
}
