package offload

import (
	"encoding/binary"
	"fmt"

	"golang.org/x/sys/unix"
)

// sample is a frame as a stack hands it to a device: with all the work left to do that can be left.
type sample struct {
	tags     []uint16 // types of tags
	six      bool
	options  int // bytes of IPv4 options, or of IPv6 extension headers, or 0
	udp      bool
	tcpExtra int // bytes of TCP options
	flags    uint8
	ecn      bool // CWR is said once
	segment  int
	payload  []byte
}

func (s sample) String() string {
	return fmt.Sprintf("tags %x six %v options %d udp %v/%d flags %#x, %d B by %d", s.tags, s.six, s.options, s.udp,
		s.tcpExtra, s.flags, len(s.payload), s.segment)
}

// super is the frame with its header; of one segment it is a plain one with a checksum that is begun.
func (s sample) super() ([]byte, Header) {
	b := []byte("\x02\x00\x00\x00\x00\x02\x02\x00\x00\x00\x00\x01")
	for i, tag := range s.tags {
		b = binary.BigEndian.AppendUint16(b, tag)
		b = binary.BigEndian.AppendUint16(b, uint16(0x2005+i))
	}
	transport, protocol, field := tcpLen+s.tcpExtra, uint8(protocolTCP), 16
	if s.udp {
		transport, protocol, field = udpLen, protocolUDP, 6
	}
	length := transport + len(s.payload)
	var addresses []byte
	if s.six {
		b, addresses = s.network6(b, length, protocol)
	} else {
		b, addresses = s.network4(b, length, protocol)
	}
	start := len(b)
	b = append(b, make([]byte, transport)...)
	packet := b[start:]
	binary.BigEndian.PutUint16(packet, 4000)
	binary.BigEndian.PutUint16(packet[2:], 5001)
	if s.udp {
		binary.BigEndian.PutUint16(packet[4:], uint16(length))
	} else {
		binary.BigEndian.PutUint32(packet[4:], 0xffffff00) // wraps
		binary.BigEndian.PutUint32(packet[8:], 77)
		packet[12], packet[13] = uint8(transport/4)<<4, s.flags
		for i := tcpLen; i < transport; i++ {
			packet[i] = 1 // no operation
		}
	}
	// The field holds the sum of the pseudo-header: addresses, protocol, length.
	binary.BigEndian.PutUint16(packet[field:], slowSum(addresses, uint32(protocol)+uint32(length)))
	b = append(b, s.payload...)
	h := Header{
		Flags:  unix.VIRTIO_NET_HDR_F_NEEDS_CSUM,
		Start:  uint16(start),
		Offset: uint16(field),
	}
	if s.segment > 0 {
		h.SegmentSize = uint16(s.segment)
		switch {
		case s.udp:
			h.Type = unix.VIRTIO_NET_HDR_GSO_UDP_L4
		case s.six:
			h.Type = unix.VIRTIO_NET_HDR_GSO_TCPV6
		default:
			h.Type = unix.VIRTIO_NET_HDR_GSO_TCPV4
		}
		if s.ecn {
			h.Type |= unix.VIRTIO_NET_HDR_GSO_ECN
		}
	}
	return b, h
}

func (s sample) network4(b []byte, length int, protocol uint8) (frame, addresses []byte) {
	b = binary.BigEndian.AppendUint16(b, typeIPv4)
	ip := make([]byte, ipv4Len+s.options)
	ip[0], ip[1] = 0x40|uint8(len(ip)/4), 2
	binary.BigEndian.PutUint16(ip[2:], uint16(len(ip)+length))
	binary.BigEndian.PutUint16(ip[4:], 0xfffe) // wraps
	ip[6], ip[8], ip[9] = 0x40, 64, protocol
	copy(ip[12:], []byte{10, 0, 0, 1, 10, 0, 0, 2})
	for i := ipv4Len; i < len(ip); i++ {
		ip[i] = 1
	}
	binary.BigEndian.PutUint16(ip[10:], ^slowSum(ip, 0))
	return append(b, ip...), ip[12:20]
}

func (s sample) network6(b []byte, length int, protocol uint8) (frame, addresses []byte) {
	b = binary.BigEndian.AppendUint16(b, typeIPv6)
	ip := make([]byte, ipv6Len+s.options)
	ip[0], ip[1], ip[6], ip[7] = 0x60, 0x20, protocol, 64
	binary.BigEndian.PutUint16(ip[4:], uint16(s.options+length))
	for i := 8; i < 40; i++ {
		ip[i] = uint8(i * 37)
	}
	if s.options > 0 { // options for the destination, padded
		ip[6] = nextDestination
		ip[40], ip[41], ip[42], ip[43] = protocol, uint8(s.options/8-1), 1, uint8(s.options-4)
	}
	return append(b, ip...), ip[8:40]
}

// slowSum is the folded one's complement sum, word by word.
func slowSum(b []byte, total uint32) uint16 {
	for i, v := range b {
		if i%2 == 0 {
			total += uint32(v) << 8
		} else {
			total += uint32(v)
		}
		total = total>>16 + total&0xffff
	}
	return uint16(total)
}
