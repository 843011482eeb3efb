package wan

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// A frame's last bit is at the far port its time on the wire, once, and the
// delay after its first bit left the near one: for any frame, rate, delay and
// accounting, to the picosecond.
func TestTotalDelayIsExact(t *testing.T) {
	for _, rate := range []unit.BitRate{10 * unit.Gbps, 100 * unit.Gbps, 400 * unit.Gbps, 33 * unit.Gbps,
		25600 * unit.Gbps} {
		t.Run(fmt.Sprintf("rate=%v", rate), func(t *testing.T) {
			for _, d := range []unit.Duration{profile.LeastDelay(10*unit.Gbps, frameLen), 5 * unit.Microsecond, delay,
				489_670_001 * unit.Picosecond, 98 * unit.Millisecond} {
				for _, accounting := range []wire.Accounting{wire.Full, wire.Bare48} {
					w := profile.WAN{Phases: []profile.WANPhase{{Delay: [2]unit.Duration{d, d + 12345}}}}
					c := config(w)
					for i := range c.Ports {
						c.Ports[i].Tx.Rate, c.Ports[i].Rx.Rate, c.Ports[i].Accounting = rate, rate, accounting
					}
					s := newSite(t, c)
					for i, payload := range []int{1000, 4, 500, 1000} {
						f := data(uint32(i), payload)
						for port := range 2 {
							start := s.send(port, unit.Time(i)*us, f)
							s.path.Advance(unit.Never, s.out)
							got := s.heard[1-port][i].last
							if want := start.Add(w.Phases[0].Delay[port] + accounting.SerialTime(f, rate)); got != want {
								t.Errorf("%v, %v, port %d, %d B, %v: last bit at %v (%d ps late)", rate, d, port, payload, accounting,
									got, got.Sub(want))
							}
						}
					}
				}
			}
		})
	}
}

// A path counts time as the ends of its links do: frames that follow each other
// without a gap keep their delay under every accounting. Under Bare48 a frame of
// 1000 B takes 254.060606 ns at 33 Gb/s, counted as 254 ns.
func TestBackToBackFramesKeepTheirDelay(t *testing.T) {
	const rate = 33 * unit.Gbps
	for _, accounting := range []wire.Accounting{wire.Full, wire.Bare48} {
		t.Run(fmt.Sprintf("accounting=%v", accounting), func(t *testing.T) {
			c := config(steady())
			for i := range c.Ports {
				c.Ports[i].Tx.Rate, c.Ports[i].Rx.Rate, c.Ports[i].Accounting = rate, rate, accounting
			}
			s := newSite(t, c)
			for i := range 100 {
				f := data(uint32(i), 1000)
				start := s.send(0, 0, f)
				s.path.Advance(unit.Never, s.out)
				want := start.Add(delay + accounting.SerialTime(f, rate))
				if got := s.heard[1][i].last; got != want {
					t.Fatalf("%v: frame %d: last bit %d ps late", accounting, i, got.Sub(want))
				}
			}
		})
	}
}

// Back to back frames stay back to back, short ones too: nothing is stored.
func TestTranscript(t *testing.T) {
	s := newSite(t, config(steady()))
	s.send(0, 0, data(0, 1000))
	s.send(0, 0, data(1, 4)) // 86 B: 6.88 ns
	s.send(0, 0, data(2, 1000))
	s.send(0, 2*us, data(3, 1000))
	s.send(1, us, data(9, 1000))
	s.run(2 * ms)
	s.want(1, "0 at 600.086560", "1 at 600.093440", "2 at 600.180000", "3 at 602.086560")
	s.want(0, "9 at 601.086560")
}

// At full load a direction holds rate times delay and no more.
func TestHoldsRateTimesDelay(t *testing.T) {
	s := newSite(t, config(steady()))
	n := s.fill(0, 3*ms)
	s.run(5 * ms)
	if len(s.heard[1]) != int(n) || len(s.lost) > 0 {
		t.Fatalf("%d of %d frames came, %d lost", len(s.heard[1]), n, len(s.lost))
	}
	held := s.path.Held()[0]
	if want := delay - 2*unit.Microsecond; held.Max > held.Bound || held.Max < want-frameTime ||
		held.Bound != want+(100*unit.Gbps).SerialTime(frameLen+24) {
		t.Errorf("held %v of at most %v, want about %v", held.Max, held.Bound, want)
	}
	if want := (100 * unit.Gbps).BytesIn(delay-2*unit.Microsecond) * frameLen / (frameLen + 24); held.BytesMax < want-
		frameLen || held.BytesMax > want+frameLen {
		t.Errorf("held %v, want about %v", held.BytesMax, want)
	}
	if r := s.path.Records(5 * ms)[0]; r.RxFrames != uint64(n) || r.TxFrames != 0 || held.Frames != 0 {
		t.Errorf("port 0 received %d and sent %d frames, %d inside", r.RxFrames, r.TxFrames, held.Frames)
	}
}

