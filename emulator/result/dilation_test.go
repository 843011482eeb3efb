package result

import (
	"strconv"
	"strings"
	"testing"
	"time"
)

// The verdict names the dilation that makes the measured lateness green, and judging it so agrees.
func TestTheVerdictNamesTheDilationThatIsGreen(t *testing.T) {
	const us = time.Microsecond
	for name, c := range map[string]struct {
		dilation  int64
		reference time.Duration
		late      time.Duration
		k         int64
	}{
		"green":                       {1, 400 * us, 100 * us, 0},
		"a bit too late":              {1, 400 * us, 107 * us, 2},
		"ten times too late":          {1, 400 * us, 1000 * us, 10},
		"dilated, and still too late": {5, 2000 * us, 1000 * us, 10},
		"no reference":                {1, 0, 1000 * us, 0},
		"hopeless":                    {1, us, 300 * time.Second, 0},
	} {
		t.Run(name, func(t *testing.T) {
			timing := &Timing{Dilation: c.dilation, Reference: c.reference, Edges: make([]EdgeTiming, 2)}
			for range 1000 { // p50, the strictest of the three for even delays
				timing.Edges[1].Taken.Add(int64(c.late))
			}
			advice := timing.advice()
			if c.k == 0 {
				if advice != "" {
					t.Errorf("%s", advice)
				}
				return
			}
			if !strings.HasPrefix(advice, "with --dilate "+strconv.FormatInt(c.k, 10)+" this lateness would have been green") {
				t.Errorf("%s, want K = %d", advice, c.k)
			}
			timing.Reference = timing.Reference / time.Duration(c.dilation) * time.Duration(c.k)
			if timing.Colour() != "green" {
				t.Errorf("at K = %d it is %s", c.k, timing.Colour())
			}
		})
	}
}

// The advice is among the findings, and a standstill is not promised to be green.
func TestADilationPromisesNothingOfStandstills(t *testing.T) {
	timing := lateBy(new(Timing), 0, 5*time.Millisecond)
	timing.Standstills = []Standstill{{Took: time.Second}}
	text := ""
	for _, f := range timing.Findings() {
		text += f.Text + "\n"
	}
	want := "with --dilate 20 this lateness would have been green: R would be 20ms on the wall; a standstill is " +
		"not green with any dilation\n"
	if !strings.Contains(text, want) {
		t.Errorf("no %q in %s", want, text)
	}
}
