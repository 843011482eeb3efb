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

// patience watches whether a run gets on. A window is over in microseconds to
// milliseconds, so one that lasts standstill hangs in a daemon.
type patience struct {
	page   *lockstep.Page
	window uint64
	since  time.Time
}

const standstill = time.Minute

func newPatience(p *lockstep.Page) *patience { return &patience{page: p, since: time.Now()} }

func (p *patience) exhausted() bool {
	if w := p.page.Window(); w != p.window {
		p.window, p.since = w, time.Now()
	}
	return time.Since(p.since) > standstill
}

// stuck names those that a window has been waiting for.
func (r *run) stuck() error {
	var names []string
	for _, i := range r.page.Laggards() {
		names = append(names, r.memberName(&r.members[i]))
	}
	return fmt.Errorf("testbed %s: nothing moved for %v at %v: waiting for %s", r.Name, standstill, r.page.Now(), strings.Join(names, "; "))
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
	return &DaemonError{fmt.Sprintf("testbed %s: %s %s (pid %d, log %s)%s", r.Name, r.memberName(m), how, c.Pid, c.Log, said)}
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
