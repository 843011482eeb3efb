package dcqcn

import (
	"fmt"
	"math/bits"
	"strconv"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

var _ cc.Resolving = (*controller)(nil)

// Resolved implements cc.Resolving: it returns the values of the parameters whose defaults the set decides. Those that
// set paper does not have are not among them.
func (c *controller) Resolved() map[string]string {
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	rate := func(v float64) string { return fmt.Sprintf("%.0fbps", v) }
	growth := "constant"
	if c.haiByStage {
		growth = "stage"
	}
	values := map[string]string{
		"g":                     number(c.g),
		"alpha_period":          c.alphaPeriod.String(),
		"initial_alpha":         number(c.initialAlpha),
		"rpg_time_reset":        c.timeReset.String(),
		"rpg_byte_reset":        fmt.Sprintf("%dB", int64(c.byteReset)),
		"rpg_threshold":         strconv.Itoa(c.threshold),
		"rpg_ai_rate":           rate(c.ai),
		"rpg_hai_rate":          rate(c.hai),
		"hai_growth":            growth,
		"min_time_between_cnps": c.cnpInterval.String(),
	}
	if !c.paper {
		values["rate_reduce_monitor_period"] = c.cutPeriod.String()
		values["rpg_min_dec_fac"] = number(100 * c.leastLeft)
		values["rpg_gd"] = strconv.Itoa(bits.TrailingZeros(uint(unit.Whole[int](1024 / c.cutShare))))
		values["clamp_tgt_rate"] = strconv.FormatBool(c.clampTarget)
		values["clamp_tgt_rate_after_time_inc"] = strconv.FormatBool(c.clampAfterTimeInc)
		values["rate_to_set_on_first_cnp"] = rate(c.firstRate)
	}
	return values
}
