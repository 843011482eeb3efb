package record

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Port counts what happened at one port of a switch or a NIC. Bytes are
// counted without FCS, preamble and gap. Every byte that the far end
// sent is in Rx, in RxLost or in flight; every byte that a switch received,
// or made itself, is in Drops, in Sunk, in a port's Tx or is
// resident, but for PFC, which ends where it arrives.
type Port struct {
	TxFrames, TxBytes, RxFrames, RxBytes uint64
	// Busy is the transmission time of the port.
	Busy unit.Duration
	// TxPFC and RxPFC are the PFC frames among them, in frames and bytes.
	TxPFCFrames, TxPFCBytes, RxPFCFrames, RxPFCBytes uint64
	// RxLostFrames and RxLostBytes were lost on the link towards this port;
	// they are not in Rx.
	RxLostFrames, RxLostBytes uint64
	// PausesLost counts the PFC frames among RxLost. PausesIn and PausesOut count the PFC frames that a port of a
	// long-haul path received and sent: the path carries pauses and does not obey them, so Classes stays empty.
	PausesLost, PausesIn, PausesOut rarePauses
	// Drops counts frames, by reason, that arrived here and were dropped, nil for none; DropBytes their bytes.
	Drops     map[fabric.DropReason]uint64
	DropBytes uint64
	// SourcedFrames and SourcedBytes count the frames that a switch made itself and put into this port's queues, Sunk
	// the frames that arrived here and were for the switch itself, except PFC: notifications and CNPs of proximal CNP,
	// and all copies but one of a frame that a bridge floods.
	SourcedFrames, SourcedBytes, SunkFrames, SunkBytes uint64
	// Classes has what PFC did, by class; Queues what the egress queues did.
	Classes Classes
	Queues  byClass[Queue]
	// PoolMax is the high-water mark of a DCI port's own memory, in bytes; 0 at
	// any other port.
	PoolMax unit.Bytes
	// Bridge has the addresses that a bridging switch learned from the frames that came in here.
	Bridge Bridge
	// Storms are the storms that the watchdog broke, in the order of time.
	Storms []BrokenStorm
	PortOver
}

// Drop counts a frame that arrived here and is dropped.
func (p *Port) Drop(reason fabric.DropReason, length unit.Bytes) {
	if p.Drops == nil {
		p.Drops = map[fabric.DropReason]uint64{}
	}
	p.Drops[reason]++
	p.DropBytes += uint64(length)
}

// PortOver is a port over time.
type PortOver struct {
	// Load is the transmission time in each bin, in picoseconds, nil if nothing is recorded.
	Load *Series
	// Held is the time during which its peer held at least one of its classes in each bin, in picoseconds, nil if it
	// never did.
	Held *Series
	// Over has the other series, nil if it has no series of its own.
	Over *Activity
	// Outages are the losses to each outage of its link, in the order of time; nil for a link that never goes down.
	Outages []OutageLoss `json:",omitempty"`
}

// Bridge counts what a learning bridge learned at one port.
type Bridge struct {
	// Stations is the number of stations known behind the port at the end, Moved the number of moves of known stations
	// to this port.
	Stations, Moved uint64
	// Unlearned counts the frames whose sender it did not learn because it already knows the maximum number of stations
	// behind the port; Held counts the frames whose sender stays at another port, having moved there too short a time
	// before.
	Unlearned, Held uint64
}

// BrokenStorm is a standstill of an egress queue that the PFC watchdog broke.
type BrokenStorm struct {
	// Class is the class that the peer held; the lowest if it held several of the queue's.
	Class uint8
	// At is the time at which the watchdog broke the storm, Until the time at which the queue was normal again,
	// unit.Never if not yet.
	At, Until unit.Time
	// Flushed counts the frames that it found in the queue and dropped, Dropped the frames that came for the queue
	// before Until and met the same fate. Both are 0 for a watchdog that lets frames pass.
	Flushed, Dropped uint64
}

// Class counts PFC's effects on one class of a port.
type Class struct {
	// IngressMax and HeadroomMax are the high-water marks of the ingress
	// account and of its headroom, in bytes.
	IngressMax, HeadroomMax unit.Bytes
	// SentXOFF and SentXON count pauses that this port sent to its peer
	// (refreshes included) and resumes; ReceivedXOFF and ReceivedXON those it
	// received, whether it obeys them or not.
	SentXOFF, SentXON, ReceivedXOFF, ReceivedXON uint64
	// Paused is the time during which the peer held this port's class.
	Paused unit.Duration
	// WatchdogFired counts storms that the watchdog broke.
	WatchdogFired uint64
}

// Queue counts one egress queue.
type Queue struct {
	Frames, Bytes uint64
	// Wait is the true time between a frame's last bit in and first bit out.
	Wait Histogram
	// Marked counts frames whose ECN field this queue set to CE; Markable counts the ECN-capable frames, which it could
	// have marked.
	Marked, Markable uint64
	// MaxBytes is the high-water mark.
	MaxBytes unit.Bytes
	// Congested is the time at which a frame first left it longer than Kmin, 0 for never: the earliest instant at which
	// it could mark.
	Congested unit.Time
	// Depth is its largest length in each bin, nil if it has no series.
	Depth *Series
	// Depths is the time spent at each length; nil if it never had 8 KiB, or nothing is recorded.
	Depths *Depths
}

// OutageLoss is a port's count of losses for one outage of its link.
type OutageLoss struct {
	// Void were on the link towards the port while it was down, Flushed in the queues of the port when it learned of
	// that, or came for them while it was down.
	Void, Flushed Loss
}

// Loss counts frames that were lost, and their bytes as the counters of ports do.
type Loss struct{ Frames, Bytes uint64 }

// Count counts one more.
func (l *Loss) Count(frame *wire.Frame) {
	l.Frames++
	l.Bytes += uint64(frame.Len())
}

// Add counts all of another.
func (l *Loss) Add(other Loss) {
	l.Frames += other.Frames
	l.Bytes += other.Bytes
}
