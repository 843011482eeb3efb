package proximal

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

const us = unit.Time(unit.Microsecond)

var limits = Limits{Threshold: 1000, High: 5000, Low: 4000, Interval: 50 * unit.Microsecond}

func TestMonitorSpeaksOncePerInterval(t *testing.T) {
	var m Monitor
	var at []unit.Time
	for now, depth := unit.Time(0), unit.Bytes(0); now < 200*us; now += us {
		depth += 100
		if m.Enqueued(depth, 100, depth, now, &limits) {
			at = append(at, now)
		}
	}
	// 1100 B wait at 10 us, and again every 50 us.
	want := []unit.Time{10 * us, 60 * us, 110 * us, 160 * us}
	if len(at) != len(want) {
		t.Fatalf("due at %v, want %v", at, want)
	}
	for i := range want {
		if at[i] != want[i] {
			t.Errorf("due at %v, want %v", at[i], want[i])
		}
	}
}

func TestMonitorHysteresis(t *testing.T) {
	for _, x := range []struct {
		name        string
		depth, used unit.Bytes
		becomes     bool
		left        unit.Bytes
		leftUsed    unit.Bytes
		ends        bool
	}{
		{"at the threshold", 1000, 0, false, 0, 0, false},
		{"above it, then at half", 1001, 0, true, 500, 0, false},
		{"above it, then below half", 1001, 0, true, 499, 0, true},
		{"a full buffer, then above the low mark", 10, 5001, true, 5, 4000, false},
		{"a full buffer, then below it", 10, 5001, true, 5, 3999, true},
		{"a full buffer, then an empty queue", 10, 5001, true, 0, 5001, true},
	} {
		t.Run(x.name, func(t *testing.T) {
			var m Monitor
			if got := m.Enqueued(x.depth, x.depth, x.used, us, &limits); got != x.becomes {
				t.Errorf("%s: congested %t, want %t", x.name, got, x.becomes)
			}
			if got := m.Dequeued(x.left, x.leftUsed, &limits); got != x.ends {
				t.Errorf("%s: ended %t, want %t", x.name, got, x.ends)
			}
		})
	}
}

// The slope is over the last ten to twenty microseconds of an interval of
// 50 us, or since the queue was empty.
func TestMonitorSlope(t *testing.T) {
	var m Monitor
	m.Enqueued(100, 100, 0, 7*us, &limits)
	if depth, ago := m.Before(9 * us); depth != 0 || ago != 2*unit.Microsecond {
		t.Errorf("%v %v ago, want the empty queue 2us ago", depth, ago)
	}
	for now := 8 * us; now <= 40*us; now += us {
		m.Enqueued(unit.Bytes(100*(now/us-6)), 100, 0, now, &limits)
		_, ago := m.Before(now)
		if now > 27*us && (ago < 10*unit.Microsecond || ago >= 20*unit.Microsecond+1) {
			t.Errorf("at %v: the sample is %v old", now, ago)
		}
	}
	if depth, ago := m.Before(40 * us); depth != unit.Bytes(100*((40*us-unit.Time(ago))/us-6)) {
		t.Errorf("%v %v ago", depth, ago)
	}
}

