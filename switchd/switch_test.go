package switchd

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

func TestForwardsAtOnce(t *testing.T) {
	b := newBench(t, star(3))
	b.arrive(0, 2*us, data(2, 1))
	b.arrive(1, 2*us, data(2, 2))
	b.run(3 * us)
	b.want(`2000000 ps port 2 psn 1 ecn 2
		2086560 ps port 2 psn 2 ecn 2`)
	r := b.record(2)
	if r.Busy != 2*frameTime || r.TxFrames != 2 || r.TxBytes != 2*frameLen {
		t.Errorf("busy %v, sent %d frames, %d bytes", r.Busy, r.TxFrames, r.TxBytes)
	}
	if w := &r.Queues.At(3).Wait; w.Count() != 2 || w.Max() != frameTime || w.Min() != 0 {
		t.Errorf("waits %d, %v to %v", w.Count(), w.Min(), w.Max())
	}
	if b.s.Events() != 3 {
		t.Errorf("%d events: two arrivals and one end of transmission are needed", b.s.Events())
	}
}

// Once warm a switch allocates nothing: frames that meet at a port wait in its
// rings, and their entries stay off the heap.
func TestForwardingAllocatesNothing(t *testing.T) {
	s, err := New(star(3))
	if err != nil {
		t.Fatal(err)
	}
	out := fabric.NewOutbox(1, make([]uint8, 3))
	var hash trace.Hash
	out.Begin(0, &hash)
	var frames [32]*wire.Frame
	for i := range frames {
		frames[i] = data(2, uint32(i))
	}
	at := us
	round := func() {
		for i, f := range frames {
			f.TTL, f.TOS = 64, 26<<2|wire.ECT0
			s.Deliver(i%2, at+unit.Time(i/2)*unit.Time(frameTime), f.Len(), f)
		}
		at += 40 * unit.Time(frameTime)
		s.Advance(at, out)
		out.Reset(0, 0)
	}
	round()
	if n := testing.AllocsPerRun(20, round); n != 0 {
		t.Errorf("%v allocations for %d frames", n, len(frames))
	}
	if r := s.Records(at)[2]; r.TxFrames < 21*uint64(len(frames)) || r.Queues.At(3).Wait.Max() == 0 {
		t.Errorf("%d frames sent, the longest wait %v", r.TxFrames, r.Queues.At(3).Wait.Max())
	}
}

// TestRecordsCloseSpans: at 2.4 us the port has sent for 30 ns of the 86.56 of
// the first frame, the second waits; the depth series, of 100 ns, holds what
// stood, also in bins without a change.
func TestRecordsCloseSpans(t *testing.T) {
	c := star(2)
	c.Recording = Recording{Grid: record.Grid{Width: 100 * unit.Nanosecond}, Queues: 1}
	b := newBench(t, c)
	b.arrive(1, 2*us, pfc(65535, 3))
	b.arrive(0, 2050*ns, data(1, 1))
	b.arrive(0, 2150*ns, data(1, 2))
	b.arrive(1, 2370*ns, pfc(0, 3))
	b.run(2400 * ns)
	r := b.s.Records(2400 * ns)[1]
	if r.Busy != 30*unit.Nanosecond || r.TxBytes != frameLen || r.Classes.At(3).Paused != 370*unit.Nanosecond {
		t.Errorf("busy %v, sent %d, paused %v", r.Busy, r.TxBytes, r.Classes.At(3).Paused)
	}
	bins := r.Queues.At(3).Depth.Bins
	if len(bins) != 25 || bins[19] != 0 || bins[20] != frameLen || bins[21] != 2*frameLen || bins[22] != 2*frameLen ||
		bins[23] != 2*frameLen || bins[24] != frameLen {
		t.Errorf("depth %v", bins)
	}
	if m := r.Queues.At(3).MaxBytes; m != 2*frameLen {
		t.Errorf("max %v", m)
	}
}

// The series of a port has a pause in all bins that it covers, whether it ends by XON or runs out: here 20 quanta of
// 5.12 ns after it.
func TestPausesOverTime(t *testing.T) {
	c := star(2)
	c.Recording = Recording{Grid: record.Grid{Width: 100 * unit.Nanosecond}, Queues: 1}
	b := newBench(t, c)
	b.arrive(1, 2050*ns, pfc(65535, 3))
	b.arrive(1, 2370*ns, pfc(0, 3))
	b.arrive(1, 2600*ns, pfc(20, 3))
	b.run(3 * us)
	paused := &b.s.Records(3 * us)[1].Over.Paused
	want := map[int]int64{20: 50_000, 21: 100_000, 22: 100_000, 23: 70_000, 26: 100_000, 27: 2400}
	for bin := range 31 {
		if got := paused.At(bin); got != want[bin] {
			t.Errorf("bin %d: %d ps, want %d", bin, got, want[bin])
		}
	}
}

