package capture_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/emulator/engine"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/pcapng"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/nodes/capture"
	"github.com/rocelab/rocelab/testbed/nodes/netns"
	"github.com/rocelab/rocelab/testbed/nodes/packet"
)

const (
	number = 4711 // of the run
	us     = unit.Time(unit.Microsecond)
	mtu    = 2000
	room   = mtu + 18
)

// cable is a veth pair between two nodes whose ends send frames as daemons
// do: a, which sends on link 6 of the run, and b, on link 7. It is the run's
// page as well.
type cable struct {
	t      *testing.T
	places []capture.Place
	ports  []pcapng.Port
	ends   [2]*packet.Port
	sent   [2]uint64

	now, end  atomic.Int64
	announced [2]atomic.Uint64
	aborted   atomic.Bool
}

func newCable(t *testing.T) *cable {
	t.Helper()
	tier.Root(t, "making network namespaces and packet sockets")
	c := &cable{t: t}
	c.end.Store(int64(unit.Never))
	dir := t.TempDir()
	channel := fabric.Channel{Rate: 100 * unit.Gbps, Latency: unit.Microsecond}
	var ends [2]netns.End
	for i, name := range []string{"a", "b"} {
		path := filepath.Join(dir, name)
		if err := netns.NewNamespace(path); errors.Is(err, unix.EPERM) {
			t.Skip("this host gives no network namespaces: ", err)
		} else if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := netns.RemoveNamespace(path); err != nil {
				t.Error(err)
			}
		})
		ends[i] = netns.End{Namespace: path, Interface: "hd" + name}
		c.places = append(c.places, capture.Place{Name: name + ":0", Namespace: path, Interface: "hd" + name})
		c.ports = append(c.ports, pcapng.Port{
			Node:       i,
			Name:       name + ":0",
			Out:        fabric.LinkID(6 + i),
			In:         fabric.LinkID(7 - i),
			Attachment: fabric.Attachment{Link: fabric.LinkID(6 + i), Tx: channel, Rx: channel},
		})
	}
	if err := netns.Connect(netns.Link{A: ends[0], B: ends[1], MTU: mtu}); err != nil {
		t.Fatal(err)
	}
	g := packet.Geometry{Frame: room, Receive: 8, Send: 64}
	for i := range ends {
		err := netns.In(ends[i].Namespace, func() error {
			fd, err := packet.Open(ends[i].Interface, g)
			if err == nil {
				c.ends[i], err = packet.Map(fd, g)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.ends[i].Close() })
	}
	return c
}

func (c *cable) Now() unit.Time { return unit.Time(c.now.Load()) }

func (c *cable) Announced(l fabric.LinkID) uint64 { return c.announced[l-6].Load() }

func (c *cable) Over() (unit.Time, engine.Stop, bool) {
	end := unit.Time(c.end.Load())
	return end, 0, end != unit.Never
}

func (c *cable) Aborted() bool { return c.aborted.Load() }

