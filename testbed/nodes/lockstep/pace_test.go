package lockstep

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rocelab/rocelab/emulator/engine"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/nodes/live/pace"
)

const ms = 1000 * us

// paced is the setup of a run of n participants that is held to the clock; the first of
// them looks.
func paced(n int, dilation int64, until unit.Time) Setup {
	s := Setup{
		Participants: n,
		Lookahead:    unit.Microsecond,
		Schedule:     engine.Schedule{Until: until, Limit: until},
		Sampled:      make([]bool, n),
		Clock:        &Pace{Dilation: dilation},
		Looks:        make([]bool, n),
	}
	s.Looks[0] = true
	return s
}

// The clock does not change the trace, and windows never begin before their time.
func TestPacedTraceIsThatOfTheEngine(t *testing.T) {
	processors(t, 12)
	end := unit.Time(60 * unit.Microsecond)
	want := byEngine(t, 12, end)
	for _, dilation := range []int64{1, 700} {
		t.Run(fmt.Sprintf("dilation=%v", dilation), func(t *testing.T) {
			for _, looks := range [][]bool{nil, make([]bool, 6)} {
				if looks != nil {
					looks[2], looks[5] = true, true
				}
				got, page, problem := byTeam(t, 12, 6, Setup{Schedule: engine.Schedule{Until: end, Limit: end},
					Clock: &Pace{Dilation: dilation}, Looks: looks})
				if got != want || problem != "" {
					t.Errorf("K = %d: trace %016x, that of the engine is %016x; %s", dilation, got, want, problem)
				}
				lags := page.Lags()
				if n := lags.Count(); n != page.Window()-1 || page.Early() != 0 {
					t.Errorf("K = %d: %d lags, %d windows, %d of them before their time", dilation, n, page.Window()-1, page.Early())
				}
			}
		})
	}
}

// outsider plays a participant that looks: input comes at unforeseen times, from
// another goroutine.
type outsider struct {
	input   atomic.Int64 // on the wall, 0 for none
	windows atomic.Int64
	took    atomic.Int64 // the start of the window in which the input was taken
	verdict Verdict
}

func (o *outsider) play(m *Member, then func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	m.Serve(func(now int64) int64 {
		c, ok := m.page.Clock()
		if at := o.input.Load(); at != 0 && ok {
			m.Hasten(c.Model(at))
		}
		return pace.Never
	})
	m.Complete(0)
	m.Arrive(0)
	for {
		_, v := m.Await()
		if o.verdict = v; v != Granted {
			return
		}
		if o.windows.Add(1) == 1 && then != nil {
			then()
		}
		if o.input.Load() != 0 {
			o.took.Store(int64(m.page.Now()))
			o.input.Store(0)
		}
		m.Arrive(unit.Never)
	}
}

// Input brings the next window forward while nothing else happens for a long time, whichever participant waits to grant
// it.
func TestInputHastensTheNextWindow(t *testing.T) {
	processors(t, 4)
	for _, looker := range []string{"waits to grant", "waits for another"} {
		t.Run(looker, func(t *testing.T) {
			p, _ := create(t, paced(2, 1, unit.Time(1000*unit.Second)))
			o, other := &outsider{}, &script{}
			m, done := p.Join(0), make(chan struct{})
			// The last to arrive in the first window is the one that waits.
			var then func()
			waits := int64(2)
			if looker == "waits to grant" {
				then, waits = func() { until(t, func() bool { return len(p.Laggards()) == 1 }) }, 1
			}
			go func() { o.play(m, then); done <- struct{}{} }()
			go func() {
				if then == nil {
					other.wait = func() { until(t, func() bool { return len(p.Laggards()) == 1 }) }
				}
				other.play(p.Join(1))
				done <- struct{}{}
			}()
			until(t, func() bool { return p.clock.holder.Load() == waits })
			if wall, ok := p.Due(); !ok || wall < pace.Now()+int64(time.Minute) {
				t.Errorf("%s: the end is due at %d, %t", looker, wall, ok)
			}
			for i := range 3 {
				before := p.Now()
				o.input.Store(pace.Now())
				m.Ring()
				until(t, func() bool { return o.input.Load() == 0 })
				if at := unit.Time(o.took.Load()); at <= before || at > unit.Time(100*unit.Second) {
					t.Errorf("%s: input %d was taken in a window from %v, after one from %v", looker, i, at, before)
				}
			}
			p.Stop()
			<-done
			<-done
			if o.verdict != Ended || p.Early() != 0 || other.windows != 1 {
				t.Errorf("%s: told %d, %d windows too early, the idle one took part in %d", looker, o.verdict, p.Early(),
					other.windows)
			}
		})
	}
}

