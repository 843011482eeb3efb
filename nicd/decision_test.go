package nicd

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// decided returns decisions at 100 Gb/s whose latest is d, after one of 10 Gb/s.
func decided(d cc.Decision) (all decisions, before cc.Decision) {
	all = newDecisions(100*unit.Gbps, 0, false)
	all.latest.Rate = 10 * unit.Gbps
	before = all.latest
	all.latest = d
	return all, before
}

// A decision is bounded by the line, and an invalid one is refused with the allowed values.
func TestSettle(t *testing.T) {
	const now = unit.Time(10 * us)
	for _, c := range []struct {
		decision cc.Decision
		kind     cc.EventKind
		rate     unit.BitRate
		words    string
	}{
		{cc.Decision{Rate: unit.Gbps}, cc.EventAck, unit.Gbps, ""},
		{cc.Decision{Rate: 900 * unit.Gbps}, cc.EventAck, 100 * unit.Gbps, ""},
		{cc.Decision{}, cc.EventAck, 0, "rate 0 b/s, allowed is above 0"},
		{cc.Decision{Rate: -1}, cc.EventAck, 0, "rate -1 b/s"},
		{cc.Decision{Rate: 1, Window: -1}, cc.EventAck, 0, "window -1 B, allowed is 0 (none) and more"},
		{cc.Decision{Rate: 1, Gap: -1}, cc.EventAck, 0, "allowed is 0 (from the rate) and more"},
		{cc.Decision{Rate: 1, WakeAt: -1}, cc.EventAck, 0, "allowed is 0 (none) and more"},
		{cc.Decision{Rate: 1, WakeBytes: -1}, cc.EventAck, 0, "or -1 B"},
		{cc.Decision{Rate: 1, WakeAt: now}, cc.EventTimer, 0, "allowed is later: time would stand still"},
		{cc.Decision{Rate: 1, WakeAt: now}, cc.EventAck, 1, ""},
		{cc.Decision{Rate: 1, WakeAt: now + 1}, cc.EventTimer, 1, ""},
	} {
		t.Run(fmt.Sprintf("kind=%v,rate=%v,words=%s", c.kind, c.rate, c.words), func(t *testing.T) {
			all, before := decided(c.decision)
			got, err := all.settle(&before, c.kind, now, record.NewSender())
			switch {
			case c.words == "" && (err != nil || got.Rate != c.rate || all.latest.Rate != c.rate):
				t.Errorf("%+v: %v, %v; want %v", c.decision, got.Rate, err, c.rate)
			case c.words != "" && (err == nil || !strings.Contains(err.Error(), c.words)):
				t.Errorf("%+v: %v, want %q", c.decision, err, c.words)
			}
		})
	}
}

// A decision is a change of rate, window or gap; wake-ups by themselves do not count.
func TestDecisionsAreCounted(t *testing.T) {
	all := newDecisions(100*unit.Gbps, 0, false)
	r := *record.NewSender()
	for _, c := range []struct {
		change           func(d *cc.Decision)
		count            uint64
		lowest, greatest unit.BitRate
	}{
		{func(d *cc.Decision) { d.WakeAt = 5 }, 0, 0, 0},
		{func(d *cc.Decision) { d.Rate = 20 * unit.Gbps }, 1, 20 * unit.Gbps, 20 * unit.Gbps},
		{func(d *cc.Decision) { d.Window = 5000 }, 2, 20 * unit.Gbps, 20 * unit.Gbps},
		{func(d *cc.Decision) { d.Rate, d.Gap = 500*unit.Gbps, us }, 3, 20 * unit.Gbps, 100 * unit.Gbps},
		{func(d *cc.Decision) { d.Gap = 2 * us }, 4, 20 * unit.Gbps, 100 * unit.Gbps},
		{func(d *cc.Decision) { d.WakeBytes = 9 }, 4, 20 * unit.Gbps, 100 * unit.Gbps},
		{func(d *cc.Decision) { d.Rate = unit.Gbps }, 5, unit.Gbps, 100 * unit.Gbps},
	} {
		before := all.latest
		c.change(&all.latest)
		if all.unchanged(&before) {
			t.Errorf("%+v after %+v counts as unchanged", all.latest, before)
		}
		_, err := all.settle(&before, cc.EventAck, at(us), &r)
		must(t, err)
		if r.Decisions != c.count || r.RateMin != c.lowest || r.RateMax != c.greatest {
			t.Errorf("after %+v: %d decisions, %v to %v", all.latest, r.Decisions, r.RateMin, r.RateMax)
		}
		if before = all.latest; !all.unchanged(&before) {
			t.Errorf("%+v differs from itself", before)
		}
	}
}

// Own counts only where packets carry it.
func TestOwnCountsWhereCarried(t *testing.T) {
	for _, carried := range []bool{true, false} {
		t.Run(fmt.Sprintf("carried=%v", carried), func(t *testing.T) {
			all := newDecisions(unit.Gbps, 0, carried)
			before := all.latest
			all.latest.Own[0] = 1
			if all.unchanged(&before) == carried {
				t.Errorf("carried %t: unchanged %t", carried, !carried)
			}
		})
	}
}

// A change puts window and Own into force, and a wake-up only where it sets one:
// one that fired meanwhile does not come back.
func TestApply(t *testing.T) {
	all := newDecisions(100*unit.Gbps, 0, true)
	settle := func(change func(d *cc.Decision)) change {
		before := all.latest
		change(&all.latest)
		c, err := all.settle(&before, cc.EventAck, at(us), record.NewSender())
		must(t, err)
		return c
	}
	first := settle(func(d *cc.Decision) { d.Window, d.WakeAt, d.WakeBytes, d.Own[3] = 5000, at(9*us), 700, 7 })
	later := settle(func(d *cc.Decision) { d.Window = 6000 })
	cleared := settle(func(d *cc.Decision) { d.WakeAt, d.WakeBytes = 0, 0 })

	if wake := all.apply(&first); !wake || all.wakeAt != at(9*us) || all.wakeBytes != 700 || all.window != 5000 ||
		all.own[3] != 7 {
		t.Errorf("first: wake %t, %+v", wake, all)
	}
	if fired := all.timerFired(); fired != at(9*us) || all.wakeAt != 0 {
		t.Errorf("fired %v, then %v in force", fired, all.wakeAt)
	}
	for _, c := range []struct {
		sent, fired unit.Bytes
		ok          bool
	}{{699, 0, false}, {700, 700, true}, {9000, 0, false}} {
		t.Run(fmt.Sprintf("sent=%v", c.sent), func(t *testing.T) {
			if fired, ok := all.bytesFired(c.sent); fired != c.fired || ok != c.ok {
				t.Errorf("%d B sent: fired %d, %t", c.sent, fired, ok)
			}
		})
	}
	if wake := all.apply(&later); wake || all.window != 6000 || all.wakeAt != 0 || all.wakeBytes != 0 {
		t.Errorf("later: wake %t, wake-ups %v and %v came back", wake, all.wakeAt, all.wakeBytes)
	}
	all.apply(&first)
	if wake := all.apply(&cleared); wake || all.wakeAt != 0 || all.wakeBytes != 0 {
		t.Errorf("cleared: wake %t, %v and %v in force", wake, all.wakeAt, all.wakeBytes)
	}
}
