// Package cgroup finds the cgroup hierarchies that this process can see, and
// the places in them where its containers get their cgroups: version 1 with a
// tree for each controller, version 2 with one tree for all, or both side by
// side.
//
// Whoever makes cgroups (package container) and whoever says beforehand whether
// that will work (package doctor) read the same two files of the kernel by the
// same rules.
//
// Sources: cgroups(7), proc_pid_mountinfo(5), proc_pid_cgroup(5).
package cgroup