// The invariant sees a path that holds more than its bound.
func TestInvariantCanFail(t *testing.T) {
	s := newSite(t, config(steady()))
	s.path.ways[0].insideTimeBound = delay / 2
	s.fill(0, ms)
	s.path.Advance(ms, s.out)
	if err := s.path.CheckInvariants(); err == nil || !strings.Contains(err.Error(), "rate times delay is 300us") {
		t.Errorf("got %v", err)
	}
}

// Jitter delays by 0 to J, evenly, and nothing overtakes.
func TestJitterKeepsOrder(t *testing.T) {
	w := steady()
	w.Phases[0].Jitter = 50 * unit.Microsecond
	s := newSite(t, config(w))
	starts := []unit.Time{}
	const n = 4000
	for i := range uint32(n) {
		starts = append(starts, s.send(0, unit.Time(i)*20*us, data(i, 1000)))
	}
	s.run(100 * ms)
	sum, waited := unit.Duration(0), 0
	for i, a := range s.heard[1] {
		late := a.last.Sub(starts[i]) - delay - frameTime
		sum += late
		if int(a.psn) != i || late < 0 || late > w.Phases[0].Jitter {
			t.Fatalf("frame %d came as number %d, %v late", a.psn, i, late)
		}
		if i > 0 {
			gap := a.first.Sub(s.heard[1][i-1].first)
			if gap < frameTime {
				t.Fatalf("frame %d begins %v after the one before it", i, gap)
			}
			if gap == frameTime {
				waited++
			}
		}
	}
	if len(s.heard[1]) != n || waited == 0 {
		t.Errorf("%d of %d frames, %d waited", len(s.heard[1]), n, waited)
	}
	if mean := sum / n; mean < 25*unit.Microsecond || mean > 35*unit.Microsecond { // 25 us, and what they wait
		t.Errorf("mean %v late", mean)
	}
}

// At full load with jitter the path still holds no more than its bound.
func TestBoundUnderJitter(t *testing.T) {
	w := steady()
	w.Phases[0].Jitter = 100 * unit.Microsecond
	w.Phases = append(w.Phases, profile.WANPhase{From: 2 * ms, Delay: [2]unit.Duration{300 * unit.Microsecond, delay}})
	s := newSite(t, config(w))
	n := s.fill(0, 4*ms)
	s.run(6 * ms)
	if len(s.heard[1]) != int(n) {
		t.Errorf("%d of %d frames", len(s.heard[1]), n)
	}
}

// The two ways may differ, and a switch of paths holds for the frames that
// leave the near port from then on. To a longer path there is a gap; to a
// shorter one, frames wait for those before them.
func TestPathSwitch(t *testing.T) {
	w := profile.WAN{Phases: []profile.WANPhase{
		{Delay: [2]unit.Duration{100 * unit.Microsecond, 200 * unit.Microsecond}},
		{From: 10 * us, Delay: [2]unit.Duration{150 * unit.Microsecond, 50 * unit.Microsecond}},
	}}
	s := newSite(t, config(w))
	for port := range 2 {
		s.send(port, 10*us-1, data(0, 1000)) // the last of the old path
		s.send(port, 10*us, data(1, 1000))
		s.send(port, 170*us, data(2, 1000))
	}
	s.run(ms)
	s.want(1, "0 at 110.086559", "1 at 160.173119", "2 at 320.086560")
	s.want(0, "0 at 210.086559", "1 at 210.173119", "2 at 220.086560")
}

// A phase begins at its instant: a frame whose first bit leaves the near port a picosecond before
// has the old delay, one at the instant the new one. Each is alone on the path.
func TestPhaseBeginsAtItsInstant(t *testing.T) {
	const before, after = 100 * unit.Microsecond, 150 * unit.Microsecond
	for _, x := range []struct {
		start unit.Time
		want  [2]unit.Duration // by port
	}{
		{0, [2]unit.Duration{before, after}},
		{10*us - 1, [2]unit.Duration{before, after}},
		{10 * us, [2]unit.Duration{after, before}},
		{10*us + 1, [2]unit.Duration{after, before}},
		{20*us - 1, [2]unit.Duration{after, before}},
		{20 * us, [2]unit.Duration{before, before}},
		{20*us + 1, [2]unit.Duration{before, before}},
	} {
		t.Run(fmt.Sprintf("start=%v", x.start), func(t *testing.T) {
			w := profile.WAN{Phases: []profile.WANPhase{
				{Delay: [2]unit.Duration{before, after}},
				{From: 10 * us, Delay: [2]unit.Duration{after, before}},
				{From: 20 * us, Delay: [2]unit.Duration{before, before}},
			}}
			s := newSite(t, config(w))
			for port := range 2 {
				s.send(port, x.start, data(0, 1000))
			}
			s.run(ms)
			for port, delay := range x.want {
				if got := s.heard[1-port][0].last.Sub(x.start); got != delay+frameTime {
					t.Errorf("first bit at %v into port %d: last bit out after %v, want %v", x.start, port, got, delay+frameTime)
				}
			}
		})
	}
}

