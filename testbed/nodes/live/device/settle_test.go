package device

import (
	"encoding/binary"
	"os"
	"testing"

	"github.com/rocelab/rocelab/testbed/nodes/internal/packettest"
	"github.com/rocelab/rocelab/testbed/nodes/packet"
)

// Frames that a port had or still has to read are not lost, however the kernel counts them; frames from before and
// after the socket are, if the kernel knows no listener for them. Tier: everyday, root.
func TestWhatWaitsIsNotLost(t *testing.T) {
	c := newCable(t, 1500)
	g := Default(1500)
	var drops *os.File
	packettest.In(t, c.ours, func() (err error) {
		drops, err = packet.OpenDrops()
		return err
	})
	defer drops.Close()
	dropped := func() packet.Drops {
		t.Helper()
		d, err := packet.ReadDrops(drops, ourEnd)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	tagged := numbered(100, 1)
	binary.BigEndian.PutUint16(tagged[12:], 0x8100)
	binary.BigEndian.PutUint16(tagged[14:], 7)
	binary.BigEndian.PutUint16(tagged[16:], 0xBEEF)
	far := c.hostPort(g)
	send := func(frames ...[]byte) {
		for _, f := range frames {
			far.Send(f)
		}
		far.Flush()
	}
	was := dropped()
	send(tagged)
	near := c.port(g)
	before := dropped()
	if before.In != was.In+1 {
		t.Fatalf("dropped %+v, then %+v: want one more on its way in", was, before)
	}
	send(tagged, numbered(100, 2), tagged, tagged)
	expect(t, near, tagged)
	if now := dropped(); now.In != before.In+3 {
		t.Errorf("dropped %+v, then %+v: want three more on their way in", before, now)
	}
	if lost := near.Settle(drops, before); lost != 0 {
		t.Errorf("%d frames lost that came", lost)
	}
	if lost := near.Settle(drops, was); lost != 1 {
		t.Errorf("%d frames lost, want the one that came before the socket", lost)
	}
	if _, _, ok := near.Next(); ok {
		t.Error("a frame is left")
	}
	if counts := near.Counters(); counts.Received != 1 {
		t.Errorf("%d frames received, want what was released", counts.Received)
	}
}
