package wan

import (
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/chance"
)

// channel is the state of a direction's losses.
//
// Gilbert, "Capacity of a burst-noise channel", Bell System Technical Journal
// 39 (1960), and Elliott, ibid. 42 (1963): a Markov chain of a good and a bad
// state. In the notation of RFC 6534 and of netem, p = Enter, r = Leave, 1-k =
// Good, 1-h = Bad. Bad states last 1/r frames in the mean.
type channel struct {
	bad    bool
	chance *chance.Stream
}

// loses decides whether the next frame is lost, and steps on. A channel that
// cannot lose draws nothing.
func (c *channel) loses(model *profile.WANLoss) bool {
	if *model == (profile.WANLoss{}) {
		c.bad = false
		return false
	}
	loss, change := model.Good, model.Enter
	if c.bad {
		loss, change = model.Bad, model.Leave
	}
	lost := c.chance.Float64() < loss
	if c.chance.Float64() < change {
		c.bad = !c.bad
	}
	return lost
}