// An event after a quiet time is in the bin of its own time.
func TestCountsAreInTheirBins(t *testing.T) {
	c := star(3)
	c.Recording = Recording{Grid: record.Grid{Width: unit.Microsecond, Most: 16}, Queues: 1}
	b := newBench(t, c)
	b.arrive(0, 2*us, data(1, 1))
	for i, port := range []int{0, 2, 0, 2} {
		b.arrive(port, 5*us+unit.Time(i), data(1, uint32(2+i)))
	}
	late := data(1, 9)
	late.TTL = 1
	b.arrive(0, 8*us, late)
	b.run(10 * us)
	records := b.s.Records(10 * us)
	sent, depth, dropped := &records[1].Over.Sent, records[1].Queues.At(3).Depth, &records[0].Over.Dropped
	for bin := range 11 {
		want := map[int][3]int64{2: {frameLen, frameLen, 0}, 5: {4 * frameLen, 3 * frameLen, 0}, 8: {0, 0, 1}}[bin]
		if got := [3]int64{sent.At(bin), depth.At(bin), dropped.At(bin)}; got != want {
			t.Errorf("bin %d: sent, length and drops %v, want %v", bin, got, want)
		}
	}
}

// Of a queue the time at each length is counted: here ten frames wait from 3 us on until the pause ends
// at 10 us, so that the queue is below 8 KiB for five twelfths of the run.
func TestLengthsOverTime(t *testing.T) {
	c := star(2)
	c.Recording = Recording{Grid: record.Grid{Width: unit.Microsecond, Most: 8}, Queues: 1}
	b := newBench(t, c)
	b.arrive(1, 2*us, pfc(65535, 3))
	for i := range 10 {
		b.arrive(0, 2*us+unit.Time(i+1)*100*ns, data(1, uint32(i)))
	}
	b.arrive(1, 10*us, pfc(0, 3))
	b.run(12 * us)
	q := b.s.Records(12 * us)[1].Queues.At(3)
	for _, c := range []struct {
		share float64
		want  unit.Bytes
	}{{0.38, 0}, {0.45, 8192}, {1, 8192}} {
		t.Run(fmt.Sprintf("share=%v", c.share), func(t *testing.T) {
			if got := q.Depths.Quantile(c.share); got != c.want {
				t.Errorf("during %v of the run at most %d, want %d", c.share, got, c.want)
			}
		})
	}
	if q.MaxBytes != 10*frameLen || q.Depth.At(1) != 10*frameLen || q.Depth.Len() > 6 {
		t.Errorf("at most %d, %v", q.MaxBytes, q.Depth.Bins)
	}
	if rest := b.s.Records(12 * us)[1].Queues.At(6).Depths; rest != nil {
		t.Error("a queue that was never long has lengths")
	}
}

func TestLatencyDelaysEligibility(t *testing.T) {
	c := star(2)
	c.Profile.Latency = 500 * unit.Nanosecond
	b := newBench(t, c)
	b.checked = true
	b.arrive(0, 2*us, data(1, 1))
	b.arrive(0, 2*us+100*ns, data(1, 2))
	b.run(9 * us)
	b.want(`2500000 ps port 1 psn 1 ecn 2
		2600000 ps port 1 psn 2 ecn 2`)
}

func TestTTLAndRoute(t *testing.T) {
	c := star(2)
	c.Routes, c.NextHops = append(c.Routes, 2), append(c.NextHops, nil)
	b := newBench(t, c)
	for i, ttl := range []uint8{0, 1, 2} {
		f := data(1, uint32(ttl))
		f.TTL = ttl
		b.arrive(0, us*unit.Time(2+i), f)
	}
	b.arrive(0, 6*us, data(2, 9)) // an empty set
	b.arrive(0, 7*us, data(3, 9)) // beyond the last NIC
	f := data(1, 9)
	f.DstIP = firstIP - 1
	b.arrive(0, 8*us, f)
	b.run(9 * us)
	if b.sent[0].Frame.TTL != 1 {
		t.Errorf("TTL %d, want 1", b.sent[0].Frame.TTL)
	}
	b.want("4000000 ps port 1 psn 2 ecn 2")
	b.wantDrops(0, fabric.DropTTL, 2)
	b.wantDrops(0, fabric.DropNoRoute, 3)
}

