package hosting

import (
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc"
)

// A quantity that may wrap has bounds, and a number, a word and a switch need none.
func TestCheckParams(t *testing.T) {
	for _, c := range []struct {
		name  string
		param cc.Param
		want  string // of the error; "" for none
	}{
		{"bounded", cc.Param{Kind: cc.KindDuration, Min: "0s", Max: "1000s"}, ""},
		{"one value", cc.Param{Kind: cc.KindRate, Min: "1Gbps", Max: "1Gbps"}, ""},
		{"a number", cc.Param{Kind: cc.KindNumber}, ""},
		{"a word", cc.Param{Kind: cc.KindChoice}, ""},
		{"no Min", cc.Param{Kind: cc.KindDuration, Max: "1s"},
			"the parameter x, a duration, without a Min: declare Min and Max (in Python min and max), Max at most 1000s"},
		{"no Max", cc.Param{Kind: cc.KindRate, Min: "1bps"},
			"the parameter x, a rate, without a Max: declare Min and Max (in Python min and max), Max at most 100Tbps"},
		{"neither", cc.Param{Kind: cc.KindBytes}, "the parameter x, a size, without a Min"},
		{"no size", cc.Param{Kind: cc.KindBytes, Min: "0B", Max: "many"}, "the parameter x, a size, with a wrong Max:"},
		{"the wrong way round", cc.Param{Kind: cc.KindBytes, Min: "2B", Max: "1B"},
			"the parameter x with the Min 2B above the Max 1B"},
		{"a day", cc.Param{Kind: cc.KindDuration, Min: "0s", Max: "86400s"},
			"the parameter x, a duration, with the Max 86400s: allowed is at most 1000s"},
		{"a number the wrong way round", cc.Param{Kind: cc.KindNumber, Min: "1", Max: "0.5"},
			"the parameter x with the Min 1 above the Max 0.5"},
		{"a number with a unit", cc.Param{Kind: cc.KindNumber, Min: "0", Max: "1us"},
			`the parameter x with the Min "0" and the Max "1us": allowed are numbers`},
		{"a word twice", cc.Param{Kind: cc.KindChoice, Choices: []string{"a", "b", "a"}},
			`the parameter x with the word "a" twice`},
		{"all that fits", cc.Param{Kind: cc.KindBytes, Min: "0B", Max: "9223372036854775807B"},
			"allowed is at most 100000GB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.param.Name = "x"
			d := cc.Description{Name: "demo", Params: []cc.Param{c.param}}
			err := CheckParams(&d)
			if (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want) &&
				!strings.HasSuffix(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
			if _, parsed := Parse(d, nil); err != nil && (parsed == nil ||
				parsed.Error() != "algorithm demo declares "+err.Error()) {
				t.Errorf("Parse: %v, want %v", parsed, err)
			}
		})
	}
}
