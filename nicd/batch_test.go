package nicd

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// together handles steps as one that is far from the NIC would: it sees the
// standing decision of a sender once in a batch and carries it on itself.
type together struct {
	limit   unit.BitRate
	largest int
	batches int
}

func (b *together) HandleAll(steps []hosting.Step) {
	standing := map[cc.Sender]cc.Decision{}
	for i := range steps {
		s := &steps[i]
		if d, later := standing[s.Sender]; later {
			s.Decision = d
		}
		hosting.Clear(&s.Decision, s.Event.Kind, s.Fired)
		s.Sender.Handle(&s.Event, &s.Decision)
		d := s.Decision
		d.Rate = min(d.Rate, b.limit)
		standing[s.Sender] = d
	}
	b.batches++
	b.largest = max(b.largest, len(steps))
}

// With a decision delay it shows nowhere whether events are handled one by one
// or in batches, of one batcher or of several.
func TestBatchesLeaveTheRunAsItIs(t *testing.T) {
	for mode := 8; mode < 16; mode++ {
		play := func(batchers []hosting.Batcher) (all string) {
			p := tempest(t, mode, nil, true)
			for i, q := range p.a.qps {
				q.send().batcher = batchers[i%len(batchers)]
			}
			p.run(at(20 * ms))
			must(t, p.a.Fault())
			all = fmt.Sprint(p.hash, p.a.Events(), p.a.LastCompletion())
			for _, q := range p.a.qps {
				all += senderText(q.send().record)
			}
			return all
		}
		want := play([]hosting.Batcher{nil})
		one, two := &together{limit: 100 * unit.Gbps}, &together{limit: 100 * unit.Gbps}
		for _, batchers := range [][]hosting.Batcher{{one}, {one, two, nil}} {
			if got := play(batchers); got != want {
				t.Fatalf("mode %d: batches changed the run:\n%s\n%s", mode, got, want)
			}
		}
		if one.largest < 8 || two.batches == 0 {
			t.Errorf("mode %d: largest batch %d, second batcher had %d", mode, one.largest, two.batches)
		}
	}
}

// A batch is handled before it grows without bound, however long the delay.
func TestLongDelaysDoNotPileUp(t *testing.T) {
	prof := profile.DefaultNIC()
	prof.DecisionDelay = ms
	l := newLone(t, config("nic", 0, 1, prof))
	handled := 0
	qp := l.send(10*unit.MB, 0, &script{signals: cc.Signals{Acks: true},
		handle: func(*cc.Event, *cc.Decision) { handled++ }})
	b := &together{limit: 100 * unit.Gbps}
	sending(l.n, 0).batcher = b
	for i := range 1000 {
		l.ack(at(10*us+unit.Duration(i)*100*ns), qp, uint32(i))
	}
	l.run(at(200 * us))
	if handled != 1+7*batchSize || b.largest != batchSize {
		t.Errorf("%d events handled, largest batch %d", handled, b.largest)
	}
	l.run(at(2 * ms))
	if handled != 1001 {
		t.Errorf("%d events handled, want 1001", handled)
	}
}

// crashing breaks down at an event with a reason.
type crashing struct {
	script
	at     int
	events int
	flow   string
	reason error
}

func (c *crashing) NewSender(cc.Facts) cc.Sender     { return c }
func (c *crashing) NewReceiver(cc.Facts) cc.Receiver { return c }
func (c *crashing) NameFlow(name string)             { c.flow = name }
func (c *crashing) Err() error                       { return c.reason }
func (c *crashing) count() (broken bool) {
	if c.events++; c.events >= c.at {
		c.reason = errors.New("algorithm far (pid 17): it crashed at " + c.flow)
	}
	return c.reason != nil
}
func (c *crashing) Handle(_ *cc.Event, d *cc.Decision) {
	if c.count() {
		d.Rate = 0
	}
}
func (c *crashing) Data(_ *cc.Arrival, fb *cc.Feedback) {
	if c.count() {
		fb.BaseRate = -1
	}
}

// What breaks down far away names its own reason, at a sender and at a
// receiver, with a decision delay and without.
func TestBreakdownIsNamed(t *testing.T) {
	for _, delay := range []unit.Duration{0, 3 * us} {
		t.Run(fmt.Sprintf("delay=%v", delay), func(t *testing.T) {
			prof := profile.DefaultNIC()
			prof.DecisionDelay = delay
			l := newLone(t, config("nic", 0, 1, prof))
			c := &crashing{script: script{signals: cc.Signals{Acks: true}}, at: 3}
			qp := l.send(100*unit.KB, 0, c)
			for i := range 5 {
				l.ack(at(2*us+unit.Duration(i)*100*ns), qp, uint32(i))
			}
			l.run(at(ms))
			if err := l.n.Fault(); err == nil || err.Error() != "algorithm far (pid 17): it crashed at flow17" {
				t.Errorf("delay %v: fault %v", delay, err)
			}
			if c.events != 3 {
				t.Errorf("delay %v: %d events were handled, want none after the third", delay, c.events)
			}
		})
	}
	l := lone100(t)
	c := &crashing{at: 2}
	qp := l.receive(c)
	for i := range 3 {
		l.data(at(us+unit.Duration(i)*us), qp, uint32(i), wire.WriteOnly, 0)
	}
	l.run(at(ms))
	if err := l.n.Fault(); err == nil || !strings.Contains(err.Error(), "it crashed at flow") || c.events != 2 {
		t.Errorf("receiver: fault %v after %d packets", err, c.events)
	}
}

// A base rate below zero is refused, of an algorithm in this process too.
func TestNegativeBaseRateIsAFault(t *testing.T) {
	l := lone100(t)
	qp := l.receive(&script{data: func(_ *cc.Arrival, fb *cc.Feedback) { fb.BaseRate = -7 }})
	l.data(at(us), qp, 0, wire.WriteOnly, 0)
	l.run(at(ms))
	if err := l.n.Fault(); err == nil || !strings.Contains(err.Error(), "script answered a data packet at 1us with") ||
		!strings.Contains(err.Error(), "base rate -7 b/s, allowed is 0") {
		t.Error(err)
	}
}

// A wake-up that fired is cleared before its event is handled, one that was
// asked for since is not.
func TestDelayedWakesAreCleared(t *testing.T) {
	prof := profile.DefaultNIC()
	prof.DecisionDelay = 2 * us
	l := newLone(t, config("nic", 0, 1, prof))
	var log []string
	l.send(4000, 0, &script{handle: func(e *cc.Event, d *cc.Decision) {
		log = append(log, fmt.Sprint(e.Kind, " ", d.WakeAt, " ", d.WakeBytes))
		switch len(log) {
		case 1:
			d.WakeAt, d.WakeBytes = at(5*us), 2000
		case 3: // comes at 5 us, while nothing else is asked for
			d.WakeAt = at(6 * us)
		}
	}})
	l.run(at(20 * us))
	want := "start 0s 0B, sent 5us 0B, timer 0s 0B, timer 0s 0B"
	if got := strings.Join(log, ", "); got != want {
		t.Errorf("events %s\nwant   %s", got, want)
	}
}
