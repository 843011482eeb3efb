package result

import (
	"fmt"
	"time"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Scheduling is the time of threads on the host's cores, by the kernel's schedstat.
type Scheduling struct {
	// Ran is the time for which they had a core, Waited the time for which they could have run and had none.
	Ran, Waited time.Duration
}

// BareTimer is what a timer saw beside a live run that does nothing but sleep: how late the host wakes a thread. It
// explains, and is not judged.
type BareTimer struct {
	// Beat is the time between its instants, TooLate the delay above which a window or a sleep counts as late.
	Beat, TooLate time.Duration
	// Lateness has a sample for each instant: how much later the timer was awake.
	Lateness record.Lateness
	// LateWindows counts the windows that began later than TooLate. In Seen of them the timer could show whether the
	// host was late too, because it was to wake in that time, or slept on; in Both it was late.
	LateWindows, Seen, Both uint64
	// Used is the timer's own time on cores.
	Used Scheduling
}

// bareDocument is the form of a BareTimer in files.
type bareDocument struct {
	BeatUS      float64          `json:"beat_us"`
	TooLateUS   float64          `json:"too_late_us"`
	Lateness    quantileDocument `json:"lateness"`
	LateWindows uint64           `json:"late_windows"`
	Seen        uint64           `json:"late_windows_seen"`
	Both        uint64           `json:"late_with_timer"`
	RanS        float64          `json:"ran_s"`
	WaitedS     float64          `json:"waited_s"`
}

// document returns b as files have it; nil if there was no timer.
func (b *BareTimer) document() *bareDocument {
	if b.Lateness.Count() == 0 {
		return nil
	}
	return &bareDocument{
		BeatUS:      wallMicroseconds(b.Beat.Nanoseconds()),
		TooLateUS:   wallMicroseconds(b.TooLate.Nanoseconds()),
		Lateness:    quantiles(&b.Lateness),
		LateWindows: b.LateWindows,
		Seen:        b.Seen,
		Both:        b.Both,
		RanS:        b.Used.Ran.Seconds(),
		WaitedS:     b.Used.Waited.Seconds(),
	}
}

// Timer is p99.9 of how late the bare timer woke, nil if there was none. Unit: us.
func (d *TimingDocument) Timer() *float64 {
	if d.BareTimer == nil {
		return nil
	}
	return d.BareTimer.Lateness.P999US
}

// rare is the quantile of lateness by which a run is compared with the bare timer beside it.
const rare = 0.999

// latest returns the edge whose frames were latest by p99.9, on the way out or in, and how late; nil if no frame passed.
func (t *Timing) latest() (edge *EdgeTiming, late int64) {
	for i := range t.Edges {
		e := &t.Edges[i]
		for _, l := range []*record.Lateness{&e.Lateness, &e.Taken} {
			if at := l.Quantile(rare); l.Count() > 0 && (edge == nil || at > late) {
				edge, late = e, at
			}
		}
	}
	return edge, late
}

// besides compares the lateness of a run with that of the bare timer beside it. The host is said to be the cause if the
// timer's p99.9 is at least half of the frames'. These quantiles are of different things at the same time, so that their
// difference is an estimate.
func (t *Timing) besides() (lines []string) {
	edge, late := t.latest()
	if edge == nil || t.Bare.Lateness.Count() == 0 {
		return nil
	}
	b, timer := &t.Bare, t.Bare.Lateness.Quantile(rare)
	cause := "mostly rocelab's, not the host's"
	switch {
	case late <= b.TooLate.Nanoseconds() && timer <= b.TooLate.Nanoseconds():
		cause = "neither is above " + WallTime(b.TooLate.Nanoseconds())
	case timer >= late:
		cause = "the host's, not rocelab's"
	case 2*timer >= late:
		cause = "mostly the host's, " + WallTime(late-timer) + " of it rocelab's"
	}
	lines = append(lines, fmt.Sprintf("lateness p99.9 %s at edge %s; a bare timer beside it %s: %s", WallTime(late),
		edge.place(), WallTime(timer), cause))
	if b.LateWindows == 0 {
		return lines
	}
	return append(lines, fmt.Sprintf("%s began more than %s late; in %d of them the bare timer was due, and in %d of "+
		"these it was late too", unit.CountOf(b.LateWindows, "window", "windows"), WallTime(b.TooLate.Nanoseconds()),
		b.Seen, b.Both))
}

// cores says how long the threads of windows and the timer waited for a core.
func (t *Timing) cores() string {
	return fmt.Sprintf("threads that run windows had a core for %s and waited %s for one; the bare timer %s and %s",
		WallTime(t.Used.Ran.Nanoseconds()), WallTime(t.Used.Waited.Nanoseconds()),
		WallTime(t.Bare.Used.Ran.Nanoseconds()), WallTime(t.Bare.Used.Waited.Nanoseconds()))
}
