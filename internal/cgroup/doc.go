// Package cgroup finds the cgroup hierarchies that this process can see, and
// the places in them where its containers get their cgroups: version 1 with a
// tree for each controller, version 2 with one tree for all, or both side by
// side.
//
// Package container, which makes cgroups, and package doctor, which predicts whether that will work, read the same two
// files of the kernel by the same rules.
//
// Sources: cgroups(7), proc_pid_mountinfo(5), proc_pid_cgroup(5).
package cgroup
