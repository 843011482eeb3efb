package pace

import "testing"

const (
	ms   = int64(1_000_000)
	hour = 3600 * 1000 * ms
)

func TestStampsFollowAClockThatIsSet(t *testing.T) {
	for _, step := range []int64{hour, -hour, 2 * ms, -2 * ms} {
		const offset = 1_700_000_000_000 * 1_000_000
		var s Stamps
		s.observe(offset+10*ms, 10*ms)
		check := func(what string, stamp, now, want int64, exact bool) {
			t.Helper()
			if got, e := s.At(stamp, now); got != want || e != exact {
				t.Errorf("step of %d: %s is at %d (exact: %v), want %d (%v)", step, what, got, e, want, exact)
			}
		}
		check("a frame before", offset+9*ms, 10*ms, 9*ms, true)
		check("a frame that came just after both clocks were read", offset+10*ms+500, 10*ms, 10*ms, true)

		// The clock drifts by 100 us, which does not count as a step, and is set later.
		s.observe(offset+20*ms+ms/10, 20*ms)
		if s.Steps != 0 {
			t.Fatalf("%d steps after a drift of 100 us", s.Steps)
		}
		check("a frame before the drift", offset+19*ms, 20*ms, 19*ms-ms/10, true)
		now := offset + step
		s.observe(now+30*ms, 30*ms)
		if s.Steps != 1 || s.LastStep != step-ms/10 {
			t.Errorf("%d steps, the last of %d, want one of %d", s.Steps, s.LastStep, step-ms/10)
		}
		check("a frame before the step", offset+29*ms+ms/2, 30*ms, 30*ms, false)
		s.observe(now+40*ms, 40*ms)
		check("a frame after the step", now+35*ms, 40*ms, 35*ms, true)
	}
}

// A clock that is set back and put right again between two looks leaves a stamp that is far too early, and one that
// lies ahead.
func TestAClockThatWasSetAndPutRightUnseen(t *testing.T) {
	const offset = 5 * hour
	now := 2 * hour
	s := Stamps{Clocks: func() (int64, int64) { return now + offset, now }}
	s.Read()
	for _, c := range []struct {
		what        string
		stamp, want int64
		exact       bool
	}{
		{"a frame before all", now - 5*ms, now - 5*ms, true},
		{"one while the clock was behind", now - 4*ms - hour, now, false},
		{"one while it was ahead", now - 3*ms + hour, now, false},
		{"one after", now - 2*ms, now - 2*ms, true},
		{"one of another processor, which comes in its order", now - 3*ms, now - 3*ms, true},
	} {
		if at, exact := s.At(c.stamp+offset, now); at != c.want || exact != c.exact {
			t.Errorf("%s is at %d (exact: %v), want %d (%v)", c.what, at, exact, c.want, c.exact)
		}
	}
	if s.Steps != 0 {
		t.Errorf("%d steps, which nobody saw", s.Steps)
	}
}

// Two processes that read the clock see the same time.
func TestNowIsTheMonotonicClock(t *testing.T) {
	for range 100 {
		before := monotonicNow()
		now := Now()
		after := monotonicNow()
		if now < before-ms || now > after+ms {
			t.Fatalf("it is %d, between %d and %d", now, before, after)
		}
	}
	var s Stamps
	if now, later := s.Read(), Now(); now > later || s.Steps != 0 {
		t.Errorf("both clocks were read at %d, after %d, %d steps", now, later, s.Steps)
	}
}
