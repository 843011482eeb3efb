package veth

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/rocelab/rocelab/internal/crash"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/testbed/nodes/container"
	"github.com/rocelab/rocelab/testbed/nodes/daemon"
	"github.com/rocelab/rocelab/testbed/nodes/internal/control"
	"github.com/rocelab/rocelab/testbed/nodes/live/pace"
	"github.com/rocelab/rocelab/testbed/nodes/live/realtime"
	"github.com/rocelab/rocelab/testbed/nodes/lockstep"
)

// receive waits for a participant's result, whose size in bytes is bounded by most.
func receive(participant int, c *control.Conn, most int) answer {
	b, _, err := c.Receive(most, 0)
	if err != nil {
		return answer{participant: participant, err: err}
	}
	result, err := daemon.DecodeResult(b)
	return answer{
		participant: participant,
		sender:      c.Sender(),
		result:      result,
		err:         err,
	}
}

// watchdog notices a run that stands still.
type watchdog struct {
	page *lockstep.Page
	// most is how long the run may stand still, start how long before its first window.
	most, start time.Duration
	window      uint64
	since       time.Time
	short       bool   // the run is to end
	last        uint64 // the last window that may still begin then
}

// Standstill is how long a run may stand still, unless Options set another time. A window is over in microseconds to
// milliseconds, so a longer one hangs in a daemon. A daemon gives up a wait for a frame or for the answer of a plugin
// sooner by itself, and reports which.
const Standstill = 20 * time.Second

func (r *run) newWatchdog() *watchdog {
	w := &watchdog{page: r.page, most: r.options.Standstill, since: time.Now()}
	w.start = w.most * startFactor
	if len(r.options.Plugins) > 0 {
		const reported = 2 * time.Second // what a late plugin's daemon needs to end it and say so
		answered := process.Deadline + process.StacksLimit + reported
		w.most = max(w.most, answered)
		w.start = max(w.start, cmp.Or(r.options.PluginStart, process.StartLimit)+answered)
	}
	return w
}

// shorten leaves a run that was interrupted, or has failed, little time to end.
func (w *watchdog) shorten() {
	const hurry = 2 * time.Second
	const rest = 2 // windows: one that is under way, and the run's end
	w.most, w.since, w.short, w.last = min(w.most, hurry), time.Now(), true, w.page.Window()+rest
}

func (w *watchdog) expired() bool {
	if now := w.page.Window(); now != w.window && (!w.short || now <= w.last) {
		w.window, w.since = now, time.Now()
	}
	if due, ok := w.page.Due(); ok && due > pace.Now() && !w.short {
		w.since = time.Now() // it waits for the clock on the wall
	}
	return time.Since(w.since) > w.limit()
}

// startFactor is the factor by which daemons may take longer than a window to build their models and start their
// plugins.
const startFactor = 6

// limit returns how long the run may stand still now.
func (w *watchdog) limit() time.Duration {
	if w.window == 0 && !w.short {
		return w.start
	}
	return w.most
}

// standstillError names the participants that a window has been waiting for. If no window is in progress, because a
// daemon stopped between two of them or the page is damaged, it names all that have not answered.
func (r *run) standstillError(most time.Duration) error {
	whom := "waiting for "
	list := slices.DeleteFunc(r.page.Laggards(), func(i int) bool { return r.answered[i] })
	if len(list) == 0 {
		whom = "no window is in progress, and there is no answer from "
		for i, answered := range r.answered {
			if !answered {
				list = append(list, i)
			}
		}
	}
	var names []string
	for _, i := range list {
		names = append(names, r.describe(&r.participants[i]))
	}
	return &daemonError{fmt.Sprintf("testbed %s: nothing moved for %v at %v: %s%s", r.Name, most, r.page.Now(), whom,
		strings.Join(names, "; "))}
}

// describe names a participant with the process to examine.
func (r *run) describe(m *participant) string {
	c := &r.Containers[m.container]
	stopped := ""
	// The state follows the name, in parentheses (proc_pid_stat(5)).
	if b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", c.Pid)); err == nil && bytes.Contains(b, []byte(") T ")) {
		stopped = " is stopped"
	}
	return fmt.Sprintf("%s (pid %d%s%s)", r.participantName(m), c.Pid, stopped, r.logOf(c))
}

// logOf names a container's log for a message, if it will still be there when someone
// reads that.
func (t *Testbed) logOf(c *ContainerState) string {
	if t.Ephemeral {
		return ""
	}
	return ", log " + c.Log
}

// daemonDied reports how a participant's daemon ended, as far as it can be known, and its last output.
func (r *run) daemonDied(m *participant) error {
	c := &r.Containers[m.container]
	how := "is not running"
	if status, ok := r.ended(m.container); ok {
		how = "ended by " + status.String()
		if r.raised != nil && status.Signal == syscall.SIGKILL {
			how += realtime.Killed
		}
	}
	said := ""
	if last := tail(c.Log, 12); last != "" {
		said = ":\n" + last
	}
	return &daemonError{fmt.Sprintf("testbed %s: %s %s (pid %d%s)%s", r.Name, r.participantName(m), how, c.Pid,
		r.logOf(c), said)}
}

// daemonError is a daemon that died.
type daemonError struct{ text string }

func (e *daemonError) Error() string { return e.text }

// ended returns how a container's program ended, if this process started it.
func (t *Testbed) ended(i int) (status container.Status, ok bool) {
	if t.running == nil || t.running[i] == nil {
		return status, false
	}
	done := make(chan container.Status, 1)
	go func() {
		if s, err := t.running[i].Wait(); err == nil {
			done <- s
		}
	}()
	select {
	case status = <-done:
		return status, true
	case <-time.After(time.Second):
		return status, false
	}
}

// tail returns the last lines of a file, indented, without the stacks of a crash: these are in the log.
func tail(path string, lines int) string {
	b, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	last := crash.Words(b, lines)
	if len(last) == 0 {
		return ""
	}
	return "    " + strings.Join(last, "\n    ")
}
