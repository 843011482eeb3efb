package experiment

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/rocelab/rocelab/testbed/model"
)

// Meter tells a person how far a run is: one line that is rewritten, or a
// line every few seconds. A nil Meter is silent.
type Meter struct {
	// To is standard error. Live rewrites one line, which needs a terminal.
	To   io.Writer
	Live bool
	// Now is the wall clock.
	Now func() time.Time

	label   string
	began   time.Time
	printed time.Time
	dirty   bool
}

// The wall-clock times between two lines.
const (
	livePeriod  = 100 * time.Millisecond
	plainPeriod = 2 * time.Second
)

// Begin starts a run.
func (m *Meter) Begin(label string) {
	if m == nil {
		return
	}
	m.label, m.began = label, m.Now()
	m.printed = m.began
}

// Show tells of a step, if the last line is old enough.
func (m *Meter) Show(s model.Progress) {
	if m == nil {
		return
	}
	now := m.Now()
	period := plainPeriod
	if m.Live {
		period = livePeriod
	}
	if now.Sub(m.printed) < period {
		return
	}
	m.printed = now
	line := m.label + ": " + lineOf(s, now.Sub(m.began))
	if m.Live {
		fmt.Fprintf(m.To, "\r\x1b[K%s", line)
		m.dirty = true
	} else {
		fmt.Fprintln(m.To, line)
	}
}

// End takes the rewritten line away.
func (m *Meter) End() {
	if m != nil && m.dirty {
		fmt.Fprint(m.To, "\r\x1b[K")
		m.dirty = false
	}
}

// shareOf is how much of the run is done, 0 if that is unknown.
func shareOf(s model.Progress) float64 {
	switch {
	case s.Until > 0:
		return float64(s.Now) / float64(s.Until)
	case s.Total > 0:
		return float64(s.Done) / float64(s.Total)
	}
	return 0
}

func lineOf(s model.Progress, wall time.Duration) string {
	parts := []string{fmt.Sprintf("%.3f ms simulated", s.Now.Seconds()*1e3)}
	share := shareOf(s)
	if share > 0 {
		parts = append(parts, fmt.Sprintf("%.1f %%", share*100))
	}
	if wall > 0 {
		parts = append(parts, fmt.Sprintf("%.1f M packet-hops/s", float64(s.Hops)/wall.Seconds()/1e6))
	}
	if share > 0 && share < 1 {
		left := time.Duration(float64(wall) * (1 - share) / share)
		parts = append(parts, fmt.Sprintf("%v left", left.Round(time.Second)))
	}
	return strings.Join(parts, ", ")
}
