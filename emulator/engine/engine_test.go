package engine

import (
	"context"
	"fmt"
	"hash/crc32"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/emulator/engine/enginetest"
	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// bouncer is a toy node: it sends each frame that arrives out of a random port after a random delay, a given number of
// times in all. Its behaviour depends on the order in which frames reached it, so any fault in the engine's order shows
// in its hash.
type bouncer struct {
	queue *event.Queue
	ports []fabric.Attachment
	busy  []unit.Time
	held  []*wire.Frame
	luck  *chance.Stream
	left  int
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
			if e.Frame.IsDatagram() {
				b.seen = b.seen*31 + uint64(e.Frame.ID) + uint64(crc32.ChecksumIEEE(e.Frame.Rare.Payload))
				e.Frame.ID = uint16(b.seen)
			} else {
				b.seen = b.seen*31 + uint64(e.Frame.PSN)
				e.Frame.PSN = uint32(b.seen) & 0xffffff
			}
			b.held = append(b.held, e.Frame)
			b.queue.Schedule(e.At.Add(unit.Duration(b.luck.Below(3000))), event.Timer, 0, 0)
		case event.Timer:
			port := int(b.luck.Below(uint64(len(b.ports))))
			if b.busy[port] > e.At {
				b.queue.Schedule(b.busy[port], event.Timer, 0, 0)
				continue
			}
			f := b.held[0]
			b.held = b.held[1:]
			if b.left == 0 {
				out.Free(f)
				continue
			}
			b.left--
			b.busy[port] = e.At.Add(b.ports[port].SerialTime(f))
			out.Emit(port, b.ports[port].Link, e.At, f)
		}
	}
	return b.queue.Next()
}

// ring builds n bouncers in a ring of links with different latencies; node 0
// starts with frames.
func ring(n int) (Config, []*bouncer) {
	var nodes []*bouncer
	c := Config{Lookahead: unit.Duration(unit.Never), Schedule: Schedule{Limit: unit.Time(unit.Second),
		Until: unit.Time(200 * unit.Microsecond)}}
	for i := range n {
		nodes = append(nodes, &bouncer{
			queue: event.NewQueue(2),
			busy:  make([]unit.Time, 2),
			ports: make([]fabric.Attachment, 2),
			luck:  chance.New(7, fmt.Sprint("node", i)),
			left:  2000,
		})
		c.Nodes = append(c.Nodes, nodes[i])
	}
	for i := range n {
		j := (i + 1) % n
		ch := fabric.Channel{Rate: 100 * unit.Gbps, Latency: unit.Duration(900+100*i) * unit.Nanosecond}
		nodes[i].ports[0] = fabric.Attachment{Link: fabric.LinkID(2 * i), Tx: ch, Rx: ch}
		nodes[j].ports[1] = fabric.Attachment{Link: fabric.LinkID(2*i + 1), Tx: ch, Rx: ch}
		c.Targets = append(c.Targets, fabric.Target{Node: j, Port: 1}, fabric.Target{Node: i, Port: 0})
		c.Lookahead = min(c.Lookahead, nodes[i].ports[0].Lookahead())
	}
	for i := range 40 {
		f := &wire.Frame{EtherType: wire.EtherTypeIPv4, Opcode: wire.WriteOnly, PSN: uint32(i),
			PayloadLen: uint16(100 * (i % 9))}
		if i%4 == 3 {
			f.SetDatagram(slices.Repeat([]byte{byte(i)}, 5*i))
		}
		nodes[0].held = append(nodes[0].held, f)
		nodes[0].queue.Schedule(unit.Time(i*1000), event.Timer, 0, 0)
	}
	return c, nodes
}

func runRing(t *testing.T, change func(*Config)) (uint64, *Engine) {
	t.Helper()
	return runRingSo(t, enginetest.Windows{}, change)
}

func runRingSo(t *testing.T, so enginetest.Windows, change func(*Config)) (uint64, *Engine) {
	t.Helper()
	c, _ := ring(5)
	change(&c)
	e := New(c)
	end, why, err := e.Run(enginetest.With(context.Background(), so))
	if err != nil || why != Complete || end != c.Until {
		t.Fatalf("run ended at %v, %v, %v", end, why, err)
	}
	var names []string
	for i := range c.Nodes {
		names = append(names, fmt.Sprint(i))
	}
	return trace.Sum(names, e.Hashes()), e
}

