package layers

import (
	"encoding/binary"
	"fmt"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"

	"github.com/rocelab/rocelab/emulator/wire"
)

// ICRC is the end of a RoCEv2 packet: up to three bytes of pad and the
// invariant CRC. It is the last layer.
type ICRC struct {
	layers.BaseLayer
	Pad   []byte
	Value uint32
}

// LayerType returns LayerTypeICRC.
func (i *ICRC) LayerType() gopacket.LayerType { return LayerTypeICRC }

// CanDecode returns LayerTypeICRC.
func (i *ICRC) CanDecode() gopacket.LayerClass { return LayerTypeICRC }

// NextLayerType returns LayerTypeZero: nothing follows.
func (i *ICRC) NextLayerType() gopacket.LayerType { return gopacket.LayerTypeZero }

// DecodeFromBytes reads pad and ICRC, 4 to 7 bytes.
func (i *ICRC) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	if len(data) < icrcLen {
		df.SetTruncated()
		return fmt.Errorf("ICRC: %d bytes, want %d", len(data), icrcLen)
	}
	if len(data) > icrcLen+3 {
		return fmt.Errorf("ICRC: %d bytes of pad, allowed are up to 3", len(data)-icrcLen)
	}
	i.BaseLayer = layers.BaseLayer{Contents: data}
	i.Pad = data[:len(data)-icrcLen]
	i.Value = binary.LittleEndian.Uint32(data[len(i.Pad):])
	return nil
}

// SerializeTo writes pad and Value as they are; see FixICRC.
func (i *ICRC) SerializeTo(buf gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	p, err := buf.PrependBytes(len(i.Pad) + icrcLen)
	if err != nil {
		return err
	}
	binary.LittleEndian.PutUint32(p[copy(p, i.Pad):], i.Value)
	return nil
}

// FixICRC computes the ICRC of a finished Ethernet frame (IPv4 without options
// or IPv6, with or without an 802.1Q tag) and writes it in its place, which
// follows from the IP length, since Ethernet padding may come behind it.
func FixICRC(frame []byte) error {
	at := 12
	if len(frame) >= 18 && be.Uint16(frame[at:]) == uint16(wire.EtherTypeVLAN) {
		at += 4
	}
	if len(frame) < at+2+20 {
		return fmt.Errorf("fix ICRC: %d bytes are no IP packet", len(frame))
	}
	packet, length := frame[at+2:], 0
	switch t := wire.EtherType(be.Uint16(frame[at:])); {
	case t == wire.EtherTypeIPv4 && packet[0] == 0x45:
		length = int(be.Uint16(packet[2:]))
	case t == wire.EtherTypeIPv6 && packet[0]>>4 == 6:
		length = 40 + int(be.Uint16(packet[4:]))
	default:
		return fmt.Errorf("fix ICRC: EtherType 0x%04x with first byte 0x%02x is neither IPv6 nor IPv4 without options",
			uint16(t), packet[0])
	}
	if length > len(packet) || length < 20+8+bthLen+icrcLen {
		return fmt.Errorf("fix ICRC: IP length %d in a packet of %d bytes", length, len(packet))
	}
	end := length - icrcLen
	binary.LittleEndian.PutUint32(packet[end:], wire.ICRC(packet[:end]))
	return nil
}
