package switchd

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// backlog fills port 2 with frames of the given code points while another
// frame occupies it, and returns what then leaves, in order.
func backlog(t *testing.T, c Config, n int, dscps ...uint8) []*wire.Frame {
	c.Profile.PFC.Enabled = false
	b := newBench(t, c)
	b.checked = true
	at := 2 * us
	for range n {
		for _, d := range dscps {
			at += 50 * ns
			b.arrive(0, at, dscp(data(2, uint32(d)), d))
			b.arrive(1, at, dscp(data(2, uint32(d)), d))
		}
	}
	b.run(10 * ms)
	frames := make([]*wire.Frame, len(b.sent))
	for i, d := range b.sent {
		frames[i] = d.Frame
	}
	return frames
}

// TestDWRRShares: weights 1, 2 and 5 share the port in bytes.
func TestDWRRShares(t *testing.T) {
	c := star(3)
	c.Profile.ClassOf[8], c.Profile.ClassOf[10] = 1, 2
	c.Profile.Weight[0], c.Profile.Weight[1], c.Profile.Weight[2] = 1, 2, 5
	frames := backlog(t, c, 800, 0, 8, 10)
	got := map[uint8]int{}
	for _, f := range frames[200:1000] {
		got[f.DSCP()]++
	}
	// Of 800 frames, 1/8, 2/8 and 5/8, to within one round of 12 frames.
	for d, want := range map[uint8]int{0: 100, 8: 200, 10: 500} {
		t.Run(fmt.Sprint(d), func(t *testing.T) {
			if n := got[d]; n < want-12 || n > want+12 {
				t.Errorf("DSCP %d: %d frames, want %d", d, n, want)
			}
		})
	}
}

// TestStrictFirst: queue 7 before queue 6 before the others.
func TestStrictFirst(t *testing.T) {
	frames := backlog(t, star(3), 50, 26, 48, 56)
	left := map[uint8]int{26: 100, 48: 100, 56: 100}
	wrong := 0
	for _, f := range frames {
		left[f.DSCP()]--
		if f.DSCP() == 26 && left[48]+left[56] > 0 {
			wrong++
		}
	}
	// The arrivals overload the port threefold, so data leave only while
	// nothing else is there: at the very start.
	if wrong > 2 {
		t.Errorf("%d frames of class 3 before control frames", wrong)
	}
	order := backlog(t, star(3), 1, 26, 26, 48, 56, 48, 56)
	want := []uint8{26, 26, 56, 56, 56, 56, 48, 48, 48, 48, 26, 26}
	for i, d := range want {
		if got := order[i].DSCP(); got != d {
			t.Errorf("frame %d: DSCP %d, want %d", i, got, d)
		}
	}
}

// TestPausedQueueGainsNothing: while queue 3 is paused the turn passes it by without a quantum; only queue 0 gains, and
// no more than it spends.
func TestPausedQueueGainsNothing(t *testing.T) {
	b := newBench(t, star(2))
	p := &b.s.ports[1]
	p.makeQueue(0)
	p.makeQueue(3)
	for range 100 {
		p.push(0, &entry{len: 1500})
		p.push(3, &entry{len: 1500})
	}
	for range 50 {
		if q := p.pick(1 << 0); q != 0 {
			t.Fatalf("picked %d", q)
		}
		p.queues[0].deficit -= 1500
		p.queues[0].RemoveFirst()
	}
	if d := p.queues[3].deficit; d != 0 {
		t.Errorf("paused queue has deficit %d", d)
	}
	if d := p.queues[0].deficit; d < 0 || d >= 1600+1500 {
		t.Errorf("deficit %d", d)
	}
	n := 0
	for range 20 {
		q := p.pick(1<<0 | 1<<3)
		p.queues[q].deficit -= unit.Bytes(1500)
		n += int(q) / 3
	}
	if n < 9 || n > 11 {
		t.Errorf("after the pause: %d of 20 from queue 3", n)
	}
}

// TestEmptyQueueLosesItsDeficit: 1600 B less one frame of 1058 B would be left.
func TestEmptyQueueLosesItsDeficit(t *testing.T) {
	b := newBench(t, star(2))
	b.arrive(0, 2*us, data(1, 0))
	b.run(3 * us)
	if d := b.s.ports[1].queues[3].deficit; len(b.sent) != 1 || d != 0 {
		t.Errorf("%d sent, deficit %d", len(b.sent), d)
	}
}
