// Package wire is the RoCEv2 and PFC frames of the emulator, and the UDP
// datagrams of its switches: a decoded Frame, and the codec between it and its
// bytes.
//
// Model. The struct and the bytes are two views of one thing. Len, the
// algorithm extension and the accounting of time on the wire are computed from
// the struct alone, so models that run in one process never build bytes;
// runners that move bytes use Frame.AppendTo and Decode.
//
// Contract. Decode is total and exact. It verifies everything that a Frame
// does not store (IP and UDP lengths, IPv4 header checksum, PadCnt, pad,
// Ethernet padding, ICRC, a datagram's UDP checksum), so that AppendTo gives back the very bytes of every
// frame that Decode accepts, and it refuses the rest with a DecodeError. In the
// other direction, Decode gives back every Frame that the wire can carry. What
// a struct can hold and the wire cannot is listed at AppendTo.
//
// DecodeAny reads any Ethernet frame: what Decode refuses becomes an opaque frame, which is its bytes, with
// the fields that switches act on mirrored in the struct: see SetOpaque.
//
// Sources. BTH and the extended transport headers: InfiniBand Architecture
// Specification, volume 1, chapter 9. RoCEv2 and its ICRC: the same, annex A17.
// PFC: IEEE 802.1Q clause 36 and 802.3 annex 31D. UDP: RFC 768. The algorithm extension is
// rocelab's own (see ExtType), the INT record follows HPCC (Li et al., SIGCOMM
// 2019). The codec is held to a capture of Linux soft-RoCE, a published CNP of
// a ConnectX-4 Lx, and vectors worked out by hand.
//
// Limits. RoCEv2 on UDP port 4791 over IPv4 without options or IPv6 without
// extension headers, at most one 802.1Q tag, no fragments, payloads up to 8192
// bytes, the opcodes of RC, UC and UD in the table of length.go. Of other UDP,
// datagrams to NotificationPort alone, over IPv4, of up to 1024 bytes. The frame
// check sequence is not part of the bytes, as in captures. Anything else is
// ErrUnsupported to Decode.
package wire
