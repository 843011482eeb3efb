// Package topology makes the graph of a fabric: which switches, which hosts,
// which links, and the shortest paths through it.
//
// Generators number neighbours in the fabric consecutively: the switches and hosts of a pod are contiguous, so that a
// runner that cuts the nodes into ranges keeps pods together. Nodes are numbered switches first, then hosts, as in
// plan. Ports are numbered from 0 at each node in the order in which its links stand in Graph.Links.
//
// Beside the textbook's generators there are the fabrics of publications: a
// rail-optimised one (Rail), a pair of data centres (TwoDC), the testbed of the
// PC4 paper (Racks) and the fat tree of the HPCC paper (Pods), each with all its
// numbers free.
//
// A host has one port: it is one NIC. A server with several NICs is several hosts. Links are symmetric in rate and
// latency; the caller sets the delays of one with a long-haul path, which may be longer one way. The path is not a node
// here.
//
// Routing is by hop count over all links: every neighbour that is one hop nearer to the destination is a next hop, for
// any rate of the link to it. Hosts do not forward. Link rates are ignored, so a graph that joins two switches by links
// of unequal rates spreads flows over them evenly, as ECMP without weights does.
package topology
