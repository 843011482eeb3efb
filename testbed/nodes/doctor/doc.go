// Package doctor examines whether this host can carry the testbed: the kernel,
// the rights of this process, namespaces, veth pairs, packet rings, cgroups,
// memory, limits and tools.
//
// Model. Each examination gives one Finding: its subject, whether it is there, the observation, and, for a problem, the
// command or the setting that puts it right. Things that can be tried are tried, not inferred: a thread enters new
// namespaces, makes a veth pair and maps packet rings in them, a cgroup is made and removed. Tools that are only used
// for convenience (runc, tcpdump and the like) are looked for in PATH and are never required.
//
// Contract. Examine takes well under a second, needs no rights (without root it names what root would be needed for),
// changes no setting and leaves nothing behind: namespaces end with the thread that entered them, and with them the
// devices made there.
//
// Limits. An examination reports the present state, not the state when 400 containers run; with a Need it compares free
// resources with theirs. It does not try runc, whose start costs more than all examinations together.
//
// Sources. capabilities(7), namespaces(7), packet(7), cgroups(7), proc(5);
// Documentation/admin-guide/cgroup-v1, cgroup-v2.rst and sysctl/net.rst of
// the Linux kernel.
package doctor
