// Package interference measures the time that the host took from this process: CPU time that a hypervisor gave to other
// guests, and time for which a CPU limit of its cgroups held it back. It explains why a run was late, and judges
// nothing.
//
// Both are counters of the kernel that are read before a run and after it. A host
// that does not have one of them counts as one that took nothing: a machine without a
// hypervisor has no steal, a cgroup without a limit is not throttled.
//
// Sources. proc_stat(5), which counts in ticks of USER_HZ, 100 a second on every Linux
// that Go knows; cgroups(7); cpu.stat in sched-bwc.rst (version 1, throttled_time in
// ns) and cgroup-v2.rst (throttled_usec) of the Linux kernel.
package interference
