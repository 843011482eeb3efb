package lockstep

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rocelab/rocelab/emulator/engine"
	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// bouncer is a toy node: it sends each frame that arrives out of a random port after a random delay. Its behaviour
// depends on the order in which frames reached it, so any fault of the order shows in its hash.
type bouncer struct {
	queue *event.Queue
	ports []fabric.Attachment
	busy  []unit.Time
	held  []*wire.Frame
	rng   *chance.Stream
	seen  uint64
}

func (b *bouncer) Deliver(port int, start unit.Time, length unit.Bytes, f *wire.Frame) unit.Time {
	at := b.ports[port].ArrivalOf(start, f)
	b.queue.Arrive(port, at, length, f)
	return at
}

func (b *bouncer) Advance(horizon unit.Time, out *fabric.Outbox) unit.Time {
	var e event.Event
	for b.queue.PopBefore(horizon, &e) {
		switch e.Kind {
		case event.Frame:
			b.seen = b.seen*31 + uint64(e.Frame.PSN)
			e.Frame.PSN = uint32(b.seen) & 0xffffff
			b.held = append(b.held, e.Frame)
			b.queue.Schedule(e.At.Add(unit.Duration(b.rng.Below(3000))), event.Timer, 0, 0)
		case event.Timer:
			port := int(b.rng.Below(uint64(len(b.ports))))
			if b.busy[port] > e.At {
				b.queue.Schedule(b.busy[port], event.Timer, 0, 0)
				continue
			}
			f := b.held[0]
			b.held = b.held[1:]
			b.busy[port] = e.At.Add(b.ports[port].SerialTime(f))
			out.Emit(port, b.ports[port].Link, e.At, f)
		}
	}
	return b.queue.Next()
}

// toyFabric is a ring of bouncers joined by links of different latencies; some
// of them start with frames.
type toyFabric struct {
	nodes     []*bouncer
	targets   []fabric.Target
	lookahead unit.Duration
}

func newRing(n int) *toyFabric {
	r := &toyFabric{lookahead: unit.Duration(unit.Never)}
	for i := range n {
		r.nodes = append(r.nodes, &bouncer{queue: event.NewQueue(2), busy: make([]unit.Time, 2),
			ports: make([]fabric.Attachment, 2), rng: chance.New(7, fmt.Sprint("node", i))})
	}
	for i := range n {
		j := (i + 1) % n
		ch := fabric.Channel{Rate: 100 * unit.Gbps, Latency: unit.Duration(900+100*(i%7)) * unit.Nanosecond}
		r.nodes[i].ports[0] = fabric.Attachment{Link: fabric.LinkID(2 * i), Tx: ch, Rx: ch}
		r.nodes[j].ports[1] = fabric.Attachment{Link: fabric.LinkID(2*i + 1), Tx: ch, Rx: ch}
		r.targets = append(r.targets, fabric.Target{Node: j, Port: 1}, fabric.Target{Node: i, Port: 0})
		r.lookahead = min(r.lookahead, r.nodes[i].ports[0].Lookahead())
	}
	for i := range 24 {
		f := &wire.Frame{EtherType: wire.EtherTypeIPv4, Opcode: wire.WriteOnly, PSN: uint32(i),
			PayloadLen: uint16(100 * (i % 9))}
		b := r.nodes[(i%3)*n/3]
		b.held = append(b.held, f)
		b.queue.Schedule(unit.Time(i*1000), event.Timer, 0, 0)
	}
	return r
}

// sum folds the hashes of the nodes.
func sum(hashes []trace.Hash) uint64 {
	var names []string
	for i := range hashes {
		names = append(names, fmt.Sprint(i))
	}
	return trace.Sum(names, hashes)
}

