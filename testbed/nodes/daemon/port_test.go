package daemon

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/emulator/engine"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/nodes/doctor"
	"github.com/rocelab/rocelab/testbed/nodes/lockstep"
	"github.com/rocelab/rocelab/testbed/nodes/netns"
	"github.com/rocelab/rocelab/testbed/nodes/packet"
)

// wireEnds is a port of a daemon on a veth pair, with the test at the far end.
type wireEnds struct {
	port
	far    *packet.Port
	page   *lockstep.Page
	member *lockstep.Member
	out    *fabric.Outbox
	got    []string // the delivered frames: start and PSN
}

const runNumber = 4711

var geometry = packet.Geometry{Frame: 1500, Receive: 64, Send: 16}

func newWire(t *testing.T) *wireEnds {
	t.Helper()
	tier.Root(t, "a testbed")
	if err := doctor.Required(); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	near, far := netns.End{Namespace: filepath.Join(dir, "near"), Interface: "e0"}, netns.End{Namespace: filepath.Join(dir,
		"far"), Interface: "e0"}
	for _, e := range []netns.End{near, far} {
		if err := netns.NewNamespace(e.Namespace); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { netns.RemoveNamespace(e.Namespace) })
	}
	if err := netns.ConnectAll(t.Context(), []netns.Link{{A: near, B: far, MTU: 1500}}, func(int) {}); err != nil {
		t.Fatal(err)
	}
	w := &wireEnds{out: fabric.NewOutbox(1, make([]uint8, 2))}
	setup := lockstep.Setup{
		Run:          runNumber,
		Participants: 2,
		Links:        2,
		Lookahead:    unit.Microsecond,
		Schedule:     engine.Schedule{Until: unit.Time(unit.Second), Limit: unit.Time(unit.Second)},
		Sampled:      make([]bool, 2),
	}
	var err error
	if w.page, err = lockstep.Create(setup); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.page.Close() })
	w.member = w.page.Join(0)
	ch := fabric.Channel{Rate: 100 * unit.Gbps, Latency: unit.Microsecond}
	w.port = port{
		Port:        &Port{Number: 3, Link: "s0-h7", Peer: 1, Geometry: geometry},
		name:        "s0",
		in:          1,
		attachment:  &fabric.Attachment{Link: 0, Tx: ch, Rx: ch},
		io:          open(t, near),
		trailer:     packet.Trailer{Run: runNumber},
		mostPending: 3,
		deliver:     func(start unit.Time, f *wire.Frame) { w.got = append(w.got, fmt.Sprintf("%d:%d", start, f.PSN)) },
	}
	w.far = open(t, far)
	return w
}

