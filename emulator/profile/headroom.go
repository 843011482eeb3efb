package profile

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

// HeadroomFor returns the memory that one lossless class needs at a port to
// lose nothing after XOFF is decided: Headroom where that is set, otherwise
// the sum of
//
//   - the frame that crosses the threshold,
//   - what arrives while a frame of our own, just begun, holds up the pause
//     frame, while the pause frame is sent, and while both directions of the
//     link drain, and those of a long-haul path where the link leads to one,
//   - the frame that the peer had just begun, and PeerResponse.
//
// maxFrame is the largest frame on the fabric. The terms are those of IEEE
// 802.1Q annex N without interface delays.
func (s *Switch) HeadroomFor(link *fabric.Attachment, maxFrame unit.Bytes) unit.Bytes {
	if s.Headroom > 0 {
		return s.Headroom
	}
	pause := wire.Full.BytesOf(wire.PFCLen, nil)
	blind := link.Tx.Rate.SerialTime(maxFrame+pause) + link.Tx.Latency + link.Rx.Latency + link.Beyond
	return maxFrame + link.Rx.Rate.BytesIn(blind) + maxFrame + s.PeerResponse
}
