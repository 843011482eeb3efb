package layers

import (
	"fmt"

	"github.com/google/gopacket"
)

const (
	notificationMagic   = 0x5052
	notificationVersion = 1
	notificationLen     = 56
	notifiedFlowLen     = 24
	maxNotifiedFlows    = 8
)

// Notification is a message between switches about congestion, the payload of
// UDP port 49911: rocelab's own format, see package notification for what each
// field means. Values are in the units of the wire.
type Notification struct {
	header
	// Version is 1. Type is 1 congestion, 2 learned, 3 clear, 4 release.
	Version, Type    uint8
	Origin, Sequence uint32
	// Time is in ns.
	Time     uint64
	Port     uint16
	Priority uint8
	// Depth and Before are in bytes, Elapsed in ns, Rate in Mb/s.
	Depth, Before, Elapsed, Rate uint32
	// Usage and Degree are in 1/65535.
	Usage, Degree uint16
	// Kmin and Kmax are in bytes, Lifetime in us.
	Kmin, Kmax, Lifetime uint32
	// Flows are up to eight.
	Flows []NotifiedFlow
}

// NotifiedFlow is one flow of a Notification.
type NotifiedFlow struct {
	SrcIP, DstIP [4]byte
	// DstQP and SrcQP are numbers of 24 bits in fields of 32.
	DstQP, SrcQP uint32
	// Bytes is what the flow has in the queue, Share its share in 1/65535.
	Bytes          uint32
	SrcPort, Share uint16
}

// LayerType returns LayerTypeNotification.
func (n *Notification) LayerType() gopacket.LayerType { return LayerTypeNotification }

// CanDecode returns LayerTypeNotification.
func (n *Notification) CanDecode() gopacket.LayerClass { return LayerTypeNotification }

// DecodeFromBytes reads the payload of UDP, all of which is the message.
func (n *Notification) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	if len(data) < notificationLen {
		df.SetTruncated()
		return fmt.Errorf("notification: %d bytes, want at least %d", len(data), notificationLen)
	}
	if m, v := be.Uint16(data), data[2]; m != notificationMagic || v != notificationVersion {
		return fmt.Errorf("notification: magic number 0x%04x and version %d, want 0x%04x and %d", m, v, notificationMagic, notificationVersion)
	}
	count := int(data[23])
	if count > maxNotifiedFlows {
		return fmt.Errorf("notification: %d flows, allowed are up to %d", count, maxNotifiedFlows)
	}
	want := notificationLen + count*notifiedFlowLen
	if len(data) > want {
		return fmt.Errorf("notification: %d bytes, %d flows need %d", len(data), count, want)
	}
	if err := n.split("notification", data, want, df); err != nil {
		return err
	}
	n.Version, n.Type = data[2], data[3]
	n.Origin, n.Sequence, n.Time = be.Uint32(data[4:]), be.Uint32(data[8:]), be.Uint64(data[12:])
	n.Port, n.Priority = be.Uint16(data[20:]), data[22]
	for i, word := range []*uint32{&n.Depth, &n.Before, &n.Elapsed, &n.Rate} {
		*word = be.Uint32(data[24+4*i:])
	}
	n.Usage, n.Degree = be.Uint16(data[40:]), be.Uint16(data[42:])
	n.Kmin, n.Kmax, n.Lifetime = be.Uint32(data[44:]), be.Uint32(data[48:]), be.Uint32(data[52:])
	n.Flows = n.Flows[:0]
	for rest := data[notificationLen:]; len(rest) > 0; rest = rest[notifiedFlowLen:] {
		n.Flows = append(n.Flows, NotifiedFlow{SrcIP: [4]byte(rest), DstIP: [4]byte(rest[4:]), DstQP: be.Uint32(rest[8:]), SrcQP: be.Uint32(rest[12:]),
			Bytes: be.Uint32(rest[16:]), SrcPort: be.Uint16(rest[20:]), Share: be.Uint16(rest[22:])})
	}
	return nil
}

// SerializeTo prepends the message. It fails for more than eight flows. The UDP
// checksum, which wire.Decode wants, is gopacket's to compute.
func (n *Notification) SerializeTo(b gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	if len(n.Flows) > maxNotifiedFlows {
		return fmt.Errorf("notification: %d flows cannot be written, allowed are up to %d", len(n.Flows), maxNotifiedFlows)
	}
	p, err := b.PrependBytes(notificationLen + len(n.Flows)*notifiedFlowLen)
	if err != nil {
		return err
	}
	be.PutUint16(p, notificationMagic)
	p[2], p[3] = n.Version, n.Type
	be.PutUint32(p[4:], n.Origin)
	be.PutUint32(p[8:], n.Sequence)
	be.PutUint64(p[12:], n.Time)
	be.PutUint16(p[20:], n.Port)
	p[22], p[23] = n.Priority, uint8(len(n.Flows))
	for i, word := range []uint32{n.Depth, n.Before, n.Elapsed, n.Rate} {
		be.PutUint32(p[24+4*i:], word)
	}
	be.PutUint16(p[40:], n.Usage)
	be.PutUint16(p[42:], n.Degree)
	be.PutUint32(p[44:], n.Kmin)
	be.PutUint32(p[48:], n.Kmax)
	be.PutUint32(p[52:], n.Lifetime)
	p = p[notificationLen:]
	for _, f := range n.Flows {
		copy(p, f.SrcIP[:])
		copy(p[4:], f.DstIP[:])
		for i, word := range []uint32{f.DstQP, f.SrcQP, f.Bytes} {
			be.PutUint32(p[8+4*i:], word)
		}
		be.PutUint16(p[20:], f.SrcPort)
		be.PutUint16(p[22:], f.Share)
		p = p[notifiedFlowLen:]
	}
	return nil
}
