package profile

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// HeadroomRule is the rule for computing the memory that a lossless class needs at a port to lose nothing.
type HeadroomRule uint8

// The rules.
const (
	// Cells is that of SONiC's dynamic buffers: the port MTU, what the cable holds both ways, the delay of the
	// interfaces and the response of the peer, times the memory cells that small packets occupy, and a lossless frame.
	Cells HeadroomRule = iota
	// Frames are the terms of IEEE 802.1Q annex N without delays of interfaces and without cells, with a response of
	// at least 60 quanta.
	Frames
)

// HeadroomRuleNames are the words of scenarios, in the order of the constants.
var HeadroomRuleNames = []string{"cells", "frames"}

// HeadroomTerms are the inputs of computed headroom, beside the link.
type HeadroomTerms struct {
	// HeadroomRule is the rule. Default Cells.
	HeadroomRule HeadroomRule
	// PortMTU is the largest frame of any class at a port, InterfaceDelay what the MAC and PHY of both ends hold. Of
	// Cells. Defaults 9100 B (SONiC) and 819 B, 0.8 KiB (SONiC's table of chips, Spectrum 1 to 3).
	PortMTU, InterfaceDelay unit.Bytes
	// Cell is the unit of memory, SmallPackets the share of packets of 64 B in a lossless class. Of Cells. Range 1 B or
	// above; [0, 1]. Defaults 144 B (Spectrum 2 and 3) and 0.5 (sonic-buildimage, pull request 20632).
	Cell         unit.Bytes
	SmallPackets float64
	// PeerResponse is the volume that a peer may still send while it reacts to a pause. Below 0, the default: the
	// volume that IEEE 802.3 allows at the rate of the port, or the peer's own response if that is longer.
	PeerResponse unit.Bytes
}

// smallPacket is the smallest frame, in bytes.
const smallPacket = 64

// HeadroomFor returns the memory that one lossless class needs at a port to lose nothing after XOFF is decided:
// Headroom if that is set, otherwise the rule's result, and at least the sum of
//
//   - the frame that crosses the threshold,
//   - what arrives while a frame of our own, just begun, holds up the pause
//     frame, while the pause frame is sent, and while both directions of the
//     link drain, and those of a long-haul path where the link leads to one,
//   - the frame that the peer had just begun, and what the peer sends until it obeys.
//
// maxFrame is the largest frame on the fabric. The terms of Cells follow sonic-net/sonic-swss,
// cfgmgr/buffer_headroom_mellanox.lua (pull request 3235 made the share of small packets one of bytes):
//
//	xoff      = lossless MTU + occupancy x (port MTU + cable + interfaces + response)
//	occupancy = 1 + s x (f - 1)
//	s         = 64 / (p x 64 + (1 - p) x lossless MTU)
//	f         = cell / 64, if a cell is larger than two of the smallest packets, else 2 cell / (cell + 1)
//
// with p the share of small packets. The model counts bytes and not cells, so that what is more than one for one
// is never filled there.
func (s *Switch) HeadroomFor(link *fabric.Attachment, maxFrame unit.Bytes) unit.Bytes {
	if s.Headroom > 0 {
		return s.Headroom
	}
	pause := wire.Full.BytesOf(wire.PFCLen, nil)
	cable := link.Tx.Latency + link.Rx.Latency + link.Beyond
	blind := link.Tx.Rate.SerialTime(maxFrame+pause) + cable
	response := s.responseOf(link)
	need := maxFrame + link.Rx.Rate.BytesIn(blind) + maxFrame + response
	if s.HeadroomRule == Frames {
		return need
	}
	sum := s.PortMTU + link.Rx.Rate.BytesIn(cable) + s.InterfaceDelay + response
	return max(need, maxFrame+unit.Whole[unit.Bytes](float64(sum)*s.occupancy(maxFrame)))
}

// occupancy returns the memory that a byte takes in cells, if some packets are small. Range: 1 or above.
func (s *HeadroomTerms) occupancy(lossless unit.Bytes) float64 {
	cell := float64(s.Cell)
	worst := max(1, 2*cell/(1+cell))
	if cell > 2*smallPacket {
		worst = cell / smallPacket
	}
	small := float64(smallPacket*s.SmallPackets) + float64((1-s.SmallPackets)*float64(lossless))
	return 1 + float64(min(1, smallPacket/small)*(worst-1))
}

// responseOf returns the volume that the peer at a link may send until it obeys a pause: PeerResponse if that is set,
// else the rule's allowance for a peer, and no less than the peer's own response.
func (s *HeadroomTerms) responseOf(link *fabric.Attachment) unit.Bytes {
	if s.PeerResponse >= 0 {
		return s.PeerResponse
	}
	allowed := ResponseAt(ByRate, link.Rx.Rate)
	if s.HeadroomRule == Frames {
		allowed = link.Rx.Rate.SerialTime(60 * quantum)
	}
	return link.Rx.Rate.BytesIn(max(allowed, link.Response))
}
