package nicd

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Messages are admitted in order, each for what it waits for, and are complete as
// their packets are acknowledged.
func TestMessages(t *testing.T) {
	after := [][]Await{{{0, 1}}, {{0x12, 1}, {0x13, 2}}, {}}
	r := *record.NewSender()
	m := newMessages(after, 3, new(sender), &r)
	if !m.wait() || m.rank != 3 || cap(r.Messages) != 3 {
		t.Errorf("%+v", m)
	}
	if !m.await(0) || len(m.waiter.after) != 1 {
		t.Errorf("the first waits for %v", m.waiter.after)
	}
	m.waiter.met = 1
	for i, c := range []struct {
		now    unit.Time
		more   bool
		awaits int
	}{{at(us), true, 2}, {at(2 * us), true, 0}, {at(5 * us), false, 0}} {
		t.Run(fmt.Sprintf("now=%v", c.now), func(t *testing.T) {
			if more := m.admit(i-1, c.now, &r); more != c.more {
				t.Errorf("message %d: more %t", i, more)
			}
			if c.more && (len(m.waiter.after) != c.awaits || m.waiter.met != 0) {
				t.Errorf("behind message %d: waits for %v, of which %d happened", i, m.waiter.after, m.waiter.met)
			}
			if got := r.Messages[i]; got.Ready != c.now || got.Completed != unit.Never || got.By != int32(i-1) {
				t.Errorf("message %d: %+v", i, got)
			}
		})
	}
	if r.Started != at(us) {
		t.Errorf("started at %v", r.Started)
	}
	for _, c := range []struct {
		una      int64
		complete int
	}{{9, 0}, {10, 1}, {19, 1}, {30, 3}, {31, 3}} {
		t.Run(fmt.Sprintf("una=%v", c.una), func(t *testing.T) {
			m.acknowledged(c.una, 10, at(unit.Duration(c.una)*us), &r, new(record.Spent))
			if m.complete != c.complete {
				t.Errorf("%d packets acknowledged: %d messages complete, want %d", c.una, m.complete, c.complete)
			}
		})
	}
	for i, want := range []unit.Duration{10 * us, 30 * us, 30 * us} {
		if got := r.Messages[i].Completed; got != at(want) {
			t.Errorf("message %d complete at %v, want %v", i, got, want)
		}
	}
	if m = newMessages(nil, 0, nil, &r); m.wait() || m.await(0) {
		t.Errorf("a flow without waiting messages: %+v", m)
	}
}

// An update of the controller is a change unless it repeats the number before.
func TestGroupSize(t *testing.T) {
	g := groupSize{2, []GroupUpdate{{at(us), 2}, {at(2 * us), 3}, {at(3 * us), 3}, {at(4 * us), 2}}}
	for i, want := range []struct {
		flows int
		news  bool
	}{{2, false}, {3, true}, {3, false}, {2, true}} {
		t.Run(fmt.Sprintf("flows=%v,news=%v", want.flows, want.news), func(t *testing.T) {
			if flows, news := g.take(); flows != want.flows || news != want.news || len(g.updates) != 3-i {
				t.Errorf("word %d: %d flows, news %t, %d to come", i, flows, news, len(g.updates))
			}
		})
	}
}
