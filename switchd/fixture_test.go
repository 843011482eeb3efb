package switchd

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

const (
	ns = unit.Time(unit.Nanosecond)
	us = unit.Time(unit.Microsecond)
	ms = unit.Time(unit.Millisecond)

	firstIP = 10<<24 | 1
	// The fixture's frames carry 1000 B: 14 + 20 + 8 + 12 + 1000 + 4 B, with 24 B
	// of FCS, preamble and gap 86.56 ns at 100 Gb/s.
	frameLen  = 1058
	frameTime = 86560 * unit.Picosecond
)

// bench is a switch with a NIC at each port, and what it sent.
type bench struct {
	*testing.T
	s    *Switch
	out  *fabric.Outbox
	hash trace.Hash
	sent []fabric.Departure
	now  unit.Time
	// checked runs CheckInvariants after every event.
	checked bool
}

// star returns the configuration of a switch with n ports of 100 Gb/s and 1 us that obey pauses at once;
// port i leads to NIC i.
func star(n int) Config {
	c := Config{
		Name:     "s0",
		ID:       7,
		Seed:     1,
		Profile:  profile.DefaultSwitch(),
		FirstIP:  firstIP,
		MaxFrame: frameLen + 24,
	}
	c.Profile.HeadroomRule, c.Profile.PauseResponse = profile.Frames, 0
	for i := range n {
		ch := fabric.Channel{Rate: 100 * unit.Gbps, Latency: unit.Microsecond}
		c.Ports = append(c.Ports, fabric.Attachment{Link: fabric.LinkID(i), Tx: ch, Rx: ch})
		c.Routes = append(c.Routes, uint16(i))
		c.NextHops = append(c.NextHops, []uint16{uint16(i)})
	}
	return c
}

func newBench(t *testing.T, c Config) *bench {
	t.Helper()
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{T: t, s: s, out: fabric.NewOutbox(1, make([]uint8, len(c.Ports)))}
	b.out.Begin(0, &b.hash)
	return b
}

// data returns an ECN-capable frame of class 3 to NIC dst.
func data(dst int, psn uint32) *wire.Frame {
	f := &wire.Frame{
		EtherType: wire.EtherTypeIPv4,
		SrcIP:     firstIP + 100,
		DstIP:     firstIP + uint32(dst),
		TTL:       64,
		PSN:       psn,
		TOS:       26<<2 | wire.ECT0,
		Opcode:    wire.WriteMiddle,
		SrcPort:   0xC000,
		PKey:      wire.DefaultPKey,
	}
	f.SetPayload(1000)
	return f
}

// dscp gives f another code point.
func dscp(f *wire.Frame, d uint8) *wire.Frame {
	f.TOS = d<<2 | f.TOS&wire.ECNMask
	return f
}

func pfc(quanta uint16, classes ...int) *wire.Frame {
	f := new(wire.Frame)
	f.SetPFC(wire.NodeMAC(1000, 0), 0, 0)
	f.ClassEnable = 0
	for _, c := range classes {
		f.ClassEnable |= 1 << c
		f.Pause[c] = quanta
	}
	return f
}

// arrive lets the last bit of f arrive at the given time, after all earlier
// events were handled.
func (b *bench) arrive(port int, at unit.Time, f *wire.Frame) {
	b.Helper()
	a := b.s.ports[port].rx.Time(f.Len(), f) + b.s.ports[port].rxLatency
	if got := b.s.Deliver(port, at.Add(-a), f.Len(), f); got != at {
		b.Fatalf("port %d: arrival %v, want %v", port, got, at)
	}
}

// run handles all events up to and including t.
func (b *bench) run(t unit.Time) {
	b.Helper()
	for next := b.s.Advance(b.now, b.out); next <= t; {
		b.now = next + 1
		next = b.s.Advance(b.now, b.out)
		if b.checked {
			if err := b.s.CheckInvariants(); err != nil {
				b.Fatalf("at %v: %v", b.now, err)
			}
		}
	}
	b.now = t + 1
	b.sent = append(b.sent, b.out.Lane(0, 0)...)
	b.out.Reset(0, 0)
}

// transcript lists the frames sent since the last call: time, port, and PSN or pause times.
func (b *bench) transcript() string {
	var t strings.Builder
	for _, d := range b.sent {
		f := d.Frame
		fmt.Fprintf(&t, "%d ps port %d ", int64(d.Start), d.Link)
		if !f.IsPFC() {
			fmt.Fprintf(&t, "psn %d ecn %d\n", f.PSN, f.ECN())
			continue
		}
		for c := range 8 {
			if f.ClassEnable&(1<<c) != 0 {
				fmt.Fprintf(&t, "pause class %d for %d ", c, f.Pause[c])
			}
		}
		t.WriteString("\n")
	}
	b.sent = nil
	return t.String()
}

func (b *bench) want(text string) {
	b.Helper()
	want := strings.ReplaceAll(strings.TrimSpace(text), "\t", "")
	if got := strings.TrimSpace(strings.ReplaceAll(b.transcript(), " \n", "\n")); got != want {
		b.Fatalf("sent\n%s\nwant\n%s", got, want)
	}
}

func (b *bench) record(port int) record.Port {
	return b.s.Records(b.now - 1)[port]
}

func (b *bench) wantDrops(port int, reason fabric.DropReason, n uint64) {
	b.Helper()
	if got := b.record(port).Drops[reason]; got != n {
		b.Fatalf("port %d: %d drops for %v, want %d", port, got, reason, n)
	}
}
