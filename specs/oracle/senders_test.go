package oracle

import (
	"math"
	"slices"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/nicd"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// acked is an instant at which payload was acknowledged, up to a packet.
type acked struct {
	at    unit.Time
	bytes int64
	upTo  int64
}

// taken is a packet that its receiver took, in its place or kept for it.
type taken struct {
	at unit.Time
	// inOrder is the number of packets that had come whole by then, without a gap.
	inOrder int64
}

// flow is a flow as its frames show it.
type flow struct {
	*plan.Flow
	// first is the PSN of packet 0, header what a packet has beside its payload, ack the length of an ACK.
	first       uint32
	header, ack int64
	// payload is that of each packet.
	payload []int64
	// started is the time at which the flow was due, or its first message might go; completed the time at which all of
	// it was acknowledged.
	started, completed unit.Time
	acks               []acked
	acknowledged       int64 // all payload that the sender knows to have come
	takes              []taken
	// rtts are the round trips of packets that were sent once, samples the ones taken once a round trip.
	rtts, samples []unit.Duration
	swing         []float64
	resent        uint64
	firstCNP      unit.Time
	// cnps and naks count the ones that its receiver sent.
	cnps, naks uint64
	// givenUp is set if its QP went into error.
	givenUp bool
	// messages of a flow whose messages wait for others.
	messages []message
}

// ends are the QPs of a flow, numbered at each NIC in the order of the flows.
type ends struct{ src, dst uint32 }

func (s *seen) endsOf() []ends {
	used := make([]uint32, len(s.plan.NICs))
	next := func(nic int) uint32 {
		used[nic]++
		return nicd.FirstQP + used[nic] - 1
	}
	list := make([]ends, len(s.plan.Flows))
	for i := range s.plan.Flows {
		f := &s.plan.Flows[i]
		list[i].src = next(f.Src)
		list[i].dst = next(f.Dst)
	}
	return list
}

// happening is something at the sender of a flow: a frame that came or left, a timeout, or the flow's stop. In
// one instant what comes is before what leaves.
type happening struct {
	at    unit.Time
	rank  int
	frame *wire.Frame
}

const (
	came = iota
	timedOut
	sent
	stopped
)

// givesUp reports whether a QP with a fixed timeout went into error: as many timeouts as it survives came since the
// last progress, and then nothing for one more. The algorithm does not learn of that one.
func (f *flow) givesUp(happenings []happening, rto *profile.RTO, end unit.Time) bool {
	una, tries, since := f.first, 0, unit.Never
	for _, h := range happenings {
		switch {
		case h.rank == timedOut:
			tries++
		case h.rank == sent && h.frame.PSN == una:
			since = h.at
		case h.rank == came && h.frame.Opcode == wire.Acknowledge:
			next := h.frame.PSN
			if h.frame.Syndrome>>5 == 0 {
				next = (next + 1) & wire.PSNMask
			}
			if ahead := (next - una) & wire.PSNMask; ahead > 0 && ahead < 1<<23 {
				una, tries, since = next, 0, h.at
			}
		}
	}
	return rto.Retries > 0 && tries == rto.Retries && f.completed == unit.Never &&
		since.Add(profile.AckTimeoutOf(rto.AckTimeout)) <= end
}

// rebuildFlows works out the flows from the frames of their NICs.
func (s *seen) rebuildFlows() []*flow {
	qps := s.endsOf()
	type end struct {
		ip, qp uint32
	}
	data, answers := map[end]int{}, map[end]int{}
	flows := make([]*flow, len(qps))
	happenings := make([][]happening, len(qps))
	arrivals := make([][]happening, len(qps))
	for i := range flows {
		p := &s.plan.Flows[i]
		flows[i] = &flow{
			Flow:      p,
			started:   p.Start,
			completed: unit.Never,
			firstCNP:  unit.Never,
		}
		data[end{s.plan.NICs[p.Dst].IP, qps[i].dst}] = i
		answers[end{s.plan.NICs[p.Src].IP, qps[i].src}] = i
		for k := range s.logs[i].Steps {
			if e := &s.logs[i].Steps[k].Event; e.Kind == cc.EventTimeout {
				happenings[i] = append(happenings[i], happening{e.Now, timedOut, nil})
			}
		}
		if p.Stop > 0 && p.Stop < s.end {
			happenings[i] = append(happenings[i], happening{p.Stop, stopped, nil})
		}
	}
	for k := range s.hops {
		h := &s.hops[k]
		if !hasOpcode(h.frame) {
			continue
		}
		leaves := s.plan.KindOf(h.from.Node) == plan.KindNIC
		comes := s.plan.KindOf(h.to.Node) == plan.KindNIC && h.delivered
		to := end{h.frame.DstIP, h.frame.DestQP}
		switch i, isData := data[to]; {
		case isData && leaves && h.frame.IsData():
			happenings[i] = append(happenings[i], happening{h.start, sent, h.frame})
		case isData && comes && h.frame.IsData():
			arrivals[i] = append(arrivals[i], happening{h.arrival, came, h.frame})
		case !h.frame.IsData():
			i := answers[to]
			if leaves {
				flows[i].count(h.frame)
			}
			if comes {
				happenings[i] = append(happenings[i], happening{h.arrival, came, h.frame})
			}
		}
	}
	for i, f := range flows {
		slices.SortStableFunc(happenings[i], func(a, b happening) int {
			if a.at != b.at {
				return int(min(1, max(-1, a.at-b.at)))
			}
			return a.rank - b.rank
		})
		f.send(happenings[i], s.plan.NICs[f.Src].Profile.OutOfOrder, s.plan.NICs[f.Src].Profile.AckEvery)
		f.givenUp = f.givesUp(happenings[i], &s.plan.NICs[f.Src].Profile.RTO, s.end)
		f.take(arrivals[i], s.plan.NICs[f.Dst].Profile.OutOfOrder)
	}
	s.findLengths(flows)
	return flows
}

// findLengths finds the lengths of packets and ACKs of flows that had none: from other flows of their algorithm.
func (s *seen) findLengths(flows []*flow) {
	header, ack := map[*plan.Algorithm]int64{}, map[*plan.Algorithm]int64{}
	learn := func(flows []*flow) {
		for i, f := range flows {
			algorithm := s.plan.Flows[i].Algorithm
			header[algorithm], ack[algorithm] = max(header[algorithm], f.header), max(ack[algorithm], f.ack)
		}
	}
	learn(flows)
	for _, f := range flows {
		if header[f.Algorithm] == 0 || ack[f.Algorithm] == 0 {
			learn(s.probed().rebuildFlows())
		}
		f.header, f.ack = header[f.Algorithm], ack[f.Algorithm]
	}
}

// count counts an answer that the receiver sent.
func (f *flow) count(frame *wire.Frame) {
	switch {
	case isCNP(frame):
		f.cnps++
	case isNAK(frame):
		f.naks++
	}
}

// numberOf is the packet of a PSN that is nearest to another.
func (f *flow) numberOf(psn uint32, near int64) int64 {
	const space = 1 << 24
	off := (int64(psn) - int64(f.first) - near) % space
	if off < -space/2 {
		off += space
	}
	if off >= space/2 {
		off -= space
	}
	return near + off
}

// send follows the sender: the packets sent once and more often, and their results.
func (f *flow) send(list []happening, outOfOrder bool, ackEvery int) {
	var starts []unit.Time // of each packet, the last time
	var times []int        // how often each was sent
	una, next, doubtful, sampled := int64(0), int64(0), int64(0), int64(0)
	average, stop := 0.0, false
	back := func(to int64) {
		if next > to {
			next, doubtful = to, int64(len(starts))
		}
	}
	for _, h := range list {
		switch {
		case h.rank == stopped:
			stop = true
			f.finish(h.at, una, int64(len(starts)), stop)
		case h.rank == timedOut:
			back(una)
		case h.rank == sent:
			if len(starts) == 0 {
				f.first = h.frame.PSN
				f.header = int64(h.frame.Len()) - int64(h.frame.PayloadLen) - rethOf(h.frame) - padOf(h.frame)
			}
			n := f.numberOf(h.frame.PSN, next)
			if n == int64(len(starts)) {
				starts, times = append(starts, h.at), append(times, 0)
				f.payload = append(f.payload, int64(h.frame.PayloadLen))
			}
			if times[n]++; times[n] > 1 {
				f.resent++
			}
			if n == next {
				next++
			}
		case isCNP(h.frame):
			f.firstCNP = min(f.firstCNP, h.at)
		case isAck(h.frame) || isNAK(h.frame):
			to := f.numberOf(h.frame.PSN, una)
			if isAck(h.frame) {
				to++
				f.ack = int64(h.frame.Len())
			}
			if to > int64(len(starts)) || isNAK(h.frame) && (to < una || to == int64(len(starts))) {
				continue
			}
			if to > una {
				if una >= doubtful && !(outOfOrder && to-una > int64(max(1, ackEvery))) {
					rtt := h.at.Sub(starts[to-1])
					f.rtts = append(f.rtts, rtt)
					if to > sampled {
						f.sample(rtt, &average)
						sampled = int64(len(starts))
					}
				}
				bytes := int64(0)
				for _, b := range f.payload[una:to] {
					bytes += b
				}
				f.acks = append(f.acks, acked{h.at, bytes, to})
				f.acknowledged += bytes
				una, next = to, max(next, to)
				f.finish(h.at, una, int64(len(starts)), stop)
			}
			switch {
			case isNAK(h.frame) && outOfOrder:
				doubtful = max(doubtful, to+1)
			case isNAK(h.frame):
				back(to)
			}
		}
	}
}

// sample adds a round trip, one a round trip, to the average with a weight of a fifth, and records its relative
// distance from that average.
func (f *flow) sample(rtt unit.Duration, average *float64) {
	f.samples = append(f.samples, rtt)
	if len(f.samples) == 1 {
		*average = float64(rtt)
		return
	}
	*average = 0.2*float64(rtt) + 0.8**average
	f.swing = append(f.swing, math.Abs(float64(rtt)-*average) / *average)
}

// finish notes when all of the flow was acknowledged: of one without a size all that was sent before its stop.
func (f *flow) finish(now unit.Time, una, high int64, stop bool) {
	whole := f.Size > 0 && f.acknowledged == int64(f.Size) || f.Size == 0 && stop && una == high
	if whole && f.completed == unit.Never {
		f.completed = now
	}
}
