package campaign

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/model"
)

// Meter reports to a person how far a matrix is: one line that is rewritten, or
// a line every few seconds. A nil Meter is silent.
type Meter struct {
	// To is standard error. Live rewrites one line, which needs a terminal.
	To   io.Writer
	Live bool
	// Width cuts the rewritten line, for what is left of one that was wider
	// than the terminal cannot be taken away; 0 for no width.
	Width int
	// Together has the lines speak of all runs at once. Otherwise they speak of
	// one run at a time and of its pace, which needs a matrix of one job.
	Together bool
	// Now is the wall clock.
	Now func() time.Time

	mu             sync.Mutex
	total, ended   int
	rows           int     // with a line at their end
	whole, done    float64 // the same in parts of the work
	began, printed time.Time
	running        []running // by job
	dirty          bool
}

// running is the run of a job.
type running struct {
	title string // "" for none
	share float64
	part  float64
}

// The wall-clock times between two lines.
const (
	livePeriod  = 100 * time.Millisecond
	plainPeriod = 2 * time.Second
)

// Expect begins total runs, whose progress Start and Finish report.
func (m *Meter) Expect(total int) { m.ExpectWork(total, float64(total)) }

// ExpectWork begins total runs of different sizes: their parts, as StartPart gives them, add up to whole.
func (m *Meter) ExpectWork(total int, whole float64) {
	if m != nil {
		m.total, m.ended, m.rows, m.running = total, 0, 0, nil
		m.whole, m.done = whole, 0
		m.restart()
	}
}

func (m *Meter) restart() {
	m.began = m.Now()
	m.printed = m.began
}

// Begin starts a run outside a matrix, and returns the function that takes its progress. It needs a meter that is not
// nil.
func (m *Meter) Begin(title string) func(model.Progress) { return m.Start(0, title) }

// Start notes which run a job begins, and returns what hears of its progress; nil of a nil
// meter.
func (m *Meter) Start(job int, title string) func(model.Progress) { return m.StartPart(job, title, 1) }

// StartPart is Start of a run that is a part of all the work.
func (m *Meter) StartPart(job int, title string, part float64) func(model.Progress) {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.Together {
		m.restart()
	}
	for len(m.running) <= job {
		m.running = append(m.running, running{})
	}
	m.running[job] = running{title: title, part: part}
	return func(p model.Progress) {
		m.mu.Lock()
		defer m.mu.Unlock()
		if share, known := Share(p); known {
			m.running[job].share = share
		}
		m.show(func(wall time.Duration) string {
			if m.Together {
				return m.line(wall)
			}
			return m.withCounts(title+": "+runLine(p, wall), &p.Tally)
		})
	}
}

// Finish notes that a job's run has ended, whole unless it failed or was
// interrupted.
func (m *Meter) Finish(job int, whole bool) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case !m.Together:
		m.clear()
	case whole:
		m.done += m.running[job].part
		m.running[job] = running{}
		m.ended++
		m.show(m.line)
	}
}

// mostRows is the largest number of runs with a line each at their end.
const mostRows = 100

// Row prints the line of a run that has ended: its status, how long it took by the clock on the wall, less than 0 if it
// was done before, and its name. Of one run, and of more than mostRows, nothing is printed.
func (m *Meter) Row(status string, took time.Duration, name string) {
	if m == nil || m.total < 2 || m.total > mostRows {
		return
	}
	text := fmt.Sprintf("%5.1f s", took.Seconds())
	if took < 0 {
		text = "   kept"
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rows++
	m.clear()
	fmt.Fprintln(m.To, terminal.Line(fmt.Sprintf("%2d of %d  %-8s %s  %s", m.rows, m.total, status, text, name)))
}

// show prints a line if the last is old enough; the caller holds mu.
func (m *Meter) show(line func(wall time.Duration) string) {
	now := m.Now()
	period := plainPeriod
	if m.Live {
		period = livePeriod
	}
	if now.Sub(m.printed) < period {
		return
	}
	m.printed = now
	said := terminal.Line(line(now.Sub(m.began)))
	if m.Live {
		if m.Width > 0 {
			said = text.Snip(said, m.Width-1, "~")
		}
		fmt.Fprintf(m.To, "\r\x1b[K%s", said)
		m.dirty = true
	} else {
		fmt.Fprintln(m.To, said)
	}
}

// End takes the rewritten line away.
func (m *Meter) End() {
	if m != nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.clear()
	}
}