func TestLinkFaults(t *testing.T) {
	c := star(3)
	c.Ports[0].Loss = 0.25
	c.Ports[1].Outages = []fabric.Outage{{From: 20 * us, To: 30 * us}, {From: 10 * us, To: 21 * us}}
	b := newBench(t, c)
	b.checked = true
	const n = 4000
	for i := range n {
		b.arrive(0, 2*us+unit.Time(i)*100*ns, data(2, uint32(i)))
	}
	b.arrive(1, 10*us-1, data(2, 0))
	b.arrive(1, 10*us, data(2, 0))
	b.arrive(1, 30*us-1, data(2, 0))
	b.arrive(1, 30*us, data(2, 0))                      // which started in the outage
	b.arrive(1, 31*us+unit.Time(frameTime), data(2, 0)) // which started as it ended
	// Two frames for the port that is down: one starts just before.
	b.arrive(2, 10*us-1, data(1, 1))
	b.arrive(2, 10*us+1*us, data(1, 2))
	b.run(2 * ms)
	var starts []unit.Time
	for _, d := range b.sent {
		if d.Link == 1 {
			starts = append(starts, d.Start)
		}
	}
	if len(starts) != 1 || starts[0] != 10*us-1 {
		t.Errorf("starts at the port that was down: %v", starts)
	}
	b.wantDrops(2, fabric.DropPortDown, 1)
	if r := b.record(1); r.RxLostFrames != 3 || r.RxLostBytes != 3*frameLen || r.RxFrames != 2 {
		t.Errorf("lost %d, received %d", r.RxLostFrames, r.RxFrames)
	}
	// Binomial(4000, 1/4): mean 1000, sigma 27.4; five of them.
	if r := b.record(0); r.RxLostFrames < 863 || r.RxLostFrames > 1137 || r.RxFrames+r.RxLostFrames != n {
		t.Errorf("lost %d of %d", r.RxLostFrames, n)
	}
}

func TestNewRefuses(t *testing.T) {
	for _, x := range []struct {
		name  string
		spoil func(*Config)
		want  string
	}{
		{"buffer", func(c *Config) { c.Profile.Buffer = 100 * unit.KB }, "leave nothing of the buffer"},
		{"long link", func(c *Config) { c.Ports[0].Rx.Latency = 5 * unit.Millisecond }, "headroom"},
		{"alpha", func(c *Config) { c.Profile.Alpha = 0 }, "alpha 0"},
		{"no ports", func(c *Config) { c.Ports = nil }, "0 ports"},
		{"next hop", func(c *Config) { c.NextHops[1] = []uint16{4} }, "port 4"},
		{"route", func(c *Config) { c.Routes[0] = 9 }, "next hops 9"},
		{"Kmax", func(c *Config) { c.Profile.ECN[3].Kmax = 1 }, "class 3: kmin is 400KB, above kmax of 1B"},
		{"weight", func(c *Config) { c.Profile.Weight[2] = 0 }, "class 2: weight 0"},
		{"control queue", func(c *Config) { c.Profile.QueueOf[6] = 3 }, "shares queue 3 with class 3"},
		{"control lossless", func(c *Config) { c.Profile.PFC.Lossless[7] = true }, "both control and lossless"},
		{"quanta", func(c *Config) { c.Profile.PFC.Quanta = 0 }, "quanta 0"},
		{"loss", func(c *Config) { c.Ports[2].Loss = 1.5 }, "port 2: loss 1.5"},
	} {
		t.Run(x.name, func(t *testing.T) {
			c := star(4)
			x.spoil(&c)
			if _, err := New(c); err == nil || !strings.Contains(err.Error(), x.want) {
				t.Errorf("%s: error %v, want %q", x.name, err, x.want)
			}
		})
	}
}

// traffic is a seeded load of 8 ports: bursts of several classes towards few
// ports, PFC frames from the peers, loss and an outage, small buffers.
func traffic(t *testing.T, change ...func(*Config)) (*bench, *feed) {
	c := star(8)
	for _, change := range change {
		change(&c)
	}
	c.Profile.Buffer = 680 * unit.KB
	c.Profile.PFC.Lossless[4] = true
	c.Profile.ClassOf[28] = 4
	c.Profile.ECN[3].Kmin, c.Profile.ECN[3].Kmax = 5*unit.KB, 40*unit.KB
	c.Profile.ECN[0] = c.Profile.ECN[3]
	c.Profile.PFC.Quanta = 500 // refreshes happen
	c.Profile.Watchdog.Detect, c.Profile.Watchdog.Restore = 40*unit.Microsecond, 30*unit.Microsecond
	c.Ports[1].Loss = 0.01
	c.Ports[2].Outages = []fabric.Outage{{From: 50 * us, To: 90 * us}}
	c.Recording = Recording{Grid: record.Grid{Width: 10 * unit.Microsecond}, Queues: 8}
	b := newBench(t, c)
	r := chance.New(3, "traffic")
	dscps := []uint8{26, 26, 26, 28, 0, 48}
	load := &feed{bench: b}
	for port := range load.left {
		at := 2 * us
		for i := range 3000 {
			f := dscp(data(int(r.Below(r.Below(3)+1)), uint32(i)), dscps[r.Below(6)])
			if r.Below(8) == 0 {
				f.TOS &^= wire.ECNMask
			}
			if r.Below(60) == 0 {
				f = pfc(uint16(r.Below(30000)*r.Below(2)), 3, int(r.Below(8)))
			}
			at += unit.Time(frameTime) + unit.Time(r.Below(40000)*r.Below(8))
			load.left[port] = append(load.left[port], arrival{at, f})
		}
	}
	return b, load
}

