package switchd

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// The parts of a switch, each without a switch around it.

// A PFC frame has the state of just the pending classes: XOFF with the full time and to be refreshed, a brief pause
// once, else XON.
func TestPFCSenderFillsFrames(t *testing.T) {
	a := newPFCSender(&profile.PFC{Enabled: true, Quanta: 1000, Refresh: 0.5}, 100*unit.Gbps)
	if want := 2560 * unit.Nanosecond; a.refreshAfter != want { // half of 1000 x 5.12 ns
		t.Errorf("sent again after %v, want %v", a.refreshAfter, want)
	}
	a.brief[4], a.brief[5] = 77, 88
	a.refresh.of(2).Set(99)
	in := ingress{classes: new(record.Classes), xoff: 1<<3 | 1<<5 | 1<<6}
	var f wire.Frame
	f.SetPFC(wire.NodeMAC(1, 0), 0, 0)
	again := a.fillFrame(&f, 1<<2|1<<3|1<<4|1<<5, &in)
	if want := [8]uint16{3: 1000, 4: 77, 5: 1000}; f.ClassEnable != 0x3C || f.Pause != want || again != 1<<3|1<<5 {
		t.Errorf("classes %b, times %v, again %b; want 111100, %v, 101000", f.ClassEnable, f.Pause, again, want)
	}
	if a.refresh.pending(2) {
		t.Error("class 2 may send, and its pause is still to be sent again")
	}
	xon, xoff := record.Class{SentXON: 1}, record.Class{SentXOFF: 1}
	for c, want := range map[int]record.Class{2: xon, 3: xoff, 4: xoff, 5: xoff, 6: {}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			if got := *in.classes.At(c); got != want {
				t.Errorf("class %d: %+v, want %+v", c, got, want)
			}
		})
	}
	f.SetPFC(wire.NodeMAC(1, 0), 0, 0)
	in.xoff = 0
	if a.fillFrame(&f, 1<<4|1<<5, &in); f.Pause != [8]uint16{} {
		t.Errorf("times %v after a brief pause, want none", f.Pause)
	}
}

// Watch over a queue begins once; a storm is recorded for the lowest class held of the
// queue's, and the latest of a queue is found among others'.
func TestWatchdogOfAPort(t *testing.T) {
	queueOf := [profile.Classes]uint8{0: 1, 3: 3, 4: 3, 6: 6}
	w := &watchdog{profile: profile.Watchdog{Enabled: true, Detect: 100}, queueOf: &queueOf}
	at, begins := w.stalled(3, 50)
	if at != 150 || !begins {
		t.Errorf("stalled at 50: detected at %d, begins %t; want 150", at, begins)
	}
	w.due.of(3).Set(at)
	if _, begins = w.stalled(3, 60); begins {
		t.Error("the watch over queue 3 begins again")
	}
	if _, begins = w.stalled(6, 60); !begins {
		t.Error("the watch over queue 6 does not begin")
	}
	in := ingress{classes: new(record.Classes)}
	w.detect(3, 1<<3|1<<4|1<<6, 150, &in)
	w.detect(6, 1<<6, 160, &in)
	if s := w.latest(3); s.Class != 3 || s.At != 150 || s.Until != unit.Never {
		t.Errorf("the storm of queue 3 is %+v", *s)
	}
	if s := w.latest(6); s.Class != 6 || s.At != 160 {
		t.Errorf("the storm of queue 6 is %+v", *s)
	}
	if c := in.classes; c.At(3).WatchdogFired != 1 || c.At(4).WatchdogFired != 1 || c.At(6).WatchdogFired != 1 {
		t.Errorf("fired %+v", c.List)
	}
	w.profile.Enabled = false
	if _, begins = w.stalled(1, 200); begins {
		t.Error("a watchdog that is off watches")
	}
}

