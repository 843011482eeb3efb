package comparison

import (
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/rocelab/rocelab/testbed/model"
)

// Meter tells a person how far a comparison is: one line that is rewritten, or
// a line every few seconds. A nil Meter is silent.
type Meter struct {
	// To is standard error. Live rewrites one line, which needs a terminal.
	To   io.Writer
	Live bool
	// Now is the wall clock.
	Now func() time.Time

	mu             sync.Mutex
	total, ended   int
	began, printed time.Time
	// running are the names of the jobs' runs, shares how much of them is done.
	running []string
	shares  []float64
	dirty   bool
}

// The wall-clock times between two lines.
const (
	livePeriod  = 100 * time.Millisecond
	plainPeriod = 2 * time.Second
)

func (m *Meter) begin(total int) {
	if m != nil {
		m.total, m.began = total, m.Now()
		m.printed = m.began
	}
}

// start notes which run a job begins, and returns what tells of its progress.
func (m *Meter) start(job int, name string) func(model.Progress) {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for len(m.running) <= job {
		m.running, m.shares = append(m.running, ""), append(m.shares, 0)
	}
	m.running[job], m.shares[job] = name, 0
	return func(p model.Progress) {
		m.mu.Lock()
		defer m.mu.Unlock()
		switch {
		case p.Until > 0:
			m.shares[job] = float64(p.Now) / float64(p.Until)
		case p.Total > 0:
			m.shares[job] = float64(p.Done) / float64(p.Total)
		}
		m.show()
	}
}

// done notes that a job's run has ended.
func (m *Meter) done(job int) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.running[job], m.shares[job] = "", 0
	m.ended++
	m.show()
}

// show prints a line if the last is old enough; the caller holds mu.
func (m *Meter) show() {
	now := m.Now()
	period := plainPeriod
	if m.Live {
		period = livePeriod
	}
	if now.Sub(m.printed) < period {
		return
	}
	m.printed = now
	if m.Live {
		fmt.Fprintf(m.To, "\r\x1b[K%s", m.line(now))
		m.dirty = true
	} else {
		fmt.Fprintln(m.To, m.line(now))
	}
}

func (m *Meter) line(now time.Time) string {
	share := float64(m.ended)
	for _, s := range m.shares {
		share += min(s, 1)
	}
	share /= float64(m.total)
	line := fmt.Sprintf("%d of %d runs, %.1f %%", m.ended, m.total, share*100)
	if share > 0 && share < 1 {
		left := time.Duration(float64(now.Sub(m.began)) * (1 - share) / share)
		line += fmt.Sprintf(", %v left", left.Round(time.Second))
	}
	if i := slices.IndexFunc(m.running, func(name string) bool { return name != "" }); i >= 0 {
		line += ": " + m.running[i]
	}
	return line
}

// End takes the rewritten line away.
func (m *Meter) End() {
	if m != nil && m.dirty {
		fmt.Fprint(m.To, "\r\x1b[K")
		m.dirty = false
	}
}
