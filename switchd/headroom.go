package switchd

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

// pauseBytes is what a PFC frame counts for on the wire: 64 B with FCS, and
// 20 B of preamble and gap.
var pauseBytes = wire.Full.Bytes(&wire.Frame{EtherType: wire.EtherTypeMACControl})

// Headroom returns the memory that one lossless class needs at a port to lose
// nothing after XOFF is decided: p.Headroom where that is set, otherwise the
// sum of
//
//   - the frame that crosses the threshold,
//   - what arrives while a frame of our own, just begun, holds up the pause
//     frame, while the pause frame is sent, and while both directions of the
//     link drain,
//   - the frame that the peer had just begun, and p.PeerResponse.
//
// maxFrame is the largest frame, in bytes on the wire. The terms are those of
// IEEE 802.1Q annex N without interface delays. Unit: bytes.
func Headroom(p profile.Switch, a fabric.Attachment, maxFrame unit.Bytes) unit.Bytes {
	if p.Headroom > 0 {
		return p.Headroom
	}
	blind := a.Tx.Rate.SerialTime(maxFrame+pauseBytes) + a.Tx.Latency + a.Rx.Latency
	return maxFrame + a.Rx.Rate.BytesIn(blind) + maxFrame + p.PeerResponse
}