// Frames for a queue that the watchdog freed are dropped and counted, if it drops.
func TestWatchdogFlushes(t *testing.T) {
	queueOf := [profile.Classes]uint8{3: 3}
	p := &port{watchdog: &watchdog{profile: profile.Watchdog{Drop: true}, queueOf: &queueOf}}
	if p.flushes(3) {
		t.Error("a queue that was not freed is flushed")
	}
	p.classes = new(record.Classes)
	p.watchdog.detect(3, 1<<3, 10, &p.ingress)
	p.storm = 1 << 3
	first, second, other := p.flushes(3), p.flushes(3), p.flushes(2)
	if !first || !second || other || p.watchdog.latest(3).Dropped != 2 {
		t.Errorf("dropped %d, want the two of queue 3", p.watchdog.latest(3).Dropped)
	}
	p.watchdog.profile.Drop = false
	if p.flushes(3) || p.watchdog.latest(3).Dropped != 2 {
		t.Error("a watchdog that lets frames pass drops")
	}
}

// Accounts that may not resume are checked again once enough memory is free for one of them: T = free, so that 3000 B
// held resume at 3000 B free.
func TestResumeOfOthers(t *testing.T) {
	m := mmu{shared: 4000, wake: never}
	var one, two ingress
	one, two = ingress{alpha: 1, classes: new(record.Classes)}, ingress{alpha: 1, classes: new(record.Classes)}
	if !m.admit(&one, 3, 1500) || !m.admit(&two, 3, 1000) {
		t.Fatal("not admitted")
	}
	m.pause(&one, 3)
	if m.paused != 1 || one.xoff != 1<<3 || !m.mustPause(&one, 3) {
		t.Errorf("paused %d, XOFF %b", m.paused, one.xoff)
	}
	if !m.tryResume(&one, 3) || m.paused != 0 || one.xoff != 0 { // 1500 <= 4000 - 2500
		t.Errorf("1500 B do not resume at %v free", m.shared-m.used)
	}
	m.admit(&two, 3, 250)
	m.pause(&one, 3)
	if m.tryResume(&one, 3) || m.othersMayResume() { // 1500 > 1250
		t.Errorf("1500 B resume at %v free", m.shared-m.used)
	}
	m.release(&two, 3, 250)
	if !m.othersMayResume() || m.wake != never {
		t.Errorf("nobody is asked at %v free, wake at %v", m.shared-m.used, m.wake)
	}
	if !m.tryResume(&one, 3) || m.othersMayResume() {
		t.Error("asked again although nobody is paused")
	}
}

// What a lossless class holds beyond XOFF is headroom; the lossy classes share
// the rest.
func TestPoolAdmits(t *testing.T) {
	m := pool{
		size:     1000,
		lossyMax: 400,
		xoff:     400,
		xon:      300,
		headroom: 200,
		lossless: 1 << 3,
	}
	var rec record.Classes
	for _, c := range []struct {
		class     uint8
		length    unit.Bytes
		mustPause bool
		reason    fabric.DropReason
	}{
		{class: 3, length: 399},
		{class: 3, length: 1, mustPause: true},
		{class: 3, length: 150, mustPause: true},
		{class: 3, length: 51, reason: fabric.DropHeadroom},
		{class: 3, length: 50, mustPause: true},
		{class: 0, length: 400},
		{class: 1, length: 1, reason: fabric.DropDCIBuffer},
	} {
		t.Run(fmt.Sprintf("class=%v,length=%v", c.class, c.length), func(t *testing.T) {
			mustPause, reason := m.admit(c.class, c.length, rec.Of(c.class))
			if mustPause != c.mustPause || reason != c.reason {
				t.Errorf("%v of class %d: pause %t, %v; want %t, %v", c.length, c.class, mustPause, reason, c.mustPause, c.reason)
			}
		})
	}
	if r := rec.At(3); r.IngressMax != 400 || r.HeadroomMax != 200 || m.max != 1000 {
		t.Errorf("at most %+v and %v in all", *rec.At(3), m.max)
	}
	if err := m.check(&[profile.Classes]unit.Bytes{0: 400, 3: 600}); err != nil {
		t.Error(err)
	}
	m.release(&entry{class: 3, len: 299})
	if m.mayResume(3) {
		t.Error("301 B resume above XON of 300")
	}
	if m.release(&entry{class: 3, len: 1}); !m.mayResume(3) {
		t.Error("300 B do not resume at XON of 300")
	}
}

