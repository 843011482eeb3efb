package packet

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/testbed/nodes/internal/packettest"
)

var small = Geometry{Frame: 1500, Receive: 32, Send: 32}

func TestFramesGoAcrossIntactAndInOrder(t *testing.T) {
	c := newCable(t, 4300)
	g := Geometry{Frame: 4300, Receive: 300, Send: 100}
	from, to := c.port(c.a, g), c.port(c.b, g)
	want := make([]byte, g.Frame)
	number := uint64(0)
	for number < 10_000 {
		window := number
		for range 1 + number%300 {
			size := 60 + int(number*7919%(4300-60+1))
			slot, err := from.Slot()
			if err != nil {
				t.Fatal(err)
			}
			fill(slot[:size], number)
			from.Queue(size)
			number++
		}
		flush(t, from)
		for ; window < number; window++ {
			size := 60 + int(window*7919%(4300-60+1))
			fill(want[:size], window)
			if d := differ(receive(t, to), want[:size]); d != "" {
				t.Fatalf("frame %d: %s", window, d)
			}
			to.Release()
		}
	}
	if to.Next() != nil {
		t.Error("a frame too many arrived")
	}
	s, err := to.Statistics()
	if err != nil {
		t.Fatal(err)
	}
	if s.Packets != number || s.Drops != 0 {
		t.Errorf("statistics %+v, want %d packets and no drops", s, number)
	}
}

func TestRingTakesAllItsFramesAndCountsTheRest(t *testing.T) {
	for _, g := range []Geometry{
		{Frame: 100, Receive: 1, Send: 3}, {Frame: 1214, Receive: 100, Send: 100},
		{Frame: 4186, Receive: 48, Send: 64}, {Frame: 9100, Receive: 20, Send: 7},
		{Frame: maxFrame, Receive: 5, Send: 5},
	} {
		c := newCable(t, maxFrame-MinFrame)
		before := c.counters(c.b)
		from, to := c.port(c.a, g), c.port(c.b, g)
		holds, over := to.receive.Slots(), 17
		if holds < g.Receive {
			t.Fatalf("%+v: a receive ring of %d slots", g, holds)
		}
		frame := make([]byte, g.Frame)
		for i := range holds + over {
			fill(frame, uint64(i))
			send(t, from, frame)
		}
		flush(t, from)
		for i := range holds {
			fill(frame, uint64(i))
			if d := differ(receive(t, to), frame); d != "" {
				t.Fatalf("%+v: frame %d: %s", g, i, d)
			}
			to.Release()
		}
		if to.Next() != nil {
			t.Errorf("%+v: more than %d frames in the ring", g, holds)
		}
		s, err := to.Statistics()
		if err != nil {
			t.Fatal(err)
		}
		if s.Packets != uint64(holds+over) || s.Drops != uint64(over) {
			t.Errorf("%+v: %+v, want %d packets and %d drops", g, s, holds+over, over)
		}
		if s, _ := to.Statistics(); s != (Statistics{}) {
			t.Errorf("%+v: read again %+v", g, s)
		}
		if d := c.counters(c.b).Since(before); d != "" {
			t.Errorf("%+v: a full ring is the socket's loss, not the interface's: %s", g, d)
		}
	}
}

func TestQueueSendsByItself(t *testing.T) {
	c := newCable(t, 1500)
	g := Geometry{Frame: 1500, Receive: 2 * chunk, Send: 2 * chunk}
	from, to := c.port(c.a, g), c.port(c.b, g)
	for range chunk + 1 {
		send(t, from, make([]byte, 100))
	}
	for range chunk {
		receive(t, to)
		to.Release()
	}
	if to.Next() != nil {
		t.Error("the frame after the chunk did not wait for Flush")
	}
	flush(t, from)
	receive(t, to)
	to.Release()
}