func TestWindowsNeverShowInTheTrace(t *testing.T) {
	want, e := runRing(t, func(*Config) {})
	if e.Hops() < 1000 {
		t.Fatalf("only %d hops: the toy fabric is idle", e.Hops())
	}
	luck := chance.New(1, "cuts")
	cuts := map[string]func(unit.Time) unit.Duration{
		"L/2":    func(unit.Time) unit.Duration { return e.Lookahead / 2 },
		"L/7":    func(unit.Time) unit.Duration { return e.Lookahead / 7 },
		"random": func(unit.Time) unit.Duration { return 1 + unit.Duration(luck.Below(uint64(e.Lookahead))) },
	}
	for name, cut := range cuts {
		t.Run(name, func(t *testing.T) {
			for _, workers := range []int{1, 2, 4} {
				so := enginetest.Windows{Cut: cut, AllWorkers: true}
				got, _ := runRingSo(t, so, func(c *Config) { c.Workers = workers })
				if got != want {
					t.Errorf("windows cut at %s, %d workers: trace %016x, want %016x", name, workers, got, want)
				}
			}
		})
	}
	if got, _ := runRing(t, func(c *Config) { c.Workers = 2 }); got != want {
		t.Errorf("workers by choice of the tuner: trace %016x, want %016x", got, want)
	}
}

// TestCodecNeverShowsInTheTrace writes and reads each frame at every hop. The datagrams among them carry a payload,
// which must not become the payload of the next one.
func TestCodecNeverShowsInTheTrace(t *testing.T) {
	want, _ := runRing(t, func(*Config) {})
	for _, workers := range []int{1, 3} {
		t.Run(fmt.Sprintf("workers=%v", workers), func(t *testing.T) {
			so := enginetest.Windows{AllWorkers: true}
			if got, _ := runRingSo(t, so, func(c *Config) { c.Codec, c.Workers = true, workers }); got != want {
				t.Errorf("codec, %d workers: trace %016x, want %016x", workers, got, want)
			}
		})
	}
}

func TestWindowsLongerThanTheLookaheadWouldShow(t *testing.T) {
	want, _ := runRing(t, func(*Config) {})
	got, _ := runRing(t, func(c *Config) { c.Lookahead *= 3 })
	if got == want {
		t.Error("windows of three lookaheads gave the right trace: this test could not fail")
	}
}

func TestRunEndsOnTheGridAfterTheLastCompletion(t *testing.T) {
	c, _ := ring(5)
	last := unit.Time(33 * unit.Microsecond)
	c.Until, c.EndGrid = 0, 10*unit.Microsecond
	now := unit.Time(0)
	c.Windowed = func(t unit.Time) { now = t }
	c.Finished = func() (unit.Time, bool) { return last, now > last }
	end, why, err := New(c).Run(context.Background())
	if want := unit.Time(40 * unit.Microsecond); end != want || why != Complete || err != nil {
		t.Errorf("ended at %v (%v, %v), want %v", end, why, err, want)
	}
}

func TestObserversLookAtTheirInstants(t *testing.T) {
	var seen []unit.Time
	runRing(t, func(c *Config) {
		c.Observers = []Observer{{Every: 30 * unit.Microsecond, Observe: func(now unit.Time) { seen = append(seen, now) }}}
	})
	want := []unit.Time{30, 60, 90, 120, 150, 180, 200} // the end of the run, too
	for i := range want {
		want[i] *= unit.Time(unit.Microsecond)
	}
	if !slices.Equal(seen, want) {
		t.Errorf("observer looked at %v, want %v", seen, want)
	}
}

