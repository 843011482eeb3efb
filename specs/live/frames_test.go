package live

import (
	"bytes"
	"encoding/binary"
	"iter"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/testbed/nodes/live/device"
	"github.com/rocelab/rocelab/testbed/nodes/live/pace"
)

// sender is the address that the frames of these specs come from.
var sender = []byte{2, 0x57, 0x49, 0x52, 0x45, 1}

// receive returns the next frame from a sender that a port gets, nil if none comes.
func receive(at *device.Port, from []byte, patience time.Duration) []byte {
	until := pace.Now() + int64(patience)
	for pace.Now() < until {
		b, _, ok := at.Next()
		if !ok {
			pace.Wait(until, []unix.PollFd{{Fd: int32(at.Descriptor()), Events: unix.POLLIN}})
			continue
		}
		frame := bytes.Clone(b)
		at.Release()
		if bytes.Equal(frame[6:12], from) {
			return frame
		}
	}
	return nil
}

// received are the frames from a sender that a port has got, and gets until it is quiet for a moment.
func received(at *device.Port, from []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for frame := receive(at, from, 100*time.Millisecond); frame != nil; frame = receive(at, from, 100*time.Millisecond) {
			if !yield(frame) {
				return
			}
		}
	}
}

// ethernet is a frame of a type to a group that no bridge knows, padded as a wire does.
func ethernet(kind uint16, payload []byte) []byte { return padded(short(kind, payload)) }

// short is such a frame before padding.
func short(kind uint16, payload []byte) []byte {
	b := append([]byte{3, 0, 0, 0, 0, 9}, sender...)
	b = binary.BigEndian.AppendUint16(b, kind)
	return append(b, payload...)
}

// padded is a frame with zeros up to the least length of Ethernet.
func padded(frame []byte) []byte {
	return append(bytes.Clone(frame), make([]byte, max(0, 60-len(frame)))...)
}

// route is where an IPv4 packet comes from and goes to.
type route struct{ from, to uint32 }

// packet is an IPv4 packet with options or without, of a protocol, with a time to live and with the
// word of flags and offset that fragments have.
func (r route) packet(options []byte, protocol, ttl byte, fragment uint16, payload []byte) []byte {
	header := 20 + len(options)
	p := make([]byte, 20, header+len(payload))
	p[0], p[8], p[9] = 0x40|byte(header/4), ttl, protocol
	binary.BigEndian.PutUint16(p[2:], uint16(header+len(payload)))
	binary.BigEndian.PutUint16(p[6:], fragment)
	binary.BigEndian.PutUint32(p[12:], r.from)
	binary.BigEndian.PutUint32(p[16:], r.to)
	p = append(p, options...)
	putChecksum(p)
	return append(p, payload...)
}

// putChecksum gives an IPv4 header its checksum.
func putChecksum(packet []byte) {
	clear(packet[10:12])
	sum := uint32(0)
	for i := 0; i < int(packet[0]&15)*4; i += 2 {
		sum += uint32(binary.BigEndian.Uint16(packet[i:]))
	}
	sum = sum>>16 + sum&0xFFFF
	binary.BigEndian.PutUint16(packet[10:], ^uint16(sum>>16+sum))
}

// udp is a packet with a datagram to a port, without a checksum.
func (r route) udp(port uint16, payload []byte) []byte {
	return r.packet(nil, unix.IPPROTO_UDP, 64, 0, datagram(port, payload))
}

func datagram(port uint16, payload []byte) []byte {
	b := binary.BigEndian.AppendUint16(nil, 4000)
	b = binary.BigEndian.AppendUint16(b, port)
	b = binary.BigEndian.AppendUint16(b, uint16(8+len(payload)))
	return append(append(b, 0, 0), payload...)
}

// to changes a frame's destination.
func to(address []byte, frame []byte) []byte {
	copy(frame, address)
	return frame
}

// odd is a frame that few hosts send, or that only broken ones do.
type odd struct {
	name  string
	frame []byte
	// ip is the offset of its IPv4 packet, which switches route if they know the destination; 0 if it has none, or none
	// that is sound.
	ip int
	// ends is the reason why it ends at the first bridge, fabric.DropNone if it does not; obeyed is set if the bridge
	// takes it for itself.
	ends   fabric.DropReason
	obeyed bool
}

