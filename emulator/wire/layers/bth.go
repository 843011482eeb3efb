package layers

import (
	"encoding/binary"
	"fmt"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"

	"github.com/rocelab/rocelab/emulator/wire"
)

var be = binary.BigEndian

const (
	bthLen  = 12
	icrcLen = 4
)

// BTH is the base transport header (IBA volume 1, 9.2). Its payload excludes
// the pad and the ICRC at the end of the packet, which Trailer returns.
type BTH struct {
	header
	Opcode            wire.Opcode
	Solicited, MigReq bool
	// PadCnt is the number of pad bytes before the ICRC, 0 to 3; TVer the
	// transport version, 4 bits.
	PadCnt, TVer uint8
	PKey         uint16
	FECN, BECN   bool
	// Reserved6 is the six reserved bits beside FECN and BECN.
	Reserved6 uint8
	DestQP    uint32
	AckReq    bool
	// Extension is the seven reserved bits beside AckReq: the type of the
	// algorithm extension, 0 for none.
	Extension wire.ExtType
	PSN       uint32

	trailer []byte
}

// LayerType returns LayerTypeBTH.
func (b *BTH) LayerType() gopacket.LayerType { return LayerTypeBTH }

// CanDecode returns LayerTypeBTH.
func (b *BTH) CanDecode() gopacket.LayerClass { return LayerTypeBTH }

// Trailer returns pad and ICRC, the bytes of the packet's ICRC layer.
func (b *BTH) Trailer() []byte { return b.trailer }

// DecodeFromBytes reads the payload of UDP.
func (b *BTH) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	if len(data) < bthLen+icrcLen {
		df.SetTruncated()
		return fmt.Errorf("BTH: %d bytes, BTH and ICRC have %d", len(data), bthLen+icrcLen)
	}
	b.Opcode = wire.Opcode(data[0])
	b.Solicited, b.MigReq = data[1]&wire.FlagSolicited != 0, data[1]&wire.FlagMigReq != 0
	b.PadCnt, b.TVer = data[1]>>wire.PadShift&3, data[1]&0x0F
	b.PKey = be.Uint16(data[2:])
	b.FECN, b.BECN, b.Reserved6 = data[4]&wire.FECN != 0, data[4]&wire.BECN != 0, data[4]&0x3F
	b.DestQP = be.Uint32(data[4:]) & wire.PSNMask
	b.AckReq, b.Extension = data[8]&wire.AckReq != 0, wire.ExtType(data[8]&wire.ExtMask)
	b.PSN = be.Uint32(data[8:]) & wire.PSNMask

	end := len(data) - icrcLen - int(b.PadCnt)
	if end < bthLen {
		return fmt.Errorf("BTH: PadCnt %d, but %d bytes lie between BTH and ICRC", b.PadCnt, len(data)-icrcLen-bthLen)
	}
	b.BaseLayer = layers.BaseLayer{Contents: data[:bthLen], Payload: data[bthLen:end]}
	b.trailer = data[end:]
	if b.upcoming != nil {
		known := b.Opcode.Headers() != 0 && b.Extension.Known()
		*b.upcoming = sequence{left: b.Opcode.Headers(), ext: known}
	}
	b.advance()
	return nil
}

// SerializeTo writes the header in front of what b already holds. PadCnt is
// written as it is.
func (b *BTH) SerializeTo(buf gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	p, err := buf.PrependBytes(bthLen)
	if err != nil {
		return err
	}
	p[0] = uint8(b.Opcode)
	p[1] = bit(b.Solicited, wire.FlagSolicited) | bit(b.MigReq, wire.FlagMigReq) | b.PadCnt&3<<wire.PadShift | b.TVer&0x0F
	be.PutUint16(p[2:], b.PKey)
	be.PutUint32(p[4:], b.DestQP)
	p[4] = bit(b.FECN, wire.FECN) | bit(b.BECN, wire.BECN) | b.Reserved6&0x3F
	be.PutUint32(p[8:], b.PSN)
	p[8] = bit(b.AckReq, wire.AckReq) | uint8(b.Extension)&wire.ExtMask
	return nil
}

func bit(set bool, mask uint8) uint8 {
	if set {
		return mask
	}
	return 0
}
