package result

import (
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// stretch is a part of the critical path of an iteration: the messages of a flow from one to another, which left the
// NIC one behind the other, until the last of them was complete, if another waited for it; or a computation of a rank.
type stretch struct {
	// flow is -1 for what a rank computed.
	flow, first, last int
	from, to          unit.Time
	// acked reports whether the ACK was waited for, at the sender, and not the arrival.
	acked bool
}

// happening is the end of a phase of a rank, or a message that was complete: what the path comes from.
type happening struct {
	at unit.Time
	// flow is plan.OwnPhases for a phase; number is that of the message or of the phase.
	flow, number int
	// nic and rank are where it happened, the rank for a phase.
	nic, rank int
}

// paths finds critical paths of a run.
type paths struct {
	*Outcome
	// sent are, of each flow that was asked for, when the last packet of each message had left.
	sent map[int][]unit.Time
}

// of walks the path of a finished iteration backwards, from the rank that was done last to the instant at which the
// first rank began to compute. The stretches, the last first, cover that time without gaps; the first of them may begin
// before it.
func (p *paths) of(row *iteration) (path []stretch) {
	at := p.lastPhase(row)
	for at.at > row.begun {
		var before happening
		var known bool
		if at.flow == plan.OwnPhases {
			before, known = p.beforePhase(at)
			if before.at < at.at {
				path = append(path, stretch{flow: -1, from: before.at, to: at.at})
			}
		} else {
			s := p.stretchOf(at)
			path = append(path, s)
			before, known = p.beforeMessage(at.flow, s.first)
		}
		if !known {
			break
		}
		at = before
	}
	return path
}

// lastPhase is the end of the iteration at the rank that was done last.
func (p *paths) lastPhase(row *iteration) (last happening) {
	for _, place := range row.plan.Places {
		number := (row.number+1)*place.PhasesPerIteration - 1
		if ended := p.Phases[place.NIC][place.Rank][number]; ended > last.at {
			last = happening{
				at:     ended,
				flow:   plan.OwnPhases,
				number: number,
				nic:    place.NIC,
				rank:   place.Rank,
			}
		}
	}
	return last
}

// beforePhase returns the event with which a phase began; known is false for the beginning of its rank.
func (p *paths) beforePhase(ended happening) (before happening, known bool) {
	rank := &p.Plan.NICs[ended.nic].Ranks[ended.rank]
	phase := &rank.Phases[ended.number]
	before = ended
	before.at = ended.at.Add(-phase.Duration)
	if by := p.PhasesBy[ended.nic][ended.rank][ended.number]; by != record.FollowedAtOnce {
		return p.awaited(phase.After[by], before), true
	}
	before.number--
	return before, before.number >= 0
}

// beforeMessage returns the event that released a message; known is false for the beginning of its rank.
func (p *paths) beforeMessage(flow, message int) (before happening, known bool) {
	planned, sent := &p.Plan.Flows[flow], &p.Flows[flow].Sender.Messages[message]
	before = happening{at: sent.Ready, nic: planned.Src, rank: planned.Rank}
	if sent.By == record.FollowedAtOnce {
		return before, false
	}
	return p.awaited(planned.Messages[message].After[sent.By], before), true
}

// awaited returns the event that an await waited for last, at a rank and an instant.
func (p *paths) awaited(await plan.Await, there happening) happening {
	there.flow, there.number = await.Flow, int(await.Count)-1
	return there
}

// stretchOf is the stretch that ends with a message. A message that might be sent before its flow had sent the one
// before it waited for that one: so it begins with the first that did not.
func (p *paths) stretchOf(complete happening) stretch {
	messages, sent := p.Flows[complete.flow].Sender.Messages, p.sentOf(complete.flow)
	first := complete.number
	for first > 0 && messages[first].Ready <= sent[first-1] {
		first--
	}
	return stretch{
		flow:  complete.flow,
		first: first,
		last:  complete.number,
		from:  messages[first].Ready,
		to:    complete.at,
		acked: p.Plan.Flows[complete.flow].Src == complete.nic,
	}
}

// sentOf returns the time at which the last packet of each message of a flow had left.
func (p *paths) sentOf(flow int) []unit.Time {
	sent, known := p.sent[flow]
	if !known {
		sender := p.Flows[flow].Sender
		at := sender.Started
		for lap := range sender.Laps.Sent.Each {
			at = at.Add(lap.Total())
			sent = append(sent, at)
		}
		p.sent[flow] = sent
	}
	return sent
}
