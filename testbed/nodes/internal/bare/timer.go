package bare

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/crash"
	"github.com/rocelab/rocelab/testbed/nodes/live/pace"
)

// mostMissed is the maximum number of missed instants that are counted one by one: a minute of them.
const mostMissed = 60_000

// Setup has the parts of a timer.
type Setup struct {
	// Beside is shared with the loop.
	Beside *Beside
	// During, if not nil, reports whether the run is under way: instants before and after do not count.
	During func() bool
	// Ready, if not nil, is called with the number of the timer's thread before it sleeps for the first time, to give it
	// the priority of the loop's thread. Its error is recorded.
	Ready func(tid int) error
	// Now and Wait are pace.Now and pace.Wait, or take their place in a test.
	Now  func() int64
	Wait func(until int64, sockets []unix.PollFd) bool
}

// Timer is a bare timer at work.
type Timer struct {
	setup Setup
	late  record.Lateness
	used  result.Scheduling
	// refused is the error of Ready.
	refused error
	stop    atomic.Bool
	done    chan struct{}
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
			t.refused = s.Ready(unix.Gettid())
		}
		before := ReadThread()
		t.run()
		t.used = ReadThread().Since(before)
	}()
	return t
}

// End ends the timer, and returns its record; an empty one if t is nil.
func (t *Timer) End() result.BareTimer {
	if t == nil {
		return result.BareTimer{}
	}
	t.stop.Store(true)
	<-t.done
	processors(-1)
	b := result.BareTimer{Beat: Beat, TooLate: TooLate, Lateness: t.late, Used: t.used}
	b.LateWindows, b.Seen, b.Both = t.setup.Beside.Together()
	if t.refused != nil {
		b.Refused = t.refused.Error()
	}
	return b
}

func (t *Timer) run() {
	due := t.setup.Now()
	for !t.stop.Load() {
		due += int64(Beat)
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
	last = due + (now-due)/int64(Beat)*int64(Beat)
	for at := max(due, last-mostMissed*int64(Beat)); counts && at <= last; at += int64(Beat) {
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

// Thread has the counters of a thread at an instant.
type Thread struct{ ran, waited time.Duration }

// ReadThread reads the counters of the calling thread.
func ReadThread() Thread { return readThread("/") }

// Since returns the time on cores between two readings.
func (t Thread) Since(before Thread) result.Scheduling {
	return result.Scheduling{Ran: max(0, t.ran-before.ran), Waited: max(0, t.waited-before.waited)}
}

// readThread reads schedstat of the host whose files lie below root. Its first two numbers are the time on a core and
// the time of waiting for one while ready to run, in nanoseconds.
func readThread(root string) Thread {
	text, _ := os.ReadFile(filepath.Join(root, "proc/thread-self/schedstat"))
	words := append(strings.Fields(string(text)), "", "")
	number := func(word string) time.Duration {
		n, _ := strconv.ParseInt(word, 10, 64) // a kernel without these counters has an empty file
		return time.Duration(n)
	}
	return Thread{ran: number(words[0]), waited: number(words[1])}
}
