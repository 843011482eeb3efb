package record

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Port counts what happened at one port of a switch or a NIC. Bytes are
// counted without FCS, preamble and gap. Every byte that the far end
// sent is in Rx, in RxLost or in flight; every byte that a switch received,
// or made itself, is in Drops, in Sunk, in a port's Tx or is
// resident, but for PFC, which ends where it arrives.
type Port struct {
	TxFrames, TxBytes, RxFrames, RxBytes uint64
	// TxPFC and RxPFC are the PFC frames among them, in frames and bytes.
	TxPFCFrames, TxPFCBytes, RxPFCFrames, RxPFCBytes uint64
	// RxLostFrames and RxLostBytes were lost on the link towards this port;
	// they are not in Rx.
	RxLostFrames, RxLostBytes uint64
	// PausesLost is what the PFC frames among RxLost said. PausesIn and
	// PausesOut are what those said that a port of a long-haul path received and
	// sent: the path carries pauses and obeys none, so that Class stays empty.
	PausesLost, PausesIn, PausesOut Pauses
	// Drops counts frames, by reason, that arrived here and were dropped;
	// DropBytes their bytes.
	Drops     [fabric.NumDropReasons]uint64
	DropBytes uint64
	// SourcedFrames and SourcedBytes are those that a switch made itself and put
	// into this port's queues, Sunk those that arrived here and were for the switch
	// itself, PFC apart: notifications and CNPs of proximal CNP, and all copies but one of a frame
	// that a bridge floods.
	SourcedFrames, SourcedBytes, SunkFrames, SunkBytes uint64
	// Busy is the time during which the port transmitted.
	Busy unit.Duration
	// Class holds what PFC did, by class; Queue what the egress queues did.
	Class [profile.Classes]Class
	Queue [profile.Classes]Queue
	// PoolMax is the high-water mark of a DCI port's own memory, in bytes; 0 at
	// any other port.
	PoolMax unit.Bytes
	// Bridge is what a switch that bridges learned from the frames that came in here.
	Bridge Bridge
	// Storms are what the watchdog broke, in the order of time.
	Storms []BrokenStorm
	PortOver
}

// PortOver is a port over time.
type PortOver struct {
	// Load is how long it transmitted in each bin, in picoseconds, nil where nothing is recorded.
	Load *Series
	// Held is how long its peer held at least one of its classes in each bin, in picoseconds, nil if it never did.
	Held *Series
	// Over is the rest, nil where it has no series of its own.
	Over *Activity
	// Outages are what was lost for each outage of its link, in the order of time; nil of a link that never goes down.
	Outages []OutageLoss `json:",omitempty"`
}

// Bridge counts what a learning bridge learned at one port.
type Bridge struct {
	// Stations is how many stations it knows behind the port at the end, Moved how often one that it knew
	// elsewhere moved here.
	Stations, Moved uint64
	// Unlearned counts the frames whose sender it did not learn, since it knows as many stations behind
	// the port as it may; Held those whose sender stays at another port, to which it moved too short a time before.
	Unlearned, Held uint64
}

// BrokenStorm is a standstill of an egress queue that the PFC watchdog broke.
type BrokenStorm struct {
	// Class is the class that the peer held; the lowest, where it held several
	// of the queue's.
	Class uint8
	// At is when the watchdog broke the storm, Until when the queue was normal
	// again, unit.Never where it was not yet.
	At, Until unit.Time
	// Flushed counts the frames that it found in the queue and dropped,
	// Dropped those that came for the queue before Until and met the same
	// fate. Both are 0 for a watchdog that lets frames pass.
	Flushed, Dropped uint64
}

// Class counts PFC's effects on one class of a port.
type Class struct {
	// SentXOFF and SentXON count pauses that this port sent to its peer
	// (refreshes included) and resumes; ReceivedXOFF and ReceivedXON those it
	// received, whether it obeys them or not.
	SentXOFF, SentXON, ReceivedXOFF, ReceivedXON uint64
	// Paused is the time during which the peer held this port's class.
	Paused unit.Duration
	// IngressMax and HeadroomMax are the high-water marks of the ingress
	// account and of its headroom, in bytes.
	IngressMax, HeadroomMax unit.Bytes
	// WatchdogFired counts storms that the watchdog broke.
	WatchdogFired uint64
}

// Queue counts one egress queue.
type Queue struct {
	Frames, Bytes uint64
	// Marked counts frames whose ECN field this queue set to CE; Markable
	// those that were ECN-capable and could have been.
	Marked, Markable uint64
	// MaxBytes is the high-water mark.
	MaxBytes unit.Bytes
	// Congested is when a frame first left it longer than Kmin, 0 for never:
	// the earliest instant at which it could mark.
	Congested unit.Time
	// Wait is the true time between a frame's last bit in and first bit out.
	Wait Histogram
	// Depth is its largest length in each bin, nil where it has no series.
	Depth *Series
	// Depths is how long it was how long; nil where it never had 8 KiB, or nothing is recorded.
	Depths *Depths
}
