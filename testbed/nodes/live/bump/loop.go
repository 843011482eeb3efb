package bump

import (
	"os"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/nodes/internal/bare"
	"github.com/rocelab/rocelab/testbed/nodes/internal/nap"
	"github.com/rocelab/rocelab/testbed/nodes/live/device"
	"github.com/rocelab/rocelab/testbed/nodes/live/iface"
	"github.com/rocelab/rocelab/testbed/nodes/live/outside"
	"github.com/rocelab/rocelab/testbed/nodes/live/pace"
	"github.com/rocelab/rocelab/testbed/nodes/packet"
)

// patience is the longest wait, so that the end of a run is noticed.
const patience = int64(100 * time.Millisecond)

// loop holds a network to the clock.
type loop struct {
	*network
	clock   pace.Clock
	drift   pace.Drift
	beside  bare.Beside
	ports   [2]*outside.Port
	holds   [2]*iface.Hold
	left    []string // what is said of interfaces that other runs left as they are
	drops   *os.File // of the interfaces
	before  [2]packet.Drops
	devices [2]*device.Port
	sockets [2]unix.PollFd
	timing  *result.Timing
	until   unit.Time // unit.Never for never
	done    unit.Time // the end of the last window
	began   int64
	woken   int64
	// going is set while windows are run.
	going atomic.Bool
	// awaited is set if the time of the next window was waited for.
	awaited bool
	windows uint64
	// sleep is pace.Wait, or what takes its place; nap has it spin instead.
	sleep func(until int64, sockets []unix.PollFd) (ready bool)
	nap   nap.Nap
}

// run runs windows until model time has reached its end, or ended is set. Each second
// it calls report. It must be called on a locked thread.
func (l *loop) run(ended *atomic.Bool, report func(now int64)) {
	l.going.Store(true)
	defer l.going.Store(false)
	next := l.clock.Epoch + int64(time.Second)
	for !ended.Load() {
		now := pace.Now()
		if now >= next {
			report(now)
			next += (now - next + int64(time.Second)) / int64(time.Second) * int64(time.Second)
		}
		for _, p := range l.ports {
			p.SendDue(now)
		}
		start := l.start()
		if start >= l.until && l.clock.Wall(l.until) <= now {
			return
		}
		if wall := l.clock.Wall(start); wall > now {
			l.awaited = true
			l.wait(min(wall, next, l.clock.Wall(l.until), now+patience))
			continue
		}
		l.note(pace.Now(), start)
		l.window(start)
	}
}

// start returns where the next window begins.
func (l *loop) start() unit.Time {
	start := l.earliest()
	for _, p := range l.ports {
		start = min(start, p.Ahead())
	}
	return max(start, l.done)
}

// window runs one window.
func (l *loop) window(start unit.Time) {
	end := min(start.Add(l.lookahead), l.until)
	for i, p := range l.ports {
		at := l.place[i]
		l.next[at] = min(l.next[at], p.Look(end))
	}
	l.network.run(end)
	l.done = end
	l.windows++
}

// note counts how late a window begins, and moves the epoch after a standstill.
func (l *loop) note(now int64, start unit.Time) {
	move, own := l.drift.Begin(l.clock.Lag(now, start), l.awaited)
	l.beside.Window(now-own, now)
	l.awaited = false
	if move > 0 {
		l.clock.Epoch += move
		l.timing.Standstills = append(l.timing.Standstills, result.Standstill{At: start, Took: time.Duration(move)})
	}
}

// wait sleeps until an instant on the wall, or until a port wants to be called. Sockets
// are waited for only if all ports rest: while many frames come, ticks are cheaper.
func (l *loop) wait(until int64) {
	rest := true
	for _, p := range l.ports {
		until = min(until, p.Next())
		rest = rest && p.Resting()
	}
	until, timer := l.nap.Until(until, l.woken)
	spins, timer := l.nap.Spins(pace.Now(), until, timer)
	if spins {
		nap.Spin(until, nil)
	} else if !rest {
		l.sleep(timer, nil)
	} else if l.sleep(timer, l.sockets[:]) {
		for i, socket := range l.sockets {
			if socket.Revents&(unix.POLLERR|unix.POLLHUP) != 0 {
				l.devices[i].Inspect() // it says so until it is asked
			}
		}
	}
	if l.woken = pace.Now(); !spins && timer <= l.woken && l.woken < until {
		nap.Spin(until, nil) // the sleep was less late than its timer was set ahead
		l.woken = pace.Now()
	}
}
