package oracle

import (
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// message is one of a flow whose messages wait for others.
type message struct{ ready, completed unit.Time }

// jobs works out when phases of ranks end and messages may go: when all has happened that they wait for, which
// frames at the NIC say, and the phases and messages before.
type jobs struct {
	*seen
	flows []*flow
	ends  map[rankAt][]unit.Time
}

// rankAt is a rank at a NIC.
type rankAt struct{ nic, rank int }

func (s *seen) rebuildJobs(flows []*flow) *jobs {
	j := &jobs{seen: s, flows: flows, ends: map[rankAt][]unit.Time{}}
	for nic := range s.plan.NICs {
		for rank := range s.plan.NICs[nic].Ranks {
			j.phases(rankAt{nic, rank})
		}
	}
	for _, f := range flows {
		if f.Messages != nil {
			j.messages(f)
		}
	}
	return j
}

// phases finds the ends of a rank's phases, unit.Never for unfinished ones.
func (j *jobs) phases(at rankAt) {
	rank := &j.plan.NICs[at.nic].Ranks[at.rank]
	last := rank.Start
	for i := range rank.Phases {
		phase := &rank.Phases[i]
		for _, a := range phase.After {
			last = max(last, j.happened(at, a))
		}
		if last != unit.Never {
			last = last.Add(phase.Duration)
		}
		if last >= j.end {
			last = unit.Never
		}
		j.ends[at] = append(j.ends[at], last)
	}
}

// messages finds the release and the acknowledgement of each message of a flow.
func (j *jobs) messages(f *flow) {
	at := rankAt{f.Src, f.Rank}
	ready := j.plan.NICs[f.Src].Ranks[f.Rank].Start
	for i := range f.Messages {
		for _, a := range f.Messages[i].After {
			ready = max(ready, j.happened(at, a))
		}
		if ready >= j.end {
			break
		}
		f.messages = append(f.messages, message{ready, f.acknowledgedTo(int64(i+1) * j.packetsOf(f))})
	}
	if len(f.messages) > 0 {
		f.started = f.messages[0].ready
	}
}

// happened returns the time of an awaited event at a rank's NIC.
func (j *jobs) happened(at rankAt, a plan.Await) unit.Time {
	if a.Flow == plan.OwnPhases {
		return j.ends[at][a.Count-1]
	}
	f := j.flows[a.Flow]
	packets := a.Count * j.packetsOf(f)
	if f.Src == at.nic {
		return f.acknowledgedTo(packets)
	}
	for _, t := range f.takes {
		if t.inOrder >= packets {
			return t.at
		}
	}
	return unit.Never
}

// packetsOf returns the number of packets of a message of a flow.
func (j *jobs) packetsOf(f *flow) int64 { return int64((f.Message + j.plan.MTU - 1) / j.plan.MTU) }

// acknowledgedTo returns the time at which the given number of packets of a flow were acknowledged.
func (f *flow) acknowledgedTo(packets int64) unit.Time {
	for _, a := range f.acks {
		if a.upTo >= packets {
			return a.at
		}
	}
	return unit.Never
}

// iterations covers all collectives.
type iterations struct {
	planned      uint64
	whole, taken []float64 // in microseconds, of those with which every rank was done
	alg, bus     []float64
}

// iterate takes the iterations of collectives from the phases of their ranks: the first of each iteration is the
// computation, the last ends when the rank is done.
func (j *jobs) iterate(collectives []plan.Collective) (all iterations) {
	for i := range collectives {
		c := &collectives[i]
		for k := range c.Iterations {
			all.planned++
			begun, ready, done := unit.Never, unit.Never, unit.Time(0)
			for _, place := range c.Places {
				ends := j.ends[rankAt{place.NIC, place.Rank}]
				first := k * place.PhasesPerIteration
				if k == 0 {
					begun = min(begun, c.Start)
				} else {
					begun = min(begun, ends[first-1])
				}
				ready = min(ready, ends[first])
				done = max(done, ends[first+place.PhasesPerIteration-1])
			}
			if done == unit.Never {
				continue
			}
			took := microseconds(done.Sub(ready))
			all.whole, all.taken = append(all.whole, microseconds(done.Sub(begun))), append(all.taken, took)
			bandwidth := float64(c.Size) / (took * 1e-6) / 1e9
			all.alg = append(all.alg, bandwidth)
			all.bus = append(all.bus, bandwidth*busFactor(c.Operation, float64(len(c.Places))))
		}
	}
	return all
}

// busFactor returns the factor by which nccl-tests multiply the algorithm bandwidth of n ranks.
func busFactor(operation string, n float64) float64 {
	switch operation {
	case "all-reduce":
		return 2 * (n - 1) / n
	case "all-gather", "reduce-scatter", "all-to-all":
		return (n - 1) / n
	}
	return 1
}
