package plan

import "github.com/rocelab/rocelab/emulator/unit"

// What a run takes in memory, measured by /usr/bin/time -v of one on fabrics of 16 to 3456 hosts: garbage that waits
// to be collected is in each of the figures.
const (
	// ProgramMemory is the program before it runs anything, runMemory a run of two hosts.
	ProgramMemory = 24 * unit.MB
	runMemory     = 16 * unit.MB
	// portMemory is a port of any node, with its part of the node and its counters; flowMemory is a flow, both its ends
	// and its lines in the files of the run.
	portMemory = 12 * unit.KB
	flowMemory = 10 * unit.KB
	// frameMemory is a frame in flight and one like it in a queue.
	frameMemory unit.Bytes = 700
)

// Memory returns the most memory that a run of the plan takes beside the program: for each port, for each flow, for the
// frames in flight, and for series of a given interval. In flight is for each NIC what it sends in the longest
// latency, there and back, of its flows, and at most the size of all of them.
func (p *Plan) Memory() unit.Bytes {
	return runMemory + portMemory*unit.Bytes(p.ports()) + flowMemory*unit.Bytes(len(p.Flows)) +
		frameMemory*unit.Bytes(p.framesInFlight())
}

// framesInFlight is how many frames of data the NICs together have on the way at most where no queue stands.
func (p *Plan) framesInFlight() (frames int64) {
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
			frames += p.packetsOf(min(s.size, p.NICRate(nic).BytesIn(s.longest)))
		}
	}
	return frames
}
