package hosting

import (
	"math"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc"
)

// A description's values are refused if a file could not hold them.
func TestValuesAreChecked(t *testing.T) {
	good := cc.Description{Values: []cc.Value{{Name: "alpha", Doc: "a"}, {Name: "target_rate", Unit: "Gb/s", Doc: "b"}}}
	if err := CheckValues(&good); err != nil {
		t.Error(err)
	}
	for says, wrong := range map[string][]cc.Value{
		"9 values":          make([]cc.Value, 9),
		`"Alpha"`:           {{Name: "Alpha"}},
		`"a__b"`:            {{Name: "a__b"}},
		`""`:                {{}},
		"up to 64":          {{Name: strings.Repeat("a", 65)}},
		"alpha twice":       {{Name: "alpha"}, {Name: "beta"}, {Name: "alpha"}},
		"that is a column":  {{Name: "time_us"}},
		`"Gb/s,x"`:          {{Name: "a", Unit: "Gb/s,x"}},
		`x1b[2J"`:           {{Name: "a", Unit: "\x1b[2J"}},
		"units of up to 16": {{Name: "a", Unit: strings.Repeat("s", 17)}},
		"1001 B":            {{Name: "a", Doc: strings.Repeat("d", 1001)}},
	} {
		t.Run(says, func(t *testing.T) {
			d := cc.Description{Values: wrong}
			if err := CheckValues(&d); err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%q: %v", says, err)
			}
		})
	}
}

type silent struct{}

func (silent) Handle(*cc.Event, *cc.Decision) {}

// A sender without values has none.
func TestSenderWithoutValues(t *testing.T) {
	into := []float64{1, 2}
	if ReadValues(silent{}, into); !math.IsNaN(into[0]) || !math.IsNaN(into[1]) {
		t.Error(into)
	}
}
