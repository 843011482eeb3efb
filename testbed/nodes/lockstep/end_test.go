package lockstep

import (
	"context"
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rocelab/rocelab/emulator/engine"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

const us = unit.Time(unit.Microsecond)

// script is the behaviour of a participant without links: it has events at given times, and its flows are complete
// after one of them.
type script struct {
	events   []unit.Time
	complete unit.Time // 0: at the start; unit.Never: not at all
	ran      []unit.Time
	windows  int
	ends     []unit.Time // of the windows
	verdict  Verdict
	wait     func() // it is called in the first window
}

func (s *script) play(m *Member) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	told := false
	finish := func(now unit.Time) {
		if !told && s.complete <= now {
			told = true
			m.Complete(s.complete)
		}
	}
	finish(0)
	m.Arrive(0)
	for {
		horizon, v := m.Await()
		if s.verdict = v; v != Granted {
			return
		}
		s.ends = append(s.ends, horizon)
		if s.windows++; s.windows == 1 && s.wait != nil {
			s.wait()
		}
		for len(s.events) > 0 && s.events[0] < horizon {
			finish(s.events[0])
			s.ran = append(s.ran, s.events[0])
			s.events = s.events[1:]
		}
		next := unit.Never
		if len(s.events) > 0 {
			next = s.events[0]
		}
		m.Arrive(next)
	}
}

// perform plays scripts to their end.
func perform(p *Page, scripts []*script) {
	done := make(chan struct{})
	for i, s := range scripts {
		go func() { s.play(p.Join(i)); done <- struct{}{} }()
	}
	for range scripts {
		<-done
	}
}

func TestEnds(t *testing.T) {
	processors(t, 4)
	grid := 10 * unit.Microsecond
	for _, c := range []struct {
		name     string
		schedule engine.Schedule
		scripts  []*script
		stop     bool
		end      unit.Time
		why      engine.Stop
		ran      int // events, of all
	}{
		{"at the set time, all events before it run and none at it", engine.Schedule{Until: 25 * us, Limit: 25 * us},
			[]*script{{events: []unit.Time{3 * us, 24 * us, 25 * us}, complete: unit.Never},
				{events: []unit.Time{25*us - 1}, complete: unit.Never}}, false, 25 * us, engine.Complete, 3},
		{"at the set time, though nothing happens any more", engine.Schedule{Until: 25 * us, Limit: 25 * us},
			[]*script{{complete: unit.Never}}, false, 25 * us, engine.Complete, 0},
		{"on the grid after the last completion of all", engine.Schedule{Limit: 1000 * us, EndGrid: grid},
			[]*script{{events: []unit.Time{5 * us, 33 * us, 39 * us, 40 * us}, complete: 33 * us},
				{events: []unit.Time{12 * us, 35 * us, 50 * us}, complete: 12 * us}}, false, 40 * us, engine.Complete, 5},
		{"a grid step after a completion on the grid", engine.Schedule{Limit: 1000 * us, EndGrid: grid},
			[]*script{{events: []unit.Time{30 * us, 39 * us}, complete: 30 * us}}, false, 40 * us, engine.Complete, 2},
		{"on the first grid point if there was nothing to complete", engine.Schedule{Limit: 1000 * us, EndGrid: grid},
			[]*script{{}, {}}, false, 10 * us, engine.Complete, 0},
		{"at the limit, before the grid point after the last completion", engine.Schedule{Limit: 36 * us, EndGrid: grid},
			[]*script{{events: []unit.Time{33 * us, 37 * us}, complete: 33 * us}}, false, 36 * us, engine.Complete, 1},
		{"at the limit, when flows are not complete", engine.Schedule{Limit: 100 * us, EndGrid: grid},
			[]*script{{events: []unit.Time{5 * us, 200 * us}, complete: unit.Never}, {}}, false, 100 * us, engine.Exhausted, 1},
		{"on the grid after the last window, when nothing is left and flows are not complete",
			engine.Schedule{Limit: 100 * us, EndGrid: grid},
			[]*script{{events: []unit.Time{5 * us}, complete: unit.Never}, {}}, false, 10 * us, engine.Exhausted, 1},
		{"before the first window, when it is to stop", engine.Schedule{Limit: 100 * us, EndGrid: grid},
			[]*script{{events: []unit.Time{5 * us}, complete: unit.Never}, {}}, true, 0, engine.Interrupted, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			setup := Setup{Participants: len(c.scripts), Lookahead: unit.Microsecond, Schedule: c.schedule,
				Sampled: make([]bool, len(c.scripts))}
			p, _ := create(t, setup)
			if c.stop {
				p.Stop()
			}
			perform(p, c.scripts)
			end, why, over := p.Over()
			if end != c.end || why != c.why || !over {
				t.Errorf("ended at %v, %v, %v; want %v, %v", end, why, over, c.end, c.why)
			}
			ran := 0
			for i, s := range c.scripts {
				ran += len(s.ran)
				if s.verdict != Ended {
					t.Errorf("participant %d was told %d", i, s.verdict)
				}
			}
			if ran != c.ran {
				t.Errorf("%d events ran, want %d", ran, c.ran)
			}
		})
	}
}

