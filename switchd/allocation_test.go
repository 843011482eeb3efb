package switchd

import (
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Once warm, watching allocates nothing: neither a known flow's packet at its
// sender's switch, nor its place in a queue, nor an answer that comes back.
func TestProximalAllocatesNothing(t *testing.T) {
	s, err := New(leaf())
	if err != nil {
		t.Fatal(err)
	}
	out := fabric.NewOutbox(1, make([]uint8, 4))
	var hash trace.Hash
	out.Begin(0, &hash)
	const flows = 400 // of each NIC; more than are looked for without a map
	var frames [2 * flows]*wire.Frame
	for i := range frames {
		frames[i] = packet(i%2, 2, uint32(0x20+i/2), 0)
	}
	answer := packet(2, 0, 0x100, 0)
	answer.Opcode, answer.SrcPort = wire.Acknowledge, 0xC000
	next, at := 0, us
	round := func() {
		for port := range 2 {
			f := frames[next%len(frames)]
			next++
			f.TTL, f.TOS = 64, 26<<2|wire.ECT0
			s.Deliver(port, at, f.Len(), f)
		}
		answer.TTL = 64
		s.Deliver(2, at, answer.Len(), answer)
		at += 2 * unit.Time(frameTime)
		s.Advance(at, out)
		out.Reset(0, 0)
	}
	for range 4 * flows {
		round()
	}
	if n := testing.AllocsPerRun(4*flows, round); n > 0 {
		t.Errorf("%v allocations for two packets and an answer", n)
	}
	if x := s.observer.(*proximity); x.table.Len() != 2*flows || x.rec.Flows != 2*flows {
		t.Errorf("%d flows in the table, want %d", x.table.Len(), 2*flows)
	}
}
