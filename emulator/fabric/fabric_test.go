package fabric_test

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// A frame may not arrive before the end of the window in which it left, by any rule of accounting: under Bare48 the 60
// bytes of an ACK take 4.8 ns at 100 Gb/s, which that rule counts as 4, and a payload of one byte counts for 49. Tier:
// -short.
func TestNothingArrivesWithinTheLookahead(t *testing.T) {
	frames := map[string]*wire.Frame{
		"an ACK":               {EtherType: wire.EtherTypeIPv4, Opcode: wire.Acknowledge},
		"a packet of one byte": {EtherType: wire.EtherTypeIPv4, Opcode: wire.WriteOnly},
	}
	frames["a packet of one byte"].SetPayload(1)
	for _, accounting := range []wire.Accounting{wire.Full, wire.Bare48} {
		t.Run(fmt.Sprintf("accounting=%v", accounting), func(t *testing.T) {
			for _, rate := range []unit.BitRate{10 * unit.Gbps, 25 * unit.Gbps, 100 * unit.Gbps, 400 * unit.Gbps} {
				c := fabric.Channel{Rate: rate, Latency: unit.Microsecond}
				a := fabric.Attachment{Tx: c, Rx: c, Accounting: accounting}
				for name, f := range frames {
					if arrival := a.ArrivalOf(0, f); arrival < unit.Time(a.Lookahead()) {
						t.Errorf("%v at %v: %s arrives after %v, the lookahead is %v",
							accounting, rate, name, arrival, a.Lookahead())
					}
				}
			}
		})
	}
}

// An opaque frame is made in the room of another, however many frames of other kinds come and go
// meanwhile.
func TestOpaqueFramesKeepTheirRoom(t *testing.T) {
	out := fabric.NewOutbox(1, make([]uint8, 1))
	foreign := make([]byte, 1500)
	ack := wire.Frame{EtherType: wire.EtherTypeIPv4, Opcode: wire.Acknowledge}
	known := ack.AppendTo(nil)
	step := func() {
		f, g := out.Decode(foreign), out.Decode(known)
		copied := out.Copy(f)
		if !f.IsOpaque() || g.IsOpaque() || copied.Digest() != f.Digest() {
			t.Fatalf("read %v and %v, copied %v", f, g, copied)
		}
		out.Free(f)
		out.Free(g)
		out.Free(copied)
		h := out.New() // as a NIC does
		*h = ack
		out.Free(h)
	}
	step()
	if n := testing.AllocsPerRun(100, step); n != 0 {
		t.Errorf("%v allocations for two opaque frames", n)
	}
	if out.Decode(make([]byte, wire.MaxOpaque+1)) != nil {
		t.Error("65536 bytes are taken")
	}
	to := fabric.NewOutbox(1, make([]uint8, 1))
	if all := out.FreeFrames(); all != 256 {
		t.Errorf("%d frames are free, want 256", all)
	}
	if out.GiveFree(200, to); out.FreeFrames() != 56 || to.FreeFrames() != 200 {
		t.Errorf("of 256, 200 given away, %d and %d are left", out.FreeFrames(), to.FreeFrames())
	}
}
