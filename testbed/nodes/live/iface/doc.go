// Package iface takes interfaces of the host for the edges of a run, and gives them back as
// they were.
//
// Model. An interface at an edge stays where it is: a packet socket is all that a run
// holds there. Take refuses what would break something else (a Refusal says what), locks
// the interface, and changes the little that must be: IPv6 goes off, for an idle interface
// talks by itself, and frames are no longer merged on their way in (GRO, LRO). What was
// before is recorded in a file first, and an alternative name (rocelab-edge- and its index) marks the
// interface, so that it is known again with another MAC. Release puts it back, and PutBack
// does for holders that were killed.
//
// Contract. The lock is a Unix socket with an abstract name in the interface's own
// network namespace: it is everybody's, whatever folder he uses, and dies with its
// process. PutBack may be called at any time by anybody: it leaves alone what is
// locked, and forgets what no longer exists.
//
// Sources: unix(7) and network_namespaces(7) for the lock; the kernel's
// Documentation/networking/ip-sysctl.rst (disable_ipv6) and ethtool(8).
package iface