// A frame is lost if any of its bits is on the path while there is no light: frames in flight when a flap begins, and
// frames that come while it lasts.
func TestFlap(t *testing.T) {
	w := steady()
	w.Flaps = []fabric.Outage{{From: 1000 * us, To: 1100 * us}, {From: 3000 * us, To: 3000*us + 1}}
	for _, c := range []struct {
		sent unit.Time
		lost bool
	}{
		{0, false},
		// The last bit is at the far port at 400 us + 600 us - 86.56 ns + 86.56 ns.
		{1000*us - unit.Time(delay+frameTime), false},
		{1000*us - unit.Time(delay+frameTime) + 1, true},
		{700 * us, true}, {1000 * us, true}, {1100*us - 1, true}, {1100 * us, false},
		{2500 * us, true}, {3000 * us, true}, {3000*us + 1, false},
	} {
		t.Run(fmt.Sprintf("sent=%v", c.sent), func(t *testing.T) {
			s := newSite(t, config(w))
			s.send(0, c.sent, data(7, 1000))
			s.run(5 * ms)
			if got := len(s.lost) == 1 && len(s.heard[1]) == 0; got != c.lost || len(s.lost)+len(s.heard[1]) != 1 {
				t.Errorf("sent at %v: lost %v, heard %v", c.sent, s.lost, s.heard[1])
			}
			for _, l := range s.lost {
				if exit := c.sent.Add(delay - unit.Microsecond); l != (loss{0, exit, fabric.DropLinkDown, 7}) {
					t.Errorf("sent at %v: lost %+v, want it at %v", c.sent, l, exit)
				}
				if r := s.path.Records(5 * ms)[0]; r.RxFrames != 0 || r.RxLostFrames != 1 || r.RxLostBytes != frameLen {
					t.Errorf("%+v", r)
				}
			}
		})
	}
}

// PFC passes, in its place among the frames.
func TestPFCPasses(t *testing.T) {
	s := newSite(t, config(steady()))
	pause := new(wire.Frame)
	pause.SetPFC(wire.NodeMAC(1, 0), 3, 65535)
	s.send(0, 0, data(0, 1000))
	start := s.send(0, 0, pause)
	s.run(ms)
	if len(s.heard[1]) != 2 || s.heard[1][1].last != start.Add(delay+wire.Full.SerialTime(pause, 100*unit.Gbps)) {
		t.Errorf("heard %v", s.transcript(1))
	}
	records := s.path.Records(ms)
	if records[0].RxPFCFrames != 1 || records[1].TxPFCFrames != 1 || records[1].TxFrames != 2 {
		t.Errorf("%+v", records)
	}
}

// PFC frames are counted by content where they come in, leave, are lost and are still inside.
func TestPausesAreCounted(t *testing.T) {
	w := steady()
	w.Flaps = []fabric.Outage{{From: 2000 * us, To: 2100 * us}}
	s := newSite(t, config(w))
	for i, quanta := range []uint16{65535, 0, 65535, 65535} {
		pause := new(wire.Frame)
		pause.SetPFC(wire.NodeMAC(1, 0), 3, quanta)
		s.send(0, []unit.Time{0, us, 1700 * us, 2900 * us}[i], pause)
	}
	s.run(3 * ms)
	records, held := s.path.Records(3*ms), s.path.Held()
	want := func(what string, got record.Pauses, xoff, xon uint64) {
		t.Helper()
		var p record.Pauses
		p.XOFF[3], p.XON[3] = xoff, xon
		if got != p {
			t.Errorf("%s: %v, want %v", what, got, p)
		}
	}
	want("came in", records[0].PausesIn.All(), 2, 1)
	want("lost", records[0].PausesLost.All(), 1, 0)
	want("sent on", records[1].PausesOut.All(), 1, 1)
	want("inside", held[0].Pauses, 1, 0)
	other := records[1].PausesIn.All().Plus(records[0].PausesOut.All()).Plus(records[1].PausesLost.All())
	want("of the other direction", other.Plus(held[1].Pauses), 0, 0)
}

