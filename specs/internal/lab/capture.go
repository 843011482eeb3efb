package lab

import (
	"bytes"
	"encoding/binary"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/pcapng"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/wire"
	roce "github.com/rocelab/rocelab/emulator/wire/layers"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Captured is a frame as the capture of a port shows it.
type Captured struct {
	// At is the start of a sent frame's first bit, and the arrival of a
	// received one's last, to the picosecond.
	At        unit.Time
	Port      string
	Direction pcapng.Direction
	// Comment is "CE", "dropped: reason", both or empty.
	Comment string
	Bytes   []byte
}

// Capture runs a plan with a capture of the named ports and returns the run
// and the pcapng file.
func Capture(plan *plan.Plan, options Options, ports ...string) (*Run, []byte) {
	var file bytes.Buffer
	options.Captures, options.CaptureTo = ports, &file
	return Do(plan, options), file.Bytes()
}

// Frames reads a pcapng file that package pcapng wrote. gopacket's own reader
// rounds time stamps down to nanoseconds and passes over comments.
func Frames(file []byte) (frames []Captured) {
	const interfaceBlock, packetBlock, comment, flags, name = 1, 6, 1, 2, 2
	le := binary.LittleEndian
	var ports []string
	for len(file) > 0 {
		kind, length := le.Uint32(file), le.Uint32(file[4:])
		body := file[8 : length-4]
		file = file[length:]
		switch kind {
		case interfaceBlock:
			eachOption(body[8:], func(code uint16, value []byte) {
				if code == name {
					ports = append(ports, string(value))
				}
			})
		case packetBlock:
			size := le.Uint32(body[12:])
			frame := Captured{Port: ports[le.Uint32(body)], Bytes: body[20 : 20+size],
				At: unit.Time(uint64(le.Uint32(body[4:]))<<32 | uint64(le.Uint32(body[8:])))}
			eachOption(body[20+(size+3)&^3:], func(code uint16, value []byte) {
				switch code {
				case flags:
					frame.Direction = pcapng.Direction(le.Uint32(value) & 3)
				case comment:
					frame.Comment = string(value)
				}
			})
			frames = append(frames, frame)
		}
	}
	return frames
}

func eachOption(data []byte, visit func(code uint16, value []byte)) {
	le := binary.LittleEndian
	for len(data) >= 4 && le.Uint16(data) != 0 {
		n := int(le.Uint16(data[2:]))
		visit(le.Uint16(data), data[4:4+n])
		data = data[4+(n+3)&^3:]
	}
}

// End returns the departure, from a port of the given rate, of the last bit of a frame that starts at c.At: 24 B of
// FCS, preamble and gap follow (IEEE 802.3, clause 4).
func (c *Captured) End(rate unit.BitRate) unit.Time {
	return c.At.Add(rate.SerialTime(unit.Bytes(len(c.Bytes)) + 24))
}

// Decode decodes a frame with gopacket and the layers of rocelab.
func (c *Captured) Decode() gopacket.Packet {
	p := gopacket.NewPacket(c.Bytes, layers.LayerTypeEthernet, gopacket.NoCopy)
	ExpectWithOffset(1, p.ErrorLayer()).To(BeNil(), "%s at %v: %v", c.Port, c.At, p)
	return p
}

// PFC returns the pause of a frame, nil if it is none.
func PFC(packet gopacket.Packet) *roce.PFC {
	l, _ := packet.Layer(roce.LayerTypePFC).(*roce.PFC)
	return l
}

// BTH returns the transport header of a frame, nil if it has none.
func BTH(packet gopacket.Packet) *roce.BTH {
	l, _ := packet.Layer(roce.LayerTypeBTH).(*roce.BTH)
	return l
}

// IPv4 returns the network header of a frame, nil if it has none.
func IPv4(packet gopacket.Packet) *layers.IPv4 {
	l, _ := packet.Layer(layers.LayerTypeIPv4).(*layers.IPv4)
	return l
}

// IsData reports whether a transport header carries payload.
func IsData(bth *roce.BTH) bool { return bth != nil && bth.Opcode.Headers()&wire.HasPayload != 0 }
