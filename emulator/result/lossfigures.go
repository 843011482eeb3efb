package result

import (
	"slices"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
)

// LossFigures are the losses in the fabric, and the packets that receivers did not want.
type LossFigures struct {
	// DroppedShare is the share of dropped frames; NaN if there were none.
	DroppedShare float64
	// Drops counts losses of the fabric, LinkLost those among them by faults of the scenario, on links and at ports
	// whose link was down; ByReason holds what nodes dropped of themselves, receivers' discards included.
	Drops, LinkLost uint64
	ByReason        [fabric.NumDropReasons]uint64
}

var droppedShareMetric = measure("dropped_share", "drops, over drops and the frames that reached NICs or left at "+
	"edges, without pauses. Range 0 to 1.", Lower, shareDecimals, func(s *Summary) float64 { return s.DroppedShare })

var dropMetrics = slices.Concat(
	[]Metric{
		counter("drops", "Frames that the fabric lost, for any reason: the sum of drops_injected and of drops_ by "+
			"reason.",
			Lower, func(s *Summary) uint64 { return s.Drops }),
		counter("drops_congestion", "Frames that the fabric dropped for lack of room: the sum of drops_no_buffer, "+
			"drops_headroom, drops_wred, drops_dci_buffer, drops_nic_queue and drops_receive_buffer.",
			Lower, func(s *Summary) uint64 { return s.droppedFor(wantOfRoom...) }),
		counter("drops_injected", "Frames lost on links, by a loss rate, bit errors or an outage of the scenario, "+
			"and at ports whose link was down; no congestion control prevents these.",
			Lower, func(s *Summary) uint64 { return s.LinkLost }),
	},
	reasonMetrics(),
)

func reasonMetrics() (list []Metric) {
	for r := fabric.DropNone + 1; r < fabric.NumDropReasons; r++ {
		if r.IsInjected() {
			continue
		}
		prefix, doc, better := "drops_", "Frames that switches and NICs dropped: ", Lower
		if r.IsDiscard() {
			prefix, doc, better = "discards_", "Packets that arrived and were discarded: ", None
		}
		list = append(list, counter(prefix+r.String(), doc+reasons[r]+".", better,
			func(s *Summary) uint64 { return s.ByReason[r] }))
	}
	return list
}

// reasons explains fabric's drop reasons to readers of a result.
var reasons = [fabric.NumDropReasons]string{
	fabric.DropNoBuffer:   "shared buffer exhausted, lossy class",
	fabric.DropHeadroom:   "headroom exhausted, lossless class",
	fabric.DropWRED:       "not ECN-capable and chosen by WRED, lossy class",
	fabric.DropNoRoute:    "no route to the destination",
	fabric.DropTTL:        "TTL of 1 or 0 at a router",
	fabric.DropLinkLoss:   "lost on a link, as the scenario asked",
	fabric.DropLinkDown:   "on a link that was down",
	fabric.DropWatchdog:   "flushed by the PFC watchdog",
	fabric.DropOutOfOrder: "ahead of the expected PSN at a go-back-N receiver",
	fabric.DropDuplicate:  "PSN already received",
	fabric.DropUnknownQP:  "no such QP",
	fabric.DropFiltered:   "a CNP for a flow that the proximal switch slowed down itself",
	fabric.DropDCIBuffer:  "memory of a DCI port exhausted, lossy there",
	fabric.DropNICQueue:   "the NIC queue of an edge was full, as a host's own would be",
	fabric.DropFlood:      "bridged, to all or to an unknown station, above the port's bound",
	fabric.DropLinkLocal:  "bridged, to a link-local group, which ends at a switch",
	fabric.DropSamePort:   "bridged, to a station at the port that it came from",
	fabric.DropWrongPeer:  "for a QP, from an address that is not its peer's",
	fabric.DropACL:        "a CNP from outside, at an edge with cnp: drop",
	fabric.DropIntake:     "the receive buffer of a NIC was full, because its host is slower than its link",
	fabric.DropPortDown:   "in the queues of a port when its link went down, or for a port whose link was down",
	fabric.DropReboot:     "in the queues of a switch that rebooted",
}

// wantOfRoom are the reasons of drops that congestion causes.
var wantOfRoom = []fabric.DropReason{fabric.DropNoBuffer, fabric.DropHeadroom, fabric.DropWRED, fabric.DropDCIBuffer,
	fabric.DropNICQueue, fabric.DropIntake}

// droppedFor counts the frames that were dropped for any of the reasons.
func (f *LossFigures) droppedFor(reasons ...fabric.DropReason) (n uint64) {
	for _, r := range reasons {
		n += f.ByReason[r]
	}
	return n
}

func lossFigures(outcome *Outcome) (f LossFigures) {
	arrived := edgeFigures(outcome).ForeignOut
	for port := range outcome.eachPort {
		f.LinkLost += port.RxLostFrames
		f.Drops += port.RxLostFrames
		for reason, n := range port.Drops {
			if reason.IsLinkLoss() {
				continue
			}
			if !reason.IsDiscard() {
				f.Drops += n
			}
			if reason.IsInjected() {
				f.LinkLost += n
				continue
			}
			f.ByReason[reason] += n
		}
		if port.node.Kind == plan.KindNIC {
			arrived += port.RxFrames - port.RxPFCFrames
		}
	}
	f.DroppedShare = float64(f.Drops) / float64(f.Drops+arrived)
	return f
}
