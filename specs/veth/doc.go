// Package veth shows that a testbed of containers, veth pairs and daemons carries out the run in memory by other means:
// the same scenario gives the same trace and the same files, whatever hosts the nodes, and with algorithms built in or
// as processes; faults of the fabric, PFC storms and captures are the same, too.
//
// It shows as well that the frames on the wire are all there is. A man in the
// middle of a link changes one bit of ECN, or of a PSN, and the receiver answers
// with a CNP, or a NAK; what he loses or doubles ends the run with the link's
// name, as does a frame that the kernel drops at a node's interface; and what
// others send on the link does nothing. A notification of one switch to another
// and the CNPs that follow it are seen on their links by tshark, and slow down NICs
// that know nothing of switches; notifications that are malformed, forged,
// replayed or out of date, about unknown flows, or from a host's port, are counted
// and do nothing. And it counts what a testbed leaves behind when it is gone,
// after a run, a cancelled one, and one that failed: nothing. What breaks under a
// testbed is the business of specs/faults.
//
// The specs carry the label "veth". They need root; a host that lacks something
// skips them with the reason that `rocelab doctor` gives. Their testbeds stand
// in a folder of their own, so that they leave others alone.
//
// Sources: the design of rocelab, "windows" and "on veth"; InfiniBand
// Architecture Specification, volume 1, section 9.7.5 (NAK) and annex A17 (CNP,
// ICRC); draft-ji-ccwg-distributed-lossless-mechanism-00; packet(7), veth(4),
// network_namespaces(7), cgroups(7).
//
// Limits. Daemons count the frames of each link, so the man in the middle cannot
// add one of his own: a forged notification takes the place of another frame of
// the same length, of a true notification or of a host's data packet. A frame
// without the run's trailer, from another program, never reaches a model.
//
// Namespaces that nothing refers to any more are destroyed by the kernel in its own
// time; what refers to them is counted: mounts, processes and open files. Other
// programs use the host meanwhile, so the count is of what bears a
// testbed's name or lies in its folder, and of this process's own files and
// children.
package veth
