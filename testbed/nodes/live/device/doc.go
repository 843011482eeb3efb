// Package device sends and receives whole frames at an interface that is not ours: a veth end of another container, a
// tap, a physical NIC.
//
// Model. Open makes a packet socket in the network namespace of the calling thread, in place: the interface is neither
// moved nor changed, except for promiscuity, which goes with the socket. The descriptor may be passed to another
// process, which makes it a Port with Map. Next and Release walk over the received frames, with the kernel's stamps;
// Send and Flush send. Work that the host's stack left to its device is done (package offload): Next gives frames as
// they would be on a wire, cut to their size, with their checksums and tags. Frames that this host sends through the
// interface, above all our own, are not received.
//
// Contract. A Port belongs to one goroutine. Nothing that happens at the interface ends it: what does
// not get through is dropped and counted by its reason (Counters). An interface that was down
// works again when it is up; one that was removed stays Gone for this Port, even if
// another is made with the same name and index: the kernel parts socket and interface for good.
//
// Memory. Slots of the ring have the size of whole frames of the MTU; super-frames
// are longer, and the kernel queues them at the socket in full (PACKET_COPY_THRESH).
// So thousands of frames can wait and a super-frame costs memory only while it does.
//
// Limits. Linux 4.20 or later. A super-frame above 64 KB (BIG TCP) is truncated, which is counted. One that the header
// of package offload cannot express (SCTP segmentation, a VM's UFO) is dropped by the kernel, as RingFull.
//
// Sources: packet(7); the kernel's Documentation/networking/packet_mmap.rst and
// net/packet/af_packet.c.
package device
