package nicd

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// newTestSequence returns a sequence that reports a gap when it is 8 packets deep
// or 20 us old.
func newTestSequence(keeps bool) sequence {
	p := profile.DefaultNIC()
	p.OutOfOrder, p.ReorderDepth, p.ReorderTime = keeps, 8, 20*us
	return newSequence(0xFFFFFE, &p, 0)
}

// take makes the packets come and be accepted if they are taken; it returns one letter each: in order, early, duplicate
// or ahead.
func (s *sequence) take(packets ...int64) (got string) {
	for _, p := range packets {
		packet, where := s.place(psnOf(s.firstPSN, p))
		switch {
		case packet != p:
			got += fmt.Sprintf("?%d", packet)
		case where == duplicate:
			got += "d"
		case where == ahead:
			got += "a"
		case s.accept(p, p%4 == 3):
			got += "i"
		default:
			got += "e"
		}
	}
	return got
}

// Packets are taken in order, or kept for up to 256 beyond a gap; messages of four
// packets are counted as they are complete.
func TestSequence(t *testing.T) {
	for _, c := range []struct {
		keeps    bool
		packets  []int64
		want     string
		expected int64
		msn      uint32
	}{
		{false, []int64{0, 1, 2, 3, 4}, "iiiii", 5, 1},
		{false, []int64{0, 2, 3, 1, 2}, "iaaii", 3, 0},
		{false, []int64{0, 0, 1, 0, 1}, "ididd", 2, 0},
		{true, []int64{0, 2, 3, 1, 4}, "ieeii", 5, 1},
		{true, []int64{3, 7, 3, 0, 1, 2, 2}, "eediiid", 4, 1},
		{true, []int64{1, 255, 256, 0, 256}, "eeaie", 2, 0},
		{true, []int64{7, 6, 5, 4, 3, 2, 1, 0}, "eeeeeeei", 8, 2},
	} {
		t.Run(fmt.Sprintf("keeps=%v,want=%s", c.keeps, c.want), func(t *testing.T) {
			s := newTestSequence(c.keeps)
			if got := s.take(c.packets...); got != c.want || s.expected != c.expected || s.msn != c.msn {
				t.Errorf("keeps %t, packets %v: %s, expected %d, %d messages; want %s, %d, %d",
					c.keeps, c.packets, got, s.expected, s.msn, c.want, c.expected, c.msn)
			}
		})
	}
}

// A gap counts from when it became the first; it is to be reported when it is
// deep or old enough, and is over when it is filled.
func TestGap(t *testing.T) {
	s := newTestSequence(true)
	for _, c := range []struct {
		packet        int64
		now           unit.Duration
		found, report bool
		since         unit.Time
	}{
		{0, us, false, false, unit.Never},
		{2, 2 * us, true, false, at(2 * us)},
		{3, 3 * us, false, false, at(2 * us)},
		{8, 4 * us, false, false, at(2 * us)},
		{9, 5 * us, false, true, at(2 * us)}, // 8 beyond packet 1
		{4, 22*us - 1, false, false, at(2 * us)},
		{5, 22 * us, false, true, at(2 * us)},  // 20 us old
		{1, 23 * us, true, false, at(23 * us)}, // the next gap, at 6, is a new one
		{6, 24 * us, true, false, at(24 * us)},
		{7, 25 * us, false, false, unit.Never},
	} {
		t.Run(fmt.Sprintf("packet=%v", c.packet), func(t *testing.T) {
			s.take(c.packet)
			found, report := s.watch(c.packet, at(c.now))
			if found != c.found || report != c.report || s.since != c.since {
				t.Errorf("packet %d at %v: found %t, report %t, since %v; want %+v", c.packet, c.now, found, report, s.since, c)
			}
			if s.since != unit.Never && s.due() != s.since.Add(20*us) {
				t.Errorf("packet %d: due at %v", c.packet, s.due())
			}
		})
	}
}