// byEngine runs the ring in one process.
func byEngine(t *testing.T, n int, until unit.Time) uint64 {
	t.Helper()
	r := newRing(n)
	c := engine.Config{Targets: r.targets, Lookahead: r.lookahead, Schedule: engine.Schedule{Until: until, Limit: until}}
	for _, b := range r.nodes {
		c.Nodes = append(c.Nodes, b)
	}
	e := engine.New(c)
	if _, why, err := e.Run(context.Background()); err != nil || why != engine.Complete {
		t.Fatal(why, err)
	}
	if e.Hops() < 500 {
		t.Fatalf("only %d hops: the toy fabric is idle", e.Hops())
	}
	return sum(e.Hashes())
}

// mailbox stands for the socket of one direction of a link.
type mailbox struct {
	mu    sync.Mutex
	queue []fabric.Departure
}

func (m *mailbox) put(d fabric.Departure) {
	m.mu.Lock()
	m.queue = append(m.queue, d)
	m.mu.Unlock()
}

func (m *mailbox) get(i uint64) fabric.Departure {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.queue[i]
}

// team is participants in one process, each on a thread of its own.
type team struct {
	*toyFabric
	owner  []int // the participant of each node
	hashes []trace.Hash
	boxes  []mailbox
	// at is the window that each participant is in, 0 while it waits.
	at []atomic.Uint64
	// problems are the first of what must not be.
	problems chan string
}

func (m *team) problem(format string, args ...any) {
	select {
	case m.problems <- fmt.Sprintf(format, args...):
	default:
	}
}

// play is the part of one participant. It does what a daemon does with sockets.
func (m *team) play(index int, p *Page) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	member := p.Join(index)
	out := fabric.NewOutbox(1, make([]uint8, len(m.targets)))
	next := make([]unit.Time, len(m.nodes))
	var inward []fabric.LinkID
	for l, to := range m.targets {
		if m.owner[to.Node] == index {
			inward = append(inward, fabric.LinkID(l))
		}
	}
	taken, sent := make([]uint64, len(m.targets)), make([]uint64, len(m.targets))
	last := unit.Time(0) // no event before it can still come
	member.Complete(0)
	member.Arrive(0)
	for {
		horizon, verdict := member.Await()
		if verdict != Granted {
			if verdict == Aborted {
				return fmt.Errorf("aborted")
			}
			return nil
		}
		m.enter(index, member.seen)
		if horizon <= last {
			m.problem("participant %d was granted a window up to %v after one up to %v", index, horizon, last)
		}
		for _, l := range inward {
			for want := p.Announced(l); taken[l] < want; taken[l]++ {
				d, to := m.boxes[l].get(taken[l]), m.targets[l]
				arrival := m.nodes[to.Node].Deliver(to.Port, d.Start, unit.Bytes(d.Length), d.Frame)
				next[to.Node] = min(next[to.Node], arrival)
				if arrival < last {
					m.problem("a frame arrives at %v, node %d has been at %v", arrival, to.Node, last)
				}
			}
			member.Took(l, taken[l])
		}
		out.Use(0)
		earliest := unit.Never
		for n := range m.nodes {
			if m.owner[n] != index {
				continue
			}
			if next[n] < horizon {
				out.Begin(n, &m.hashes[n])
				next[n] = m.nodes[n].Advance(horizon, out)
			}
			earliest = min(earliest, next[n])
		}
		for _, d := range out.Lane(0, 0) {
			m.boxes[d.Link].put(d)
			sent[d.Link]++
			member.Announce(d.Link, sent[d.Link])
			to := m.targets[d.Link]
			member.Alert(m.owner[to.Node], m.nodes[to.Node].ports[to.Port].ArrivalOf(d.Start, d.Frame))
		}
		out.Reset(0, 0)
		last = horizon
		m.at[index].Store(0)
		member.Tell(out.Hops, 0, &record.Tally{})
		member.Arrive(earliest)
	}
}

// enter records that a participant is in a window, and all must be in the same.
func (m *team) enter(index int, window uint64) {
	m.at[index].Store(window)
	for i := range m.at {
		if w := m.at[i].Load(); w != 0 && w != window {
			m.problem("participant %d is in window %d, %d in window %d", index, window, i, w)
		}
	}
}