// For any arrivals and departures, the census equals a recount, and lists it by device and size.
func TestCensus(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var c Census
	type frame struct {
		place uint16
		flow  Flow
		n     unit.Bytes
	}
	var queue []frame
	device := func(f Flow) int { return int(f.SrcIP%4) - 1 } // a quarter have none
	for range 50_000 {
		if rng.IntN(100) < 51 || len(queue) == 0 {
			f := frame{flow: Flow{SrcIP: uint32(rng.IntN(600)), DstQP: uint32(rng.IntN(3))}, n: unit.Bytes(1 + rng.IntN(1000))}
			f.place = c.Add(f.flow, 7, f.n, device)
			if (f.place == 0) != (device(f.flow) < 0) {
				t.Fatalf("%v is counted at %d", f.flow, f.place)
			}
			queue = append(queue, f)
			continue
		}
		if f := queue[0]; f.place != 0 {
			c.Remove(f.place, f.n)
		}
		queue = queue[1:]
	}
	want, total := map[Flow]unit.Bytes{}, unit.Bytes(0)
	for _, f := range queue {
		if f.place != 0 {
			want[f.flow] += f.n
			total += f.n
		}
	}
	if c.Bytes() != total {
		t.Errorf("%v in all, want %v", c.Bytes(), total)
	}
	last, listed := -1, 0
	c.ByDevice(func(f *QueuedFlow) bool { return f.Bytes > 0 && f.DstQP != 2 }, func(d int, flows []*QueuedFlow) {
		if d <= last {
			t.Errorf("device %d after %d", d, last)
		}
		last = d
		for i, f := range flows {
			listed++
			if f.Bytes != want[f.Flow] || f.Device != d || f.DstQP == 2 || i > 0 && f.Bytes > flows[i-1].Bytes {
				t.Errorf("device %d lists %+v, want %v", d, f, want[f.Flow])
			}
		}
	})
	for f := range want {
		if f.DstQP != 2 {
			listed--
		}
	}
	if listed != 0 {
		t.Errorf("%d flows too many are listed", listed)
	}
	if len(c.flows) > 1800 {
		t.Errorf("%d places for at most 1800 flows", len(c.flows))
	}
}

func TestReplayWindow(t *testing.T) {
	var w ReplayWindow
	for _, x := range []struct {
		sequence uint32
		want     bool
	}{
		{1<<32 - 3, true}, {1<<32 - 3, false}, {1<<32 - 1, true}, {1<<32 - 2, true}, {1<<32 - 2, false}, {0, true},
		{5, true}, {1<<32 - 1, false}, {4, true}, {4, false},
		{100, true}, {37, true}, {37, false}, {36, false}, {5, false}, {164, true}, {100, false}, {101, true},
	} {
		t.Run(fmt.Sprintf("sequence=%v,want=%v", x.sequence, x.want), func(t *testing.T) {
			if got := w.Accept(x.sequence); got != x.want {
				t.Errorf("%d: %t, want %t", x.sequence, got, x.want)
			}
		})
	}
}

func TestSilence(t *testing.T) {
	var s Silence
	f := Flow{1, 2, 3}
	if s.Covers(f, 0) {
		t.Error("silent about a flow that nobody named")
	}
	s.Set(f, 0, 10*us, 4)
	if !s.Covers(f, 10*us-1) || s.Covers(f, 10*us) || s.Covers(f, 5*us) {
		t.Error("want silence up to 10 us, and none once it was over")
	}
	s.Set(f, 0, 10*us, 4)
	s.Set(f, 3*us, 3*us, 4)
	if s.Covers(f, 4*us) {
		t.Error("silent after a release")
	}
}

// The device of a flow is misled at once if there are more flows than it was notified of, and if there are fewer by a
// quarter and were lately.
func TestMisled(t *testing.T) {
	var s Silence
	f := Flow{1, 2, 3}
	if s.Any() || s.Misled(f, 0, 9, 9) {
		t.Error("misled about a flow of which nobody said anything")
	}
	s.Told(f, 9)
	if s.Any() {
		t.Error("who is told is not silent for that")
	}
	for _, x := range []struct {
		told, live, lately int
		want               bool
	}{
		{4, 4, 4, false}, {4, 5, 5, true}, {4, 3, 4, false}, {4, 3, 3, true}, {8, 7, 7, false}, {8, 6, 7, false},
		{8, 6, 6, true}, {0, 1, 1, true}, {65535, 4, 4, true}, {4, 2, maxQueuedFlows, false},
	} {
		t.Run(fmt.Sprintf("told=%v,live=%v,lately=%v", x.told, x.live, x.lately), func(t *testing.T) {
			s.Set(f, 0, 10*us, 7)
			s.Told(f, x.told)
			if got := s.Misled(f, us, x.live, x.lately); got != x.want {
				t.Errorf("told of %d, where there are %d and lately were %d: misled %t", x.told, x.live, x.lately, got)
			}
		})
	}
	s.Set(f, 0, 10*us, 4)
	if s.Misled(f, 10*us, 9, 9) || s.Any() {
		t.Error("misled after the silence")
	}
}
