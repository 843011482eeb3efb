package offload

import "encoding/binary"

const (
	ethernetLen = 14
	tagLen      = 4
	ipv4Len     = 20
	ipv6Len     = 40
	tcpLen      = 20
	udpLen      = 8
)

// Types of Ethernet frames.
const (
	typeIPv4 = 0x0800
	typeIPv6 = 0x86dd
	typeTag  = 0x8100 // 802.1Q
	typeQinQ = 0x88a8 // 802.1ad
	typeOld  = 0x9100 // QinQ before there was a standard
)

// Extension headers of IPv6 that have a length in their second byte and may come before
// a transport header (RFC 8200, section 4).
const (
	nextHopByHop    = 0
	nextRouting     = 43
	nextDestination = 60
)

// place is where the headers of a frame lie.
type place struct {
	network, transport int
	protocol           uint8
	six                bool
}

// parse finds the transport header of a whole IP packet; ok is false if there is none,
// or only a part of one.
func parse(frame []byte) (p place, ok bool) {
	if len(frame) < ethernetLen {
		return place{}, false
	}
	kind := binary.BigEndian.Uint16(frame[12:])
	p.network = ethernetLen
	for kind == typeTag || kind == typeQinQ || kind == typeOld {
		if len(frame) < p.network+tagLen {
			return place{}, false
		}
		kind = binary.BigEndian.Uint16(frame[p.network+2:])
		p.network += tagLen
	}
	switch kind {
	case typeIPv4:
		return p.four(frame)
	case typeIPv6:
		return p.sixth(frame)
	}
	return place{}, false
}

func (p place) four(frame []byte) (place, bool) {
	ip := frame[p.network:]
	if len(ip) < ipv4Len || ip[0]>>4 != 4 {
		return place{}, false
	}
	length := int(ip[0]&0xf) * 4
	const fragment = 0x3fff // more fragments, or not the first
	if length < ipv4Len || len(ip) < length || binary.BigEndian.Uint16(ip[6:])&fragment != 0 {
		return place{}, false
	}
	p.transport, p.protocol = p.network+length, ip[9]
	return p, true
}

func (p place) sixth(frame []byte) (place, bool) {
	ip := frame[p.network:]
	if len(ip) < ipv6Len || ip[0]>>4 != 6 {
		return place{}, false
	}
	p.six, p.protocol, p.transport = true, ip[6], p.network+ipv6Len
	for p.protocol == nextHopByHop || p.protocol == nextRouting || p.protocol == nextDestination {
		if len(frame) < p.transport+8 {
			return place{}, false
		}
		p.protocol = frame[p.transport]
		p.transport += 8 * (1 + int(frame[p.transport+1]))
	}
	return p, p.transport <= len(frame)
}
