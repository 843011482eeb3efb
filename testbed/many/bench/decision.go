package bench

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/testbed/look/compare"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/model"
)

// Decision is the time of an algorithm, in process, to answer the events of an incast.
type Decision struct {
	Algorithm string `json:"algorithm"`
	// Events is the number of events of a replay, PerEvent the median replay's time over them, PerEventBest and
	// PerEventWorst bound it.
	Events        int     `json:"events"`
	PerEvent      float64 `json:"ns_per_event"`
	PerEventBest  float64 `json:"ns_per_event_best"`
	PerEventWorst float64 `json:"ns_per_event_worst"`
	// PerArrival is its receiver's time for a data packet, 0 if it has none.
	PerArrival float64 `json:"ns_per_arrival"`
	// AllocsPerEvent counts heap allocations in events and arrivals.
	AllocsPerEvent float64 `json:"allocs_per_event"`
}

// decisionsOf is the incast whose events are replayed: 16 flows of 1 MB.
const decisionsOf = "name: decisions\ntopology: {kind: star, hosts: 17}\nalgorithm: %s\n" +
	"traffic:\n  - {kind: incast, senders: 16, receiver: h16, size: 1MB}\n"

// MeasureDecisions runs an incast under the algorithm, records all inputs of its senders and receivers, and times new
// ones with the same inputs, the given number of times.
func MeasureDecisions(ctx context.Context, name string, replays int, find model.Find) (d Decision, err error) {
	algorithm, ok := find(name)
	if !ok {
		return d, fmt.Errorf("there is no algorithm %q", name)
	}
	s, err := scenario.Parse("decisions.yaml", fmt.Appendf(nil, decisionsOf, name), model.Checker(find))
	if err != nil {
		return d, err
	}
	plans, err := s.Plans()
	if err != nil {
		return d, err
	}
	params, err := hosting.Parse(algorithm.Describe(), nil)
	if err != nil {
		return d, err
	}
	controller, err := algorithm.New(params)
	if err != nil {
		return d, err
	}
	r := &rehearsal{Algorithm: algorithm, Controller: controller}
	if _, err = mem.Run(ctx, plans[0],
		mem.Options{Workers: 1, Algorithms: func(string) (cc.Algorithm, bool) { return r, true }}); err != nil {
		return d, err
	}
	d = Decision{Algorithm: name, Events: len(r.events)}
	var events, arrivals []float64
	var before, after runtime.MemStats
	for range max(replays, 1) {
		if ctx.Err() != nil {
			return d, context.Canceled
		}
		runtime.GC()
		r.enter()
		runtime.ReadMemStats(&before)
		events = append(events, r.replayEvents())
		arrivals = append(arrivals, r.replayArrivals())
		runtime.ReadMemStats(&after)
		d.AllocsPerEvent = float64(after.Mallocs-before.Mallocs) / float64(max(1, len(r.events)+len(r.arrivals)))
	}
	d.PerEvent, d.PerEventBest, d.PerEventWorst = compare.Median(events), slices.Min(events), slices.Max(events)
	d.PerArrival = compare.Median(arrivals)
	return d, nil
}

// rehearsal takes the place of an algorithm and its controller while it records the inputs of its flow ends.
type rehearsal struct {
	cc.Algorithm
	cc.Controller
	facts    []cc.Facts
	states   [][4]uint64 // of the flows' chance
	rxFacts  []cc.Facts
	events   []told
	arrivals []arrived
	// The ends of the replay under way.
	senders   []cc.Sender
	decisions []cc.Decision
	receivers []cc.Receiver
}

type told struct {
	of    int
	event cc.Event
}

type arrived struct {
	of      int
	arrival cc.Arrival
	group   cc.Group
	isGroup bool
}

func (r *rehearsal) New(cc.Params) (cc.Controller, error) { return r, nil }

func (r *rehearsal) NewSender(f cc.Facts) cc.Sender {
	s := &rehearsingSender{r, len(r.facts), r.Controller.NewSender(f)}
	r.facts = append(r.facts, f)
	if f.Chance != nil {
		r.states = append(r.states, f.Chance.State())
	}
	return s
}

func (r *rehearsal) NewReceiver(f cc.Facts) cc.Receiver {
	inner := r.Controller.NewReceiver(f)
	if inner == nil {
		return nil
	}
	r.rxFacts = append(r.rxFacts, f)
	return &rehearsingReceiver{r, len(r.rxFacts) - 1, inner}
}

type rehearsingSender struct {
	*rehearsal
	of int
	cc.Sender
}

func (s *rehearsingSender) Handle(e *cc.Event, d *cc.Decision) {
	s.events = append(s.events, told{s.of, *e})
	s.Sender.Handle(e, d)
}

type rehearsingReceiver struct {
	*rehearsal
	of int
	cc.Receiver
}

func (s *rehearsingReceiver) Data(a *cc.Arrival, fb *cc.Feedback) {
	s.arrivals = append(s.arrivals, arrived{of: s.of, arrival: *a})
	s.Receiver.Data(a, fb)
}

func (s *rehearsingReceiver) Group(g cc.Group) {
	s.arrivals = append(s.arrivals, arrived{of: s.of, group: g, isGroup: true})
	s.Receiver.Group(g)
}

// enter makes new ends for a replay.
func (r *rehearsal) enter() {
	r.senders, r.receivers, r.decisions = r.senders[:0], r.receivers[:0], r.decisions[:0]
	for i, f := range r.facts {
		if i < len(r.states) {
			f.Chance = chance.Resume(r.states[i])
		}
		r.senders = append(r.senders, r.Controller.NewSender(f))
		r.decisions = append(r.decisions, cc.Decision{Rate: f.LineRate})
	}
	for _, f := range r.rxFacts {
		r.receivers = append(r.receivers, r.Controller.NewReceiver(f))
	}
}

// replayEvents returns the ns an event. A wake-up is cleared as the NIC does.
func (r *rehearsal) replayEvents() float64 {
	if len(r.events) == 0 {
		return 0
	}
	began := time.Now()
	for i := range r.events {
		t := &r.events[i]
		d := &r.decisions[t.of]
		switch t.event.Kind {
		case cc.EventTimer:
			d.WakeAt = 0
		case cc.EventSent:
			d.WakeBytes = 0
		}
		r.senders[t.of].Handle(&t.event, d)
	}
	return float64(time.Since(began).Nanoseconds()) / float64(len(r.events))
}

// replayArrivals returns the ns a data packet.
func (r *rehearsal) replayArrivals() float64 {
	if len(r.arrivals) == 0 {
		return 0
	}
	var fb cc.Feedback
	began := time.Now()
	for i := range r.arrivals {
		a := &r.arrivals[i]
		if a.isGroup {
			r.receivers[a.of].Group(a.group)
		} else {
			r.receivers[a.of].Data(&a.arrival, &fb)
		}
	}
	return float64(time.Since(began).Nanoseconds()) / float64(len(r.arrivals))
}
