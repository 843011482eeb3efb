package wire

import (
	"encoding/hex"
	"fmt"
	"net/netip"
	"strings"
)

var operations = [...]string{"SEND First", "SEND Middle", "SEND Last", "SEND Last with Immediate", "SEND Only",
	"SEND Only with Immediate", "RDMA WRITE First", "RDMA WRITE Middle", "RDMA WRITE Last",
	"RDMA WRITE Last with Immediate",
	"RDMA WRITE Only", "RDMA WRITE Only with Immediate", "RDMA READ Request", "RDMA READ response First",
	"RDMA READ response Middle", "RDMA READ response Last", "RDMA READ response Only", "Acknowledge", "ATOMIC Acknowledge",
	"CmpSwap", "FetchAdd"}

// String returns transport and operation as IBA volume 1, table 38 (OpCode
// field) names them.
func (o Opcode) String() string {
	if o == CNP {
		return "CNP"
	}
	if headersOf[o] == 0 {
		return fmt.Sprintf("opcode 0x%02x", uint8(o))
	}
	transport := [...]string{"RC ", "UC ", "RD ", "UD "}[o>>5]
	return transport + operations[o&0x1F]
}

// String describes f in one line, for errors and transcripts.
func (f *Frame) String() string {
	if f.IsPFC() {
		return f.pfcString()
	}
	if f.IsOpaque() {
		return f.opaqueString()
	}
	var text strings.Builder
	if f.EtherType == EtherTypeIPv6 && f.Rare != nil {
		fmt.Fprintf(&text, "%s > %s", netip.AddrFrom16(f.Rare.SrcIP6), netip.AddrFrom16(f.Rare.DstIP6))
	} else {
		fmt.Fprintf(&text, "%s > %s", IPString(f.SrcIP), IPString(f.DstIP))
	}
	if f.IsDatagram() {
		fmt.Fprintf(&text, " UDP %d %dB", f.Rare.DstPort, f.PayloadLen)
		if f.ECN() == CE {
			text.WriteString(" CE")
		}
		return text.String()
	}
	fmt.Fprintf(&text, " %s QP 0x%x PSN %d", f.Opcode, f.DestQP, f.PSN)
	if headersOf[f.Opcode]&HasAETH != 0 {
		fmt.Fprintf(&text, " syndrome 0x%02x MSN %d", f.Syndrome, f.MSN)
	}
	if headersOf[f.Opcode]&HasPayload != 0 {
		fmt.Fprintf(&text, " %dB", f.PayloadLen)
	}
	if rate, carried := f.CNPRate(); f.Opcode == CNP && carried {
		fmt.Fprintf(&text, " rate %v", rate)
	}
	if t := f.Extension(); t != ExtNone {
		fmt.Fprintf(&text, " ext %d", t)
	}
	if f.AckExt&AckReq != 0 {
		text.WriteString(" AckReq")
	}
	if f.ECN() == CE {
		text.WriteString(" CE")
	}
	return text.String()
}

func (f *Frame) opaqueString() string {
	at := ethernetLen - 2
	if f.Tagged {
		at += vlanLen
	}
	text := fmt.Sprintf("%s > %s type 0x%04x %dB", f.Src, f.Dst, be.Uint16(f.Rare.Raw[at:]), f.Len())
	if f.EtherType == EtherTypeIPv4 {
		text += fmt.Sprintf(" %s > %s", IPString(f.SrcIP), IPString(f.DstIP))
	}
	if f.EtherType != 0 && f.ECN() == CE {
		text += " CE"
	}
	return text
}

func (f *Frame) pfcString() string {
	var text strings.Builder
	fmt.Fprintf(&text, "PFC from %s", f.Src)
	for i, q := range f.Pause {
		switch {
		case f.ClassEnable>>i&1 == 0:
		case q == 0:
			fmt.Fprintf(&text, " XON %d", i)
		default:
			fmt.Fprintf(&text, " XOFF %d for %d quanta", i, q)
		}
	}
	return text.String()
}

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