// Quiet time is observed at most twice, for any length, and no instant is observed twice.
func TestObserversLookTwiceAtQuietTimes(t *testing.T) {
	const us, hour = unit.Time(unit.Microsecond), unit.Time(3600 * unit.Second)
	for _, c := range []struct {
		name   string
		events []unit.Time
		until  unit.Time // 0 for a run that ends when nothing is left
		want   []unit.Time
	}{
		{"an hour between two events", []unit.Time{5 * us, hour + 5*us}, hour + 25*us,
			[]unit.Time{10 * us, 20 * us, hour + 10*us, hour + 20*us, hour + 25*us}},
		{"an hour without an event", nil, hour, []unit.Time{10 * us, 20 * us, hour}},
		{"an event at an instant", []unit.Time{5 * us, 30 * us}, 35 * us, []unit.Time{10 * us, 20 * us, 35 * us}},
		{"one instant in a quiet time", []unit.Time{5 * us, 15 * us, 25 * us}, 30 * us,
			[]unit.Time{10 * us, 20 * us, 30 * us}},
		{"nothing left, and flows incomplete", []unit.Time{5 * us}, 0, []unit.Time{10 * us, 20 * us}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, cut := range []unit.Duration{unit.Microsecond, 7 * unit.Microsecond} {
				config := Config{
					Nodes:     []fabric.Node{&alarm{c.events}},
					Lookahead: cut,
					Schedule:  Schedule{Until: c.until, Limit: 2 * hour, EndGrid: 20 * unit.Microsecond},
					Finished:  func() (unit.Time, bool) { return 0, false },
				}
				var seen []unit.Time
				look := Observer{Every: 10 * unit.Microsecond, Observe: func(now unit.Time) { seen = append(seen, now) }}
				config.Observers = []Observer{look}
				if _, _, err := New(config).Run(context.Background()); err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(seen, c.want) {
					t.Errorf("%s, windows of %v: looks at %v, want %v", c.name, cut, seen, c.want)
				}
			}
		})
	}
}

// alarm is a node that has events at given times and does nothing.
type alarm struct{ times []unit.Time }

func (*alarm) Deliver(int, unit.Time, unit.Bytes, *wire.Frame) unit.Time { return unit.Never }

func (a *alarm) Advance(horizon unit.Time, _ *fabric.Outbox) unit.Time {
	for len(a.times) > 0 && a.times[0] < horizon {
		a.times = a.times[1:]
	}
	if len(a.times) == 0 {
		return unit.Never
	}
	return a.times[0]
}

func TestCancelledRunIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	c, _ := ring(5)
	c.Windowed = func(now unit.Time) {
		if now > unit.Time(20*unit.Microsecond) {
			cancel()
		}
	}
	end, why, err := New(c).Run(ctx)
	if why != Interrupted || err != nil || end < unit.Time(20*unit.Microsecond) || end > unit.Time(25*unit.Microsecond) {
		t.Errorf("ended at %v, %v, %v; want an interruption just after 20us", end, why, err)
	}
}

func TestPartitionKeepsNICsBesideTheirSwitch(t *testing.T) {
	// Four switches of weight 4, each with four NICs of weight 2.
	c := Config{Workers: 2, Nodes: make([]fabric.Node, 20)}
	for i := range 20 {
		c.Neighbour = append(c.Neighbour, -1)
		c.Weight = append(c.Weight, 4)
		if i >= 4 {
			c.Neighbour[i], c.Weight[i] = (i-4)/4, 2
		}
	}
	owner := partition(&c)
	for i, want := range []int{0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1} {
		if owner[i] != want {
			t.Errorf("node %d belongs to worker %d, want %d", i, owner[i], want)
		}
	}
}

// If nothing is left to happen before all flows completed, a run ends on the end grid, for any cuts of its windows.
func TestRunThatDriesUpEndsOnTheGrid(t *testing.T) {
	end := func(cut func(unit.Time) unit.Duration) unit.Time {
		c, nodes := ring(5)
		for _, b := range nodes {
			b.left = 20
		}
		c.Until, c.EndGrid = 0, 10*unit.Microsecond
		c.Finished = func() (unit.Time, bool) { return 0, false }
		end, why, err := New(c).Run(enginetest.With(context.Background(), enginetest.Windows{Cut: cut}))
		if why != Exhausted || err != nil {
			t.Fatalf("ended at %v, %v, %v", end, why, err)
		}
		return end
	}
	want := end(nil)
	if want == 0 || want%unit.Time(10*unit.Microsecond) != 0 || want >= unit.Time(unit.Second) {
		t.Errorf("ended at %v, want a point of the grid before the limit", want)
	}
	luck := chance.New(1, "cuts")
	for range 20 {
		if got := end(func(unit.Time) unit.Duration { return 1 + unit.Duration(luck.Below(900_000)) }); got != want {
			t.Errorf("with other windows it ended at %v, want %v", got, want)
		}
	}
}