// feed has the frames that still have to arrive at a bench, port by port.
type feed struct {
	*bench
	left [8][]arrival
}

type arrival struct {
	at unit.Time
	f  *wire.Frame
}

// upTo hands over all frames that arrive before t.
func (l *feed) upTo(t unit.Time) {
	for port := range l.left {
		for ; len(l.left[port]) > 0 && l.left[port][0].at < t; l.left[port] = l.left[port][1:] {
			l.arrive(port, l.left[port][0].at, l.left[port][0].f)
		}
	}
}

// TestConservation checks the invariants after every event, and at the end
// that every byte received was sent, dropped or is resident, in whichever bytes
// queues are counted.
func TestConservation(t *testing.T) {
	conserve(t)
	conserve(t, accounted)
}

func conserve(t *testing.T, change ...func(*Config)) {
	b, load := traffic(t, change...)
	b.checked = true
	load.upTo(unit.Never)
	for _, until := range []unit.Time{30 * us, 100 * us, 300 * us, 40 * ms} {
		b.run(until)
		var rx, tx, lost, drops uint64
		for _, r := range b.s.Records(until) {
			rx += r.RxBytes - r.RxPFCBytes
			tx += r.TxBytes - r.TxPFCBytes
			drops += r.DropBytes
			lost += r.RxLostFrames
		}
		if _, resident := b.s.Resident(); rx != tx+drops+resident {
			t.Fatalf("at %v: received %d, sent %d, dropped %d, resident %d", until, rx, tx, drops, resident)
		}
	}
	if frames, bytes := b.s.Resident(); frames != 0 || bytes != 0 {
		t.Errorf("resident at the end: %d frames", frames)
	}
	// The load must exercise what it is meant to.
	var drops [fabric.NumDropReasons]uint64
	var xoff, xon, marked, fired uint64
	for _, r := range b.s.Records(40 * ms) {
		for i, n := range r.Drops {
			drops[i] += n
		}
		for c := range 8 {
			xoff += r.Classes.At(c).SentXOFF
			xon += r.Classes.At(c).SentXON
			fired += r.Classes.At(c).WatchdogFired
			marked += r.Queues.At(c).Marked
		}
	}
	if xoff == 0 || xon == 0 || marked == 0 || fired == 0 || drops[fabric.DropNoBuffer] == 0 ||
		drops[fabric.DropWRED] == 0 || drops[fabric.DropWatchdog] == 0 {
		t.Errorf("the load is too tame: XOFF %d, XON %d, marks %d, storms %d, drops %v", xoff, xon, marked, fired, drops)
	}
	if drops[fabric.DropHeadroom] != 0 {
		// The fixture's peers do not obey, so headroom may well overflow.
		t.Logf("headroom drops: %d", drops[fabric.DropHeadroom])
	}
}

// TestHorizonsDoNotMatter runs one load with windows of L, L/2, L/7 and random
// cuts, handing over each window's frames only when it begins.
func TestHorizonsDoNotMatter(t *testing.T) {
	run := func(window func() unit.Time) (trace.Hash, uint64) {
		b, load := traffic(t)
		for at := unit.Time(0); at < 5*ms; {
			at += window()
			load.upTo(at)
			b.s.Advance(at, b.out)
			b.out.Reset(0, 0)
		}
		return b.hash, b.s.Events()
	}
	const l = unit.Time(1006720)
	hash, events := run(func() unit.Time { return l })
	r := chance.New(1, "cuts")
	for name, w := range map[string]func() unit.Time{
		"L/2":    func() unit.Time { return l / 2 },
		"L/7":    func() unit.Time { return l / 7 },
		"random": func() unit.Time { return 1 + unit.Time(r.Below(uint64(l))) },
	} {
		if h, n := run(w); h != hash || n != events {
			t.Errorf("%s: trace %x with %d events, want %x with %d", name, h, n, hash, events)
		}
	}
}
