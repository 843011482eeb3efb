// Package offload does what a host's network stack left to its device: it finishes
// checksums and cuts super-frames into frames.
//
// Model. A stack whose device claims to support it hands over a frame with an unfinished checksum, or one of up to 64
// KB that the device cuts into many. On a veth pair or a tap no one ever does the work, for the other end is treated
// the same. The kernel describes the open work in a Header. All here is functions over bytes: Finish in place, a Cutter
// one frame after the other.
//
// Limits. TCP and UDP over IPv4 and IPv6 (with tags and extension headers), and the CRC of SCTP.
// A super-frame inside a tunnel (VXLAN, GRE) is not cut: the kernel's header does not say that there is
// one. What does not fit its header is left as it is, and said.
//
// Sources: Virtual I/O Device (VIRTIO) 1.2, section 5.1.6; the kernel's
// include/linux/virtio_net.h, net/ipv4/tcp_offload.c and net/ipv4/udp_offload.c.
package offload

import (
	"encoding/binary"

	"golang.org/x/sys/unix"
)

// HeaderLen is the size of a Header before each frame of a packet socket.
const HeaderLen = 10

// Header describes the open work (struct virtio_net_hdr). The zero Header means none.
type Header struct {
	// Flags has unix.VIRTIO_NET_HDR_F_NEEDS_CSUM if a checksum is to be finished.
	Flags uint8
	// Type is a unix.VIRTIO_NET_HDR_GSO_ value: of what a super-frame is made.
	Type uint8
	// SegmentSize is the payload of each frame but the last. Unit: bytes.
	SegmentSize uint16
	// Start is where in the frame summing begins, the transport header; Offset is
	// where from there the checksum lies. Unit: bytes.
	Start, Offset uint16
}

// ReadHeader reads the HeaderLen bytes before a frame.
func ReadHeader(b []byte) Header {
	_ = b[HeaderLen-1]
	return Header{
		Flags:       b[0],
		Type:        b[1],
		SegmentSize: binary.NativeEndian.Uint16(b[4:]),
		Start:       binary.NativeEndian.Uint16(b[6:]),
		Offset:      binary.NativeEndian.Uint16(b[8:]),
	}
}

// NeedsChecksum reports whether a checksum is to be finished.
func (h Header) NeedsChecksum() bool { return h.Flags&unix.VIRTIO_NET_HDR_F_NEEDS_CSUM != 0 }

// IsSuper reports whether the frame is to be cut.
func (h Header) IsSuper() bool {
	return h.Type&^unix.VIRTIO_NET_HDR_GSO_ECN != unix.VIRTIO_NET_HDR_GSO_NONE
}

// Tagged returns the Header for the frame with a tag of 4 bytes put back before the part that it describes.
func (h Header) Tagged() Header {
	if h.NeedsChecksum() {
		h.Start += 4
	}
	return h
}
