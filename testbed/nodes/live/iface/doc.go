// Package iface takes interfaces of the host for the edges of a run, and gives them back as
// they were.
//
// Model. An interface at an edge stays where it is: a run holds only a packet socket there. Take refuses an interface
// whose use would break something else (a Refusal names it), locks the interface, and changes the few settings that
// must change: IPv6 goes off, for an idle interface talks by itself, and frames are no longer merged on their way in
// (GRO, LRO). The earlier settings are recorded in a file first, and an alternative name (rocelab-edge- and its index)
// marks the interface, so that it is recognised even after its MAC was changed. Release restores them, and PutBack does
// so for holders that were killed.
//
// Contract. The lock is a Unix socket with an abstract name in the interface's own network namespace: it is common to
// all users, whatever their folders, and dies with its process. PutBack may be called at any time by any user: it does
// not touch locked interfaces, and forgets ones that no longer exist.
//
// Sources: unix(7) and network_namespaces(7) for the lock; the kernel's
// Documentation/networking/ip-sysctl.rst (disable_ipv6) and ethtool(8).
package iface
