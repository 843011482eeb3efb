package realtime

import (
	"fmt"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/crash"
	"github.com/rocelab/rocelab/testbed/nodes/live/pace"
)

const (
	// span is the time over which a thread's share of a core is taken, most the limit of the share, and period the time
	// between two looks at it.
	span   = int64(time.Second)
	most   = 0.8
	period = 100 * time.Millisecond
)

// Guard holds threads that have real-time priority, and takes it from threads that have too much of a core. Its methods
// may be called by any goroutine.
type Guard struct {
	mutex   sync.Mutex
	threads []*thread
	stop    chan struct{}
	done    chan struct{}
}

// thread is one that a guard holds.
type thread struct {
	result.Priority
	pid, tid int
	stat     *os.File // nil where it does not have the class
	given    int64    // when it was, on CLOCK_MONOTONIC
	seen     []reading
}

// reading is the processor time that a thread has used at an instant.
type reading struct{ at, used int64 }

// NewGuard begins to guard.
func NewGuard() *Guard {
	g := &Guard{stop: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer crash.Guard()()
		defer close(g.done)
		ticker := time.NewTicker(period)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				g.look()
			case <-g.stop:
				return
			}
		}
	}()
	return g
}

// Raise gives a thread of a process real-time priority, and guards it. If the host refuses that, the thread keeps its
// priority, and End gives the reason. Both numbers are as this process sees them.
func (g *Guard) Raise(participant string, pid, tid int) {
	t := &thread{Priority: result.Priority{Participant: participant}, pid: pid, tid: tid}
	if err := t.raise(); err != nil {
		t.Lost = err.Error()
	}
	g.add(t)
}

// Miss notes a thread that cannot be given the class.
func (g *Guard) Miss(participant string, err error) {
	g.add(&thread{Priority: result.Priority{Participant: participant, Lost: err.Error()}})
}

func (g *Guard) add(t *thread) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.threads = append(g.threads, t)
}

// End gives all threads their normal priority back, and returns the record of each, in the order in which they were
// raised.
func (g *Guard) End() (list []result.Priority) {
	close(g.stop)
	<-g.done
	for _, t := range g.threads {
		if t.stat != nil {
			t.lower("")
		}
		list = append(list, t.Priority)
	}
	return list
}

// look takes the class from threads that had too much.
func (g *Guard) look() {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	for _, t := range g.threads {
		if t.stat == nil {
			continue
		}
		used, err := t.used()
		if err != nil { // it has ended
			t.close()
			continue
		}
		now := pace.Now()
		if why := t.tooMuch(reading{now, used}, ranOut(t.pid)); why != "" {
			t.lower(fmt.Sprintf("taken away after %.1f s: %s", float64(now-t.given)/1e9, why))
		}
	}
}

// raise gives the thread the class.
func (t *thread) raise() error {
	stat, err := os.Open(fmt.Sprintf("/proc/%d/task/%d/stat", t.pid, t.tid))
	if err != nil {
		return err
	}
	if err := limit(t.pid); err != nil {
		stat.Close()
		return fmt.Errorf("RLIMIT_RTTIME cannot be set: %w", err)
	}
	if err := give(t.pid, t.tid); err != nil {
		stat.Close()
		return err
	}
	t.stat, t.given, t.Given = stat, pace.Now(), true
	return nil
}

// lower takes the class from a thread that is still there.
func (t *thread) lower(why string) {
	if _, err := t.used(); err == nil {
		if err := setClass(t.tid, unix.SCHED_NORMAL, 0); err != nil {
			why += fmt.Sprintf(" (it could not be taken away: %v)", err)
		}
		t.Lost = why
	}
	t.close()
}

func (t *thread) close() {
	t.stat.Close()
	t.stat = nil
}

// tooMuch takes a reading, and returns the reason for which a thread loses its class; "" for none. ranOut is set if the
// kernel reported that it ran out of time.
func (t *thread) tooMuch(now reading, ranOut bool) string {
	if ranOut {
		return fmt.Sprintf("it ran for %v and did not wait once (RLIMIT_RTTIME)", soft)
	}
	t.seen = append(t.seen, now)
	for len(t.seen) > 1 && now.at-t.seen[1].at >= span {
		t.seen = t.seen[1:]
	}
	first := t.seen[0]
	share := float64(now.used-first.used) / float64(max(1, now.at-first.at))
	if now.at-first.at < span || share <= most {
		return ""
	}
	return fmt.Sprintf("it had %.0f %% of a core for a second, above %.0f %%", 100*share, 100*most)
}
