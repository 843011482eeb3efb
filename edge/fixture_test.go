package edge

import (
	"slices"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

const (
	us      = unit.Time(unit.Microsecond)
	latency = 100 * unit.Microsecond
	rate    = unit.Gbps
	// window is the longest that a fabric with this edge has.
	window = latency / 2
	end    = 3000 * us
)

// config is an edge at a link of 1 Gb/s and 100 us.
func config() Config {
	ch := fabric.Channel{Rate: rate, Latency: latency}
	c := Config{Name: "e0", Seed: 1, Queue: 30 * unit.KB, Attachment: fabric.Attachment{Link: 1, Tx: ch, Rx: ch}}
	c.ClassOf[26], c.ClassOf[48] = 3, 6
	return c
}

// frame returns data with a number, a payload and a DSCP.
func frame(number uint32, payload int, dscp uint8) *wire.Frame {
	f := &wire.Frame{
		EtherType: wire.EtherTypeIPv4,
		TTL:       64,
		TOS:       dscp << 2,
		PSN:       number,
		Opcode:    wire.WriteMiddle,
		PKey:      wire.DefaultPKey,
	}
	f.SetPayload(payload)
	return f
}

// pause returns a PFC frame for a class; 0 quanta let it go on.
func pause(class uint8, quanta uint16) *wire.Frame {
	f := &wire.Frame{EtherType: wire.EtherTypeMACControl, Dst: wire.PFCDst, ClassEnable: 1 << class}
	f.Pause[class] = quanta
	return f
}

// foreign is a frame from outside: its arrival, and the time at which the edge learns of it.
type foreign struct {
	came, told, taken unit.Time
	frame             wire.Frame
}

// sent is a frame that the far end of the link starts.
type sent struct {
	start unit.Time
	frame wire.Frame
}

// script is all that happens to an edge.
type script struct {
	foreign []foreign
	fabric  []sent
}

// site is an edge with the results of its frames.
type site struct {
	*testing.T
	c       Config
	edge    *Edge
	out     *fabric.Outbox
	hash    trace.Hash
	horizon unit.Time
	// left, lost and outward are the frames that the edge sent, dropped and lent outward.
	left    []passage
	lost    []passage
	outward []passage
	// starts and moves are the arguments of Started.
	starts, moves uint64
	mostMove      unit.Duration
}

type passage struct {
	at     unit.Time
	number uint32
	reason fabric.DropReason
}

func newSite(t *testing.T, c Config) *site {
	t.Helper()
	e, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	s := &site{T: t, c: c, edge: e, out: fabric.NewOutbox(1, make([]uint8, 2))}
	s.out.Watch = s
	s.out.Begin(0, &s.hash)
	s.out.Use(0)
	e.Outward = func(due unit.Time, f *wire.Frame) { s.outward = append(s.outward, passage{at: due, number: f.PSN}) }
	e.Started = func(moved unit.Duration) {
		s.starts++
		if moved > 0 {
			s.moves++
		}
		s.mostMove = max(s.mostMove, moved)
	}
	return s
}

// Departed is a fabric.Watcher's. A frame that arrives within the window breaks
// causality.
func (s *site) Departed(_ fabric.LinkID, start unit.Time, f *wire.Frame) {
	s.left = append(s.left, passage{at: start, number: f.PSN})
	far := fabric.Attachment{Rx: s.c.Attachment.Tx, Accounting: s.c.Attachment.Accounting}
	if arrival := far.ArrivalOf(start, f); arrival < s.horizon {
		s.Errorf("frame %d arrives at %v, in the window that ends at %v", f.PSN, arrival, s.horizon)
	}
}

// Dropped is a fabric.Watcher's.
func (s *site) Dropped(_, _ int, at unit.Time, reason fabric.DropReason, f *wire.Frame) {
	s.lost = append(s.lost, passage{at: at, number: f.PSN, reason: reason})
}

// play runs a script in windows whose lengths cut gives. Live it reports each frame from outside to the edge in the
// first window that begins at told or later, and records the time taken; frames beyond the last window are taken out of
// the script. Otherwise it replays the times taken.
func play(t *testing.T, c Config, script *script, cut func() unit.Duration, live bool) *site {
	t.Helper()
	s := newSite(t, c)
	foreign, fabric := script.foreign, script.fabric
	deliver := func(before unit.Time) {
		for len(fabric) > 0 && fabric[0].start < before {
			f := fabric[0].frame
			s.edge.Deliver(0, fabric[0].start, f.Len(), &f)
			fabric = fabric[1:]
		}
	}
	for now := unit.Time(0); now < end; now = s.horizon {
		deliver(now)
		s.horizon = min(now.Add(cut()), end)
		for len(foreign) > 0 && (live && foreign[0].told <= now || !live && foreign[0].taken < s.horizon) {
			f := foreign[0].frame
			if live {
				foreign[0].taken = s.edge.Inject(foreign[0].came, s.horizon, &f)
			} else {
				s.edge.Replay(foreign[0].came, foreign[0].taken, &f)
			}
			foreign = foreign[1:]
		}
		s.edge.Advance(s.horizon, s.out)
		if err := s.edge.CheckInvariants(); err != nil {
			t.Fatal(err)
		}
	}
	deliver(end)
	if live {
		script.foreign = script.foreign[:len(script.foreign)-len(foreign)]
	}
	return s
}

// even cuts windows of one length.
func even(length unit.Duration) func() unit.Duration { return func() unit.Duration { return length } }

// uneven cuts windows at random.
func uneven(seed uint64) func() unit.Duration {
	rng := chance.New(seed, "cuts")
	return func() unit.Duration { return 1 + unit.Duration(rng.Below(uint64(window))) }
}

// traffic makes a random script: bursts from outside, some of them pauses, reported late by up to the given time, and
// frames and pauses from the fabric.
func traffic(seed uint64, late unit.Duration) *script {
	rng := chance.New(seed, "traffic")
	s := &script{}
	number := uint32(1)
	any := func() *wire.Frame {
		number++
		if rng.Below(8) == 0 {
			f := pause(uint8(rng.Below(8)), uint16(rng.Below(200)))
			f.PSN = number // no part of a pause on the wire; for the notes of a test
			return f
		}
		dscp := []uint8{0, 26, 48}[rng.Below(3)]
		return frame(number, int(rng.Below(1400)), dscp)
	}
	told := unit.Time(0)
	for at := unit.Time(0); at < end; at = at.Add(unit.Duration(rng.Below(uint64(300 * us)))) {
		for range 1 + rng.Below(30) {
			told = max(told, at.Add(unit.Duration(rng.Below(uint64(late)+1))))
			s.foreign = append(s.foreign, foreign{came: at, told: told, frame: *any()})
			at = at.Add(unit.Duration(rng.Below(uint64(12 * us))))
		}
	}
	free, link := unit.Time(0), config().Attachment
	for free < end {
		f := any()
		start := free.Add(unit.Duration(rng.Below(uint64(30 * us))))
		s.fabric = append(s.fabric, sent{start, *f})
		free = start.Add(link.SerialTime(f))
	}
	return s
}

// equal compares the results of the frames of two runs, and their counters.
func (s *site) equal(other *site) bool {
	return s.edge.Trace(s.hash) == other.edge.Trace(other.hash) && slices.Equal(s.left, other.left) &&
		slices.Equal(s.outward, other.outward)
}
