// Package edge models the end of a link at which something that is not part of the
// fabric takes part: a host with its own network stack, a real device, another machine.
//
// An edge is a node with one port. What comes in from outside passes through a NIC
// queue onto the link; what the link brings is lent to whoever carries it outside. The
// model knows no device and no clock: it is told when a frame came in, and tells when
// a frame is due out there.
//
// # Time
//
// A frame from outside is put into the NIC queue at a model time t, leaves when the
// link is free, and its last bit is at the far end at
//
//	start + serialisation + latency
//
// so that the latency is the time that whoever carries frames has for it. A window of
// the fabric that ends at h and is at most half the latency long is met by all that
// came in before it began: such a frame starts at t, even where that is before the
// window, and arrives in a later one. A frame that is told of later is moved: to
// h - latency at the least, and behind all that the edge has done meanwhile.
//
// Inject returns the time that counts. Replay puts a frame in at just that time, and
// whatever its windows are, an edge that is given the same frames at the same times
// does the same: an injection comes after all other events of its instant.
//
// # What is moved
//
// A frame counts as moved if it starts later than it would have, had each frame been
// put in when it came. A frame behind others that fill the link is not moved by being
// told of a little late.
//
// # PFC
//
// A pause from outside goes onto the link as a frame, ahead of the queue. A pause from
// the link goes outside as a frame; with PFCHere the NIC queue obeys it too, class by
// class, for a host that cannot. The class of a frame follows from its DSCP, as the
// peer sees it.
//
// # What comes in
//
// Frames from outside are counted by kind. Those that pose as a frame of one of the
// fabric's flows, with its addresses and QP, are counted for the flow too: nothing
// behind the edge can tell them from the flow's own. With DropCNPs the edge drops CNPs
// as an ACL at the port does, before they take room in the NIC queue or time on the link.
//
// # Not modelled
//
// A NIC queue has no classes of service: of the classes that are not held, the frame
// that came first leaves first. What a host does before its own device sent a frame is
// the host's.
package edge
