// Package packet moves the frames of one port over a network interface: an
// AF_PACKET socket with a receive ring and a send ring in memory shared with
// the kernel, and the trailer that ends every frame on a veth pair.
//
// Model. Open makes the socket in the network namespace of the calling thread, sets both rings (TPACKET_V2) and binds
// it to an interface; it is the only part that needs a privilege. The descriptor may be passed to another process,
// which makes it a Port with Map. Frames are built in the slots of the send ring (Slot, Queue, Flush) and read in the
// slots of the receive ring (Next, Release, Await), so a frame does not cost an allocation or a copy of its own. An
// interface is read without the frames that this host sends, and tcpdump sees the frames that a Port sends: the
// queueing discipline is not bypassed.
//
// Contract. A Port belongs to one goroutine. The first error of a Port is its last: Slot, Flush and Await return it
// from then on. A veth pair has no back-pressure: a frame that finds the receive ring full is gone. Size the ring for
// all frames that can be in flight at once, and check Port.Statistics and Counters.Since after a run. Frames that one
// thread sends arrive in order unless the scheduler moves that thread to another processor in between, after which a
// later frame may overtake; the sequence in the trailer restores the order.
//
// An outer 802.1Q tag, which the kernel takes off before it hands a frame out,
// is put back in place.
//
// Limits. Linux 4.20 or later, Ethernet interfaces, frames up to maxFrame.
//
// Sources: packet(7); the kernel's Documentation/networking/packet_mmap.rst and
// include/uapi/linux/if_packet.h.
package packet