// A gap is reported once, and again after an interval; another one at once.
func TestReports(t *testing.T) {
	s := newTestSequence(false)
	for _, c := range []struct {
		now  unit.Duration
		next int64
		want bool
	}{
		{0, 0, true},
		{us, 0, false},
		{10*us - 1, 0, false},
		{10 * us, 0, true},
		{19 * us, 0, false},
		{19 * us, 1, true},
		{20 * us, 1, false},
	} {
		t.Run(fmt.Sprintf("now=%v,next=%v", c.now, c.next), func(t *testing.T) {
			s.expected = c.next
			if got := s.mayNAK(at(c.now), 10*us); got != c.want {
				t.Errorf("packet %d at %v: %t", c.next, c.now, got)
			}
		})
	}
}

// An ACK is held back from the first packet that asks for none, for a fixed time.
func TestCoalescing(t *testing.T) {
	c := newCoalescing(4 * us)
	for i, step := range []struct {
		now     unit.Duration
		asked   bool
		holds   bool
		unacked int
		at      unit.Time
	}{
		{us, false, true, 1, at(5 * us)},
		{2 * us, false, false, 2, at(5 * us)},
		{3 * us, true, false, 3, at(5 * us)}, // and is sent
		{4 * us, true, false, 1, unit.Never},
		{5 * us, false, true, 1, at(9 * us)},
	} {
		t.Run(fmt.Sprintf("now=%v", step.now), func(t *testing.T) {
			holds := c.accepted(at(step.now), step.asked)
			if holds != step.holds || c.unacked != step.unacked || c.deadline != step.at {
				t.Errorf("packet %d: holds %t, %+v; want %+v", i, holds, c, step)
			}
			if step.asked {
				if c.sent(); c.unacked != 0 || c.pending() {
					t.Errorf("packet %d: %+v after the ACK", i, c)
				}
			}
		})
	}
}

// A flow's algorithm hears of the group at its first packet and when the number of
// flows changed; the number is the controller's or a fixed one.
func TestCensus(t *testing.T) {
	for _, fixed := range []int{0, 7} {
		t.Run(fmt.Sprintf("fixed=%v", fixed), func(t *testing.T) {
			c := census{version: 1}
			p := profile.DefaultNIC()
			m := newMembership(&ReceiverConfig{Group: cc.Group{Flows: 1}, GroupN: fixed}, &p)
			other := newMembership(&ReceiverConfig{}, &p)
			look := func(flows int, news bool) {
				t.Helper()
				if fixed > 0 {
					flows = fixed
				}
				if word, got := m.groupUpdate(&c); word.Flows != flows || got != news {
					t.Errorf("fixed %d: %d flows, news %t; want %d, %t", fixed, word.Flows, got, flows, news)
				}
			}
			c.announceFlow()
			look(1, true)
			look(1, false)
			c.announceFlow()
			look(2, fixed == 0)
			c.withdrawFlow(&other)
			c.announceFlow()
			look(2, false) // as many as before
			c.withdrawFlow(&other)
			c.withdrawFlow(&m)
			look(1, fixed == 0)

			c.enter(&m)
			c.enter(&other)
			c.leave(&m)
			if c.leave(&m); c.active != 1 || c.announced != 1 {
				t.Errorf("%+v", c)
			}
		})
	}
	p := profile.DefaultNIC()
	for _, idle := range []unit.Duration{0, 5 * us} {
		t.Run(fmt.Sprintf("idle=%v", idle), func(t *testing.T) {
			p.FlowIdle = idle
			m := newMembership(&ReceiverConfig{}, &p)
			m.lastSeen = at(ms)
			want := idle
			if idle == 0 {
				want = 8 * p.RTOFloor
			}
			if got := m.idleAt(); got != at(ms+want) {
				t.Errorf("idle %v: silent at %v, want %v", idle, got, at(ms+want))
			}
		})
	}
}
