package result

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// lateBy is a lateness with that p99.9.
func lateBy(t *Timing, bare time.Duration, edges ...time.Duration) *Timing {
	t.Dilation, t.Reference = 1, time.Millisecond
	t.Bare.Beat, t.Bare.TooLate = time.Millisecond, 200*time.Microsecond
	if bare > 0 {
		for range fewest {
			t.Bare.Lateness.Add(int64(bare))
		}
	}
	for i, late := range edges {
		e := EdgeTiming{Name: string(rune('a' + i))}
		for range fewest {
			e.Lateness.Add(int64(late))
		}
		t.Edges = append(t.Edges, e)
	}
	return t
}

// The verdict prints the lateness of the worst edge and of the bare timer beside the run, and what that explains.
func TestTheVerdictComparesWithTheBareTimer(t *testing.T) {
	const us = time.Microsecond
	for _, c := range []struct {
		bare, a, b time.Duration
		want       string
	}{
		{0, 2300 * us, 0, ""},
		{2100 * us, 0, 2300 * us, "lateness p99.9 2.3ms at edge b; a bare timer beside it 2.1ms: mostly explained by " +
			"cores that were taken, by other programs or by rocelab itself"},
		{2300 * us, 2300 * us, 0, "lateness p99.9 2.3ms at edge a; a bare timer beside it 2.3ms: explained by cores"},
		{1150 * us, 2300 * us, 1000 * us, "2.3ms at edge a; a bare timer beside it 1.15ms: mostly explained by cores"},
		{1149 * us, 2300 * us, 1000 * us, "a bare timer beside it 1.15ms: mostly not explained by cores that were taken"},
		{90 * us, 2300 * us, 0, "a bare timer beside it 90us: mostly not explained by cores that were taken"},
		{90 * us, 200 * us, 0, "lateness p99.9 200us at edge a; a bare timer beside it 90us: neither is above 200us"},
	} {
		t.Run(fmt.Sprintf("timer %v, edges %v and %v", c.bare, c.a, c.b), func(t *testing.T) {
			timing := lateBy(new(Timing), c.bare, c.a, c.b)
			got := strings.Join(timing.besides(), "; ")
			if !strings.Contains(got, c.want) || (c.want == "") != (got == "") {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	// What comes in and is read too late counts as well.
	timing := lateBy(new(Timing), 90*us, 10*us)
	for range fewest {
		timing.Edges[0].Taken.Add(int64(700 * us))
	}
	timing.Bare.LateWindows, timing.Bare.Seen, timing.Bare.Both = 9, 4, 3
	timing.Used, timing.Bare.Used = Scheduling{time.Second, 2 * time.Second}, Scheduling{3 * us, 4 * us}
	text := ""
	for _, f := range timing.Findings() {
		text += f.Text + "\n"
	}
	const first = "lateness p99.9 700us at edge a; a bare timer beside it 90us: mostly not explained by cores " +
		"that were taken\n"
	const second = "9 windows fell behind the clock by more than 200us; in 4 of them the bare timer was due, and in 3 " +
		"of these it was late too\n"
	const cores = "threads that run windows had a core for 1s and waited 2s for one; the bare timer 3us and 4us\n"
	if !strings.Contains(text, first+second) || !strings.Contains(text, cores) {
		t.Errorf("want %s%s%s in %s", first, second, cores, text)
	}
	// With few samples p99.9 is the largest, and compares nothing.
	few := lateBy(new(Timing), 90*us, 10*us)
	few.Edges[0].Taken.Add(int64(700 * us))
	if got := strings.Join(few.besides(), "; "); !strings.HasSuffix(got, "90us: too few samples to compare") {
		t.Errorf("of one frame: %q", got)
	}
	few.Bare.Refused = "this process may not give it"
	if got := few.besides(); len(got) != 2 || got[1] != "the bare timer slept at normal priority, as it got no real-time "+
		"priority: this process may not give it" || few.Document().BareTimer.Refused != few.Bare.Refused {
		t.Errorf("without priority: %q", got)
	}
	// It is not judged.
	bad := lateBy(new(Timing), time.Second, 10*us)
	if bad.Colour() != "green" {
		t.Errorf("a late timer makes the verdict %s", bad.Colour())
	}
}

func TestTheBareTimerIsInTheFiles(t *testing.T) {
	timing := lateBy(new(Timing), 500*time.Microsecond, time.Microsecond)
	timing.Bare.LateWindows, timing.Bare.Seen, timing.Bare.Both = 9, 4, 3
	timing.Used = Scheduling{time.Second, 2 * time.Second}
	d := timing.Document()
	b := d.BareTimer
	if b.BeatUS != 1000 || b.TooLateUS != 200 || b.Lateness.Count != fewest || *b.Lateness.P999US != 500 ||
		b.LateWindows != 9 || b.Seen != 4 || b.Both != 3 || d.WindowsRanS != 1 || d.WindowsWaitedS != 2 {
		t.Errorf("%+v, %+v", d, b)
	}
	if (&Timing{}).Document().BareTimer.Lateness.P999US != nil {
		t.Error("a run without a timer has one in its files")
	}
}
