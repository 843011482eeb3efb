// Package edge models the end of a link with a partner that is not part of the fabric: a host with its own network
// stack, a real device, another machine.
//
// An edge is a node with one port. Frames that come in from outside pass through a NIC queue onto the link; frames from
// the link are lent to the carrier that takes them outside. The model does not know devices or clocks: calls carry the
// time at which a frame came in, and it reports the time at which a frame is due out there.
//
// # Time
//
// A frame from outside is put into the NIC queue at a model time t, leaves when the
// link is free, and its last bit is at the far end at
//
//	start + serialisation + latency
//
// so that the carrier has the latency as time for its work. A window of the fabric that ends at h and is at most half
// the latency long is met by all frames that came in before it began: such a frame starts at t, even if that is before
// the window, and arrives in a later one. A frame reported later is moved: to h - latency at the least, and behind all
// that the edge has done meanwhile.
//
// Inject returns the time that counts. Replay puts a frame in at just that time, and for any windows, an edge that is
// given the same frames at the same times does the same: an injection comes after all other events of its instant.
//
// # What is moved
//
// A frame counts as moved if it starts later than it would have, had each frame been put in when it came. A frame
// behind others that fill the link is not moved if it is reported a little late.
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
// Frames from outside are counted by kind. Frames that pose as one of the fabric's flows, with its addresses and QP,
// are counted for the flow too: nothing behind the edge can distinguish them from the flow's own. With DropCNPs the
// edge drops CNPs as an ACL at the port does, before they take room in the NIC queue or time on the link.
//
// # Not modelled
//
// A NIC queue has no classes of service: of the classes that are not held, the frame
// that came first leaves first. What a host does before its own device sent a frame is
// the host's.
package edge
