package wire

import (
	"encoding/hex"
	"net/netip"
)

// String prints the address as six pairs of hexadecimal digits.
func (m MAC) String() string {
	var s [17]byte
	for i, b := range m {
		if i > 0 {
			s[3*i-1] = ':'
		}
		hex.Encode(s[3*i:], []byte{b})
	}
	return string(s[:])
}

// NodeMAC returns the address of a node's port: locally administered, unicast,
// 02 followed by 24 bits of the node's number and 16 bits of the port's.
// Addresses are distinct for nodes below 2^24 and ports below 2^16.
func NodeMAC(id uint32, port int) MAC {
	return MAC{0x02, byte(id >> 16), byte(id >> 8), byte(id), byte(port >> 8), byte(port)}
}

// IPString prints an IPv4 address given as a number, most significant byte
// first.
func IPString(ip uint32) string {
	return netip.AddrFrom4([4]byte{byte(ip >> 24), byte(ip >> 16), byte(ip >> 8), byte(ip)}).String()
}
