package plan

import (
	"github.com/rocelab/rocelab/emulator/peer"
	"github.com/rocelab/rocelab/emulator/wire"
)

// Peer is a reliable connection between a NIC of the plan and a real stack behind an edge.
type Peer struct {
	// Name is unique in the scenario.
	Name string
	// NIC is our end, Edge the place of the edge among Edges().
	NIC, Edge int
	// IP, MAC and QP are the far end's.
	IP  uint32
	MAC wire.MAC
	QP  uint32
	// OwnQP is ours, SrcPort the UDP source port of what we send, DSCP its code point, -1 for that of the NIC's data.
	OwnQP   uint32
	SrcPort uint16
	DSCP    int
	// Verbs are memory, receives and work.
	Verbs peer.Config
}
