package judge

import (
	"fmt"
	"slices"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/contract"
	"github.com/rocelab/rocelab/plugins/cc/inband"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

const (
	randomFlows  = 16
	eventsOfFlow = 800 // events from outside
	shuffled     = 8   // events that change places with each other
	fuzzBound    = "0 < rate <= line, window >= 0"
)

// fuzz plays random events to flows of random facts.
func (t *trial) fuzz() Row { return t.playFlows(randomEvents) }

// reorder plays random events with signals out of order: an old echo after a new one, an ACK before one that it should
// follow.
func (t *trial) reorder() Row {
	return t.playFlows(func(c *chance.Stream, facts *cc.Facts, s cc.Signals) []cc.Event {
		return shuffle(c, randomEvents(c, facts, s))
	})
}

// playFlows plays many random flows, up to the first wrong answer.
func (t *trial) playFlows(events func(*chance.Stream, *cc.Facts, cc.Signals) []cc.Event) Row {
	total := 0
	for seed := range uint64(randomFlows) {
		n, err := t.playFlow(t.algorithm(), seed, events)
		if isFault(err) {
			must(fmt.Errorf("life %d: %w", seed, err))
		}
		if err != nil {
			return Row{Result: Failed, Allowed: fuzzBound, Remark: fmt.Sprintf("life %d: %v", seed, err)}
		}
		if total += n; t.ctx.Err() != nil {
			break
		}
	}
	return Row{Result: Pass, Figure: fmt.Sprintf("%d answers in %d lives", total, randomFlows), Allowed: fuzzBound}
}

// playFlow plays one random flow to an algorithm and returns the number of events.
func (t *trial) playFlow(
	algorithm cc.Algorithm, seed uint64, events func(*chance.Stream, *cc.Facts, cc.Signals) []cc.Event,
) (int, error) {
	c := chance.New(seed, "judge/life")
	f := randomFacts(c, uint32(seed))
	l := newRandomFlow(t.controller(algorithm), f)
	for _, e := range events(c, &f, l.signals) {
		if err := l.play(e); err != nil {
			return l.events, err
		}
	}
	return l.events, nil
}

var lineRates = []unit.BitRate{25 * unit.Gbps, 100 * unit.Gbps, 100 * unit.Gbps, 400 * unit.Gbps, 800 * unit.Gbps}

// randomFacts draws a flow, from a rack's to one between two cities.
func randomFacts(random *chance.Stream, flow uint32) cc.Facts {
	facts := cc.Facts{
		Flow:     flow,
		LineRate: lineRates[random.Below(uint64(len(lineRates)))],
		MTU:      1000,
		Hops:     int(random.Between(1, 5)),
		BaseRTT:  2*unit.Microsecond + unit.Duration(random.Below(1<<random.Below(34))),
		Size:     unit.Bytes(random.Below(1 << random.Below(40))),
		Chance:   chance.New(uint64(flow), "judge/flow"),
	}
	if random.Below(2) == 0 {
		facts.MTU = 4096
	}
	facts.PacketBytes = facts.MTU + 98
	facts.Baseline = facts.BaseRTT / 2
	facts.Group = cc.Group{
		Mode:  cc.Mode(random.Below(4)),
		Flows: int(random.Below(1 << random.Below(8))),
		Ranks: int(random.Below(64)),
	}
	return facts
}

// randomEvents draws the events of a flow except its wake-ups, within the range of a NIC's inputs for these signals.
func randomEvents(random *chance.Stream, facts *cc.Facts, s cc.Signals) []cc.Event {
	kinds := []cc.EventKind{cc.EventNak, cc.EventTimeout}
	for range 6 {
		if s.Acks {
			kinds = append(kinds, cc.EventAck)
		}
		if s.CNP {
			kinds = append(kinds, cc.EventCNP)
		}
		if s.Group {
			kinds = append(kinds, cc.EventGroup)
		}
		if s.Loss {
			kinds = append(kinds, cc.EventLoss)
		}
	}
	stamper := inband.NewStamper(facts.LineRate)
	events := make([]cc.Event, 1, eventsOfFlow+1) // the first is the start
	if s.OneWayDelay || s.Timestamp {
		events[0].Clock = random.Between(-2000, 2000)
	}
	for range eventsOfFlow {
		event := events[len(events)-1]
		event.Kind, event.CE, event.Flows, event.Acked, event.RTT = kinds[random.Below(uint64(len(kinds)))], false, 0, 0, 0
		event.CNPRate, event.Cause, event.Lost = 0, cc.LossNone, 0
		event.Now = event.Now.Add(unit.Duration(random.Below(1 << random.Below(32))))
		event.Sent += unit.Bytes(random.Below(1 << random.Below(22)))
		event.Inflight = unit.Bytes(random.Below(1 << random.Below(24)))
		if s.OneWayDelay || s.Timestamp {
			event.Clock = event.Now.Nanoseconds() + random.Between(-2000, 2000)
		}
		switch event.Kind {
		case cc.EventAck:
			event.Acked = unit.Bytes(random.Below(1 << random.Below(22)))
			signals(random, facts, s, &event, &stamper)
		case cc.EventGroup:
			event.Flows = uint32(random.Below(1 << random.Below(8)))
		case cc.EventLoss:
			event.Cause = cc.LossCause(random.Between(int64(cc.LossGap), int64(cc.LossNak)))
			event.Lost = unit.Bytes(random.Below(1 << random.Below(24)))
		case cc.EventCNP:
			if s.RTTInCNP && random.Below(8) > 0 {
				event.RTT = unit.Duration(random.Below(1<<random.Below(23))) * unit.Nanosecond
			}
			if s.RateInCNP && random.Below(2) > 0 {
				event.CNPRate = min(facts.LineRate, unit.Mbps<<random.Below(20))
			}
		}
		events = append(events, event)
	}
	return events
}

// signals draws the signals of an ACK.
func signals(random *chance.Stream, facts *cc.Facts, signals cc.Signals, event *cc.Event, stamper *inband.Stamper) {
	if random.Below(8) > 0 {
		event.RTT = unit.Nanosecond + unit.Duration(random.Below(1<<random.Below(34)))
		if random.Below(2) == 0 {
			event.RTT += facts.BaseRTT
		}
	}
	if signals.ECNEcho {
		event.CE = random.Below(3) == 0
	}
	if signals.OneWayDelay || signals.Timestamp {
		event.Echo = event.Clock - random.Between(-100, 20_000)
	}
	if signals.OneWayDelay {
		event.OneWayDelay = unit.Duration(random.Between(-3000, 1<<random.Between(5, 30))) * unit.Nanosecond
		event.BaseRate = unit.BitRate(random.Between(0, 200_000_000>>random.Between(0, 20))) * unit.Kbps
		if random.Below(8) == 0 { // where a total delay is 0
			event.OneWayDelay = -facts.Baseline
		}
	}
	if signals.Timestamp {
		event.RemoteDelay = unit.Duration(random.Below(1<<random.Below(20))) * unit.Nanosecond
	}
	if signals.INT {
		event.INT = inband.Stack{Max: inband.MaxHops}
		for range facts.Hops {
			at, sent := event.Now-unit.Time(random.Below(uint64(event.Now)+1)), event.Sent+unit.Bytes(random.Below(1<<20))
			event.INT.Push(stamper.Stamp(at, sent, unit.Bytes(random.Below(1<<random.Below(26)))))
		}
	}
	bounded(random, contract.Event, &signals, event)
}

// bounded draws the fields that the table gives bounds for, with the signals that
// they come with.
func bounded(random *chance.Stream, table []contract.Field[cc.Event], signals *cc.Signals, event *cc.Event) {
	for i := range table {
		if f := &table[i]; f.Least < f.Most && contract.Asks(signals, f.Signal) {
			contract.SetInt(f.At(event), random.Between(f.Least, f.Most))
		}
	}
}

// shuffle makes events within a few of each other change places; the instants and the bytes sent, which the NIC itself
// counts, stay in order.
func shuffle(random *chance.Stream, events []cc.Event) []cc.Event {
	mixed := slices.Clone(events)
	for from := 1; from < len(mixed); from += shuffled {
		block := mixed[from:min(from+shuffled, len(mixed))]
		random.Shuffle(len(block), func(i, j int) { block[i], block[j] = block[j], block[i] })
	}
	for i := range mixed {
		mixed[i].Now, mixed[i].Sent, mixed[i].Clock = events[i].Now, events[i].Sent, events[i].Clock
	}
	return mixed
}