// oddFrames are frames that must cross as they are, to a group of addresses unless noted otherwise. Some have packets
// from one address to another.
func oddFrames(from, dst uint32) []odd {
	r := route{from, dst}
	garbage := make([]byte, 200)
	for i := range garbage {
		garbage[i] = byte(i * 37)
	}
	const q, ad, ipv4 = 0x8100, 0x88A8, 0x0800
	tagged := func(tag string, packet []byte) []byte { return append([]byte(tag+"\x08\x00"), packet...) }
	group := func(last byte, frame []byte) []byte { return to([]byte{1, 0x80, 0xC2, 0, 0, last}, frame) }
	arp := append([]byte{0, 1, 8, 0, 6, 4, 0, 1}, sender...)
	solicitation := append([]byte{0x60, 0, 0, 0, 0, 24, 58, 255}, make([]byte, 32)...)
	solicitation = append(solicitation, 135, 0, 0x12, 0x34)
	list := []odd{
		{name: "802.1Q", frame: ethernet(q, tagged("\x60\x0A", r.udp(7, garbage))), ip: 18},
		{name: "a priority tag", frame: ethernet(q, tagged("\xA0\x00", r.udp(7, nil))), ip: 18},
		{name: "QinQ", frame: ethernet(ad, tagged("\x00\x05\x81\x00\x00\x06", r.udp(7, nil)))},
		{name: "two tags of 802.1Q", frame: ethernet(q, tagged("\x00\x05\x81\x00\x00\x06", r.udp(7, garbage)))},
		{name: "a jumbo of 9014 B", frame: ethernet(ipv4, r.udp(7, make([]byte, 9000-28))), ip: 14},
		{name: "IP options", ip: 14,
			frame: ethernet(ipv4, r.packet([]byte{7, 7, 4, 1, 2, 3, 4, 0}, 17, 64, 0, datagram(7, garbage)))},
		{name: "TTL 1", frame: ethernet(ipv4, r.packet(nil, 17, 1, 0, datagram(7, garbage))), ip: 14},
		{name: "TTL 0", frame: ethernet(ipv4, r.packet(nil, 17, 0, 0, datagram(7, garbage))), ip: 14},
		{name: "a first fragment", frame: ethernet(ipv4, r.packet(nil, 17, 64, 0x2000, datagram(7, garbage))), ip: 14},
		{name: "a last fragment", frame: ethernet(ipv4, r.packet(nil, 17, 64, 25, garbage)), ip: 14},
		{name: "a wrong checksum", frame: ethernet(ipv4, append([]byte{0x45, 1, 2, 3}, garbage...))},
		{name: "ARP", frame: to([]byte{255, 255, 255, 255, 255, 255}, ethernet(0x0806, arp))},
		{name: "IPv6 discovery", frame: to([]byte{0x33, 0x33, 255, 0, 0, 1}, ethernet(0x86DD, solicitation))},
		{name: "LLDP", frame: group(0x0E, ethernet(0x88CC, garbage)), ends: fabric.DropLinkLocal},
		{name: "STP", frame: group(0, ethernet(38, garbage[:38])), ends: fabric.DropLinkLocal},
		{name: "a pause of 802.3x", frame: group(1, ethernet(0x8808, []byte{0, 1, 255, 255})), ends: fabric.DropLinkLocal},
		{name: "a pause of a class", frame: group(1, ethernet(0x8808, []byte{1, 1, 0, 8, 0, 0, 0, 0, 0, 9})), obeyed: true},
		{name: "LLC to a group of no bridge", frame: ethernet(43, append([]byte{0x42, 0x42, 3}, garbage[:40]...))},
		{name: "an unknown type", frame: ethernet(0xBEEF, garbage)},
		{name: "nothing but zeros", frame: ethernet(0, nil)},
		{name: "a runt of 18 B", frame: short(0xBEEF, []byte("runt"))},
		{name: "a runt of 59 B", frame: short(ipv4, r.udp(7, []byte("seventeen bytes.."))), ip: 14},
	}
	return append(list, oddRoCE(r, garbage)...)
}

// oddRoCE are frames to RoCE's port, sound and not.
func oddRoCE(r route, garbage []byte) []odd {
	sound := wire.Frame{
		EtherType: wire.EtherTypeIPv4,
		SrcIP:     r.from,
		DstIP:     r.to,
		TTL:       64,
		SrcPort:   4000,
		Opcode:    wire.WriteMiddle,
		DestQP:    0x11,
		PKey:      wire.DefaultPKey,
	}
	sound.SetPayload(100)
	whole := to([]byte{3, 0, 0, 0, 0, 9}, sound.AppendTo(nil))
	copy(whole[6:], sender)
	const bth = 14 + 20 + 8
	with := func(at int, value byte) []byte {
		b := bytes.Clone(whole)
		b[at] = value
		return b
	}
	list := []odd{
		{name: "RoCE", frame: whole},
		{name: "RoCE with a wrong ICRC", frame: with(len(whole)-1, ^whole[len(whole)-1])},
		{name: "RoCE of an unknown opcode", frame: with(bth, 0xFE)},
		{name: "RoCE of another transport version", frame: with(bth+1, 0x0F)},
		{name: "RoCE that UDP ends too soon", frame: with(14+20+5, 20)},
		{name: "RoCE without a whole BTH", frame: ethernet(0x0800, r.udp(4791, garbage[:11]))},
		{name: "RoCE of no bytes", frame: ethernet(0x0800, r.udp(4791, nil))},
		{name: "garbage on RoCE's port", frame: ethernet(0x0800, r.udp(4791, garbage))},
	}
	for i := range list {
		list[i].ip = 14
	}
	return list
}
