package plan

import (
	"slices"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// How much memory a run needs. Each figure includes garbage that is not collected yet. Source: /usr/bin/time -v of runs
// on fabrics of 2 to 3456 hosts with 1 to 1,000,000 flows.
const (
	// ProgramMemory is for the program before any run, runMemory for a run with two hosts.
	ProgramMemory = 24 * unit.MB
	runMemory     = 14 * unit.MB
	// portMemory is for each port of a node, with its counters and its part of the node. flowMemory is for each flow: its
	// part of the plan, and what is left of it when it is finished. busyMemory is for both of its ends as long as it is
	// not finished, and counts for the most flows at one time.
	portMemory = 5 * unit.KB
	flowMemory = 1 * unit.KB
	busyMemory = 6 * unit.KB
	// flowGarbage is for each flow, with its lines in the files of the run, until it is collected. Of all flows that is no
	// more than mostGarbage: a small heap is not collected, a large one often.
	flowGarbage = 4 * unit.KB
	mostGarbage = 64 * unit.MB
	// frameMemory is for each frame in flight. queueMemory is for frames in queues: one for each frame in flight, up to
	// mostQueued for a NIC, since switches mark and pause before all frames of a long path can be in queues.
	frameMemory unit.Bytes = 300
	queueMemory unit.Bytes = 600
	mostQueued             = 256
	// recordedMemory is for each byte of a series, with the memory for writing it.
	recordedMemory = 2
)

// Memory estimates the peak memory of a run of the plan without that of the program itself: for ports, flows, frames in
// flight and in queues, series, and regions of peers. It is rough: for a short run a third of it is for the files and
// the page.
func Memory(p *Plan) unit.Bytes {
	inFlight, queued := framesInFlight(p)
	flows := unit.Bytes(len(p.Flows))
	return runMemory + portMemory*unit.Bytes(p.ports()) + flowMemory*flows + min(flowGarbage*flows, mostGarbage) +
		busyMemory*unit.Bytes(mostAtOnce(p)) + frameMemory*unit.Bytes(inFlight) + queueMemory*unit.Bytes(queued) +
		recordedMemory*recordedBytes(p) + peerMemory(p)
}

// peerMemory is for the region of each connection to a real stack, and for our copy of the peer's.
func peerMemory(p *Plan) (sum unit.Bytes) {
	for i := range p.Peers {
		v := &p.Peers[i].Verbs
		sum += unit.Bytes(v.Memory.Length + v.Peer.Length)
	}
	return sum
}

// mostAtOnce returns the largest number of flows that are not finished at one time, if each takes twice the time that
// it would take by itself. Flows whose messages wait for others, and flows without a size, are never finished.
func mostAtOnce(p *Plan) (most int) {
	var starts, ends []unit.Time
	for i := range p.Flows {
		flow := &p.Flows[i]
		starts = append(starts, flow.Start)
		if flow.Size == 0 || flow.Messages != nil || len(flow.Path) == 0 {
			continue
		}
		alone := flow.Path.Latency() + flow.Back.Latency() + p.NICRate(flow.Src).SerialTime(flow.Size)
		ends = append(ends, flow.Start.Add(2*alone))
	}
	slices.Sort(starts)
	slices.Sort(ends)
	ended := 0
	for begun, start := range starts {
		for ended < len(ends) && ends[ended] <= start {
			ended++
		}
		most = max(most, begun+1-ended)
	}
	return most
}

// framesInFlight returns the largest number of data frames in flight with empty queues, and the number of them that may
// end up in queues. For each NIC this is its volume within the longest round-trip latency of its flows, and no more
// than the flows have to send.
func framesInFlight(p *Plan) (inFlight, queued int64) {
	type sender struct {
		size    unit.Bytes
		longest unit.Duration
	}
	senders := make([]sender, len(p.NICs))
	for i := range p.Flows {
		flow := &p.Flows[i]
		if len(flow.Path) == 0 {
			continue
		}
		s := &senders[flow.Src]
		s.longest = max(s.longest, flow.Path.Latency()+flow.Back.Latency())
		if s.size += flow.Size; flow.Size == 0 {
			s.size = 1 << 62
		}
	}
	for nic, s := range senders {
		if s.size > 0 {
			frames := packetsOf(p, min(s.size, p.NICRate(nic).BytesIn(s.longest)))
			inFlight += frames
			queued += min(frames, mostQueued)
		}
	}
	return inFlight, queued
}
