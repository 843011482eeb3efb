package plan

import "github.com/rocelab/rocelab/emulator/unit"

// What a run takes in memory. Garbage that waits to be collected is in each of the figures. Source: /usr/bin/time -v of
// runs on fabrics of 2 to 3456 hosts with 1 to 65,280 flows.
const (
	// ProgramMemory is the program before it runs anything, runMemory a run of two hosts.
	ProgramMemory = 24 * unit.MB
	runMemory     = 14 * unit.MB
	// portMemory is a port of any node, with its part of the node and its counters; flowMemory is a flow, both its ends
	// and its lines in the files of the run.
	portMemory = 12 * unit.KB
	flowMemory = 10 * unit.KB
	// frameMemory is a frame in flight. queueMemory is for frames in queues, for each in flight up to mostQueued of a NIC:
	// switches mark and pause before all frames of a long path are there.
	frameMemory unit.Bytes = 300
	queueMemory unit.Bytes = 600
	mostQueued             = 256
	// recordedMemory is a byte of a series, with what it takes to write it.
	recordedMemory = 2
)

// Memory returns the most memory that a run of the plan takes beside the program: for each port, for each flow, for the
// frames in flight and in queues, and for series. It is a guess, for files and page of a short run are a third of it.
func Memory(p *Plan) unit.Bytes {
	inFlight, queued := framesInFlight(p)
	return runMemory + portMemory*unit.Bytes(p.ports()) + flowMemory*unit.Bytes(len(p.Flows)) +
		frameMemory*unit.Bytes(inFlight) + queueMemory*unit.Bytes(queued) + recordedMemory*recordedBytes(p)
}

// framesInFlight is how many frames of data are on the way at most while no queue stands, and how many of them may come
// to stand in queues. A NIC sends them in the longest latency, there and back, of its flows, and not more than these
// have.
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
		latency := unit.Duration(0)
		for hop := range flow.Path {
			latency += flow.Path[hop].Latency
		}
		for hop := range flow.Back {
			latency += flow.Back[hop].Latency
		}
		s := &senders[flow.Src]
		s.longest = max(s.longest, latency)
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
