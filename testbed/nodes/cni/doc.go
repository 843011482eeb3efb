// Package cni is the CNI plugin rocelab-link: it joins two containers by a veth
// pair, the same link that the testbed makes, so that users of containerd,
// Kubernetes or cnitool can wire it. README.md shows how.
//
// A network configuration gives the other end in one of two ways:
//
//   - "peer" names its network namespace and interface: one ADD makes both ends.
//   - "link" names a meeting point: the first ADD makes the interface, whose far
//     end waits in the plugin's own namespace, switched off, so that the interface has
//     no carrier; the second ADD takes that end into its container. If the
//     container at one end goes, so does the interface at the other; the next
//     ADD for the link makes both anew.
//
// Attachments are recorded in one JSON file per network in the data folder, changed under a lock on that folder. DEL
// and GC remove recorded attachments and nothing else. A recorded namespace is known by its inode too, so that another
// one at the same path is never taken for it.
//
// Limits: both containers are on one machine; a link has two ends; there are no
// addresses and no ARP on it.
//
// Source: CNI specification 1.0.0 and 1.1.0
// (github.com/containernetworking/cni, SPEC.md).
package cni
