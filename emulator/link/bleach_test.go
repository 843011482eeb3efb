package link

import (
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/wire"
)

// A frame loses its ECN bits, and its DSCP stays, where it arrives at an end that is named.
func TestBleachClearsECN(t *testing.T) {
	for _, c := range []struct {
		name string
		way  fabric.Way
		atB  bool
		want uint8
	}{
		{"toward this end", fabric.AToB, true, 26 << 2},
		{"toward the other end", fabric.AToB, false, 26<<2 | wire.CE},
		{"both ways", fabric.BothWays, false, 26 << 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			frame := wire.Frame{EtherType: wire.EtherTypeIPv4, TOS: 26<<2 | wire.CE}
			harms := fabric.HarmsAt(c.atB, []fabric.Harm{{Kind: Bleach, Way: c.way}})
			if f := NewFaults(&fabric.Attachment{Harms: harms}, 1, "x"); f != nil {
				if lost := f.Lost(&frame, 0); lost != fabric.DropNone {
					t.Errorf("the frame is lost: %v", lost)
				}
			}
			if frame.TOS != c.want {
				t.Errorf("TOS is %#x, want %#x", frame.TOS, c.want)
			}
		})
	}
}
