// Package topology makes the graph of a fabric: which switches, which hosts,
// which links, and the shortest paths through it.
//
// Generators number things so that what is near in the fabric is near in
// number: the switches and hosts of a pod are contiguous, so that a runner that
// cuts the nodes into ranges keeps pods together. Nodes are numbered switches
// first, then hosts, as in plan. Ports are numbered from 0 at each node in the
// order in which its links stand in Graph.Links.
//
// Beside the textbook's generators there are the fabrics of publications: a
// rail-optimised one (Rail), a pair of data centres (TwoDC), the testbed of the
// PC4 paper (Racks) and the fat tree of the HPCC paper (Pods), each with all its
// numbers free.
//
// A host has one port: it is one NIC. A server with several NICs is several
// hosts. Links are symmetric in rate and latency; one with a long-haul path is
// given its delays by whoever asked for it, and may be longer one way. The path
// is no node here.
//
// Routing is by hop count over all links: every neighbour that is one hop
// nearer to the destination is a next hop, whatever the rate of the link to it.
// Hosts do not forward. Link rates take no part, so a graph that joins two
// switches by links of unequal rates spreads flows over them evenly, as ECMP
// without weights does.
package topology