func TestVLANTagIsPutBack(t *testing.T) {
	c := newCable(t, 1500)
	from, to := c.port(c.a, small), c.port(c.b, small)
	before := c.counters(c.b)
	for _, tag := range []struct{ tpid, tci uint16 }{{0x8100, 0x6064}, {0x8100, 0}, {0x8100, 0xe000}, {0x88a8, 5}} {
		for _, size := range []int{60, 1500} {
			frame := make([]byte, size)
			fill(frame, uint64(tag.tci))
			binary.BigEndian.PutUint16(frame[12:], tag.tpid)
			binary.BigEndian.PutUint16(frame[14:], tag.tci)
			binary.BigEndian.PutUint16(frame[16:], 0x88b5)
			send(t, from, frame)
			flush(t, from)
			for range 2 { // the frame stays the same until Release
				if d := differ(receive(t, to), frame); d != "" {
					t.Errorf("tag %#04x %#04x, %d bytes: %s", tag.tpid, tag.tci, size, d)
				}
			}
			to.Release()
		}
	}
	// The kernel counts as dropped what only sockets want.
	s, err := to.Statistics()
	if err != nil || s.Unclaimed != 8 {
		t.Errorf("%d frames unclaimed, want 8: %v", s.Unclaimed, err)
	}
	if lost := c.counters(c.b).Claim(before, s.Unclaimed).Since(before); lost != "" {
		t.Errorf("the interface lost %s", lost)
	}
}

func TestForeignFrameIsToldApart(t *testing.T) {
	c := newCable(t, 1500)
	from, to := c.port(c.a, small), c.port(c.b, small)
	frame := make([]byte, 200)
	fill(frame, 1)
	send(t, from, frame)
	mine := append(append([]byte(nil), frame...), make([]byte, TrailerLen)...)
	trailer := Trailer{Run: 7, Sequence: 42, Start: 123_456_789}
	trailer.Put(mine[len(frame):])
	send(t, from, mine)
	flush(t, from)
	if _, _, ok := Cut(receive(t, to)); ok {
		t.Error("a foreign frame was taken for ours")
	}
	to.Release()
	got, tr, ok := Cut(receive(t, to))
	if !ok || tr != trailer {
		t.Errorf("got trailer %+v, ok %v; want %+v", tr, ok, trailer)
	}
	if d := differ(got, frame); d != "" {
		t.Error(d)
	}
	to.Release()
}

func TestTruncatedFrameIsAnError(t *testing.T) {
	c := newCable(t, 1500)
	from, to := c.port(c.a, small), c.port(c.b, Geometry{Frame: 200, Receive: 4, Send: 4})
	fits := make([]byte, 200)
	fill(fits, 1)
	send(t, from, fits)
	send(t, from, make([]byte, 1000))
	flush(t, from)
	if d := differ(receive(t, to), fits); d != "" {
		t.Error(d)
	}
	to.Release()
	if err := to.Await(deadline); err != nil {
		t.Fatal(err)
	}
	if to.Next() != nil {
		t.Error("a truncated frame was handed out")
	}
	err := to.Await(deadline)
	if err == nil || !strings.Contains(err.Error(), "right") || !strings.Contains(err.Error(), "1000 bytes") {
		t.Errorf("got error %v, want one that names the interface and the size", err)
	}
}

func TestFrameBeyondTheMTUIsAnErrorOfTheSender(t *testing.T) {
	c := newCable(t, 1000)
	from := c.port(c.a, small)
	send(t, from, make([]byte, 1014))
	flush(t, from)
	send(t, from, make([]byte, 1015))
	err := from.Flush()
	if !errors.Is(err, unix.EMSGSIZE) || !strings.Contains(err.Error(), "left") {
		t.Errorf("got %v, want EMSGSIZE on left", err)
	}
	if _, again := from.Slot(); again != err {
		t.Errorf("then Slot returns %v", again)
	}
}

