package switchd

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// A wire passes every frame on through the other port: frames for its own station, for a link-local group, without time
// to live, of unknown type; and changes nothing.
func TestAWirePassesOnEverything(t *testing.T) {
	c := star(2)
	c.Tree = []bool{true, true}
	c.Wire = true
	b := newBench(t, c)
	b.checked = true
	station := wire.MAC{2, 0xAA, 0, 0, 0, 1}
	frames := []*wire.Frame{
		foreign(wire.MAC{0x01, 0x80, 0xC2, 0, 0, 0x0E}, station, 60), // LLDP
		foreign(everybody, station, 60),
		foreign(station, station, 60), // a bridge knows that it is behind the port that it came by
		tcp(0, 0, 1, station),         // to the station it came from, without time to live
		data(0, 7),
	}
	var want [][]byte
	for i, f := range frames {
		want = append(want, f.AppendTo(nil))
		b.arrive(0, us+unit.Time(i)*200*ns, f)
	}
	b.run(100 * us)
	if len(b.sent) != len(want) {
		t.Fatalf("%d frames left, want %d", len(b.sent), len(want))
	}
	for i, d := range b.sent {
		if got := d.Frame.AppendTo(nil); d.Link != 1 || !bytes.Equal(got, want[i]) {
			t.Errorf("frame %d left by port %d as\n%x, want by port 1\n%x", i, d.Link, got, want[i])
		}
	}
}

func TestAWireHasTwoPorts(t *testing.T) {
	for n, fits := range map[int]bool{1: false, 2: true, 3: false} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			c := star(n)
			c.Wire = true
			if _, err := New(c); (err == nil) != fits {
				t.Errorf("%d ports: %v", n, err)
			}
		})
	}
}
