package dcqcn

import (
	"maps"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/hosting"
)

// Parameters have the values that Resolved reports: given as they are resolved, all settings are the same. And it
// reports all parameters that have no default.
func TestResolved(t *testing.T) {
	about := Algorithm{}.Describe()
	settingsOf := func(given map[string]string) (*controller, settings) {
		params, err := hosting.Parse(about, given)
		if err != nil {
			t.Fatal(err)
		}
		made, err := Algorithm{}.New(params)
		if err != nil {
			t.Fatal(err)
		}
		return made.(*controller), made.(*controller).settings
	}
	for _, given := range []map[string]string{
		nil,
		{"set": "paper"},
		{"alpha": "fraction"},
		{"set": "nvidia", "rpg_gd": "9", "rpg_time_reset": "7us", "rpg_ai_rate": "3Mbps"},
		{"set": "paper", "g": "0.125", "rpg_byte_reset": "0B"},
	} {
		made, want := settingsOf(given)
		resolved := made.Resolved()
		all := maps.Clone(resolved)
		maps.Copy(all, given)
		if _, got := settingsOf(all); got != want {
			t.Errorf("%v resolves to %v:\n%+v, want\n%+v", given, resolved, got, want)
		}
		for _, param := range about.Params {
			_, known := resolved[param.Name]
			other := false // a parameter of set nvidia alone
			for _, name := range nvidiaOnly() {
				other = other || want.paper && name == param.Name
			}
			if known != (param.Default == "" && !other) {
				t.Errorf("%v: %s, with the default %q, is resolved: %v", given, param.Name, param.Default, known)
			}
		}
	}
}
