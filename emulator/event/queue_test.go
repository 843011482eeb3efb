package event

import (
	"fmt"
	"sort"
	"testing"

	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// model is the queue as its documentation states it: a slice, sorted by time,
// kind, port, sequence.
type model struct {
	pending []pending
	seq     int
}

type pending struct {
	Event
	seq int
}

func (m *model) add(e Event) {
	m.seq++
	m.pending = append(m.pending, pending{e, m.seq})
	sort.SliceStable(m.pending, func(i, j int) bool {
		a, b := &m.pending[i], &m.pending[j]
		switch {
		case a.At != b.At:
			return a.At < b.At
		case a.Kind != b.Kind:
			return a.Kind < b.Kind
		case a.Port != b.Port:
			return a.Port < b.Port
		}
		return a.seq < b.seq
	})
}

func (m *model) next() unit.Time {
	if len(m.pending) == 0 {
		return unit.Never
	}
	return m.pending[0].At
}

func (m *model) popBefore(horizon unit.Time, e *Event) bool {
	if m.next() >= horizon {
		return false
	}
	*e = m.pending[0].Event
	m.pending = m.pending[1:]
	return true
}

func data() *wire.Frame { return &wire.Frame{EtherType: wire.EtherTypeIPv4} }
func pfc() *wire.Frame  { return &wire.Frame{EtherType: wire.EtherTypeMACControl} }

// Random arrivals, timers and pops, with many ties, come out as in the model. Times never lie before the last event
// taken, as in a node. Every other seed lets events gather for a while, to several times the sorted run.
func TestQueueAgainstModel(t *testing.T) {
	for seed := uint64(1); seed <= 40; seed++ {
		c := chance.New(seed, "queue")
		ports := int(c.Between(1, 5))
		q, m := NewQueue(ports), &model{}
		lastArrival := make([]unit.Time, ports)
		now := unit.Time(0)
		for step := range 4000 {
			switch c.Below(6) {
			case 0, 1:
				p := int(c.Below(uint64(ports)))
				f := data()
				if c.Below(3) == 0 {
					f = pfc()
				}
				at := max(now, lastArrival[p]) + unit.Time(c.Between(1, 4)) // increasing on a port
				lastArrival[p] = at
				arrive(q, p, at, f)
				kind := Frame
				if f.EtherType == wire.EtherTypeMACControl {
					kind = PFC
				}
				m.add(Event{At: at, Kind: kind, Port: p, Frame: f})
			case 2:
				kind := []Kind{LinkChange, TxEnd, Timer}[c.Below(3)]
				p, at := int(c.Below(uint64(ports))), now+unit.Time(c.Below(4))
				if c.Below(2) == 0 {
					at += unit.Time(c.Below(200))
				}
				q.Schedule(at, kind, p, uint64(step))
				m.add(Event{At: at, Kind: kind, Port: p, Arg: uint64(step)})
			default:
				if seed%2 == 0 && step/1000%2 == 0 {
					break
				}
				horizon := now + unit.Time(c.Below(6))
				var got, want Event
				g, w := q.PopBefore(horizon, &got), m.popBefore(horizon, &want)
				if g != w || got != want {
					t.Fatalf("seed %d step %d: %v %+v, want %v %+v", seed, step, g, got, w, want)
				}
				if w {
					now = want.At
				}
			}
			if c.Below(2) == 0 && q.Next() != m.next() {
				t.Fatalf("seed %d step %d: next %v, want %v", seed, step, q.Next(), m.next())
			}
		}
		var inFlight, want int
		q.InFlight(func(int, *wire.Frame) { inFlight++ })
		for _, p := range m.pending {
			if p.Frame != nil {
				want++
			}
		}
		if inFlight != want {
			t.Errorf("seed %d: %d frames in flight, want %d", seed, inFlight, want)
		}
	}
}

// Ties of one instant: kind first, then port, then the order of scheduling.
func TestTies(t *testing.T) {
	q := NewQueue(3)
	q.Schedule(5, Timer, 0, 1)
	q.Schedule(5, TxEnd, 2, 2)
	q.Schedule(5, TxEnd, 1, 3)
	arrive(q, 2, 5, data())
	arrive(q, 1, 5, data())
	arrive(q, 0, 5, pfc())
	q.Schedule(5, LinkChange, 2, 4)
	q.Schedule(5, Timer, 0, 5)
	q.Schedule(4, Timer, 2, 6)
	type seen struct {
		kind Kind
		port int
		arg  uint64
	}
	want := []seen{{Timer, 2, 6}, {LinkChange, 2, 4}, {PFC, 0, 0}, {Frame, 1, 0}, {Frame, 2, 0}, {TxEnd, 1, 3},
		{TxEnd, 2, 2}, {Timer, 0, 1}, {Timer, 0, 5}}
	var e Event
	for i, w := range want {
		t.Run(fmt.Sprintf("kind=%v,port=%v,arg=%v", w.kind, w.port, w.arg), func(t *testing.T) {
			if !q.PopBefore(unit.Never, &e) || (seen{e.Kind, e.Port, e.Arg}) != w {
				t.Errorf("event %d: %+v, want %+v", i, e, w)
			}
		})
	}
	if q.PopBefore(unit.Never, &e) || q.Next() != unit.Never {
		t.Error("the queue is not empty")
	}
}

// Frames of one port leave its ring in order while it wraps and grows, and
// InFlight sees just those left.
func TestArrivalRing(t *testing.T) {
	q := NewQueue(1)
	var frames []*wire.Frame
	at, taken := unit.Time(0), 0
	var e Event
	for round := range 60 {
		for range round % 13 {
			f := data()
			at++
			arrive(q, 0, at, f)
			frames = append(frames, f)
		}
		for range round % 7 {
			if !q.PopBefore(unit.Never, &e) {
				break
			}
			if e.Frame != frames[taken] {
				t.Fatalf("frame %d is another's", taken)
			}
			taken++
		}
		i := taken
		q.InFlight(func(port int, f *wire.Frame) {
			if port != 0 || f != frames[i] {
				t.Fatalf("in flight at %d: another's frame", i)
			}
			i++
		})
		if i != len(frames) {
			t.Fatalf("%d in flight, want %d", i-taken, len(frames)-taken)
		}
	}
}

// A horizon is exclusive, and asking with one changes nothing.
func TestHorizon(t *testing.T) {
	q := NewQueue(1)
	q.Schedule(10, Timer, 0, 0)
	var e Event
	if q.PopBefore(10, &e) || q.Next() != 10 {
		t.Error("the event at the horizon was taken")
	}
	if !q.PopBefore(11, &e) || e.At != 10 {
		t.Errorf("%+v", e)
	}
}

func TestQueueAllocatesNothingOnceWarm(t *testing.T) {
	q, f := NewQueue(2), data()
	var e Event
	at := unit.Time(0)
	cycle := func() {
		for range 8 {
			at++
			arrive(q, 0, at, f)
			q.Schedule(at, TxEnd, 1, 0)
		}
		for q.PopBefore(unit.Never, &e) {
		}
	}
	cycle()
	if n := testing.AllocsPerRun(100, cycle); n != 0 {
		t.Errorf("%v allocations a cycle", n)
	}
}

// The room of events that have passed is given back: a run has the starts of all its flows at its beginning.
func TestPassedEventsKeepNoRoom(t *testing.T) {
	const events = 1 << 15
	q := NewQueue(1)
	for i := range events {
		q.Schedule(unit.Time(i*7%events), Timer, 0, 0)
	}
	var e Event
	for i := range events - 1 {
		if !q.PopBefore(unit.Never, &e) || e.At != unit.Time(i) {
			t.Fatalf("event %d: %+v", i, e)
		}
		if left := len(q.far); cap(q.far) > max(farKept, 8*left) && left < events/2 {
			t.Fatalf("%d events have room for %d", left, cap(q.far))
		}
	}
}

func arrive(q *Queue, port int, at unit.Time, f *wire.Frame) { q.Arrive(port, at, f.Len(), f) }
