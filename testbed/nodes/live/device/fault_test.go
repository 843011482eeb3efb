package device

import (
	"strings"
	"testing"
	"time"

	"github.com/vishvananda/netlink"

	"github.com/rocelab/rocelab/testbed/nodes/internal/packettest"
)

// An interface that is set down and up again works again, the span is counted, and frames
// meanwhile are counted and forgotten.
// Tier: everyday, root.
func TestAnInterfaceComesBack(t *testing.T) {
	c := newCable(t, 1500)
	g := Default(1500)
	p, far := c.port(g), c.hostPort(g)
	if s := p.Inspect(); s != Up {
		t.Fatalf("before all: %v", s)
	}
	for range 2 {
		packettest.In(t, c.ours, func() error { return packettest.Set(ourEnd, netlink.LinkSetDown) })
		for i := range 100 {
			p.Send(numbered(100, i))
		}
		p.Flush()
		time.Sleep(20 * time.Millisecond)
		packettest.In(t, c.ours, func() error { return packettest.Set(ourEnd, netlink.LinkSetUp) })
		c.carrier()
		for i := range 3 {
			p.Send(numbered(100, i))
		}
		p.Flush()
		for i := range 3 {
			expect(t, far, numbered(100, i))
			far.Send(numbered(60, i))
			far.Flush()
			expect(t, p, numbered(60, i))
		}
	}
	if c := p.Counters(); c.WhileDown != 200 || c.Spans != 2 || c.Absent < 40*time.Millisecond || c.Sent != 6 {
		t.Errorf("%+v", c)
	}
	if s := p.Inspect(); s != Up {
		t.Errorf("after all: %v", s)
	}
}

// A port that only listens learns it from Inspect. Tier: everyday, root.
func TestInspectNotices(t *testing.T) {
	c := newCable(t, 1500)
	p := c.port(Default(1500))
	packettest.In(t, c.host, func() error { return packettest.Set(hostEnd, netlink.LinkSetDown) })
	for start := time.Now(); p.Inspect() == Up && time.Since(start) < deadline; {
		time.Sleep(time.Millisecond) // the kernel tells of a carrier a little later
	}
	if s := p.Inspect(); s != NoCarrier {
		t.Errorf("the other end is down: %v", s)
	}
	packettest.In(t, c.ours, func() error { return packettest.Set(ourEnd, netlink.LinkSetDown) })
	poll(p, deadline) // an error to be polled
	if s := p.Inspect(); s != Down {
		t.Errorf("set down: %v", s)
	}
	start := time.Now()
	if poll(p, 50*time.Millisecond); time.Since(start) < 40*time.Millisecond {
		t.Error("the error stays after Inspect: who polls would spin")
	}
	packettest.In(t, c.ours, func() error { return packettest.Set(ourEnd, netlink.LinkSetUp) })
	packettest.In(t, c.host, func() error { return packettest.Set(hostEnd, netlink.LinkSetUp) })
	c.carrier()
	far := c.hostPort(Default(1500))
	far.Send(numbered(60, 1))
	far.Flush()
	expect(t, p, numbered(60, 1)) // whoever hears something is up again
	if s, absent := p.state, p.Counters().Absent; s != Up || p.Counters().Spans != 1 || p.Counters().Absent != absent {
		t.Errorf("up again: %v, %+v", s, p.Counters())
	}
}

// A removed interface is gone for good, also when it is made again under its name.
// Tier: everyday, root.
func TestARemovedInterfaceIsGone(t *testing.T) {
	c := newCable(t, 1500)
	p := c.port(Default(1500))
	packettest.In(t, c.ours, func() error { return packettest.Set(ourEnd, netlink.LinkDel) })
	for i := range 70 {
		p.Send(numbered(100, i))
	}
	p.Flush()
	if s := p.Inspect(); s != Gone {
		t.Errorf("removed: %v", s)
	}
	c.plug(1500)
	p.Send(numbered(100, 1))
	p.Flush()
	if s, c := p.Inspect(), p.Counters(); s != Gone || c.WhileDown != 71 || c.Spans != 1 || c.Sent != 0 {
		t.Errorf("made again: %v, %+v", s, c)
	}
	if frame, _, ok := p.Next(); ok {
		t.Errorf("a frame of an interface that is gone: %x", frame)
	}
}

