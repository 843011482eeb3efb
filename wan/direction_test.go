package wan

import (
	"fmt"
	"math"
	"testing"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/chance"
)

// The share of frames lost follows Elliott's formula, and losses of a channel
// that loses all in its bad state and none in its good one come in runs whose
// length is geometric with mean 1/Leave, their beginnings 1/Enter frames after
// the end of the run before.
func TestGilbertElliott(t *testing.T) {
	const n = 400_000
	for _, l := range []profile.WANLoss{
		{Enter: 0.01, Leave: 0.25, Bad: 1}, {Enter: 0.002, Leave: 0.1, Bad: 1}, {Enter: 0.05, Leave: 0.5, Bad: 0.5,
			Good: 0.01}, {Good: 0.03}, {Enter: 1, Leave: 1, Bad: 1},
	} {
		t.Run(fmt.Sprintf("Good=%v,Bad=%v,Enter=%v", l.Good, l.Bad, l.Enter), func(t *testing.T) {
			c := channel{chance: chance.New(1, "test")}
			lost, runs, last := 0, 0, false
			for range n {
				is := c.loses(&l)
				if is {
					lost++
					if !last {
						runs++
					}
				}
				last = is
			}
			// The variance of the mean of a Markov chain is that of independent
			// draws times (1 + r) / (1 - r), r = 1 - Enter - Leave, at most.
			mean, spread := l.Mean(), 1.0
			if r := 1 - l.Enter - l.Leave; l.Enter > 0 && r > 0 {
				spread = (1 + r) / (1 - r)
			}
			sigma := math.Sqrt(mean * (1 - mean) * spread / n)
			if got := float64(lost) / n; math.Abs(got-mean) > 4*sigma+1e-5 {
				t.Errorf("%+v: lost %.5f, want %.5f +- %.5f", l, got, mean, sigma)
			}
			if l.Bad == 1 && l.Good == 0 && l.Leave < 1 {
				got, want := float64(lost)/float64(runs), 1/l.Leave
				if sigma := math.Sqrt((1-l.Leave)/float64(runs)) / l.Leave; math.Abs(got-want) > 4*sigma {
					t.Errorf("%+v: runs of %.3f, want %.3f +- %.3f", l, got, want, sigma)
				}
			}
		})
	}
}

// A channel that cannot lose draws nothing, so that a path without losses is
// not shifted by having had some before.
func TestLosslessChannelDrawsNothing(t *testing.T) {
	c := channel{chance: chance.New(1, "test"), bad: true}
	before := c.chance.State()
	if c.loses(&profile.WANLoss{}) || c.bad || c.chance.State() != before {
		t.Error("it drew, lost or stayed bad")
	}
}