func TestRefusedFrameIsSentAgain(t *testing.T) {
	c := newCable(t, 1500)
	before, far := c.counters(c.a), c.counters(c.b)
	from, to := c.port(c.a, small), c.port(c.b, small)
	setMTU := func(mtu int) {
		c.in(c.b, func() error { return netlink.LinkSetMTU(mustLink(t, c.b.Name), mtu) })
	}
	setMTU(500)
	frame := make([]byte, 1000)
	for i := range 3 {
		fill(frame, uint64(i))
		send(t, from, frame)
	}
	if errno := from.kick(); errno != unix.ENOBUFS {
		t.Fatalf("a peer of smaller MTU: %v, want ENOBUFS", errno)
	}
	setMTU(1500)
	flush(t, from)
	for i := range 3 {
		fill(frame, uint64(i))
		if d := differ(receive(t, to), frame); d != "" {
			t.Errorf("frame %d: %s", i, d)
		}
		to.Release()
	}
	s, err := from.Statistics()
	if err != nil {
		t.Fatal(err)
	}
	if s.Refused != 1 {
		t.Errorf("%d refusals, want 1", s.Refused)
	}
	if again, _ := from.Statistics(); again.Refused != 0 {
		t.Errorf("read again: %d refusals", again.Refused)
	}
	if got := c.counters(c.a).Since(before); got != "tx_dropped +1" {
		t.Errorf("the interface says %q, want %q", got, "tx_dropped +1")
	}
	if got := c.counters(c.b).Since(far); got != "rx_dropped +1" {
		t.Errorf("the other end says %q, want %q", got, "rx_dropped +1")
	}
}

func TestFramesToAPeerThatIsDownAreCounted(t *testing.T) {
	c := newCable(t, 1500)
	from := c.port(c.a, small)
	before := c.counters(c.a)
	c.in(c.b, func() error { return netlink.LinkSetDown(mustLink(t, c.b.Name)) })
	send(t, from, make([]byte, 100))
	from.kick()
	if got := c.counters(c.a).Since(before); got != "tx_dropped +1" {
		t.Errorf("the interface says %q, want %q", got, "tx_dropped +1")
	}
}

func TestPeerThatNeverTakesAFrameIsAnError(t *testing.T) {
	c := newCable(t, 1500)
	from := c.port(c.a, small)
	c.in(c.b, func() error { return netlink.LinkSetMTU(mustLink(t, c.b.Name), 500) })
	send(t, from, make([]byte, 1000))
	err := from.Flush()
	if !errors.Is(err, unix.ENOBUFS) || !strings.Contains(err.Error(), "left") {
		t.Errorf("got %v, want ENOBUFS on left", err)
	}
	s, _ := from.Statistics()
	if s.Refused == 0 {
		t.Error("no refusal was counted")
	}
}

func TestAwait(t *testing.T) {
	c := newCable(t, 1500)
	from, to := c.port(c.a, small), c.port(c.b, small)
	for _, timeout := range []time.Duration{-1, 0, time.Microsecond, 3 * time.Millisecond} {
		start := time.Now()
		if err := to.Await(timeout); err != nil {
			t.Fatal(err)
		}
		if waited := time.Since(start); waited < timeout {
			t.Errorf("Await(%v) returned after %v without a frame", timeout, waited)
		}
		if to.Next() != nil {
			t.Error("a frame from nowhere")
		}
	}
	go func() {
		if slot, err := from.Slot(); err == nil {
			fill(slot[:100], 1)
			from.Queue(100)
			from.Flush()
		}
	}()
	receive(t, to)
	to.Release()
	c.in(c.b, func() error { return netlink.LinkSetDown(mustLink(t, c.b.Name)) })
	if err := to.Await(deadline); !errors.Is(err, unix.ENETDOWN) || !strings.Contains(err.Error(), "right") {
		t.Errorf("got %v after the interface went down, want ENETDOWN on right", err)
	}
}