// Who waits is served when it asked to be.
func TestServedWhileItWaits(t *testing.T) {
	processors(t, 4)
	p, _ := create(t, paced(2, 1, unit.Time(1000*unit.Second)))
	var served [2]atomic.Int64
	done := make(chan struct{})
	for i := range 2 {
		go func() {
			m := p.Join(i)
			m.Serve(func(now int64) int64 {
				served[i].Add(1)
				return now + int64(100*time.Microsecond)
			})
			(&script{}).play(m)
			done <- struct{}{}
		}()
	}
	until(t, func() bool { return served[0].Load() > 20 && served[1].Load() > 20 })
	p.Stop()
	<-done
	<-done
}

// A wait for a time far ahead ends with the run, however that ends.
func TestWaitForItsTimeIsEnded(t *testing.T) {
	processors(t, 4)
	for name, c := range map[string]struct {
		end  func(p *Page, m *Member)
		want Verdict
	}{
		"stopped":  {func(p *Page, _ *Member) { p.Stop() }, Ended},
		"aborted":  {func(p *Page, _ *Member) { p.Abort() }, Aborted},
		"deserted": {func(_ *Page, m *Member) { m.Leave() }, Aborted},
	} {
		t.Run(name, func(t *testing.T) {
			s := paced(1, 1, unit.Time(1000*unit.Second))
			s.Looks = nil
			p, _ := create(t, s)
			m := p.Join(0)
			first := make(chan struct{})
			one := &script{
				events:   []unit.Time{0, unit.Time(999 * unit.Second)},
				complete: unit.Never,
				wait:     func() { close(first) },
			}
			done := make(chan struct{})
			go func() { one.play(m); done <- struct{}{} }()
			<-first // the wait for time 0 has a holder, too
			until(t, func() bool { return p.clock.holder.Load() == 1 })
			c.end(p, m)
			<-done
			if one.verdict != c.want || len(one.ran) != 1 {
				t.Errorf("%s: told %d, %d events ran", name, one.verdict, len(one.ran))
			}
		})
	}
}

// A run that may still get input lasts to its end.
func TestPacedEndHasItsTime(t *testing.T) {
	processors(t, 4)
	p, _ := create(t, paced(2, 2, 20*ms))
	perform(p, []*script{{}, {}})
	c, ok := p.Clock()
	end, why, over := p.Over()
	if now := pace.Now(); !ok || now < c.Wall(20*ms) || end != 20*ms || why != engine.Complete || !over {
		t.Errorf("ended at %v, %v, %d ns before its time", end, why, c.Wall(20*ms)-now)
	}
}

// A standstill moves the epoch by what it took, and is known by who came last.
func TestStandstillMovesTheEpoch(t *testing.T) {
	processors(t, 4)
	s := paced(2, 1, 3*ms)
	p, _ := create(t, s)
	var first pace.Clock
	sleeper := &script{wait: func() {
		first, _ = p.Clock()
		time.Sleep(2 * pace.Standstill)
	}}
	done := make(chan struct{})
	busy := &script{}
	for i := range 4 {
		busy.events = append(busy.events, unit.Time(i)*500*us)
	}
	go func() { busy.play(p.Join(0)); done <- struct{}{} }()
	go func() { sleeper.play(p.Join(1)); done <- struct{}{} }()
	<-done
	<-done
	list, all := p.Standstills()
	if all == 0 || list[0].Last != 1 || list[0].At != 500*us || list[0].Took < pace.Standstill {
		t.Fatalf("%d standstills: %+v", all, list)
	}
	moved := time.Duration(0)
	for _, one := range list {
		moved += one.Took
	}
	if c, _ := p.Clock(); time.Duration(c.Epoch-first.Epoch) != moved {
		t.Errorf("the epoch moved by %d ns, of %v", c.Epoch-first.Epoch, moved)
	}
	if lags := p.Lags(); lags.Max() < int64(pace.Standstill) {
		t.Errorf("the largest lag is %d ns", lags.Max())
	}
}

func TestNonsensicalClocksAreRefused(t *testing.T) {
	for name, change := range map[string]func(*Setup){
		"no dilation":         func(s *Setup) { s.Clock.Dilation = 0 },
		"a negative dilation": func(s *Setup) { s.Clock.Dilation = -1 },
		"an endless dilation": func(s *Setup) { s.Clock.Dilation = pace.MaxDilation + 1 },
		"looks of too few":    func(s *Setup) { s.Looks = s.Looks[:1] },
		"looks without clock": func(s *Setup) { s.Clock = nil },
	} {
		t.Run(name, func(t *testing.T) {
			s := paced(2, 1, ms)
			change(&s)
			if p, err := Create(s); err == nil {
				p.Close()
				t.Errorf("%s passes", name)
			}
		})
	}
}

