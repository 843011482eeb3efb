package layers

import (
	"fmt"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
)

const (
	pfcOpcode = 0x0101
	pfcLen    = 20
)

// PFC is the MAC control frame of priority-based flow control (IEEE 802.3
// annex 31D, opcode 0x0101).
type PFC struct {
	layers.BaseLayer
	// ClassEnable has bit i set if Pause[i] counts; the high byte is 0.
	ClassEnable uint16
	// Pause is the time of each class in quanta of 512 bit times, 0 to resume.
	Pause [8]uint16
}

// LayerType returns LayerTypePFC.
func (p *PFC) LayerType() gopacket.LayerType { return LayerTypePFC }

// CanDecode returns LayerTypePFC.
func (p *PFC) CanDecode() gopacket.LayerClass { return LayerTypePFC }

// NextLayerType returns LayerTypeZero: only padding follows.
func (p *PFC) NextLayerType() gopacket.LayerType { return gopacket.LayerTypeZero }

// DecodeFromBytes reads the 20 bytes from the MAC control opcode on; an opcode
// other than PFC's is an error.
func (p *PFC) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	if len(data) < pfcLen {
		df.SetTruncated()
		return fmt.Errorf("PFC: %d bytes, want %d", len(data), pfcLen)
	}
	if op := be.Uint16(data); op != pfcOpcode {
		return fmt.Errorf("MAC control: opcode 0x%04x, allowed is 0x%04x (PFC)", op, pfcOpcode)
	}
	p.BaseLayer = layers.BaseLayer{Contents: data[:pfcLen], Payload: data[pfcLen:]}
	p.ClassEnable = be.Uint16(data[2:])
	for i := range p.Pause {
		p.Pause[i] = be.Uint16(data[4+2*i:])
	}
	return nil
}

// SerializeTo prepends 20 bytes; the Ethernet layer pads.
func (p *PFC) SerializeTo(buf gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	out, err := buf.PrependBytes(pfcLen)
	if err != nil {
		return err
	}
	be.PutUint16(out, pfcOpcode)
	be.PutUint16(out[2:], p.ClassEnable)
	for i, q := range p.Pause {
		be.PutUint16(out[4+2*i:], q)
	}
	return nil
}