// Only those are woken that have something to do, or must look.
func TestWindowsWakeWhomTheyConcern(t *testing.T) {
	processors(t, 4)
	scripts := []*script{{complete: unit.Never}, {complete: unit.Never}, {complete: unit.Never}}
	for i := range 20 {
		scripts[1].events = append(scripts[1].events, unit.Time(i)*5*us)
	}
	setup := Setup{
		Participants: 3,
		Lookahead:    unit.Microsecond,
		Schedule:     engine.Schedule{Until: 100 * us, Limit: 100 * us},
		SamplePeriod: 50 * unit.Microsecond,
		Sampled:      []bool{false, false, true},
	}
	p, _ := create(t, setup)
	perform(p, scripts)
	// All take part in the first window.
	if idle, busy, looker := scripts[0].windows, scripts[1].windows, scripts[2].windows; idle != 1 ||
		busy != 20 || looker != 2 {
		t.Errorf("the idle one took part in %d windows, the busy one in %d, the one that looks in %d: want 1, 20, 2",
			idle, busy, looker)
	}
	if p.Window()-1 != 21 {
		t.Errorf("%d windows, want 21", p.Window()-1)
	}
}

// A window that ends at a look wakes the participants that look, idle or not.
func TestLooksWakeTheIdle(t *testing.T) {
	processors(t, 4)
	scripts := []*script{{complete: unit.Never},
		{complete: unit.Never, events: []unit.Time{9*us + 500_000, 19*us + 500_000, 27 * us}}}
	p, _ := create(t, Setup{
		Participants: 2,
		Lookahead:    unit.Microsecond,
		Schedule:     engine.Schedule{Until: 30 * us, Limit: 30 * us},
		SamplePeriod: 10 * unit.Microsecond,
		Sampled:      []bool{true, false},
	})
	perform(p, scripts)
	if got := scripts[0].windows; got != 3 { // the first, and those that end at 10 and 20 us
		t.Errorf("the one that looks took part in %d windows, want 3", got)
	}
}

// Quiet time is sampled at most twice, for any length, as the engine's observers do.
func TestQuietTimesAreSampledTwice(t *testing.T) {
	processors(t, 4)
	const hour = unit.Time(3600 * unit.Second)
	grid := 20 * unit.Microsecond
	for _, c := range []struct {
		name     string
		events   []unit.Time
		schedule engine.Schedule
		want     []unit.Time // ends of the windows of the one that looks, after the first
		end      unit.Time
	}{
		{"an hour between two events", []unit.Time{5 * us, hour + 5*us},
			engine.Schedule{Until: hour + 25*us, Limit: hour + 25*us},
			[]unit.Time{10 * us, 20 * us, hour + 10*us, hour + 20*us}, hour + 25*us},
		{"an hour without an event", nil, engine.Schedule{Until: hour, Limit: hour}, []unit.Time{10 * us, 20 * us}, hour},
		{"an event at an instant", []unit.Time{5 * us, 30 * us}, engine.Schedule{Until: 35 * us, Limit: 35 * us},
			[]unit.Time{10 * us, 20 * us}, 35 * us},
		{"one instant in a quiet time", []unit.Time{5 * us, 15 * us, 25 * us},
			engine.Schedule{Until: 30 * us, Limit: 30 * us}, []unit.Time{10 * us, 20 * us}, 30 * us},
		{"nothing left, and flows incomplete", []unit.Time{5 * us}, engine.Schedule{Limit: hour, EndGrid: grid},
			[]unit.Time{10 * us}, 20 * us},
	} {
		t.Run(c.name, func(t *testing.T) {
			scripts := []*script{{complete: unit.Never}, {complete: unit.Never, events: c.events}}
			p, _ := create(t, Setup{
				Participants: 2,
				Lookahead:    unit.Microsecond,
				Schedule:     c.schedule,
				SamplePeriod: 10 * unit.Microsecond,
				Sampled:      []bool{true, false},
			})
			perform(p, scripts)
			if got := scripts[0].ends; !slices.Equal(got[1:], c.want) {
				t.Errorf("%s: windows of the one that looks end at %v, want %v", c.name, got, c.want)
			}
			if end, _, _ := p.Over(); end != c.end {
				t.Errorf("%s: ended at %v, want %v", c.name, end, c.end)
			}
		})
	}
}

