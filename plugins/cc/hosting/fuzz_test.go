package hosting

import (
	"maps"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc"
)

// FuzzParams takes any texts for a parameter of every kind and for its bounds. A
// value that is taken is a number, and is taken once more as it was written.
func FuzzParams(f *testing.F) {
	f.Add(uint8(cc.KindDuration), "10us", "1us", "20us")
	f.Add(uint8(cc.KindRate), "25Gbps", "0bps", "100Gbps")
	f.Add(uint8(cc.KindBytes), "3KB", "1B", "100000GB")
	f.Add(uint8(cc.KindNumber), "1e-300", "0", "1")
	f.Add(uint8(cc.KindChoice), "slow", "", "")
	f.Add(uint8(cc.KindSwitch), "true", "", "")
	f.Fuzz(func(t *testing.T, kind uint8, text, least, most string) {
		p := cc.Param{Name: "x", Kind: cc.ParamKind(kind % 8), Min: least, Max: most}
		d := cc.Description{Name: "a", Params: []cc.Param{p}}
		params, err := Parse(d, map[string]string{"x": text})
		if err != nil {
			return
		}
		if v := params.Number("x"); v != v || v-v != 0 {
			t.Errorf("%q is the number %v", text, v)
		}
		if again, err := Parse(d, Written(params)); err != nil || !maps.Equal(again.numbers, params.numbers) ||
			!maps.Equal(again.durations, params.durations) {
			t.Errorf("%q: %+v, then %+v: %v", text, params, again, err)
		}
	})
}
