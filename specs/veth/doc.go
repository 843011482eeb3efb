// Package veth shows that a testbed of containers, veth pairs and daemons is the
// run in memory, carried out by other means: the same scenario gives the same
// trace and the same files, whatever hosts the nodes, and with algorithms built
// in or as processes; faults of the fabric, PFC storms and captures are the
// same, too.
//
// It shows as well that the frames on the wire are all there is. A man in the
// middle of a link changes one bit of ECN, or of a PSN, and the receiver answers
// with a CNP, or a NAK; what he loses or doubles ends the run with the link's
// name, as does a frame that the kernel drops at a node's interface; and what
// others send on the link does nothing. And it counts what a testbed leaves
// behind when it is gone, after a run, a cancelled one, and one that failed:
// nothing. What breaks under a testbed is the business of specs/faults.
//
// The specs carry the label "veth". They need root; a host that lacks something
// skips them with the reason that `rocelab doctor` gives. Their testbeds stand
// in a folder of their own, so that they leave others alone.
//
// Sources: the design of rocelab, "windows" and "on veth"; InfiniBand
// Architecture Specification, volume 1, section 9.7.5 (NAK) and annex A17 (CNP,
// ICRC); packet(7), veth(4), network_namespaces(7), cgroups(7).
//
// Limits. Namespaces that nothing refers to any more are destroyed by the kernel
// in its own time; what refers to them is counted: mounts, processes and open
// files. Other programs use the host meanwhile, so the count is of what bears a
// testbed's name or lies in its folder, and of this process's own files and
// children.
package veth
