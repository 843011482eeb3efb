package pc4

import (
	"fmt"
	"strconv"

	"github.com/rocelab/rocelab/plugins/cc"
)

var _ cc.Resolving = (*controller)(nil)

// Resolved implements cc.Resolving: it returns the values of the parameters whose defaults the set or another parameter
// decides. Without a base rate hai and ai are rates, with one they are shares of it. A target that is not given is a
// rule, see target_qtime, not a value.
func (c *controller) Resolved() map[string]string {
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	update := "changed"
	switch {
	case c.always && c.whenReloaded:
		update = "always"
	case c.always:
		update = "indent"
	}
	rtt := "base"
	switch {
	case c.measured:
		rtt = "measured"
	case c.unqueued:
		rtt = "unqueued"
	}
	values := map[string]string{
		"beta":        number(c.beta),
		"max_mdf":     number(c.maxMDF),
		"sub_gain":    number(c.subGain),
		"zero_band":   c.zeroBand.String(),
		"tq_noise":    number(c.tqNoise),
		"tq_path":     number(c.tqPath),
		"cwnd_rtt":    rtt,
		"cwnd_update": update,
	}
	if c.baseRate {
		values["pull"], values["above"] = number(c.pull), number(c.above)
		values["pull_below"], values["band"] = number(c.pullBelow), number(c.band)
		values["keep"], values["hold"] = number(c.keep), c.hold.String()
	}
	for _, pair := range []struct {
		name         string
		fixed, share float64
	}{{"hai", c.hai, c.haiShare}, {"ai", c.ai, c.aiShare}} {
		if c.baseRate && pair.fixed == 0 {
			values[pair.name+"_share"] = number(pair.share)
		} else {
			values[pair.name] = fmt.Sprintf("%.0fbps", pair.fixed)
		}
	}
	return values
}
