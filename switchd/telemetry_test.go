package switchd

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/inband"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// asking returns a frame that asks for telemetry: 1106 B, 1130 B on the wire.
func asking(dst int, psn uint32) *wire.Frame {
	f := data(dst, psn)
	f.Rare = &wire.Rare{INT: inband.Stack{Max: inband.MaxHops}}
	f.SetExtension(wire.ExtINT)
	return f
}

// A record is of the instant of dequeueing and leaves the packet itself out:
// of three frames that meet at a port, the first finds nothing sent and
// nothing queued behind it, the second one frame of 1130 B sent and one of
// 1106 B behind it, the third two sent and none behind.
func TestStampAtDequeue(t *testing.T) {
	b := newBench(t, star(4))
	var frames []*wire.Frame
	for port := range 3 {
		frames = append(frames, asking(3, uint32(port)))
		b.arrive(port, 10*us, frames[port])
	}
	b.run(20 * us)
	const serial = 90400 * unit.Picosecond // 1130 B at 100 Gb/s
	for i, want := range []struct{ sent, queue unit.Bytes }{{0, 0}, {1130, 1106}, {2260, 0}} {
		t.Run(fmt.Sprintf("sent=%v", want.sent), func(t *testing.T) {
			s := &frames[i].Rare.INT
			maker := inband.NewStamper(100 * unit.Gbps)
			record := maker.Stamp((10 * us).Add(unit.Duration(i)*serial), want.sent, want.queue)
			if s.Hops != 1 || s.Record[0] != record {
				t.Errorf("frame %d: %d hops, %#x, want %#x (%v)", i, s.Hops, uint64(s.Record[0]), uint64(record), want)
			}
		})
	}
}

// Other frames that a port sends count too, and echoes in ACKs are not touched.
func TestStampOnlyData(t *testing.T) {
	b := newBench(t, star(4))
	b.arrive(0, 10*us, data(3, 1)) // 1082 B on the wire
	echo := asking(3, 2)
	echo.Opcode = wire.Acknowledge
	echo.SetPayload(0)
	echo.SetExtension(wire.ExtINTEcho) // 106 B, 130 B on the wire
	b.arrive(1, 11*us, echo)
	b.arrive(2, 12*us, asking(3, 3))
	b.run(20 * us)
	if echo.Rare.INT.Hops != 0 {
		t.Errorf("an echo gathered %d records", echo.Rare.INT.Hops)
	}
	maker := inband.NewStamper(100 * unit.Gbps)
	if got, want := b.sent[2].Frame.Rare.INT.Record[0], maker.Stamp(12*us, 1082+130, 0); got != want {
		t.Errorf("record %#x, want %#x", uint64(got), uint64(want))
	}
}

// Frames in other queues of the port count: here two frames of class 0, one of which the scheduler sends before the
// packet that asks.
func TestStampCountsAllQueues(t *testing.T) {
	b := newBench(t, star(4))
	b.arrive(0, 10*us, data(3, 1))
	for psn := uint32(2); psn < 5; psn++ {
		b.arrive(1, 10*us+unit.Time(psn)*unit.Time(unit.Nanosecond), dscp(data(3, psn), 0))
	}
	f := asking(3, 9)
	b.arrive(2, 10*us+9*ns, f)
	b.run(20 * us)
	ahead := 0
	for _, d := range b.sent {
		if d.Frame == f {
			break
		}
		ahead++
	}
	if got, want := f.Rare.INT.Record[0].Queue(), unit.Bytes(4-ahead)*frameLen/320*320; ahead == 4 || got != want {
		t.Errorf("%d frames ahead, the record tells of %v, want %v", ahead, got, want)
	}
}

// A switch that does not stamp, and a port whose rate does not fit a record, pass the stack on as it is.
func TestNoStamp(t *testing.T) {
	off, odd := star(2), star(2)
	off.Profile.INT = false
	odd.Ports[1].Tx.Rate = 40 * unit.Gbps
	for _, c := range []Config{off, odd} {
		b := newBench(t, c)
		f := asking(1, 1)
		b.arrive(0, 10*us, f)
		b.run(20 * us)
		if len(b.sent) != 1 || f.Rare.INT.Hops != 0 {
			t.Errorf("sent %d frames, %d hops", len(b.sent), f.Rare.INT.Hops)
		}
	}
}

// Packets that leave through one link report the same path, packets that leave through others another, and a second
// switch distinguishes two ways in.
func TestStampPath(t *testing.T) {
	b := newBench(t, star(4))
	frames := []*wire.Frame{asking(3, 1), asking(3, 2), asking(2, 3), asking(3, 4)}
	frames[3].Rare.INT.Path = frames[0].Rare.INT.Path ^ 0x1234
	for i, f := range frames {
		b.arrive(0, us.Add(unit.Duration(i)*unit.Microsecond), f)
	}
	b.run(20 * us)
	path := func(i int) uint16 { return frames[i].Rare.INT.Path }
	if path(0) != path(1) || path(0) == path(2) || path(3) != path(0)^0x1234 {
		t.Errorf("paths %#x, %#x, %#x and %#x", path(0), path(1), path(2), path(3))
	}
}

// Of a thousand pairs of links, as the paths of a fabric add them up, no more are
// alike than chance has it.
func TestTags(t *testing.T) {
	seen := map[uint16]int{}
	same := 0
	for i := range 1000 {
		tag := tagOf(fabric.LinkID(2*i)) ^ tagOf(fabric.LinkID(5001+2*i))
		if _, ok := seen[tag]; ok {
			same++
		}
		seen[tag] = i
	}
	if same > 20 { // by chance 1000^2 / 2^17 = 7.6
		t.Errorf("%d of 1000 paths share their sum with another", same)
	}
}
