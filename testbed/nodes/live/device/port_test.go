package device

import (
	"bytes"
	"encoding/binary"
	"testing"
	"time"
)

// numbered returns a frame of that length; two frames, or two places in one, never look alike.
func numbered(length, number int) []byte {
	b := make([]byte, length)
	copy(b, "\x02\x00\x00\x00\x00\x02\x02\x00\x00\x00\x00\x01\x88\xb5")
	x := uint64(number)*0x9e3779b97f4a7c15 + uint64(length)
	for i := ethernetLen; i < length; i++ {
		x = x*6364136223846793005 + 1442695040888963407
		b[i] = byte(x >> 56)
	}
	return b
}

// expect takes the next frame of a port and compares it.
func expect(t *testing.T, p *Port, want []byte) {
	t.Helper()
	got, _ := await(t, p)
	if !bytes.Equal(got, want) {
		t.Fatalf("%d B, want %d B; first bytes %x, want %x", len(got), len(want), got[:22], want[:22])
	}
	p.Release()
}

// Frames of every size cross both ways as they are, in order, more than fit in a batch
// and in the ring, with a stamp that is the time of day.
// Tier: everyday, root.
func TestFramesCross(t *testing.T) {
	c := newCable(t, 1500)
	g := Geometry{MTU: 1500, Slots: 200}
	near, far := c.port(g), c.hostPort(g)
	for _, way := range []struct{ from, to *Port }{{near, far}, {far, near}} {
		for number := 0; number < 1500; number += 150 {
			for i := range 150 {
				way.from.Send(numbered(14+number+i, number+i))
			}
			way.from.Flush()
			for i := range 150 {
				expect(t, way.to, numbered(14+number+i, number+i))
			}
		}
		if c := way.from.Counters(); c.Sent != 1500 || c.RingFull+c.TooLong+c.NoBuffer+c.Refused != 0 {
			t.Errorf("sender: %+v", c)
		}
		if c := way.to.Counters(); c.Received != 1500 || c.RingFull+c.Truncated+c.Malformed != 0 {
			t.Errorf("receiver: %+v", c)
		}
	}
	before := time.Now().UnixNano()
	near.Send(numbered(60, 1))
	near.Flush()
	_, stamp := await(t, far)
	if after := time.Now().UnixNano(); stamp < before || stamp > after {
		t.Errorf("stamp %d, sent at %d, read at %d", stamp, before, after)
	}
	another := c.port(g) // of this host
	another.Send(numbered(60, 1))
	another.Flush()
	if frame, _, ok := near.Next(); ok {
		t.Errorf("a port reads what its host sent: %x", frame)
	}
}

// Tags that the kernel takes off are put back, for every kind of tag. Tier: everyday, root.
func TestTagsStay(t *testing.T) {
	c := newCable(t, 1500)
	g := Default(1500)
	near, far := c.port(g), c.hostPort(g)
	for _, tags := range [][]uint16{
		{0x8100, 0x2007},                 // a VLAN with a priority
		{0x8100, 0x6000},                 // a priority tag
		{0x88a8, 0x0123},                 // 802.1ad
		{0x88a8, 0x0fff, 0x8100, 0xe001}, // QinQ
		{0x8100, 0x0002, 0x8100, 0x0003},
	} {
		plain := numbered(100, int(tags[1]))
		tagged := append([]byte{}, plain[:12]...)
		for _, w := range tags {
			tagged = binary.BigEndian.AppendUint16(tagged, w)
		}
		tagged = append(tagged, plain[12:]...)
		near.Send(tagged)
		near.Flush()
		expect(t, far, tagged)
	}
	long := append(numbered(12, 1), 0x81, 0, 0, 5)
	long = append(long, numbered(1500+14, 2)[12:]...)
	near.Send(long)
	near.Flush()
	expect(t, far, long)
	// The kernel counts as dropped what only sockets want.
	if n := far.Counters().Unclaimed; n != 6 {
		t.Errorf("%d frames unclaimed, want 6", n)
	}
}
