package switchd

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// slowTime is the time of the fixture's frame at 25 Gb/s.
const slowTime = 4 * frameTime

// slowed returns two ports whose links have 25 Gb/s from 10 to 20 us: port 0 in the receiving direction, port 1 in the
// sending one.
func slowed() Config {
	c := star(2)
	c.Ports[0].RxSlow = []fabric.Slow{{From: 10 * us, To: 20 * us, Rate: 25 * unit.Gbps}}
	c.Ports[1].TxSlow = c.Ports[0].RxSlow
	return c
}

// A port sends what starts while its link is slow at the lower rate; the frame under way when that begins, and one
// that starts when it is over, have the port's own.
func TestPortSendsSlowly(t *testing.T) {
	b := newBench(t, slowed())
	b.checked = true
	for i := range 3 {
		b.s.Deliver(0, 8_900*ns+unit.Time(i)*unit.Time(frameTime), frameLen, data(1, uint32(i)))
	}
	b.run(15 * us)
	first := 8_900*ns + us + unit.Time(frameTime)
	wantStarts(b, first, first.Add(frameTime), first.Add(frameTime+slowTime))
	for i := range 2 {
		b.s.Deliver(0, 20*us+unit.Time(i)*unit.Time(frameTime), frameLen, data(1, 3))
	}
	b.run(30 * us)
	first = 21*us + unit.Time(frameTime)
	wantStarts(b, first, first.Add(frameTime))
}

// wantStarts wants the frames that were sent since the last call to have started at the given times.
func wantStarts(b *bench, want ...unit.Time) {
	b.Helper()
	var got []unit.Time
	for _, d := range b.sent {
		got = append(got, d.Start)
	}
	if b.sent = nil; !slices.Equal(got, want) {
		b.Errorf("frames started at %v, want %v", got, want)
	}
}

// A frame that starts while the link is slow arrives later by what it takes longer, to the start of the span and its
// end.
func TestFramesArriveSlowly(t *testing.T) {
	b := newBench(t, slowed())
	for start, want := range map[unit.Time]unit.Duration{
		10*us - 1: frameTime, 10 * us: slowTime, 20*us - 1: slowTime, 20 * us: frameTime,
	} {
		t.Run(fmt.Sprintf("start=%v", start), func(t *testing.T) {
			if got := b.s.Deliver(0, start, frameLen, data(1, 0)); got != start.Add(want+unit.Microsecond) {
				t.Errorf("a frame that starts at %v arrives at %v, want %v later", start, got, want)
			}
		})
	}
}

// A switch that cuts through sends a frame at its header into an egress that is no faster than the ingress is for that
// frame, and waits for its last bit otherwise.
func TestSlowFramesAreCutThrough(t *testing.T) {
	for _, c := range []struct {
		name  string
		start unit.Time
		in    unit.Duration // of the frame at the ingress
		fast  bool          // the egress is not slow
		cut   bool
	}{
		{"slow into slow", 12 * us, slowTime, false, true},
		{"slow into fast", 12 * us, slowTime, true, false},
		{"fast into slow", 9 * us, frameTime, false, true},
		{"fast into fast", 25 * us, frameTime, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			config := slowed()
			config.Profile.CutThrough = true
			if c.fast {
				config.Ports[1].TxSlow = nil
			}
			b := newBench(t, config)
			b.checked = true
			b.s.Deliver(0, c.start, frameLen, data(1, 0))
			b.run(30 * us)
			header := headerTime.Scale(int64(c.in), int64(frameTime))
			want := c.start.Add(unit.Microsecond + header)
			if !c.cut {
				want = c.start.Add(unit.Microsecond + c.in)
			}
			if len(b.sent) != 1 || b.sent[0].Start != want {
				t.Errorf("%s: sent %v, want one at %v", c.name, b.sent, want)
			}
		})
	}
}

// A pause that comes over a slow link lasts as many bit times as over any other.
func TestPauseOverASlowLink(t *testing.T) {
	c := slowed()
	b := newBench(t, c)
	frame := pfc(100, 3)
	b.s.Deliver(0, 12*us, frame.Len(), frame)
	b.run(40 * us)
	// 51200 bit times at 25 Gb/s.
	if got := b.record(0).Classes.At(3).Paused; got != 2048*unit.Nanosecond {
		t.Errorf("paused for %v, want 2.048us", got)
	}
}

// A frame that started in an outage is lost, one that started before is not, over a link that is slow as well.
func TestOutageOfASlowLink(t *testing.T) {
	c := slowed()
	c.Ports[0].Outages = []fabric.Outage{{From: 14 * us, To: 15 * us}}
	b := newBench(t, c)
	for i, start := range []unit.Time{12 * us, 15*us - 1, 15*us + unit.Time(slowTime)} {
		b.s.Deliver(0, start, frameLen, data(1, uint32(i)))
	}
	b.run(40 * us)
	if got := b.record(0).RxLostFrames; got != 1 || len(b.sent) != 2 || b.sent[1].Frame.PSN != 2 {
		t.Errorf("%d frames are lost, and %v are sent", got, b.sent)
	}
}
