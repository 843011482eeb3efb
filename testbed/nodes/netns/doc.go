// Package netns makes the wires of the testbed: network namespaces, and the veth
// pairs between them.
//
// A namespace is kept alive by a bind mount at a path that the caller chooses,
// so that containers, raw sockets and later commands reach it by that path. A
// link is one veth pair, made across both namespaces in a single netlink
// message: no interface of it is ever in the host's namespace, so names clash
// only within a node, and nothing is moved (a move costs some 20 ms, a whole link
// less than two).
//
// The kernel never puts frames of its own on a link: its ends have no addresses, no IPv6, no ARP and no multicast
// membership. It does not change frames either: every offload that can be switched off is off, so a frame arrives with
// the bytes, the length and the tag it was sent with.
//
// Making namespaces and links needs CAP_SYS_ADMIN and CAP_NET_ADMIN. Namespaces are removed with their content;
// deleting links first would only cost time.
//
// Sources: network_namespaces(7), veth(4), netdevice(7), ip-link(8), and the
// kernel's Documentation/networking/ip-sysctl.rst (disable_ipv6).
package netns
