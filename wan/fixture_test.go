package wan

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

const (
	us = unit.Time(unit.Microsecond)
	ms = unit.Time(unit.Millisecond)
	// delay is the time over 120 km at 5 ns/m.
	delay = 600 * unit.Microsecond
	// frameLen carries 1000 B: 14 + 20 + 8 + 12 + 1000 + 4 B; with 24 B of FCS,
	// preamble and gap it takes 86.56 ns at 100 Gb/s.
	frameLen  = 1058
	frameTime = 86560 * unit.Picosecond
)

// steady is a path of 120 km without events.
func steady() profile.WAN {
	return profile.WAN{Phases: []profile.WANPhase{{Delay: [2]unit.Duration{delay, delay}}}}
}

// config is a path of 100 Gb/s. Its near port sends and hears on links 0 and 1,
// its far one on 3 and 2.
func config(w profile.WAN) Config {
	ch := fabric.Channel{Rate: 100 * unit.Gbps, Latency: w.AttachmentLatency()}
	return Config{
		Name:     "wan0",
		Seed:     1,
		Profile:  w,
		MaxFrame: frameLen,
		Ports:    [2]fabric.Attachment{{Link: 1, Tx: ch, Rx: ch}, {Link: 2, Tx: ch, Rx: ch}},
	}
}

// site is a path with a port at each end, and what they hear.
type site struct {
	*testing.T
	c    Config
	path *Path
	out  *fabric.Outbox
	hash trace.Hash
	free [2]unit.Time
	// heard is, for each end, what arrived there.
	heard [2][]arrival
	lost  []loss
}

type arrival struct {
	psn   uint32
	first unit.Time // first bit out of the path
	last  unit.Time // last bit at the far port
}

type loss struct {
	port   int
	at     unit.Time
	reason fabric.DropReason
	psn    uint32
}

func newSite(t *testing.T, c Config) *site {
	t.Helper()
	p, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	s := &site{T: t, c: c, path: p, out: fabric.NewOutbox(1, make([]uint8, 4))}
	s.out.Watch = s
	s.out.Begin(0, &s.hash)
	s.out.Use(0)
	return s
}

// Departed is a fabric.Watcher's.
func (s *site) Departed(link fabric.LinkID, start unit.Time, f *wire.Frame) {
	port := int(link) - 1
	a := &s.c.Ports[port]
	far := fabric.Attachment{Rx: a.Tx, Accounting: a.Accounting}
	s.heard[port] = append(s.heard[port], arrival{f.PSN, start, far.ArrivalOf(start, f)})
}

// Dropped is a fabric.Watcher's.
func (s *site) Dropped(_, port int, at unit.Time, reason fabric.DropReason, f *wire.Frame) {
	s.lost = append(s.lost, loss{port, at, reason, f.PSN})
}

// data returns a frame with a payload.
func data(psn uint32, payload int) *wire.Frame {
	f := &wire.Frame{
		EtherType: wire.EtherTypeIPv4,
		TTL:       64,
		PSN:       psn,
		Opcode:    wire.WriteMiddle,
		PKey:      wire.DefaultPKey,
	}
	f.SetPayload(payload)
	return f
}

// send starts f at the end beside port, at the given time or as soon as that
// end is free, and returns when.
func (s *site) send(port int, at unit.Time, f *wire.Frame) unit.Time {
	at = max(at, s.free[port])
	s.free[port] = at.Add(s.c.Ports[port].SerialTime(f))
	s.path.Deliver(port, at, f.Len(), f)
	return at
}

// fill sends frames back to back until the given time.
func (s *site) fill(port int, until unit.Time) (n uint32) {
	for ; s.free[port] < until; n++ {
		s.send(port, 0, data(n, 1000))
	}
	return n
}

// run handles all events before the given time, and checks the invariants at regular intervals.
func (s *site) run(until unit.Time) {
	s.Helper()
	const step = 7 * us
	for t := unit.Time(0); t < until; t += step {
		s.path.Advance(min(t+step, until), s.out)
		if err := s.path.CheckInvariants(); err != nil {
			s.Fatalf("at %v: %v", t, err)
		}
	}
}

// transcript lists what an end heard, in microseconds.
func (s *site) transcript(port int) (lines []string) {
	for _, a := range s.heard[port] {
		lines = append(lines, fmt.Sprintf("%d at %.6f", a.psn, a.last.Sub(0).Microseconds()))
	}
	return lines
}

func (s *site) want(port int, lines ...string) {
	s.Helper()
	if got := s.transcript(port); !slices.Equal(got, lines) {
		s.Errorf("the end beside port %d heard\n%q, want\n%q", port, got, lines)
	}
}
