package layers

import (
	"github.com/gopacket/gopacket"

	"github.com/rocelab/rocelab/emulator/wire"
)

// The extended transport headers of IBA volume 1, 9.3.

// RETH is the RDMA header: the address for a WRITE or READ, and its length.
type RETH struct {
	header
	VA           uint64
	RKey, DMALen uint32
}

// LayerType returns LayerTypeRETH.
func (r *RETH) LayerType() gopacket.LayerType { return LayerTypeRETH }

// CanDecode returns LayerTypeRETH.
func (r *RETH) CanDecode() gopacket.LayerClass { return LayerTypeRETH }

// DecodeFromBytes reads 16 bytes.
func (r *RETH) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	if err := r.split("RETH", data, 16, df); err != nil {
		return err
	}
	r.VA, r.RKey, r.DMALen = be.Uint64(data), be.Uint32(data[8:]), be.Uint32(data[12:])
	return nil
}

// SerializeTo prepends 16 bytes.
func (r *RETH) SerializeTo(buf gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	p, err := buf.PrependBytes(16)
	if err != nil {
		return err
	}
	be.PutUint64(p, r.VA)
	be.PutUint32(p[8:], r.RKey)
	be.PutUint32(p[12:], r.DMALen)
	return nil
}

// AETH is the acknowledgement header: ACK, RNR NAK or NAK in the syndrome, and
// the count of completed messages.
type AETH struct {
	header
	Syndrome uint8
	MSN      uint32
}

// LayerType returns LayerTypeAETH.
func (a *AETH) LayerType() gopacket.LayerType { return LayerTypeAETH }

// CanDecode returns LayerTypeAETH.
func (a *AETH) CanDecode() gopacket.LayerClass { return LayerTypeAETH }

// DecodeFromBytes reads 4 bytes.
func (a *AETH) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	if err := a.split("AETH", data, 4, df); err != nil {
		return err
	}
	a.Syndrome, a.MSN = data[0], be.Uint32(data)&wire.PSNMask
	return nil
}

// SerializeTo prepends 4 bytes.
func (a *AETH) SerializeTo(buf gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	p, err := buf.PrependBytes(4)
	if err != nil {
		return err
	}
	be.PutUint32(p, a.MSN)
	p[0] = a.Syndrome
	return nil
}

// ImmDt is the immediate data.
type ImmDt struct {
	header
	Data uint32
}

// LayerType returns LayerTypeImmDt.
func (i *ImmDt) LayerType() gopacket.LayerType { return LayerTypeImmDt }

// CanDecode returns LayerTypeImmDt.
func (i *ImmDt) CanDecode() gopacket.LayerClass { return LayerTypeImmDt }

// DecodeFromBytes reads 4 bytes.
func (i *ImmDt) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	if err := i.split("ImmDt", data, 4, df); err != nil {
		return err
	}
	i.Data = be.Uint32(data)
	return nil
}

// SerializeTo prepends 4 bytes.
func (i *ImmDt) SerializeTo(buf gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	p, err := buf.PrependBytes(4)
	if err != nil {
		return err
	}
	be.PutUint32(p, i.Data)
	return nil
}

// AtomicETH is the request of an atomic operation. FetchAdd leaves Compare
// unused.
type AtomicETH struct {
	header
	VA               uint64
	RKey             uint32
	SwapAdd, Compare uint64
}

// LayerType returns LayerTypeAtomicETH.
func (a *AtomicETH) LayerType() gopacket.LayerType { return LayerTypeAtomicETH }

// CanDecode returns LayerTypeAtomicETH.
func (a *AtomicETH) CanDecode() gopacket.LayerClass { return LayerTypeAtomicETH }

// DecodeFromBytes reads 28 bytes.
func (a *AtomicETH) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	if err := a.split("AtomicETH", data, 28, df); err != nil {
		return err
	}
	a.VA, a.RKey = be.Uint64(data), be.Uint32(data[8:])
	a.SwapAdd, a.Compare = be.Uint64(data[12:]), be.Uint64(data[20:])
	return nil
}

// SerializeTo prepends 28 bytes.
func (a *AtomicETH) SerializeTo(buf gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	p, err := buf.PrependBytes(28)
	if err != nil {
		return err
	}
	be.PutUint64(p, a.VA)
	be.PutUint32(p[8:], a.RKey)
	be.PutUint64(p[12:], a.SwapAdd)
	be.PutUint64(p[20:], a.Compare)
	return nil
}

// AtomicAckETH is the answer to an atomic operation: the word as it was.
type AtomicAckETH struct {
	header
	Original uint64
}

// LayerType returns LayerTypeAtomicAckETH.
func (a *AtomicAckETH) LayerType() gopacket.LayerType { return LayerTypeAtomicAckETH }

// CanDecode returns LayerTypeAtomicAckETH.
func (a *AtomicAckETH) CanDecode() gopacket.LayerClass { return LayerTypeAtomicAckETH }

// DecodeFromBytes reads 8 bytes.
func (a *AtomicAckETH) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	if err := a.split("AtomicAckETH", data, 8, df); err != nil {
		return err
	}
	a.Original = be.Uint64(data)
	return nil
}

// SerializeTo prepends 8 bytes.
func (a *AtomicAckETH) SerializeTo(buf gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	p, err := buf.PrependBytes(8)
	if err != nil {
		return err
	}
	be.PutUint64(p, a.Original)
	return nil
}

// DETH is the header of datagrams.
type DETH struct {
	header
	QKey     uint32
	Reserved uint8
	SrcQP    uint32
}

// LayerType returns LayerTypeDETH.
func (d *DETH) LayerType() gopacket.LayerType { return LayerTypeDETH }

// CanDecode returns LayerTypeDETH.
func (d *DETH) CanDecode() gopacket.LayerClass { return LayerTypeDETH }

// DecodeFromBytes reads 8 bytes.
func (d *DETH) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	if err := d.split("DETH", data, 8, df); err != nil {
		return err
	}
	d.QKey, d.Reserved, d.SrcQP = be.Uint32(data), data[4], be.Uint32(data[4:])&wire.PSNMask
	return nil
}

// SerializeTo prepends 8 bytes.
func (d *DETH) SerializeTo(buf gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	p, err := buf.PrependBytes(8)
	if err != nil {
		return err
	}
	be.PutUint32(p, d.QKey)
	be.PutUint32(p[4:], d.SrcQP)
	p[4] = d.Reserved
	return nil
}

// CNP is the 16 reserved bytes of a congestion notification packet (IBA volume
// 1, annex A17.9.3), zero unless a vendor uses them.
type CNP struct {
	header
	Reserved [16]byte
}

// LayerType returns LayerTypeCNP.
func (c *CNP) LayerType() gopacket.LayerType { return LayerTypeCNP }

// CanDecode returns LayerTypeCNP.
func (c *CNP) CanDecode() gopacket.LayerClass { return LayerTypeCNP }

// DecodeFromBytes reads 16 bytes.
func (c *CNP) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	if err := c.split("CNP", data, 16, df); err != nil {
		return err
	}
	copy(c.Reserved[:], data)
	return nil
}

// SerializeTo prepends 16 bytes.
func (c *CNP) SerializeTo(buf gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	p, err := buf.PrependBytes(16)
	if err != nil {
		return err
	}
	copy(p, c.Reserved[:])
	return nil
}
