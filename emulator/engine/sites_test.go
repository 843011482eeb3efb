package engine

import (
	"context"
	"fmt"
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

// tube is a toy long-haul path: the first bit of a frame leaves it a fixed time after it came in.
type tube struct {
	queue    *event.Queue
	ports    [2]fabric.Attachment
	inside   [2][]passing
	promised [2]int
}

type passing struct {
	exit  unit.Time
	frame *wire.Frame
}

const (
	tubeDelay  = 60 * unit.Microsecond
	tubeNotice = 59 * unit.Microsecond // a frame takes less than a microsecond
)

func (t *tube) Deliver(port int, start unit.Time, length unit.Bytes, f *wire.Frame) unit.Time {
	at := t.ports[port].ArrivalOf(start, f)
	t.queue.Arrive(port, at, length, f)
	return at
}

func (t *tube) Advance(horizon unit.Time, out *fabric.Outbox) unit.Time {
	var e event.Event
	for t.queue.PopBefore(horizon, &e) {
		if e.Kind == event.Frame {
			exit := e.At.Add(tubeDelay - t.ports[e.Port].SerialTime(e.Frame))
			t.inside[e.Port] = append(t.inside[e.Port], passing{exit, e.Frame})
			t.queue.Schedule(exit, event.Timer, e.Port, 0)
			continue
		}
		frame := t.inside[e.Port][0].frame
		t.inside[e.Port] = t.inside[e.Port][1:]
		if t.promised[e.Port] > 0 {
			t.promised[e.Port]--
			out.Keep(1-e.Port, e.At, frame)
			continue
		}
		out.Emit(1-e.Port, t.ports[1-e.Port].Link, e.At, frame)
	}
	return t.queue.Next()
}

func (t *tube) Notice() unit.Duration { return tubeNotice }

func (t *tube) Promise(horizon unit.Time, out *fabric.Outbox) {
	for port := range t.inside {
		for _, p := range t.inside[port][t.promised[port]:] {
			if p.exit < horizon {
				out.Promise(t.ports[1-port].Link, p.exit, p.frame)
				t.promised[port]++
			}
		}
	}
}

// farRings are two rings of three bouncers, joined by a long link, or by two tubes in a row.
func farRings(tubes bool) (Config, []*bouncer) {
	c := Config{
		Lookahead: unit.Duration(unit.Never),
		Schedule:  Schedule{Limit: unit.Time(unit.Second), Until: unit.Time(300 * unit.Microsecond)},
		Workers:   1,
	}
	var nodes []*bouncer
	for i := range 6 {
		nodes = append(nodes, &bouncer{
			queue: event.NewQueue(3),
			busy:  make([]unit.Time, 2),
			ports: make([]fabric.Attachment, 2),
			luck:  chance.New(7, fmt.Sprint("node", i)),
			left:  1 << 20,
		})
		c.Nodes = append(c.Nodes, nodes[i])
	}
	join := func(a, b int, latency unit.Duration) (forth, back fabric.Attachment) {
		ch := fabric.Channel{Rate: 100 * unit.Gbps, Latency: latency}
		link := fabric.LinkID(len(c.Targets))
		forth, back = fabric.Attachment{Link: link, Tx: ch, Rx: ch}, fabric.Attachment{Link: link + 1, Tx: ch, Rx: ch}
		c.Lookaheads = append(c.Lookaheads, forth.Lookahead(), back.Lookahead())
		c.Lookahead = min(c.Lookahead, forth.Lookahead())
		return forth, back
	}
	wire := func(a, aPort, b, bPort int) {
		c.Targets = append(c.Targets, fabric.Target{Node: b, Port: bPort}, fabric.Target{Node: a, Port: aPort})
	}
	for i := range nodes {
		j := i/3*3 + (i+1)%3
		nodes[i].ports[0], nodes[j].ports[1] = join(i, j, unit.Duration(900+100*i)*unit.Nanosecond)
		wire(i, 0, j, 1)
	}
	for _, n := range []int{0, 4} {
		nodes[n].ports, nodes[n].busy = append(nodes[n].ports, fabric.Attachment{}), make([]unit.Time, 3)
	}
	if tubes {
		first, second := &tube{queue: event.NewQueue(2)}, &tube{queue: event.NewQueue(2)}
		c.Nodes = append(c.Nodes, first, second)
		nodes[0].ports[2], first.ports[0] = join(0, 6, unit.Microsecond)
		wire(0, 2, 6, 0)
		first.ports[1], second.ports[0] = join(6, 7, unit.Microsecond)
		wire(6, 1, 7, 0)
		second.ports[1], nodes[4].ports[2] = join(7, 4, unit.Microsecond)
		wire(7, 1, 4, 2)
	} else {
		nodes[0].ports[2], nodes[4].ports[2] = join(0, 4, tubeDelay)
		wire(0, 2, 4, 2)
	}
	for i := range 40 {
		n := nodes[i%2*3]
		n.held = append(n.held, dataFrame(i))
		n.queue.Schedule(unit.Time(i*1000), event.Timer, 0, 0)
	}
	return c, nodes
}

// dataFrame is one of different lengths.
func dataFrame(i int) *wire.Frame {
	return &wire.Frame{
		EtherType:  wire.EtherTypeIPv4,
		Opcode:     wire.WriteOnly,
		PSN:        uint32(i),
		PayloadLen: uint16(100 * (i % 9)),
	}
}

// unwatched makes an engine keep one level of windows.
type unwatched struct{}

func (unwatched) Departed(fabric.LinkID, unit.Time, *wire.Frame)              {}
func (unwatched) Dropped(int, int, unit.Time, fabric.DropReason, *wire.Frame) {}

// outcomeOf runs a fabric and returns all that must not depend on windows, in text.
func outcomeOf(t *testing.T, c Config, so enginetest.Windows) (string, *Engine) {
	t.Helper()
	e := New(c)
	end, why, err := e.Run(enginetest.With(context.Background(), so))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	var all []trace.History
	for i := range c.Nodes {
		names = append(names, fmt.Sprint(i))
		all = append(all, e.History(i, end))
	}
	return fmt.Sprintf("%v %v %d hops %016x %v", end, why, e.Hops(), trace.Sum(names, e.Hashes()), all), e
}

// completions ends a run of bouncers when each has sent a number of frames; the second ring takes longer.
func completions(c *Config, nodes []*bouncer) {
	const most = 1 << 20
	c.Until, c.EndGrid = 0, 10*unit.Microsecond
	quota := func(n int) int { return 40 + 25*n }
	ended := make([]unit.Time, len(nodes))
	for i, b := range nodes {
		b.sent = func(at unit.Time) {
			if most-b.left == quota(i) {
				ended[i] = at
			}
		}
	}
	c.Pending = func(n int) bool { return n < len(nodes) && most-nodes[n].left < quota(n) }
	c.Finished = func() (unit.Time, bool) {
		for i := range nodes {
			if c.Pending(i) {
				return 0, false
			}
		}
		return slices.Max(ended), true
	}
}

// Sites that run windows of their own have the results of a fabric that runs in one piece, to the instant of its
// end and each hash on the way, for any cuts at both levels. Red if a site runs a
// window too far.
func TestSitesNeverShow(t *testing.T) {
	for _, c := range []struct {
		name          string
		tubes, finish bool
	}{{"a long link", false, false}, {"tubes", true, false}, {"a long link to the end of flows", false, true},
		{"tubes to the end of flows", true, true}} {
		t.Run(c.name, func(t *testing.T) {
			fresh := func() Config {
				config, nodes := farRings(c.tubes)
				if c.finish {
					completions(&config, nodes)
				}
				return config
			}
			plain := fresh()
			plain.Watch = unwatched{}
			want, flat := outcomeOf(t, plain, enginetest.Windows{})
			if flat.sites != nil || flat.Hops() < 500 {
				t.Fatalf("%d hops, sites %v: want a busy fabric in one piece", flat.Hops(), flat.sites)
			}
			luck, farLuck := chance.New(1, "cuts"), chance.New(2, "cuts")
			for name, so := range map[string]enginetest.Windows{
				"whole": {},
				"L/2":   {Cut: func(unit.Time) unit.Duration { return flat.Lookahead / 2 }},
				"random": {
					Cut: func(unit.Time) unit.Duration { return 1 + unit.Duration(luck.Below(uint64(flat.Lookahead))) },
					Far: func(_ unit.Time, longest unit.Duration) unit.Duration {
						return 1 + unit.Duration(farLuck.Below(uint64(longest)))
					},
				},
			} {
				for _, workers := range []int{1, 2, 3} {
					so.AllWorkers = true
					config := fresh()
					config.Workers, config.Codec = workers, workers == 2 && name != "whole"
					meetings := 0
					config.Windowed = func(unit.Time) { meetings++ }
					got, e := outcomeOf(t, config, so)
					if got != want {
						t.Errorf("%s, %d workers: %.80s, want %.80s", name, workers, got, want)
					}
					if (e.sites != nil) != (workers < 3) {
						t.Errorf("%d workers: sites %v; there are two", workers, e.sites)
					}
					if name == "whole" && workers < 3 && uint64(meetings)*8 > flat.Windows() {
						t.Errorf("%d windows of all sites, and %d in one piece", meetings, flat.Windows())
					}
				}
			}
		})
	}
}

// Sites that have run dry end where a fabric in one piece does, and observers look at the same instants.
func TestSitesThatDryUpEndTheSame(t *testing.T) {
	run := func(change func(*Config)) (string, []unit.Time) {
		c, nodes := farRings(true)
		completions(&c, nodes)
		for _, b := range nodes {
			b.left = 80
		}
		c.Pending, c.Finished = func(int) bool { return true }, func() (unit.Time, bool) { return 0, false }
		var seen []unit.Time
		look := Observer{Every: 70 * unit.Microsecond, Observe: func(now unit.Time) { seen = append(seen, now) }}
		c.Observers = []Observer{look}
		change(&c)
		got, _ := outcomeOf(t, c, enginetest.Windows{AllWorkers: true})
		return got, seen
	}
	want, looks := run(func(c *Config) { c.Watch = unwatched{} })
	for workers := 1; workers <= 2; workers++ {
		got, seen := run(func(c *Config) { c.Workers = workers })
		if got != want || !slices.Equal(seen, looks) {
			t.Errorf("%d workers: %.80s, looks at %v; want %.80s, looks at %v", workers, got, seen, want, looks)
		}
	}
}

// What sites are: parts that only long links join, if the work can be dealt out.
func TestWhatSitesAre(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Config)
		want   int // 0 for one piece
	}{
		{"a long link", func(*Config) {}, 2},
		{"a link that is not long", func(c *Config) { c.Lookaheads[12], c.Lookaheads[13] = 7*c.Lookahead, 7*c.Lookahead }, 0},
		{"one long direction", func(c *Config) { c.Lookaheads[13] = c.Lookahead }, 0},
		{"no lookaheads", func(c *Config) { c.Lookaheads = nil }, 0},
		{"a ring that is cut", func(c *Config) { c.Lookaheads[0], c.Lookaheads[1] = 9*c.Lookahead, 9*c.Lookahead }, 2},
		{"two workers", func(c *Config) { c.Workers = 2 }, 2},
		{"three workers", func(c *Config) { c.Workers = 3 }, 0},
		{"a heavy site, one worker", func(c *Config) { c.Weight = []int{9, 9, 9, 1, 1, 1} }, 2},
		{"a heavy site, two workers", func(c *Config) { c.Weight, c.Workers = []int{9, 9, 9, 1, 1, 1}, 2 }, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			config, _ := farRings(false)
			c.change(&config)
			got := 0
			if s := New(config).sites; s != nil {
				got = s.count
			}
			if got != c.want {
				t.Errorf("%d sites, want %d", got, c.want)
			}
		})
	}
}
