package mlxconfig

import (
	"math"
	"strconv"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// setting is one that has a counterpart.
type setting struct {
	// name is mlxconfig's, without the port; files are the driver's names for it, in small letters.
	name  string
	files []string
	// hi bounds its value, in its unit. One below lo has no counterpart, and least is the parameter that is next
	// to it.
	lo, hi int64
	unit   string
	least  string
	// param is the parameter of dcqcn.
	param string
	// write returns the parameter of a value, read the value of a parameter. exact is false for a parameter that does
	// not match any value.
	write func(int64) string
	read  func(string) (value int64, exact bool)
}

// settings are the settings in the order of mlxconfig's output.
var settings = []setting{
	flag("CLAMP_TGT_RATE_AFTER_TIME_INC", "clamp_tgt_rate_after_time_inc", "clamp_tgt_rate_ati", "rp_clamp_tgt_rate_ati"),
	flag("CLAMP_TGT_RATE", "clamp_tgt_rate", "clamp_tgt_rate", "rp_clamp_tgt_rate"),
	microseconds("RPG_TIME_RESET", 1, "rpg_time_reset", "rpg_time_reset", "rp_time_reset"),
	{
		name:  "RPG_BYTE_RESET",
		files: []string{"rpg_byte_reset", "rp_byte_reset"},
		hi:    32767,
		unit:  "units of 64 B",
		param: "rpg_byte_reset",
		write: func(v int64) string { return strconv.FormatInt(64*v, 10) + "B" },
		read: func(text string) (int64, bool) {
			size, err := unit.ParseBytes(text)
			return int64(size+32) / 64, err == nil && size%64 == 0
		},
	},
	whole("RPG_THRESHOLD", 31, "", "rpg_threshold", "rpg_threshold", "rp_threshold"),
	megabits("RPG_AI_RATE", 0, "rpg_ai_rate", "rpg_ai_rate", "rp_ai_rate"),
	megabits("RPG_HAI_RATE", 0, "rpg_hai_rate", "rpg_hai_rate", "rp_hai_rate"),
	whole("RPG_GD", 15, "", "rpg_gd", "rpg_gd", "rp_gd"),
	whole("RPG_MIN_DEC_FAC", 100, "percent", "rpg_min_dec_fac", "rpg_min_dec_fac", "rp_min_dec_fac"),
	megabits("RPG_MIN_RATE", 1, "rpg_min_rate", "rpg_min_rate", "rp_min_rate"),
	megabits("RATE_TO_SET_ON_FIRST_CNP", 0, "rate_to_set_on_first_cnp", "rate_to_set_on_first_cnp",
		"rp_rate_to_set_on_first_cnp"),
	// The setting is the share of alpha that stays.
	fraction("DCE_TCP_G", true, "g", "dce_tcp_g", "rp_dce_tcp_g"),
	microseconds("DCE_TCP_RTT", 1, "alpha_period", "dce_tcp_rtt", "rp_dce_tcp_rtt"),
	microseconds("RATE_REDUCE_MONITOR_PERIOD", 1, "rate_reduce_monitor_period", "rate_reduce_monitor_period",
		"rp_rate_reduce_monitor_period"),
	fraction("INITIAL_ALPHA_VALUE", false, "initial_alpha", "initial_alpha_value", "rp_initial_alpha_value"),
	microseconds("MIN_TIME_BETWEEN_CNPS", 0, "min_time_between_cnps", "min_time_between_cnps",
		"np_min_time_between_cnps"),
}

// most bounds times in microseconds and rates in Mb/s.
const most = 1_000_000

func flag(name, param string, files ...string) setting {
	return setting{
		name:  name,
		files: files,
		hi:    1,
		param: param,
		write: func(v int64) string { return strconv.FormatBool(v == 1) },
		read: func(text string) (int64, bool) {
			return map[string]int64{"true": 1}[text], text == "true" || text == "false"
		},
	}
}

func whole(name string, hi int64, unit, param string, files ...string) setting {
	return setting{
		name:  name,
		files: files,
		hi:    hi,
		unit:  unit,
		param: param,
		write: func(v int64) string { return strconv.FormatInt(v, 10) },
		read:  func(text string) (int64, bool) { return nearest(text, 1) },
	}
}

func microseconds(name string, lo int64, param string, files ...string) setting {
	return setting{
		name:  name,
		files: files,
		lo:    lo,
		hi:    most,
		unit:  "us",
		least: "1ns",
		param: param,
		write: func(v int64) string { return strconv.FormatInt(v, 10) + "us" },
		read: func(text string) (int64, bool) {
			d, err := unit.ParseDuration(text)
			return int64((d + unit.Microsecond/2) / unit.Microsecond), err == nil && d%unit.Microsecond == 0
		},
	}
}

func megabits(name string, lo int64, param string, files ...string) setting {
	return setting{
		name:  name,
		files: files,
		lo:    lo,
		hi:    most,
		unit:  "Mb/s",
		least: "1bps",
		param: param,
		write: func(v int64) string { return strconv.FormatInt(v, 10) + "Mbps" },
		read: func(text string) (int64, bool) {
			rate, err := unit.ParseBitRate(text)
			return int64((rate + unit.Mbps/2) / unit.Mbps), err == nil && rate%unit.Mbps == 0
		},
	}
}

// fraction is a setting in parts of 1024, or what is left of them.
func fraction(name string, left bool, param string, files ...string) setting {
	const parts = 1024
	of := func(v int64) int64 {
		if left {
			return parts - v
		}
		return v
	}
	return setting{
		name:  name,
		files: files,
		hi:    parts - 1,
		unit:  "of 1024",
		param: param,
		write: func(v int64) string { return strconv.FormatFloat(float64(of(v))/parts, 'g', -1, 64) },
		read: func(text string) (int64, bool) {
			v, exact := nearest(text, parts)
			return of(v), exact
		},
	}
}

// nearest returns the whole number nearest to the product of the number in text and a factor.
func nearest(text string, times float64) (int64, bool) {
	v, err := strconv.ParseFloat(text, 64)
	v *= times
	if err != nil || math.Abs(v) > 1e15 || math.IsNaN(v) {
		return 0, false
	}
	return unit.Whole[int64](math.Round(v)), v == math.Round(v)
}
