// Package stack makes hosts that have their own network stack: the kernel's.
//
// Model. A host is a network namespace with one interface, whose other end is the device of an edge. It has an address
// of the fabric, and the MACs of all stations that are known beforehand as permanent neighbours, so that frames to them
// are routed by address and take any of the equal paths; it finds unknown stations by ARP. Its interface keeps its
// offloads, its ARP and its multicast; IPv6 is off until it is switched on in there, because it talks by itself.
//
// Contract. A command of a host runs in its network and in a UTS namespace with the host's name, and has the files of
// the machine. A keeper holds it: it ends, with all its children, when it is ended or when this process ends in any
// way. Its output goes to one file, in the order in which it came.
//
// Limits. It runs with the rights of this process, and its processor and memory are not
// limited. /sys is the machine's, and shows the machine's interfaces.
//
// Sources. network_namespaces(7), uts_namespaces(7), netlink(7), arp(7).
package stack