func open(t *testing.T, e netns.End) *packet.Port {
	t.Helper()
	fd := -1
	if err := netns.In(e.Namespace, func() (err error) {
		fd, err = packet.Open(e.Interface, geometry)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	p, err := packet.Map(fd, geometry)
	if err != nil {
		unix.Close(fd)
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// frame is a frame with that PSN.
func frame(psn uint32) *wire.Frame {
	return &wire.Frame{
		EtherType:  wire.EtherTypeIPv4,
		TTL:        64,
		Opcode:     wire.WriteOnly,
		PSN:        psn,
		PayloadLen: 100,
	}
}

// send puts bytes on the wire at the far end, with a trailer.
func (w *wireEnds) send(t *testing.T, bytes []byte, run uint32, sequence uint64) {
	t.Helper()
	slot, err := w.far.Slot()
	if err != nil {
		t.Fatal(err)
	}
	n := copy(slot, bytes)
	trailer := packet.Trailer{Run: run, Sequence: sequence, Start: unit.Time(1000 * sequence)}
	trailer.Put(slot[n:])
	w.far.Queue(n + packet.TrailerLen)
	if err := w.far.Flush(); err != nil {
		t.Fatal(err)
	}
}

// frames sends whole frames of the run, with these sequence numbers.
func (w *wireEnds) frames(t *testing.T, sequences ...uint64) {
	t.Helper()
	for _, s := range sequences {
		w.send(t, frame(uint32(s)).AppendTo(nil), runNumber, s)
	}
}

// receive makes the port read the frames that the far end announced.
func (w *wireEnds) receive(announced uint64) error {
	w.page.Join(1).Announce(w.in, announced)
	return w.port.receive(w.member, w.page, w.out)
}

func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%v: want %q in it", err, part)
		}
	}
}

func TestFramesAreDeliveredInTheOrderOfTheLink(t *testing.T) {
	w := newWire(t)
	w.frames(t, 2, 0, 4, 1, 3, 5, 6)
	if err := w.receive(6); err != nil {
		t.Fatal(err)
	}
	want := []string{"0:0", "1000:1", "2000:2", "3000:3", "4000:4", "5000:5"}
	if got := w.got[:min(6, len(w.got))]; !slices.Equal(got, want) || w.page.Taken(w.in) < 6 {
		t.Errorf("delivered %v, want %v; %d noted", w.got, want, w.page.Taken(w.in))
	}
	if err := w.receive(7); err != nil || len(w.got) != 7 {
		t.Errorf("then %v: %v", w.got, err)
	}
}

func TestDoubledFrameNamesTheLink(t *testing.T) {
	for name, sequences := range map[string][]uint64{"after it was delivered": {0, 0, 1},
		"while it waits for one that it overtook": {1, 1, 0}} {
		t.Run(name, func(t *testing.T) {
			w := newWire(t)
			w.frames(t, sequences...)
			wantError(t, w.receive(2), "link s0-h7", fmt.Sprintf("frame %d came twice", sequences[0]))
		})
	}
	t.Run("after the end", func(t *testing.T) {
		w := newWire(t)
		w.frames(t, 0, 1)
		if err := w.receive(2); err != nil {
			t.Fatal(err)
		}
		w.frames(t, 1)
		wantError(t, w.drain(), "link s0-h7", "frame 1 came twice")
	})
}

func TestLostFrameNamesTheLink(t *testing.T) {
	t.Parallel() // it waits for Patience
	w := newWire(t)
	w.frames(t, 0, 2)
	w.send(t, []byte("something else, 20 B or so"), runNumber+1, 1)
	wantError(t, w.receive(3), "link s0-h7", "of 3 frames sent to s0:3, 2 arrived", "1 foreign", "lost")
}

func TestFullRingShowsInTheLoss(t *testing.T) {
	t.Parallel()
	w := newWire(t)
	const sent = 200 // a ring of 64 slots is full with less
	for s := range uint64(sent) {
		w.frames(t, s)
	}
	err := w.receive(sent)
	wantError(t, err, "link s0-h7", "of 200 frames")
	if err != nil && strings.Contains(err.Error(), "(0 dropped by the ring") {
		t.Errorf("%v: want the drops of the ring", err)
	}
}

func TestWaitForAFrameEndsWithTheRun(t *testing.T) {
	w := newWire(t)
	w.page.Abort()
	if err := w.receive(1); err != nil {
		t.Errorf("%v, though the run was given up", err)
	}
}

func TestForeignFramesReachNoModel(t *testing.T) {
	w := newWire(t)
	w.send(t, frame(9).AppendTo(nil), runNumber+1, 0) // of another run
	slot, err := w.far.Slot()
	if err != nil {
		t.Fatal(err)
	}
	w.far.Queue(copy(slot, frame(8).AppendTo(nil))) // without a trailer
	w.frames(t, 0)
	if err := w.receive(1); err != nil || !slices.Equal(w.got, []string{"0:0"}) || w.foreign != 2 {
		t.Errorf("%v: delivered %v, %d foreign", err, w.got, w.foreign)
	}
	w.send(t, frame(7).AppendTo(nil), runNumber+1, 0)
	if err := w.drain(); err != nil || w.foreign != 3 {
		t.Errorf("%v: %d foreign after the end", err, w.foreign)
	}
}

func TestFrameThatDoesNotDecodeNamesTheLink(t *testing.T) {
	w := newWire(t)
	whole := frame(0).AppendTo(nil)
	w.send(t, whole[:len(whole)-30], runNumber, 0)
	wantError(t, w.receive(1), "link s0-h7", "frame 0", fmt.Sprintf("%d B", len(whole)-30))
}

// A datagram crosses the veth pair as it is, both ways, and keeps its payload
// when the ring's slot is used again.
func TestDatagramsCrossUnharmed(t *testing.T) {
	w := newWire(t)
	notice := func(i int) *wire.Frame {
		f := &wire.Frame{
			SrcIP:   0xac100003,
			DstIP:   0xac100001,
			TOS:     0xC0,
			TTL:     64,
			SrcPort: 0xC001,
		}
		f.SetDatagram(slices.Repeat([]byte{byte(i)}, 10*i))
		f.Len()
		return f
	}
	var got []*wire.Frame
	w.deliver = func(_ unit.Time, f *wire.Frame) { got = append(got, f) }
	const n = 200 // the ring has 64 slots
	for i := range n {
		f := notice(i % 100)
		w.send(t, f.AppendTo(nil), runNumber, uint64(i))
		if err := w.receive(uint64(i + 1)); err != nil {
			t.Fatal(err)
		}
	}
	for i, f := range got {
		if want := notice(i % 100); !reflect.DeepEqual(f, want) || f.Digest() != want.Digest() {
			t.Errorf("%d: got %v %x, want %v", i, f, f.Rare.Payload, want)
		}
	}
	if len(got) != n {
		t.Errorf("%d delivered, want %d", len(got), n)
	}
	if err := w.port.send(&fabric.Departure{Frame: notice(8)}); err != nil {
		t.Fatal(err)
	}
	if err := w.flush(w.member, w.page, 1000); err != nil {
		t.Fatal(err)
	}
	bytes, _, ok := packet.Cut(w.far.Next())
	var f wire.Frame
	if err := wire.Decode(bytes, &f); !ok || err != nil || !reflect.DeepEqual(&f, notice(8)) {
		t.Errorf("sent %v (%v), want %v", &f, err, notice(8))
	}
	w.far.Release()
}

// What a port sends it announces, with the earliest arrival, and has a receiver
// woken whose ring fills up.
func TestSentFramesAreAnnounced(t *testing.T) {
	w := newWire(t)
	for i := range 3 {
		if err := w.port.send(&fabric.Departure{Frame: frame(uint32(i)), Start: unit.Time(5000 * i)}); err != nil {
			t.Fatal(err)
		}
	}
	if w.page.Announced(0) != 0 {
		t.Error("frames are announced before they are on the wire")
	}
	if err := w.flush(w.member, w.page, 1000); err != nil {
		t.Fatal(err)
	}
	if got := w.page.Announced(0); got != 3 {
		t.Errorf("%d frames announced", got)
	}
	for i := range uint64(3) {
		b := w.far.Next()
		if b == nil {
			t.Fatalf("frame %d is not there when it is announced", i)
		}
		bytes, trailer, ok := packet.Cut(b)
		if !ok || trailer != (packet.Trailer{Run: runNumber, Sequence: i, Start: unit.Time(5000 * i)}) ||
			!slices.Equal(bytes, frame(uint32(i)).AppendTo(nil)) {
			t.Errorf("frame %d came with %+v, %d B", i, trailer, len(bytes))
		}
		w.far.Release()
	}
	serial := w.attachment.SerialTime(frame(0))
	if want := unit.Time(0).Add(serial + unit.Microsecond); w.first != want {
		t.Errorf("earliest arrival %v, want %v", w.first, want)
	}
}

// A receiver is woken for the first frame that arrives, or right after the window
// if more frames wait in its ring than one window brings.
func TestReceiverIsWokenBeforeItsRingIsFull(t *testing.T) {
	const horizon = 5000
	for count, want := range map[int]unit.Time{3: 0, 4: horizon} {
		t.Run(fmt.Sprintf("count=%v", count), func(t *testing.T) {
			w := newWire(t)
			far := w.page.Join(1)
			w.member.Arrive(0)
			far.Arrive(0)
			for _, m := range []*lockstep.Member{w.member, far} {
				if _, v := m.Await(); v != lockstep.Granted {
					t.Fatal(v)
				}
			}
			for i := range count {
				if err := w.port.send(&fabric.Departure{Frame: frame(uint32(i)), Start: unit.Time(1000 * i)}); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.flush(w.member, w.page, horizon); err != nil {
				t.Fatal(err)
			}
			if want == 0 {
				want = w.first
			}
			far.Arrive(unit.Never)
			w.member.Arrive(unit.Never)
			if got := w.page.Now(); got != want {
				t.Errorf("%d frames: the next window begins at %v, want %v", count, got, want)
			}
		})
	}
}

func TestSlotsHoldFourWindows(t *testing.T) {
	ch := fabric.Channel{Rate: 100 * unit.Gbps, Latency: unit.Microsecond}
	a := &fabric.Attachment{Tx: ch, Rx: ch}
	// The shortest frame takes 84 B, 6.72 ns at 100 Gb/s: 148 fit whole into 1 us,
	// 150 touch it.
	if got := Slots(a, unit.Microsecond); got != 4*150 {
		t.Errorf("%d slots, want 600", got)
	}
}

// A participant with edges takes a frame between its own nodes in the window that sent it, others in a later one.
func TestAFrameOfItsOwnIsTakenAtOnceWithEdges(t *testing.T) {
	for _, edges := range []int{0, 1} {
		t.Run(fmt.Sprintf("edges=%d", edges), func(t *testing.T) {
			w := newWire(t)
			far := w.port
			far.Port, far.in, far.io = &Port{Link: "s0-h7", Geometry: geometry}, 0, w.far
			far.attachment = &fabric.Attachment{Link: 1, Tx: w.attachment.Tx, Rx: w.attachment.Rx}
			p := &participant{
				page:    w.page,
				member:  w.member,
				ports:   []port{w.port, far},
				out:     w.out,
				outlets: make([]outlet, edges),
			}
			p.byLink = []*port{&p.ports[0], &p.ports[1]}
			p.out.Begin(0, new(trace.Hash))
			p.out.Emit(3, 0, 500, frame(7))
			if err := p.handOver(1000); err != nil {
				t.Fatal(err)
			}
			if len(w.got) != edges || edges > 0 && w.got[0] != "500:7" {
				t.Errorf("%d edges: taken %v", edges, w.got)
			}
		})
	}
}