func TestOpenSaysWhatIsWrong(t *testing.T) {
	c := newCable(t, 1500)
	c.in(c.b, func() error { return netlink.LinkSetDown(mustLink(t, c.b.Name)) })
	for _, test := range []struct {
		e    packettest.End
		name string
		g    Geometry
		want string
	}{
		{c.a, "nothing", small, "not found"},
		{c.a, "left", Geometry{Frame: 13, Receive: 1, Send: 1}, "allowed are 14 to 32768"},
		{c.a, "left", Geometry{Frame: 100, Send: 1}, "at least one"},
		{c.a, "left", small, "set the other end up"},
		{c.b, "right", small, "set the interface up"},
	} {
		c.in(test.e, func() error {
			fd, err := Open(test.name, test.g)
			if err == nil || fd != -1 || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), test.name) {
				t.Errorf("Open(%q, %+v) = %d, %v; want an error with %q", test.name, test.g, fd, err, test.want)
			}
			return nil
		})
	}
}

func TestMapRefuses(t *testing.T) {
	c := newCable(t, 1500)
	fd := c.socket(c.a, small)
	if _, err := Map(fd, Geometry{Frame: 1500, Receive: 320, Send: 32}); !errors.Is(err, unix.EINVAL) {
		t.Errorf("another geometry: %v, want EINVAL", err)
	}
	p, err := Map(fd, small)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if _, err := Map(fd, small); err == nil || !strings.Contains(err.Error(), "mapped before") {
		t.Errorf("a second time: %v", err)
	}
	if _, err := Map(0, small); err == nil {
		t.Error("standard input was mapped")
	}
}

func TestQueueAndReleaseOutOfTurnPanic(t *testing.T) {
	c := newCable(t, 1500)
	p := c.port(c.a, small)
	for name, f := range map[string]func(){
		"Queue(13)": func() { p.Queue(13) }, "Queue(1501)": func() { p.Queue(1501) }, "Release": p.Release,
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s did not panic", name)
				}
			}()
			f()
		}()
	}
}

// An interface may have been opened before, by a port that is idle.
func TestPortDoesNotHearItsOwnHost(t *testing.T) {
	c := newCable(t, 1500)
	from, beside, to := c.port(c.a, small), c.port(c.a, small), c.port(c.b, small)
	send(t, from, make([]byte, 100))
	flush(t, from)
	receive(t, to)
	if from.Next() != nil || beside.Next() != nil {
		t.Error("a frame was received where it was sent")
	}
}

// What a port sends can be captured on its own interface, as tcpdump does.
func TestAnotherSocketSeesWhatAPortSends(t *testing.T) {
	c := newCable(t, 1500)
	from := c.port(c.a, small)
	capture := -1
	c.in(c.a, func() (err error) {
		if capture, err = unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0); err != nil {
			return err
		}
		t.Cleanup(func() { unix.Close(capture) })
		return unix.Bind(capture, &unix.SockaddrLinklayer{Protocol: NetworkOrder(unix.ETH_P_ALL),
			Ifindex: mustLink(t, c.a.Name).Attrs().Index})
	})
	frame := make([]byte, 500)
	fill(frame, 1)
	send(t, from, frame)
	flush(t, from)
	got := make([]byte, 2000)
	n, address, err := unix.Recvfrom(capture, got, 0)
	if err != nil {
		t.Fatal(err)
	}
	if d := differ(got[:n], frame); d != "" {
		t.Error(d)
	}
	if a, ok := address.(*unix.SockaddrLinklayer); !ok || a.Pkttype != unix.PACKET_OUTGOING {
		t.Errorf("captured as %+v, want an outgoing frame", address)
	}
}

func TestNoAllocationPerFrame(t *testing.T) {
	c := newCable(t, 1500)
	from, to := c.port(c.a, small), c.port(c.b, small)
	frame := make([]byte, 1000)
	fill(frame, 1)
	allocations := testing.AllocsPerRun(100, func() {
		for range 32 {
			send(t, from, frame)
		}
		flush(t, from)
		for range 32 {
			receive(t, to)
			to.Release()
		}
		to.Await(time.Microsecond)
	})
	if allocations != 0 {
		t.Errorf("%v allocations per 32 frames", allocations)
	}
}
