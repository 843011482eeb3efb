// Package doctor examines whether this host can carry the testbed: the kernel,
// the rights of this process, namespaces, veth pairs, packet rings, cgroups,
// memory, limits and tools.
//
// Model. Each examination gives one Finding: what was looked at, whether it is
// there, what was seen, and, where something is wrong, the command or the
// setting that puts it right. What can be tried is tried, not inferred: a
// thread enters new namespaces, makes a veth pair and maps packet rings in
// them, a cgroup is made and removed. What is only used for convenience (runc,
// tcpdump and the like) is looked for in PATH and is never required.
//
// Contract. Examine takes well under a second, needs no rights (it then says
// what root would be needed for), changes no setting and leaves nothing
// behind: namespaces end with the thread that entered them, and with them the
// devices made there.
//
// Limits. An examination says what is so now, not what will be so when 400
// containers run; with a Need it compares what is free with what they take.
// It does not try runc, whose start costs more than all examinations together.
//
// Sources. capabilities(7), namespaces(7), packet(7), cgroups(7), proc(5);
// Documentation/admin-guide/cgroup-v1, cgroup-v2.rst and sysctl/net.rst of
// the Linux kernel.
package doctor