// The cuts between windows never show: not in times, not in the trace.
func TestCutsOfWindows(t *testing.T) {
	w := steady()
	w.Phases[0].Jitter = 10 * unit.Microsecond
	w.Phases[0].Loss = profile.WANLoss{Enter: 0.01, Leave: 0.2, Bad: 1}
	w.Flaps = []fabric.Outage{{From: 500 * us, To: 510 * us}}
	c := config(w)
	lookahead := c.Ports[0].Lookahead()
	play := func(cut func() unit.Duration) string {
		s := newSite(t, c)
		next := [2]unit.Time{}
		for now := unit.Time(0); now < 3*ms; {
			end := now.Add(cut())
			s.path.Advance(end, s.out)
			for port := range next { // a frame that starts in a window is handed over after it
				for next[port] < min(end, ms) {
					start := s.send(port, next[port], data(uint32(next[port]/us), 1000))
					next[port] = start.Add(frameTime * unit.Duration(1+port))
				}
			}
			now = end
		}
		if len(s.lost) == 0 || len(s.heard[0]) == 0 || len(s.heard[1]) == 0 {
			t.Fatal("nothing was heard or lost")
		}
		return fmt.Sprint(s.heard, s.lost, s.hash)
	}
	want := play(func() unit.Duration { return lookahead })
	luck := chance.New(1, "cuts")
	for name, cut := range map[string]func() unit.Duration{
		"L/2": func() unit.Duration { return lookahead / 2 }, "L/7": func() unit.Duration { return lookahead / 7 },
		"random": func() unit.Duration { return unit.Duration(luck.Between(1, int64(lookahead))) },
	} {
		got := play(cut)
		if got != want {
			t.Errorf("%s differs", name)
		}
	}
}

func TestBadConfigs(t *testing.T) {
	for want, spoil := range map[string]func(c *Config){
		"a wire has one rate":     func(c *Config) { c.Ports[0].Rx.Rate /= 2 },
		"loss and outages belong": func(c *Config) { c.Ports[1].Loss = 0.1 },
		"largest frame 0B":        func(c *Config) { c.MaxFrame = 0 },
		"first phase must begin":  func(c *Config) { c.Profile.Phases[0].From = 1 },
		"in the order of time":    func(c *Config) { c.Profile.Phases = append(c.Profile.Phases, c.Profile.Phases[0]) },
		"jitter -1ps":             func(c *Config) { c.Profile.Phases[0].Jitter = -1 },
		"allowed are 0 to 1":      func(c *Config) { c.Profile.Phases[0].Loss.Bad = 1.5 },
		"do not touch": func(c *Config) {
			c.Profile.Flaps = []fabric.Outage{{From: 1, To: 5}, {From: 5, To: 6}}
		},
		"allowed is at least 2.087": func(c *Config) { c.Profile.Phases[0].Delay[1] = 2 * unit.Microsecond },
	} {
		t.Run(want, func(t *testing.T) {
			c := config(steady())
			spoil(&c)
			if _, err := New(c); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("want %q in %v", want, err)
			}
		})
	}
}

// Frames of foreign hosts pass byte for byte, link-local groups and pauses of 802.3x included, in their place among
// the others and after the path's delay.
func TestForeignFramesPass(t *testing.T) {
	c := config(steady())
	c.MaxFrame = 9018
	s := newSite(t, c)
	var starts []unit.Time
	var want [][]byte
	for i, kind := range []uint16{0x88CC, 0x8808, 0x0806, 0x8100, 0x86DD} {
		b := make([]byte, 60+i*2000)
		b[0], b[1], b[2], b[5], b[12], b[13] = 1, 0x80, 0xC2, byte(i), byte(kind>>8), byte(kind)
		f := new(wire.Frame)
		f.SetOpaque(b)
		want = append(want, b)
		s.send(0, 0, data(uint32(i), 1000))
		starts = append(starts, s.send(0, 0, f))
	}
	s.run(ms)
	departed := s.out.Lane(0, 0)
	if len(departed) != 10 {
		t.Fatalf("%d frames left, want 10", len(departed))
	}
	for i, b := range want {
		d := departed[2*i+1]
		if got := d.Frame.AppendTo(nil); !bytes.Equal(got, b) {
			t.Errorf("frame %d is %d B, want %d, or differs", i, len(got), len(b))
		}
		want := starts[i].Add(delay + wire.Full.SerialTime(d.Frame, 100*unit.Gbps))
		if got := s.heard[1][2*i+1].last; got != want {
			t.Errorf("frame %d arrives at %v, want %v", i, got, want)
		}
	}
}