// raw sends bytes from an end.
func (c *cable) raw(from int, b []byte) {
	c.t.Helper()
	slot, err := c.ends[from].Slot()
	if err == nil {
		c.ends[from].Queue(copy(slot, b))
		err = c.ends[from].Flush()
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

// numbered sends a frame with a given number.
func (c *cable) numbered(from int, n uint64, start unit.Time, b []byte) {
	c.t.Helper()
	b = append(b, make([]byte, packet.TrailerLen)...)
	trailer := packet.Trailer{Run: number, Sequence: n, Start: start}
	trailer.Put(b[len(b)-packet.TrailerLen:])
	c.raw(from, b)
}

// send sends and announces a frame, and calls the recorder in memory.
func (c *cable) send(from int, start unit.Time, f *wire.Frame, also *pcapng.Recorder) {
	c.t.Helper()
	c.numbered(from, c.sent[from], start, f.AppendTo(nil))
	c.sent[from]++
	c.announced[from].Store(c.sent[from])
	if also != nil {
		also.Departed(fabric.LinkID(6+from), start, f)
	}
}

func (c *cable) open() *capture.Tap {
	c.t.Helper()
	tp, err := capture.Open(c.places, room)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { tp.Close() })
	return tp
}

func (c *cable) run() capture.Run {
	return capture.Run{Source: c, Number: number, Ports: c.ports, Whole: true}
}

// memory records what the cable carries as a capture in memory does.
func (c *cable) memory() (*pcapng.Recorder, *bytes.Buffer) {
	c.t.Helper()
	var b bytes.Buffer
	r, err := pcapng.NewRecorder(&b, c.ports)
	if err != nil {
		c.t.Fatal(err)
	}
	return r, &b
}

func (c *cable) close(r *pcapng.Recorder, end unit.Time) {
	c.t.Helper()
	if err := r.Close(end); err != nil {
		c.t.Fatal(err)
	}
}

func data(psn uint32) *wire.Frame {
	f := &wire.Frame{
		Dst:       wire.NodeMAC(2, 0),
		Src:       wire.NodeMAC(1, 0),
		EtherType: wire.EtherTypeIPv4,
		SrcIP:     0x0a000001,
		DstIP:     0x0a000002,
		TOS:       0x6A,
		TTL:       64,
		Fragment:  wire.DontFragment,
		SrcPort:   0xC001,
		PKey:      wire.DefaultPKey,
		Flags:     wire.FlagMigReq,
		Opcode:    wire.WriteMiddle,
		DestQP:    0x12,
		PSN:       psn,
	}
	f.SetPayload(1000)
	return f
}

func pfc() *wire.Frame {
	f := new(wire.Frame)
	f.SetPFC(wire.NodeMAC(1, 0), 3, 0xFFFF)
	return f
}

// growing counts the bytes written; it may be read meanwhile.
type growing struct{ size atomic.Int64 }

func (g *growing) Write(b []byte) (int, error) {
	g.size.Add(int64(len(b)))
	return len(b), nil
}

func TestFileEqualsThatOfMemory(t *testing.T) {
	c := newCable(t)
	tp := c.open()
	memory, want := c.memory()
	tagged := data(3)
	tagged.Tagged, tagged.TCI = true, 3<<13|100
	marked := data(2)
	marked.MarkCE()

	var got bytes.Buffer
	done := make(chan error)
	var summary capture.Summary
	go func() {
		var err error
		summary, err = tp.Record(context.Background(), c.run(), &got)
		done <- err
	}()
	c.send(0, 0, data(1), memory)
	c.send(0, 86_560, marked, memory)
	c.send(1, 50_000, pfc(), memory)
	c.now.Store(int64(1 * us))
	c.send(0, 1*us, tagged, memory)
	c.send(1, 1*us, data(9), memory) // portError one instant, from both ends
	for i := range 500 {
		portError := 2*us + unit.Time(i)*100_000
		c.send(i%2, portError, data(uint32(100+i)), memory)
		c.now.Store(int64(portError))
	}
	const end = 60 * us
	c.send(0, end-1, data(7), memory) // leaves before the end and arrives after
	c.send(1, end, data(8), memory)   // leaves at the end
	c.end.Store(int64(end))
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	c.close(memory, end)
	if !bytes.Equal(got.Bytes(), want.Bytes()) {
		t.Errorf("%d bytes differ from the %d of the capture in memory", got.Len(), want.Len())
	}
	if summary != (capture.Summary{Frames: 2*507 - 3, Until: end}) {
		t.Errorf("%+v", summary)
	}
}

// TestFileGrowsDuringTheRun: what started before the current window is handed
// over while the run goes on.
func TestFileGrowsDuringTheRun(t *testing.T) {
	c := newCable(t)
	tp := c.open()
	ctx, cancel := context.WithCancel(context.Background())
	memory, want := c.memory()
	c.send(0, 0, data(1), memory)
	c.now.Store(int64(5 * us))
	c.send(0, 5*us, data(2), memory) // in the current window
	c.close(memory, 5*us)

	got := new(growing)
	done := make(chan error)
	go func() {
		_, err := tp.Record(ctx, c.run(), got)
		done <- err
	}()
	for began := time.Now(); got.size.Load() < int64(want.Len()); time.Sleep(time.Millisecond) {
		if time.Since(began) > 10*time.Second {
			t.Fatalf("%d bytes, want %d", got.size.Load(), want.Len())
		}
	}
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if got.size.Load() != int64(want.Len()) {
		t.Errorf("%d bytes at the end, want %d", got.size.Load(), want.Len())
	}
}

func TestInterruptionAndAbortLeaveAWholeFile(t *testing.T) {
	c := newCable(t)
	memory, want := c.memory()
	tp := c.open()
	c.send(0, 0, data(1), memory)
	c.now.Store(int64(us + us/2))
	c.close(memory, us+us/2)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var got bytes.Buffer
	if _, err := tp.Record(ctx, c.run(), &got); err != nil || !bytes.Equal(got.Bytes(), want.Bytes()) {
		t.Errorf("interrupted: %v, %d bytes, want %d", err, got.Len(), want.Len())
	}

	c = newCable(t)
	tp = c.open()
	c.send(0, 0, data(1), nil)
	c.now.Store(int64(us + us/2))
	c.send(0, 3*us, data(2), nil) // in the window that was given up: not in the file
	c.announced[1].Store(1000)    // never to come
	c.aborted.Store(true)
	got.Reset()
	s, err := tp.Record(context.Background(), c.run(), &got)
	if !errors.Is(err, capture.ErrAborted) || !bytes.Equal(got.Bytes(), want.Bytes()) {
		t.Errorf("aborted: %v, %d bytes, want %d", err, got.Len(), want.Len())
	}
	// The first frame was sent and has arrived, and the file has both; the frames of the other end are missing at both.
	if s != (capture.Summary{Frames: 2, Until: us + us/2, Missed: 2000}) {
		t.Errorf("aborted: %+v", s)
	}
}

func TestOrderOfNumbersIsRestored(t *testing.T) {
	c := newCable(t)
	memory, want := c.memory()
	tp := c.open()
	for _, n := range []uint64{2, 0, 0, 3, 1, 5, 4, 1} { // each number as often as it is offered
		c.numbered(0, n, unit.Time(n)*us, data(uint32(n)).AppendTo(nil))
	}
	for n := range uint32(6) {
		memory.Departed(6, unit.Time(n)*us, data(n))
	}
	c.announced[0].Store(6)
	const end = 100 * us
	c.close(memory, end)
	c.end.Store(int64(end))
	var got bytes.Buffer
	if s, err := tp.Record(context.Background(), c.run(), &got); err != nil || s.Missed != 0 || s.Frames != 12 ||
		!bytes.Equal(got.Bytes(), want.Bytes()) {
		t.Errorf("%v, %+v, %d bytes, want %d", err, s, got.Len(), want.Len())
	}
}

func TestOnlyFramesOfTheRunCount(t *testing.T) {
	c := newCable(t)
	memory, want := c.memory()
	tp := c.open()
	c.raw(0, append(data(50).AppendTo(nil), "nobody's trailer"...))
	other := make([]byte, packet.TrailerLen)
	(&packet.Trailer{Run: number + 1}).Put(other)
	c.raw(0, append(data(51).AppendTo(nil), other...)) // with the number of the frame that follows
	c.send(0, 0, data(1), memory)
	broken := data(52).AppendTo(nil)
	broken[20] ^= 1
	c.numbered(0, 1, 1, broken)
	c.sent[0]++
	c.send(0, 2, data(2), memory)
	const end = 10 * us
	c.close(memory, end)
	c.end.Store(int64(end))
	var got bytes.Buffer
	s, err := tp.Record(context.Background(), c.run(), &got)
	if s != (capture.Summary{Frames: 4, Until: end, Foreign: 2, Undecodable: 2}) || err != nil ||
		!bytes.Equal(got.Bytes(), want.Bytes()) {
		t.Errorf("%v, %+v, %d bytes, want %d", err, s, got.Len(), want.Len())
	}
}

// TestMissedFramesAreCounted sends more than the rings hold before anyone reads.
func TestMissedFramesAreCounted(t *testing.T) {
	c := newCable(t)
	tp := c.open()
	const all = 10_000
	f := data(1)
	for i := range all {
		c.send(0, unit.Time(i)*100_000, f, nil)
	}
	c.end.Store(int64(unit.Second))
	var got bytes.Buffer
	s, err := tp.Record(context.Background(), c.run(), &got)
	if err != nil || s.Frames+s.Missed != 2*all || s.Missed == 0 || s.Frames < all {
		t.Errorf("%v, %+v", err, s)
	}
}

// TestJoiningARunMidway: frames before are not missing.
func TestJoiningARunMidway(t *testing.T) {
	c := newCable(t)
	for range 100 {
		c.send(0, 0, data(1), nil)
	}
	tp := c.open()
	memory, want := c.memory()
	c.send(0, 0, data(2), memory)
	c.end.Store(int64(10 * us))
	c.close(memory, 10*us)
	run := c.run()
	run.Whole = false
	var got bytes.Buffer
	s, err := tp.Record(context.Background(), run, &got)
	if err != nil || s != (capture.Summary{Frames: 2, Until: 10 * us}) ||
		!bytes.Equal(got.Bytes(), want.Bytes()) {
		t.Errorf("%v, %+v, %d bytes, want %d", err, s, got.Len(), want.Len())
	}
}

func TestErrorsNameThePort(t *testing.T) {
	c := newCable(t)
	wrong := append(c.places[:1:1], capture.Place{Name: "leaf1:3", Namespace: c.places[0].Namespace, Interface: "nowhere"})
	before := descriptors(t)
	if _, err := capture.Open(wrong, room); err == nil || !strings.Contains(err.Error(), "capture at leaf1:3: ") {
		t.Error(err)
	}
	if after := descriptors(t); after != before {
		t.Errorf("%d descriptors, then %d", before, after)
	}
	tp := c.open()
	run := c.run()
	run.Ports = run.Ports[:1]
	if _, err := tp.Record(context.Background(), run, io.Discard); err == nil {
		t.Error("one port at two places is accepted")
	}
	full := errors.New("no space left")
	c.send(0, 0, data(1), nil)
	c.end.Store(int64(us))
	if _, err := tp.Record(context.Background(), c.run(), failing{full}); !errors.Is(err, full) {
		t.Error(err)
	}
}

// TestDestroyedTestbedEndsTheCapture: an interface that goes away is an error,
// not a wait for ever.
func TestDestroyedTestbedEndsTheCapture(t *testing.T) {
	c := newCable(t)
	tp := c.open()
	done := make(chan error)
	go func() {
		_, err := tp.Record(context.Background(), c.run(), io.Discard)
		done <- err
	}()
	if err := netns.Disconnect(netns.End{Namespace: c.places[0].Namespace, Interface: c.places[0].Interface}); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-done:
		if err == nil || !strings.Contains(fmt.Sprint(err), "capture at ") {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the capture goes on")
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func descriptors(t *testing.T) int {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}
