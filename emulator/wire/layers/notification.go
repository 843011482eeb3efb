package layers

import (
	"errors"
	"fmt"

	"github.com/gopacket/gopacket"

	"github.com/rocelab/rocelab/emulator/notification"
)

// Notification is a message between switches about congestion, the payload of
// UDP port 49911: a notification.Message, read and written by its own codec.
type Notification struct {
	header
	notification.Message
}

// LayerType returns LayerTypeNotification.
func (n *Notification) LayerType() gopacket.LayerType { return LayerTypeNotification }

// CanDecode returns LayerTypeNotification.
func (n *Notification) CanDecode() gopacket.LayerClass { return LayerTypeNotification }

// DecodeFromBytes reads the payload of UDP, all of which is the message. The error is a notification.DecodeError.
func (n *Notification) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	if err := notification.Decode(data, &n.Message); err != nil {
		var refused *notification.DecodeError
		if errors.As(err, &refused) && refused.Kind == notification.ErrLength && refused.Offset == len(data) {
			df.SetTruncated() // it ends too early
		}
		return err
	}
	return n.split("notification", data, n.Len(), df)
}

// SerializeTo prepends the message. It fails for more than eight flows. The UDP
// checksum, which wire.Decode wants, is gopacket's to compute.
func (n *Notification) SerializeTo(buf gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	if n.Count > notification.MaxFlows {
		return fmt.Errorf("notification: %d flows cannot be written, allowed are up to %d", n.Count, notification.MaxFlows)
	}
	p, err := buf.PrependBytes(n.Len())
	if err != nil {
		return err
	}
	n.AppendTo(p[:0])
	return nil
}
