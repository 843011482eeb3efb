package profile

import "github.com/rocelab/rocelab/emulator/unit"

// pauseBytes is what a PFC frame takes of a wire: 64 B with FCS, preamble and
// gap 20 B.
const pauseBytes unit.Bytes = 84

// HeadroomFor returns the memory that one lossless class needs at a port that
// sends at tx and receives at rx over a link of the given latency there and
// back, to lose nothing after XOFF is decided: Headroom where that is set,
// otherwise the sum of
//
//   - the frame that crosses the threshold,
//   - what arrives while a frame of our own, just begun, holds up the pause
//     frame, while the pause frame is sent, and while both directions of the
//     link drain,
//   - the frame that the peer had just begun, and PeerResponse.
//
// maxFrame is the largest frame on the fabric. The terms are those of IEEE
// 802.1Q annex N without interface delays.
func (s *Switch) HeadroomFor(tx, rx unit.BitRate, roundTrip unit.Duration, maxFrame unit.Bytes) unit.Bytes {
	if s.Headroom > 0 {
		return s.Headroom
	}
	blind := tx.SerialTime(maxFrame+pauseBytes) + roundTrip
	return maxFrame + rx.BytesIn(blind) + maxFrame + s.PeerResponse
}
