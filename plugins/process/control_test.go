//go:build linux && !mem

package process

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
)

// quantity is a parameter from 0 to most.
func quantity(name string, kind cc.ParamKind, value, most string) cc.Param {
	return cc.Param{
		Name:    name,
		Kind:    kind,
		Default: value,
		Min:     "0",
		Max:     most,
	}
}

// A program on a stream gets every parameter that has a value as that value; one on the ring, which reads them itself,
// only the written ones.
func TestValuesOfParameters(t *testing.T) {
	p := &Plugin{link: &link{carrier: &stream{}}, description: cc.Description{Params: []cc.Param{
		quantity("span", cc.KindDuration, "10us", cc.MostDuration.String()),
		quantity("rate", cc.KindRate, "2Gbps", cc.MostRate.String()),
		quantity("size", cc.KindBytes, "3KB", cc.MostBytes.String()),
		{Name: "gain", Kind: cc.KindNumber, Default: "0.1"},
		{Name: "mode", Kind: cc.KindChoice, Default: "slow", Choices: []string{"slow", "fast"}},
		{Name: "on", Kind: cc.KindSwitch, Default: "true"},
		quantity("open", cc.KindRate, "", cc.MostRate.String()),
		quantity("given", cc.KindRate, "", cc.MostRate.String()),
	}}}
	params, err := hosting.Parse(p.description, map[string]string{"given": "1bps", "mode": "fast"})
	if err != nil {
		t.Fatal(err)
	}
	c, err := p.configuration(params)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, v := range c.Values {
		got = append(got, fmt.Sprintf("%s=%v", v.Name, reflect.ValueOf(v.Value).Elem().Field(0)))
	}
	want := []string{"span=10000000", "rate=2000000000", "size=3000", "gain=0.1", "mode=fast", "on=true", "given=1"}
	if !slices.Equal(got, want) {
		t.Errorf("values\n%q, want\n%q", got, want)
	}
	p.link.carrier = &memory{}
	if c, err := p.configuration(params); err != nil || len(c.Values) != 0 || len(c.Given) != 2 ||
		c.Given["mode"] != "fast" {
		t.Errorf("on the ring: %v, %v", c, err)
	}
}
