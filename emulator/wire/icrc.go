package wire

import (
	"encoding/binary"
	"hash/crc32"
)

// The ICRC (IBA volume 1, annex A17.3) is the CRC-32 of Ethernet over eight
// bytes of ones, the IP header, the UDP header, the BTH and all that follows
// up to and including the pad, with the fields that change on the way read as
// ones: TOS or traffic class and flow label, TTL or hop limit, IPv4 header
// checksum, UDP checksum, and BTH byte 4. It is sent least significant byte
// first.

// icrcSeed is the CRC register after the eight bytes of ones.
const icrcSeed uint32 = 0xDEBB20E3

// The masks of the fields that are read as ones, by 8-byte word from the
// start of the IP header, little endian.
var (
	icrcMaskIPv4 = [5]uint64{
		0x0000_0000_0000_FF00, // TOS
		0x0000_0000_FFFF_00FF, // TTL, header checksum
		0,
		0x0000_0000_FFFF_0000, // UDP checksum
		0x0000_0000_0000_00FF, // BTH byte 4
	}
	icrcMaskIPv6 = [7]uint64{
		0xFF00_0000_FFFF_FF0F, // traffic class, flow label, hop limit
		0, 0, 0, 0,
		0xFFFF_0000_0000_0000, // UDP checksum
		0x0000_00FF_0000_0000, // BTH byte 4
	}
)

// crcTables are the tables of "slicing by 8" (Kounavis and Berry, 2005). The
// masked words are folded with them one by one, so that no masked copy of the
// headers is needed; the rest goes through hash/crc32 and its instructions.
var crcTables = func() (t [8]crc32.Table) {
	t[0] = *crc32.IEEETable
	for i := range t[0] {
		crc := t[0][i]
		for k := 1; k < 8; k++ {
			crc = t[0][crc&0xFF] ^ crc>>8
			t[k][i] = crc
		}
	}
	return t
}()

func foldWord(crc uint32, w uint64) uint32 {
	w ^= uint64(crc)
	t := &crcTables
	return t[7][w&0xFF] ^ t[6][w>>8&0xFF] ^ t[5][w>>16&0xFF] ^ t[4][w>>24&0xFF] ^
		t[3][w>>32&0xFF] ^ t[2][w>>40&0xFF] ^ t[1][w>>48&0xFF] ^ t[0][w>>56]
}

// ICRC returns the invariant CRC of an IP packet of RoCEv2: packet is the
// bytes from the IP header (20 bytes of IPv4 or 40 of IPv6) up to the ICRC,
// which is not included. On the wire the result comes least significant byte
// first. A packet too short for IP, UDP and BTH gives 0.
func ICRC(packet []byte) uint32 {
	mask := icrcMaskIPv4[:]
	if len(packet) > 0 && packet[0]>>4 == 6 {
		mask = icrcMaskIPv6[:]
	}
	if len(packet) < 8*len(mask) {
		return 0
	}
	crc := icrcSeed
	for _, m := range mask {
		crc = foldWord(crc, binary.LittleEndian.Uint64(packet)|m)
		packet = packet[8:]
	}
	return crc32.Update(^crc, crc32.IEEETable, packet)
}