// What cannot be sent is counted by its reason, and what comes after it is sent.
// Tier: everyday, root.
func TestWhatIsNotSentIsCounted(t *testing.T) {
	c := newCable(t, 1500)
	p, far := c.port(Default(9000)), c.hostPort(Default(1500))
	p.Send(numbered(1514, 1))
	p.Send(numbered(1519, 2)) // longer than the interface takes
	p.Send(numbered(10000, 3))
	p.Send(numbered(10, 4)) // no Ethernet header
	p.Send(numbered(60, 5))
	p.Flush()
	expect(t, far, numbered(1514, 1))
	expect(t, far, numbered(60, 5))
	if c := p.Counters(); c.Sent != 2 || c.TooLong != 2 || c.Refused != 1 ||
		!strings.Contains(c.LastRefusal, "invalid argument") {
		t.Errorf("%+v", c)
	}
	packettest.In(t, c.host, func() error {
		return packettest.Set(hostEnd, func(l netlink.Link) error { return netlink.LinkSetMTU(l, 1000) })
	})
	p.Send(numbered(1514, 1)) // the other end of a veth pair does not take it
	p.Send(numbered(60, 6))
	p.Flush()
	expect(t, far, numbered(60, 6))
	if c := p.Counters(); c.NoBuffer != 1 || c.Sent != 3 {
		t.Errorf("%+v", c)
	}
}

// A frame with two tags needs 4 B more than an interface takes by its MTU, which the verdict on time reports. Tier:
// everyday, root.
func TestTwoTagsNeedALargerMTU(t *testing.T) {
	c := newCable(t, 1500)
	p, far := c.port(Default(1500)), c.hostPort(Default(1504))
	tagged := func(tags, number int) []byte {
		frame := numbered(1514+4*tags, number)
		for i := range tags {
			copy(frame[12+4*i:], []byte{0x81, 0, 0, 5})
		}
		return frame
	}
	p.Send(tagged(1, 1))
	p.Send(tagged(2, 2))
	p.Flush()
	expect(t, far, tagged(1, 1))
	if c := p.Counters(); c.Sent != 1 || c.TooLong != 1 {
		t.Errorf("%+v", c)
	}
	longer := func(l netlink.Link) error { return netlink.LinkSetMTU(l, 1504) }
	packettest.In(t, c.ours, func() error { return packettest.Set(ourEnd, longer) })
	packettest.In(t, c.host, func() error { return packettest.Set(hostEnd, longer) })
	p.Send(tagged(2, 3))
	p.Flush()
	expect(t, far, tagged(2, 3))
	if c := p.Counters(); c.Sent != 2 || c.TooLong != 1 {
		t.Errorf("%+v", c)
	}
}

// A device that floods fills the ring: what has no room is counted, and the rest is
// read as before.
// Tier: everyday, root.
func TestAFloodIsCounted(t *testing.T) {
	c := newCable(t, 1500)
	p, far := c.port(Geometry{MTU: 1500, Slots: 100}), c.hostPort(Default(1500))
	const sent = 5000
	for i := range sent {
		far.Send(numbered(60, i))
	}
	far.Flush()
	read := uint64(0)
	for _, _, ok := p.Next(); ok; _, _, ok = p.Next() {
		p.Release()
		read++
	}
	defer func() {
		p.Forget()
		if c := p.Counters(); c.RingFull != 0 || c.Received < read {
			t.Errorf("what was lost before is not forgotten, or what came is: %+v", c)
		}
	}()
	if c := p.Counters(); read < 100 || c.Received != read || c.RingFull != far.Counters().Sent-read {
		t.Errorf("%d read of %d: %+v", read, far.Counters().Sent, c)
	}
	far.Send(numbered(60, 1))
	far.Flush()
	expect(t, p, numbered(60, 1))
}
