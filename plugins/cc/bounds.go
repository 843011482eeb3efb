package cc

import (
	"fmt"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// The largest values that a description may declare as a Max, as one would write them. They are
// those of a scenario: the longest run, the fastest link, the largest flow. The sum of one of them
// and of an instant, or of the bytes that a flow sent, fits an int64 a thousand times over, so
// that a deadline made of a parameter never wraps.
const (
	MostDuration = "1000s"
	MostRate     = "100Tbps"
	MostBytes    = "100000GB"
)

// quantity is a kind of parameter whose values are whole numbers of a unit. All others are floats,
// which do not wrap (see unit.Whole), or words.
type quantity struct {
	// name is for messages, with its article; most is the largest Max.
	name, most string
	// parse reads a value in the smallest unit.
	parse func(string) (int64, error)
}

var quantities = map[ParamKind]quantity{
	KindDuration: {"a duration", MostDuration, parsed(unit.ParseDuration)},
	KindRate:     {"a rate", MostRate, parsed(unit.ParseBitRate)},
	KindBytes:    {"a size", MostBytes, parsed(unit.ParseBytes)},
}

func parsed[T ~int64](parse func(string) (T, error)) func(string) (int64, error) {
	return func(text string) (int64, error) {
		v, err := parse(text)
		return int64(v), err
	}
}

// CheckParams returns what is wrong with the bounds of a description's parameters, and nil for
// nothing: each duration, rate and size has a Min and a Max, the first not above the second, and
// that not above MostDuration, MostRate or MostBytes. The error names the parameter and what to add.
func (d *Description) CheckParams() error {
	for i := range d.Params {
		param := &d.Params[i]
		kind, whole := quantities[param.Kind]
		if !whole {
			continue
		}
		var bounds [2]int64
		for side, bound := range []struct{ name, value string }{{"Min", param.Min}, {"Max", param.Max}} {
			if bound.value == "" {
				return fmt.Errorf("the parameter %s, %s, without a %s: declare Min and Max (in Python min and max), "+
					"Max at most %s", param.Name, kind.name, bound.name, kind.most)
			}
			var err error
			if bounds[side], err = kind.parse(bound.value); err != nil {
				return fmt.Errorf("the parameter %s, %s, with a wrong %s: %w", param.Name, kind.name, bound.name, err)
			}
		}
		most, _ := kind.parse(kind.most) // one of the constants above
		switch {
		case bounds[0] > bounds[1]:
			return fmt.Errorf("the parameter %s with the Min %s above the Max %s", param.Name, param.Min, param.Max)
		case bounds[1] > most:
			return fmt.Errorf("the parameter %s, %s, with the Max %s: allowed is at most %s", param.Name, kind.name,
				param.Max, kind.most)
		}
	}
	return nil
}