// The queue length in a record of telemetry: the frames of all queues, and of the queue that the packet left if only
// frames in the pipeline are bound for it.
func TestEgressLengths(t *testing.T) {
	var g egress
	for q := range g.queues {
		g.queues[q] = &queue{index: uint8(q), bytes: unit.Bytes(1) << q}
	}
	g.push(2, &entry{len: 1})
	g.push(5, &entry{len: 1})
	if got := g.waiting(g.queues[2]); got != 1<<2|1<<5 {
		t.Errorf("%d B wait beside queue 2, want 36", got)
	}
	if got := g.waiting(g.queues[0]); got != 1<<0|1<<2|1<<5 {
		t.Errorf("%d B wait beside queue 0, want 37", got)
	}
	if got := g.length(); got != 255 {
		t.Errorf("%d B in all, want 255", got)
	}
	g.blocked = 1 << 5
	if g.ready() != 1<<2 {
		t.Errorf("ready %b, want 100", g.ready())
	}
	g.queues[2].deficit = 10
	if g.charge(2, 4); g.queues[2].deficit != 6 {
		t.Errorf("deficit %d, want 6", g.queues[2].deficit)
	}
	if g.empty(2); g.busy != 1<<5 || g.queues[2].deficit != 0 {
		t.Errorf("busy %b, deficit %d", g.busy, g.queues[2].deficit)
	}
	g.strict = 1 << 5
	if g.charge(5, 4); g.queues[5].deficit != 0 {
		t.Error("a strict queue pays")
	}
	if g.bypass(5); g.turn != 0 {
		t.Error("a strict queue takes the turn")
	}
	if g.bypass(4); g.turn != 4 {
		t.Errorf("the turn is queue %d's, want 4", g.turn)
	}
}

// A frame is eligible the switch's latency after its last bit came.
func TestPipelineInOrder(t *testing.T) {
	l := pipeline{latency: 100}
	if l.next() != unit.Never {
		t.Error("an empty pipeline has a next frame")
	}
	for _, at := range []unit.Time{5, 7} {
		l.Push(delayed{entry: entry{at: at}})
	}
	for _, want := range []unit.Time{105, 107} {
		t.Run(fmt.Sprintf("want=%v", want), func(t *testing.T) {
			if got := l.next(); got != want {
				t.Errorf("next at %d, want %d", got, want)
			}
			l.RemoveFirst()
		})
	}
}

// Data that ask for it get the port's record and link; nothing else does.
func TestStamperStampsData(t *testing.T) {
	on, off := newStamper(true, 100*unit.Gbps, 3), newStamper(false, 100*unit.Gbps, 3)
	f := &wire.Frame{EtherType: wire.EtherTypeIPv4, Opcode: wire.WriteMiddle}
	if on.stamps(f) {
		t.Error("data without the extension are stamped")
	}
	f.SetExtension(wire.ExtINT)
	if !on.stamps(f) || off.stamps(f) {
		t.Fatalf("on: %t, off: %t", on.stamps(f), off.stamps(f))
	}
	f.Rare = new(wire.Rare)
	on.stamp(f, unit.Time(unit.Microsecond), 1280, 4000)
	if stack := &f.Rare.INT; stack.Path != tagOf(3) || stack.Hops != 1 {
		t.Errorf("path %x of %d hops, want %x of one", stack.Path, stack.Hops, tagOf(3))
	}
}
