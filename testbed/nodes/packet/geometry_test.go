package packet

import (
	"math/bits"
	"os"
	"testing"

	"github.com/rocelab/rocelab/testbed/nodes/internal/ring"
)

// The slots must be acceptable to the kernel, and hold the requested frames, at any size: packet_set_ring in
// net/packet/af_packet.c.
func TestLayouts(t *testing.T) {
	page := os.Getpagesize()
	for frame := MinFrame; frame <= maxFrame; frame += 1 + frame/50 {
		for _, slots := range []int{1, 2, 3, 7, 64, 300, 5000} {
			g := Geometry{Frame: frame, Receive: slots, Send: slots}
			for _, l := range []ring.Layout{g.receive(), g.send()} {
				if l.Slot%16 != 0 || l.Slot < frame+sendOffset || l.Block%page != 0 || bits.OnesCount(uint(l.Block)) != 1 ||
					l.PerBlock != l.Block/l.Slot || l.Slots() < slots {
					t.Fatalf("%+v: %+v", g, l)
				}
				if needed := l.Slot * slots; slots >= 300 && frame < 10_000 && l.Bytes()*100 > needed*115 {
					t.Errorf("%+v: %d bytes for %d", g, l.Bytes(), needed)
				}
			}
		}
	}
}

// A frame of 1186 bytes and its trailer does not need a slot of 2 KB, and 800 ends with the rings of a 100 Gb/s link
// and windows of 1 us fit in 1 GB.
func TestRingsAreTight(t *testing.T) {
	g := Geometry{Frame: 1186 + TrailerLen, Receive: 300, Send: 300}
	if got := g.receive().Slot; got > 1296 {
		t.Errorf("a receive slot of %d bytes", got)
	}
	if got := 800 * g.Bytes(); got > 1<<30 {
		t.Errorf("%d bytes for 800 ends", got)
	}
	if got := (Geometry{Frame: 1, Receive: 1, Send: 1}).Bytes(); got != 0 {
		t.Errorf("a geometry out of range has %d bytes", got)
	}
}

func TestRingWalksEverySlotOnce(t *testing.T) {
	for _, frame := range []int{60, 1214, 4300} {
		l := ring.Fit(ring.Align(receiveOffset+frame), 100)
		r := ring.New(l, make([]byte, l.Bytes()))
		seen := map[int]bool{}
		for range l.Slots() {
			if seen[r.At] || r.At/l.Block != (r.At+l.Slot-1)/l.Block {
				t.Fatalf("slot at %d of %+v: twice, or across blocks", r.At, l)
			}
			seen[r.At] = true
			r.Advance()
		}
		if r.At != 0 {
			t.Errorf("after %d slots of %+v at %d, want 0", l.Slots(), l, r.At)
		}
	}
}
