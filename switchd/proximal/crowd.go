package proximal

import "github.com/rocelab/rocelab/plugins/cc/unit"

// crowd counts the flows that send into a queue, with or without bytes of them in it: flows that are held to their
// shares leave it almost empty. It counts in windows, whose numbers the flows carry; the first is 1.
type crowd struct {
	window       uint32
	seen, before int // flows in this window and in the one before it
	ends         unit.Time
	// high is the most since from, highBefore that of the span before it.
	high, highBefore int
	from             unit.Time
}

// crowdSpan is for how long flows must have been fewer to be fewer. Bursts begin and
// end one flow after the other, and a rate that was too low is made good by additive
// steps anyway, some 17 Mb/s in that time.
const crowdSpan = unit.Millisecond

// see counts a flow that sends and was last seen in the given window, and returns the present window.
func (c *crowd) see(last uint32) uint32 {
	if last != c.window {
		c.seen++
	}
	return c.window
}

// sees reports whether a flow that was last seen in the given window still counts.
func (c *crowd) sees(last uint32) bool { return last > 0 && c.window-last <= 2 }

// turn begins another window if the present one is over, and then returns the number of sending flows: now, and the
// maximum over the last one to two spans. One window may miss a flow that sends little, so now is the larger of two. A
// queue without arrivals for a window has no result yet.
func (c *crowd) turn(now unit.Time, window unit.Duration) (live, lately int, turned bool) {
	if now < c.ends {
		return 0, 0, false
	}
	silent := c.ends == 0 || now.Sub(c.ends) > window
	last, before := c.seen, c.before
	c.window++
	c.seen, c.before, c.ends = 0, last, now.Add(window)
	if silent {
		c.before, c.high, c.highBefore, c.from = 0, 0, maxQueuedFlows, now
		return 0, 0, false
	}
	if now.Sub(c.from) > crowdSpan {
		c.high, c.highBefore, c.from = 0, c.high, now
	}
	live = max(last, before)
	c.high = max(c.high, live)
	return live, max(c.high, c.highBefore), true
}