// What a daemon may have written into the clock is looked at.
func TestNonsenseInTheClockIsSeen(t *testing.T) {
	for name, write := range map[string]func(c *clockwork){
		"":                           func(*clockwork) {},
		"an epoch to come":           func(c *clockwork) { c.epoch.Store(pace.Now() + int64(time.Hour)) },
		"an epoch that never comes":  func(c *clockwork) { c.epoch.Store(pace.Never) },
		"nobody waits":               func(c *clockwork) { c.holder.Store(-1) },
		"one too many waits":         func(c *clockwork) { c.holder.Store(3) },
		"it waits for the past":      func(c *clockwork) { c.due.Store(-1) },
		"it waits beyond the limit":  func(c *clockwork) { c.due.Store(int64(2 * ms)) },
		"a standstill of no one":     func(c *clockwork) { c.stills.Store(1); c.kept[0].last.Store(2) },
		"a standstill after the end": func(c *clockwork) { c.stills.Store(1); c.kept[0].at.Store(int64(2 * ms)) },
		"a standstill backwards":     func(c *clockwork) { c.stills.Store(1 << 63); c.kept[63].took.Store(-1) },
	} {
		t.Run(fmt.Sprintf("%q", name), func(t *testing.T) {
			p, _ := create(t, paced(2, 1, ms))
			p.head.window.Store(1)
			write(p.clock)
			if err := p.Check(); (err != nil) != (name != "") {
				t.Errorf("%q: %v", name, err)
			}
			p.Due()
			p.Lag()
			p.Standstills()
		})
	}
}

// A run that looks and has nothing left to do, though flows are incomplete, waits for input to its limit and
// ends there, not where it did something last: a replay, which waits as long, ends likewise.
func TestIdleRunThatLooksEndsAtItsLimit(t *testing.T) {
	s := paced(2, 1, 200*us)
	s.Schedule = engine.Schedule{Limit: 200 * us, EndGrid: 10 * unit.Microsecond}
	p, _ := create(t, s)
	perform(p, []*script{{events: []unit.Time{5 * us}, complete: unit.Never}, {}})
	if end, why, over := p.Over(); end != 200*us || why != engine.Exhausted || !over {
		t.Errorf("ended at %v, %v, %v; want the limit of 200us, exhausted", end, why, over)
	}
}

// A member that keeps its processor waits on as it began, however long; others give it up.
func TestAMemberKeepsItsProcessor(t *testing.T) {
	p, err := Create(paced(1, 1, unit.Time(unit.Second)))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for _, keeps := range []bool{false, true} {
		t.Run(fmt.Sprintf("keeps=%v", keeps), func(t *testing.T) {
			m := p.Join(0)
			if keeps {
				m.KeepProcessor()
			}
			for until := pace.Now() + 30*int64(time.Millisecond); pace.Now() < until; {
				m.sleep(m.bell.Load(), until)
			}
			if m.long == keeps {
				t.Errorf("keeps %t, gave up %t", keeps, m.long)
			}
		})
	}
}

// A stall is one late window: the windows that catch up after it inherit its delay.
func TestWindowsAfterAStallAreNotLateAgain(t *testing.T) {
	p, _ := create(t, paced(2, 1, unit.Time(unit.Second)))
	m := p.Join(0)
	m.strikeAt(0, 0, true)
	for i := range int64(100) {
		m.strikeAt(5*int64(time.Millisecond), unit.Time(i+1)*unit.Time(unit.Microsecond), false)
	}
	if late, _, _ := p.Beside().Together(); late != 1 {
		t.Errorf("%d late windows, want 1", late)
	}
	m.awaited = true // the run was at rest: what it wakes for late is late by itself
	m.strikeAt(8*int64(time.Millisecond), unit.Time(7*unit.Millisecond), false)
	if late, _, _ := p.Beside().Together(); late != 2 {
		t.Errorf("%d late windows, want 2", late)
	}
	if lags := p.Lags(); lags.Count() != 102 {
		t.Errorf("%d lags, want those of all windows", lags.Count())
	}
}

// Who grants a window knows whether its time was awaited.
func TestAWindowIsAwaitedOnlyBeforeItsTime(t *testing.T) {
	p, _ := create(t, paced(1, 1, unit.Time(unit.Second)))
	m := p.Join(0)
	p.head.window.Store(1)
	p.next[0].Store(0)
	ahead := func(d time.Duration) (awaited bool) {
		p.clock.epoch.Store(pace.Now() + int64(d))
		m.hold(unit.Time(unit.Second))
		return m.awaited
	}
	tries := 0
	for !ahead(time.Millisecond) { // unless this thread has just lost its core
		if tries++; tries == 1000 {
			t.Fatal("the time of a window is not awaited")
		}
	}
	if ahead(-time.Millisecond) {
		t.Error("the time of a late window was awaited")
	}
}
