// Package enter runs commands in the nodes of a testbed.
//
// Model. Command enters a node's network and UTS namespaces and keeps the
// host's files, so that the host's tools (ip, tcpdump, tshark, ss) show the
// node's interfaces. It replaces this process by execve, so signals, job
// control, the terminal and the exit code are the command's own. Inside enters
// all namespaces of the node's container and runs a program of the container's
// own files, as a child, since a process never changes its own PID namespace.
//
// Contract. Linux namespaces belong to threads. All that enters one does so on a thread of its own that ends afterwards
// (Thread), so this process keeps its namespaces after any failure. A node whose container is gone is distinguished
// from a process that took its PID: the network namespace of the process must be the one kept for the node.
//
// Limits. Files of the host include its /sys, so /sys/class/net shows the
// host's interfaces; ask by netlink or ioctl, as ip and ethtool do. A command
// keeps a namespace alive for as long as it runs, and its interfaces with it. A
// program started by Inside keeps the capabilities of the caller, in the
// node's namespaces, and is not in the container's cgroups.
//
// Sources. setns(2), namespaces(7), pid_namespaces(7), mount_namespaces(7),
// execve(2).
package enter
