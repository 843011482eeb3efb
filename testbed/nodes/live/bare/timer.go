package bare

import (
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/crash"
	"github.com/rocelab/rocelab/testbed/nodes/interference"
	"github.com/rocelab/rocelab/testbed/nodes/live/pace"
)

// mostMissed is the maximum number of missed instants that are counted one by one: a minute of them.
const mostMissed = 60_000

// Setup is what a timer goes by.
type Setup struct {
	// Beside is shared with the loop.
	Beside *pace.Beside
	// During, if not nil, reports whether the run is under way: what is late before and after does not count.
	During func() bool
	// Ready, if not nil, is called with the number of the timer's thread before it sleeps for the first time, to give it
	// the priority of the loop's thread.
	Ready func(tid int)
	// Now and Wait are pace.Now and pace.Wait, or what takes their place.
	Now  func() int64
	Wait func(until int64, sockets []unix.PollFd) bool
}

// Timer is a bare timer at work.
type Timer struct {
	setup Setup
	late  record.Lateness
	used  result.Scheduling
	stop  atomic.Bool
	done  chan struct{}
}

// Begin starts a timer on a thread of its own.
func Begin(s Setup) *Timer {
	s.Now, s.Wait = pace.Now, pace.Wait
	t := &Timer{setup: s, done: make(chan struct{})}
	processors(+1)
	go func() {
		defer crash.Guard()()
		defer close(t.done)
		runtime.LockOSThread() // and not unlocked: the thread ends with what it was given
		_ = pace.Sharpen()
		if s.Ready != nil {
			s.Ready(unix.Gettid())
		}
		before := interference.ReadThread()
		t.run()
		t.used = interference.ReadThread().Since(before)
	}()
	return t
}

// End ends the timer, and returns what it saw.
func (t *Timer) End() result.BareTimer {
	t.stop.Store(true)
	<-t.done
	processors(-1)
	b := result.BareTimer{Beat: pace.Beat, TooLate: pace.TooLate, Lateness: t.late, Used: t.used}
	b.LateWindows, b.Seen, b.Both = t.setup.Beside.Together()
	return b
}

func (t *Timer) run() {
	due := t.setup.Now()
	for !t.stop.Load() {
		due += int64(pace.Beat)
		due = t.sleep(due)
	}
	t.setup.Beside.Sleep(0)
}

// sleep sleeps until due, and returns the last instant that has passed.
func (t *Timer) sleep(due int64) (last int64) {
	t.setup.Beside.Sleep(due)
	now := t.setup.Now()
	for now < due {
		t.setup.Wait(due, nil)
		now = t.setup.Now()
	}
	t.setup.Beside.Woke(due, now)
	counts := t.setup.During == nil || t.setup.During()
	last = due + (now-due)/int64(pace.Beat)*int64(pace.Beat)
	for at := max(due, last-mostMissed*int64(pace.Beat)); counts && at <= last; at += int64(pace.Beat) {
		t.late.Add(now - at)
	}
	return last
}

var mutex sync.Mutex

// processors changes the number of threads that run goroutines: a sleeping timer holds one of them.
func processors(change int) {
	mutex.Lock()
	defer mutex.Unlock()
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + change)
}