// byTeam runs the ring with its nodes dealt to participants, each with a mapping
// of the page of its own.
func byTeam(t *testing.T, n, participants int, setup Setup) (got uint64, page *Page, problem string) {
	t.Helper()
	m := &team{
		toyFabric: newRing(n),
		hashes:    make([]trace.Hash, n),
		boxes:     make([]mailbox, 2*n),
		at:        make([]atomic.Uint64, participants),
		problems:  make(chan string, 1),
	}
	for i := range n {
		m.owner = append(m.owner, i%participants)
	}
	setup.Participants, setup.Links = participants, 2*n
	if setup.Lookahead == 0 {
		setup.Lookahead = m.lookahead
	}
	setup.Sampled = make([]bool, participants)
	for i := range setup.Sampled {
		setup.Sampled[i] = i%3 == 0
	}
	var f *os.File
	page, f = create(t, setup)
	errs := make(chan error)
	for i := range participants {
		own, err := Map(f, setup)
		if err != nil {
			t.Fatal(err)
		}
		defer own.Close()
		go func() { errs <- m.play(i, own) }()
	}
	for range participants {
		if err := <-errs; err != nil {
			t.Fatal(err)
		}
	}
	select {
	case problem = <-m.problems:
	default:
	}
	return sum(m.hashes), page, problem
}

// create makes a page; its file is for others.
func create(t *testing.T, s Setup) (*Page, *os.File) {
	t.Helper()
	p, err := Create(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p, p.File()
}

// processors lets n goroutines wait on a page at a time: each holds on to a
// processor of the Go runtime for a while, as the only one in a process does
// that matters there.
func processors(t *testing.T, n int) {
	before := runtime.GOMAXPROCS(n + 2)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

// The toy fabric behaves the same on every runner, and for any cuts of windows: by a shorter lookahead, by looks, by
// the grid at which runs may end.
func TestTraceIsThatOfTheEngine(t *testing.T) {
	processors(t, 80)
	rng := rand.New(rand.NewPCG(1, 2))
	until := unit.Time(60 * unit.Microsecond)
	for _, size := range []struct{ nodes, participants int }{{3, 1}, {5, 2}, {12, 12}, {40, 40}, {80, 70}} {
		t.Run(fmt.Sprintf("nodes=%v", size.nodes), func(t *testing.T) {
			want := byEngine(t, size.nodes, until)
			lookahead := newRing(size.nodes).lookahead
			setups := []Setup{{}, {Lookahead: lookahead / 2}, {Lookahead: lookahead / 7}, {SamplePeriod: 3 * unit.Microsecond}}
			for range 3 {
				setups = append(setups, Setup{Lookahead: 1 + unit.Duration(rng.Int64N(int64(lookahead))),
					SamplePeriod: unit.Duration(1 + rng.Int64N(int64(2*unit.Microsecond)))})
			}
			for _, s := range setups {
				s.Schedule = engine.Schedule{Until: until, Limit: until}
				got, page, problem := byTeam(t, size.nodes, size.participants, s)
				if got != want || problem != "" {
					t.Errorf("%d nodes, %d participants, windows of %v, looks every %v: trace %016x, that of the engine is %016x; %s",
						size.nodes, size.participants, s.Lookahead, s.SamplePeriod, got, want, problem)
				}
				if end, why, over := page.Over(); end != until || why != engine.Complete || !over {
					t.Errorf("ended at %v, %v, %v", end, why, over)
				}
			}
		})
	}
}

func TestTooLongWindowsWouldShow(t *testing.T) {
	processors(t, 12)
	until := unit.Time(60 * unit.Microsecond)
	got, _, problem := byTeam(t, 12, 12, Setup{Lookahead: 4 * newRing(12).lookahead,
		Schedule: engine.Schedule{Until: until, Limit: until}})
	if got == byEngine(t, 12, until) || problem == "" {
		t.Errorf("windows of four lookaheads gave the right trace, or no complaint (%q): this test could not fail", problem)
	}
}