func TestStopEndsBeforeTheNextWindow(t *testing.T) {
	processors(t, 4)
	p, _ := create(t, Setup{Participants: 1, Lookahead: unit.Microsecond, Schedule: engine.Schedule{Until: 100 * us,
		Limit: 100 * us}, Sampled: make([]bool, 1)})
	m := p.Join(0)
	m.Arrive(0)
	if h, v := m.Await(); h != us || v != Granted {
		t.Fatal(h, v)
	}
	p.Stop()
	m.Arrive(us)
	if _, v := m.Await(); v != Ended {
		t.Errorf("told %d", v)
	}
	if end, why, over := p.Over(); end != us || why != engine.Interrupted || !over {
		t.Errorf("ended at %v, %v, %v", end, why, over)
	}
}

// Giving up reaches participants that wait, even ones that would wait for ever, and participants in a window.
func TestAbort(t *testing.T) {
	processors(t, 80)
	const n = 70
	p, _ := create(t, Setup{Participants: n, Lookahead: unit.Microsecond, Schedule: engine.Schedule{Until: 100 * us,
		Limit: 100 * us}, Sampled: make([]bool, n)})
	verdicts := make(chan Verdict)
	for i := 1; i < n; i++ {
		go func() {
			runtime.LockOSThread()
			m := p.Join(i)
			m.Arrive(0)
			for {
				if _, v := m.Await(); v != Granted {
					verdicts <- v
					return
				}
				m.Arrive(unit.Never)
			}
		}()
	}
	m := p.Join(0)
	m.Arrive(0)
	if _, v := m.Await(); v != Granted {
		t.Fatal(v)
	}
	until(t, func() bool { return len(p.Laggards()) == 1 }) // the others wait, for this one
	p.Abort()
	for range n - 1 {
		if v := <-verdicts; v != Aborted {
			t.Fatalf("told %d", v)
		}
	}
	if !p.Aborted() {
		t.Error("those at work are not told")
	}
	m.Arrive(unit.Never)
	if _, v := m.Await(); v != Aborted {
		t.Errorf("told %d", v)
	}
}

// until polls for what other goroutines bring about.
func until(t *testing.T, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it did not come to that")
		}
	}
}

func TestLeaveEndsAWait(t *testing.T) {
	processors(t, 4)
	p, _ := create(t, Setup{Participants: 2, Lookahead: unit.Microsecond, Schedule: engine.Schedule{Until: 100 * us,
		Limit: 100 * us}, Sampled: make([]bool, 2)})
	m := p.Join(0)
	told := make(chan Verdict)
	go func() {
		m.Arrive(0)
		_, v := m.Await()
		told <- v
	}()
	m.Leave()
	if v := <-told; v != Aborted {
		t.Errorf("told %d", v)
	}
	if p.Aborted() {
		t.Error("one that leaves has all others give up")
	}
}

// child is set if this process is to do one test for another process.
var child = os.Getenv("LOCKSTEP_TEST_ALONE") != ""

// alone does the calling test in a process of its own, and ends that if it hangs.
func alone(t *testing.T) (output []byte, err error) {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	c := exec.CommandContext(ctx, os.Args[0], "-test.run=^"+t.Name()+"$")
	c.Env = append(os.Environ(), "LOCKSTEP_TEST_ALONE=1")
	return c.CombinedOutput()
}

