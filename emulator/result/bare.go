package result

import (
	"fmt"
	"time"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Scheduling is the time of threads on the host's cores, as the kernel counts it (schedstat).
type Scheduling struct {
	// Ran is the time on a core, Waited the time of waiting for one while ready to run.
	Ran, Waited time.Duration
}

// BareTimer is the record of a timer that only sleeps beside a live run: how late the host wakes a thread. It explains,
// and is not judged.
type BareTimer struct {
	// Beat is the time between its instants, TooLate the largest delay of a window or a sleep that does not count as late.
	Beat, TooLate time.Duration
	// Lateness has a sample for each instant: how much later the timer was awake.
	Lateness record.Lateness
	// LateWindows counts the windows that fell behind the clock by more than TooLate: one that is late only because the
	// window before it was is not counted. In Seen of them the timer could show whether the host was late too, because it
	// was to wake in that time, or slept on; in Both it was late.
	LateWindows, Seen, Both uint64
	// Used is the timer's own time on cores.
	Used Scheduling
	// Refused is the reason why it did not get the real-time priority that was asked for; "" if it did, or none was.
	Refused string
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
	Refused     string           `json:"refused,omitempty"`
}

// document returns b as files have it.
func (b *BareTimer) document() bareDocument {
	return bareDocument{
		BeatUS:      wallMicroseconds(b.Beat.Nanoseconds()),
		TooLateUS:   wallMicroseconds(b.TooLate.Nanoseconds()),
		Lateness:    quantiles(&b.Lateness),
		LateWindows: b.LateWindows,
		Seen:        b.Seen,
		Both:        b.Both,
		RanS:        b.Used.Ran.Seconds(),
		WaitedS:     b.Used.Waited.Seconds(),
		Refused:     b.Refused,
	}
}

// rare is the quantile of lateness for the comparison with the bare timer.
const rare = 0.999

// fewest is the least number of samples whose p99.9 is not just the largest one.
const fewest = 1000

// latest returns the edge whose frames were latest by p99.9, out or in, and their lateness; nil if no frame passed.
func (t *Timing) latest() (edge *EdgeTiming, late *record.Lateness) {
	for i := range t.Edges {
		e := &t.Edges[i]
		for _, l := range []*record.Lateness{&e.Lateness, &e.Taken} {
			if l.Count() > 0 && (edge == nil || l.Quantile(rare) > late.Quantile(rare)) {
				edge, late = e, l
			}
		}
	}
	return edge, late
}

// besides compares the lateness of a run with the bare timer beside it. The timer is late if cores are taken, by
// whomever.
func (t *Timing) besides() (lines []string) {
	edge, frames := t.latest()
	if edge == nil || t.Bare.Lateness.Count() == 0 {
		return nil
	}
	b, late, timer := &t.Bare, frames.Quantile(rare), t.Bare.Lateness.Quantile(rare)
	const taken = "explained by cores that were taken, by other programs or by rocelab itself"
	cause := "mostly not explained by cores that were taken"
	switch {
	case min(frames.Count(), b.Lateness.Count()) < fewest:
		cause = "too few samples to compare"
	case late <= b.TooLate.Nanoseconds() && timer <= b.TooLate.Nanoseconds():
		cause = "neither is above " + WallTime(b.TooLate.Nanoseconds())
	case timer >= late:
		cause = taken
	case 2*timer >= late:
		cause = "mostly " + taken
	}
	lines = append(lines, fmt.Sprintf("lateness p99.9 %s at edge %s; a bare timer beside it %s: %s", WallTime(late),
		edge.place(), WallTime(timer), cause))
	if b.Refused != "" {
		lines = append(lines, "the bare timer slept at normal priority, as it got no real-time priority: "+b.Refused)
	}
	if b.LateWindows == 0 {
		return lines
	}
	return append(lines, fmt.Sprintf("%s fell behind the clock by more than %s; in %d of them the bare timer was due, "+
		"and in %d of these it was late too", unit.CountOf(b.LateWindows, "window", "windows"),
		WallTime(b.TooLate.Nanoseconds()), b.Seen, b.Both))
}

// cores compares the waits for a core of the threads of windows and of the timer.
func (t *Timing) cores() string {
	return fmt.Sprintf("threads that run windows had a core for %s and waited %s for one; the bare timer %s and %s",
		WallTime(t.Used.Ran.Nanoseconds()), WallTime(t.Used.Waited.Nanoseconds()),
		WallTime(t.Bare.Used.Ran.Nanoseconds()), WallTime(t.Bare.Used.Waited.Nanoseconds()))
}
