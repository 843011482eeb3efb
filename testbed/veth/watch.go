package veth

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/rocelab/rocelab/testbed/container"
	"github.com/rocelab/rocelab/testbed/control"
	"github.com/rocelab/rocelab/testbed/daemon"
	"github.com/rocelab/rocelab/testbed/lockstep"
)

// receive waits for a participant's result.
func receive(member int, c *control.Conn) answer {
	b, _, err := c.Receive()
	if err != nil {
		return answer{member: member, err: err}
	}
	result, err := daemon.DecodeResult(b)
	return answer{member, result, err}
}

// patience watches whether a run gets on.
type patience struct {
	page   *lockstep.Page
	most   time.Duration
	window uint64
	since  time.Time
	short  bool // the run is to end
}

// Standstill is how long a run may stand still, unless Options say otherwise. A
// window is over in microseconds to milliseconds, so a longer one hangs in a
// daemon. What a daemon waits for, a frame or the answer of a plugin, it gives up
// sooner by itself, and says which.
const Standstill = 20 * time.Second

func newPatience(p *lockstep.Page, most time.Duration) *patience {
	return &patience{page: p, most: most, since: time.Now()}
}

// shorten leaves a run that was interrupted, or has failed, little time to end.
func (p *patience) shorten() {
	const hurry = 2 * time.Second
	p.most, p.since, p.short = min(p.most, hurry), time.Now(), true
}

func (p *patience) exhausted() bool {
	if w := p.page.Window(); w != p.window {
		p.window, p.since = w, time.Now()
	}
	return time.Since(p.since) > p.limit()
}

// startFactor is how much longer than a window daemons may take to build their
// models and start their plugins.
const startFactor = 6

// limit is how long the run may stand still now.
func (p *patience) limit() time.Duration {
	if p.window == 0 && !p.short {
		return p.most * startFactor
	}
	return p.most
}

// stuck names those that a window has been waiting for.
func (r *run) stuck(most time.Duration) error {
	var names []string
	for _, i := range r.page.Laggards() {
		names = append(names, r.suspect(&r.members[i]))
	}
	return &DaemonError{fmt.Sprintf("testbed %s: nothing moved for %v at %v: waiting for %s", r.Name, most, r.page.Now(),
		strings.Join(names, "; "))}
}

// suspect names a participant with the process to look at.
func (r *run) suspect(m *member) string {
	c := &r.Containers[m.container]
	stopped := ""
	// The state follows the name, in parentheses (proc_pid_stat(5)).
	if b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", c.Pid)); err == nil && bytes.Contains(b, []byte(") T ")) {
		stopped = " is stopped"
	}
	return fmt.Sprintf("%s (pid %d%s%s)", r.memberName(m), c.Pid, stopped, r.logOf(c))
}

// logOf tells where a container's log is, if it will still be there when it is
// looked for.
func (t *Testbed) logOf(c *ContainerState) string {
	if t.Ephemeral {
		return ""
	}
	return ", log " + c.Log
}

// died says how a participant's daemon ended, as far as it can be known, and
// what it said last.
func (r *run) died(m *member) error {
	c := &r.Containers[m.container]
	how := "is not running"
	if status, ok := r.ended(m.container); ok {
		how = "ended by " + status.String()
	}
	said := ""
	if last := tail(c.Log, 12); last != "" {
		said = ":\n" + last
	}
	return &DaemonError{fmt.Sprintf("testbed %s: %s %s (pid %d%s)%s", r.Name, r.memberName(m), how, c.Pid,
		r.logOf(c), said)}
}

// DaemonError is a daemon that died.
type DaemonError struct{ text string }

func (e *DaemonError) Error() string { return e.text }

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

// tail returns the last lines of a file, indented.
func tail(path string, lines int) string {
	b, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	all := bytes.Split(bytes.TrimSpace(b), []byte("\n"))
	if len(all) > lines {
		all = all[len(all)-lines:]
	}
	text := string(bytes.Join(all, []byte("\n    ")))
	if text == "" {
		return ""
	}
	return "    " + text
}
