package packet

import (
	"math/bits"
	"os"
	"testing"
)

// The slots must be what the kernel accepts, and hold what was asked for, at
// any size: packet_set_ring in net/packet/af_packet.c.
func TestLayouts(t *testing.T) {
	page := os.Getpagesize()
	for frame := MinFrame; frame <= MaxFrame; frame += 1 + frame/50 {
		for _, slots := range []int{1, 2, 3, 7, 64, 300, 5000} {
			g := Geometry{Frame: frame, Receive: slots, Send: slots}
			for _, l := range []layout{g.receive(), g.send()} {
				if l.slot%16 != 0 || l.slot < frame+sendOffset || l.block%page != 0 || bits.OnesCount(uint(l.block)) != 1 ||
					l.perBlock != l.block/l.slot || l.slots() < slots {
					t.Fatalf("%+v: %+v", g, l)
				}
				if needed := l.slot * slots; slots >= 300 && frame < 10_000 && l.bytes()*100 > needed*115 {
					t.Errorf("%+v: %d bytes for %d", g, l.bytes(), needed)
				}
			}
		}
	}
}

// A frame of 1186 bytes and its trailer need no slot of 2 KB, and 800 ends
// with the rings of a 100 Gb/s link and windows of 1 us fit in 1 GB.
func TestRingsAreTight(t *testing.T) {
	g := Geometry{Frame: 1186 + TrailerLen, Receive: 300, Send: 300}
	if got := g.receive().slot; got > 1296 {
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
		l := fit(align(receiveOffset+frame), 100)
		r := newRing(l, make([]byte, l.bytes()))
		seen := map[int]bool{}
		for range l.slots() {
			if seen[r.at] || r.at/l.block != (r.at+l.slot-1)/l.block {
				t.Fatalf("slot at %d of %+v: twice, or across blocks", r.at, l)
			}
			seen[r.at] = true
			r.advance()
		}
		if r.at != 0 {
			t.Errorf("after %d slots of %+v at %d, want 0", l.slots(), l, r.at)
		}
	}
}