func (m *Meter) clear() {
	if m.dirty {
		fmt.Fprint(m.To, "\r\x1b[K")
		m.dirty = false
	}
}

// line speaks of all runs; the caller holds mu.
func (m *Meter) line(wall time.Duration) string {
	share := m.done
	for _, r := range m.running {
		share += float64(min(r.share, 1) * r.part)
	}
	share /= m.whole
	parts := []string{fmt.Sprintf("%d of %d runs, %.1f %%", m.ended, m.total, share*100)}
	line := strings.Join(append(parts, timeLeft(wall, share)...), ", ")
	if i := slices.IndexFunc(m.running, func(r running) bool { return r.title != "" }); i >= 0 {
		line += ": " + m.running[i].title
	}
	return line
}

// runLine speaks of one run.
func runLine(p model.Progress, wall time.Duration) string {
	parts := []string{fmt.Sprintf("%.3f ms of model time", p.Now.Seconds()*1e3)}
	share, _ := Share(p)
	if share > 0 {
		parts = append(parts, fmt.Sprintf("%.1f %%", share*100))
	}
	if wall > 0 {
		parts = append(parts, fmt.Sprintf("%.1f M packet-hops/s", float64(p.Hops)/wall.Seconds()/1e6))
	}
	if p.Dilation > 0 {
		parts = append(parts, fmt.Sprintf("lag %v", p.Lag.Round(time.Microsecond)))
	}
	return strings.Join(append(parts, timeLeft(wall, share)...), ", ")
}

// withCounts adds to the line of a run what it has counted, as far as there is room, that which
// speaks most first. Without room for all of it the words before are shorter.
func (m *Meter) withCounts(line string, tally *record.Tally) string {
	counts := countsOf(tally)
	fits := func(longer string) bool { return !m.Live || m.Width == 0 || text.StringWidth(longer) < m.Width }
	if !fits(strings.Join(append([]string{line}, counts...), ", ")) && len(counts) > 0 {
		line = strings.NewReplacer(" of model time", "", "packet-hops/s", "hops/s").Replace(line)
	}
	for _, one := range counts {
		if longer := line + ", " + one; fits(longer) {
			line = longer
		}
	}
	return line
}

// countsOf lists the counts of a tally that are not 0.
func countsOf(tally *record.Tally) (list []string) {
	for _, count := range []struct {
		number uint64
		what   string
	}{{tally.Drops, "drops"}, {tally.Marks, "marks"}, {tally.CNPs, "CNPs"}} {
		if count.number > 0 {
			list = append(list, fmt.Sprintf("%d %s", count.number, count.what))
		}
	}
	if tally.Longest > 0 {
		list = append(list, fmt.Sprintf("queue %v", tally.Longest))
	}
	return list
}

// timeLeft estimates from the share that is done; nothing before the first step
// and at the end.
func timeLeft(wall time.Duration, share float64) []string {
	if share <= 0 || share >= 1 {
		return nil
	}
	return []string{fmt.Sprintf("%v left", Rest(wall, share).Round(time.Second))}
}

// Rest returns the time of the rest at the pace at which a share took wall; 0 if the share is not between 0 and 1.
func Rest(wall time.Duration, share float64) time.Duration {
	if share <= 0 || share >= 1 {
		return 0
	}
	return unit.Whole[time.Duration](float64(wall) * (1 - share) / share)
}

// Share returns the finished part of a run, from 0 to 1, if that is known.
func Share(p model.Progress) (share float64, known bool) {
	switch {
	case p.Until > 0:
		return float64(p.Now) / float64(p.Until), true
	case p.Total > 0:
		return float64(p.Done) / float64(p.Total), true
	}
	return 0, false
}