// A wait must give its processor back to the Go runtime, which has but one here:
// otherwise a daemon on a machine of one processor would never learn that its
// testbed is gone. The trial is a process of its own, since no goroutine would be
// left to end one that hangs.
func TestWaitGivesTheProcessorBack(t *testing.T) {
	if !child {
		if out, err := alone(t); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return
	}
	runtime.GOMAXPROCS(1)
	p, _ := create(t, Setup{Participants: 2, Lookahead: unit.Microsecond, Schedule: engine.Schedule{Until: 100 * us,
		Limit: 100 * us}, Sampled: make([]bool, 2)})
	m := p.Join(0)
	go func() {
		time.Sleep(50 * time.Millisecond) // the wait has begun, or is about to
		m.Leave()
	}()
	m.Arrive(0)
	if _, v := m.Await(); v != Aborted {
		t.Errorf("told %d", v)
	}
}

func TestLaggards(t *testing.T) {
	p, _ := create(t, Setup{Participants: 3, Lookahead: unit.Microsecond, Schedule: engine.Schedule{Until: 100 * us,
		Limit: 100 * us}, Sampled: make([]bool, 3)})
	want := func(list ...int) {
		t.Helper()
		if got := p.Laggards(); !slices.Equal(got, list) {
			t.Errorf("laggards %v, want %v", got, list)
		}
	}
	var m [3]*Member
	for i := range m {
		m[i] = p.Join(i)
	}
	want(0, 1, 2) // nobody has begun
	m[1].Arrive(0)
	want(0, 2)
	m[0].Arrive(0)
	m[2].Arrive(5 * us)
	want(0, 1) // the first window
	m[1].Arrive(unit.Never)
	want(0)
}

// Who looks on sees what participants noted.
func TestView(t *testing.T) {
	setup := Setup{
		Run:          7,
		Participants: 2,
		Links:        4,
		Lookahead:    unit.Microsecond,
		Schedule:     engine.Schedule{Until: 100 * us, Limit: 100 * us},
		Sampled:      make([]bool, 2),
	}
	p, f := create(t, setup)
	v, err := View(f, setup)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	m, other := p.Join(0), p.Join(1)
	m.Arrive(3 * us)
	other.Arrive(4 * us)
	m.Announce(2, 11)
	m.Took(3, 12)
	m.Tell(5, 500, &record.Tally{Sent: 1})
	m.Tell(6, 600, &record.Tally{
		Sent:      10,
		Delivered: 20,
		Completed: 30,
		Marks:     40,
		CNPs:      50,
		XOFFs:     60,
		Drops:     70,
		Longest:   80,
	})
	other.Tell(1, 50, &record.Tally{
		Sent:      1,
		Delivered: 2,
		Completed: 3,
		Marks:     4,
		CNPs:      5,
		XOFFs:     1 << 40,
		Drops:     1 << 40,
		Lossless:  9,
		Longest:   1 << 50,
	})
	hops, acked, tally := v.Told()
	want := record.Tally{
		Sent:      11,
		Delivered: 22,
		Completed: 33,
		Marks:     44,
		CNPs:      55,
		XOFFs:     60 + 1<<32 - 1, // what does not fit is told as the most that does
		Drops:     70 + 1<<31 - 1,
		Lossless:  1,
		Longest:   1<<40 - 1,
	}
	if !reflect.DeepEqual(tally, want) {
		t.Errorf("%+v, want %+v", tally, want)
	}
	if hops != 7 || acked != 650 || v.Announced(2) != 11 || v.Taken(3) != 12 ||
		v.Now() != 3*us || v.Window() != 1 {
		t.Errorf("%d hops, %v acknowledged, %d and %d frames, at %v, window %d", hops, acked, v.Announced(2), v.Taken(3),
			v.Now(), v.Window())
	}
	if _, _, over := v.Over(); over || v.Aborted() {
		t.Error("the run is over")
	}
}

// A word written through a view ends the process that does it.
func TestViewIsReadOnly(t *testing.T) {
	if !child {
		out, err := alone(t)
		if err == nil || strings.Contains(string(out), "it can write") {
			t.Errorf("a process that writes through a view: %v, %s", err, out)
		}
		return
	}
	setup := ofTwo()
	p, err := Create(setup)
	if err != nil {
		return
	}
	v, err := View(p.File(), setup)
	if err != nil {
		return
	}
	v.Stop()
	t.Fatal("it can write")
}
