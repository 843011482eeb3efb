package hosting

import (
	"fmt"
	"slices"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// quantity is a kind of parameter whose values are whole numbers of a unit. All others are floats,
// which do not wrap (see unit.Whole), or words.
type quantity struct {
	// name is for messages, with its article.
	name string
	// most is the largest Max.
	most fmt.Stringer
	// parse reads a value in the smallest unit.
	parse func(string) (int64, error)
}

var quantities = map[cc.ParamKind]quantity{
	cc.KindDuration: {"a duration", cc.MostDuration, parsed(unit.ParseDuration)},
	cc.KindRate:     {"a rate", cc.MostRate, parsed(unit.ParseBitRate)},
	cc.KindBytes:    {"a size", cc.MostBytes, parsed(unit.ParseBytes)},
}

func parsed[T ~int64](parse func(string) (T, error)) func(string) (int64, error) {
	return func(text string) (int64, error) {
		v, err := parse(text)
		return int64(v), err
	}
}

// CheckParams returns the faults of the parameters of a description, and nil for none: names are unique, and so are
// words in a choice; a Min is never above its Max; a duration, a rate and a size have both, the Max not above
// cc.MostDuration, MostRate or MostBytes. The error names the parameter and the missing part.
func CheckParams(d *cc.Description) error {
	for i := range d.Params {
		param := &d.Params[i]
		if slices.ContainsFunc(d.Params[:i], func(other cc.Param) bool { return other.Name == param.Name }) {
			return fmt.Errorf("the parameter %s twice", param.Name)
		}
		for j, word := range param.Choices {
			if slices.Contains(param.Choices[:j], word) {
				return fmt.Errorf("the parameter %s with the word %q twice", param.Name, word)
			}
		}
		var err error
		if kind, whole := quantities[param.Kind]; whole {
			err = checkQuantity(param, kind)
		} else if param.Kind == cc.KindNumber && param.Min != "" && param.Max != "" {
			err = checkNumber(param)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkQuantity returns the fault of the bounds of a duration, a rate or a size.
func checkQuantity(p *cc.Param, kind quantity) error {
	var bounds [2]int64
	for side, bound := range []struct{ name, value string }{{"Min", p.Min}, {"Max", p.Max}} {
		if bound.value == "" {
			return fmt.Errorf("the parameter %s, %s, without a %s: declare Min and Max (in Python min and max), "+
				"Max at most %s", p.Name, kind.name, bound.name, kind.most)
		}
		var err error
		if bounds[side], err = kind.parse(bound.value); err != nil {
			return fmt.Errorf("the parameter %s, %s, with a wrong %s: %w", p.Name, kind.name, bound.name, err)
		}
	}
	most, _ := kind.parse(kind.most.String()) // one of the constants above
	switch {
	case bounds[0] > bounds[1]:
		return reversed(p)
	case bounds[1] > most:
		return fmt.Errorf("the parameter %s, %s, with the Max %s: allowed is at most %s", p.Name, kind.name, p.Max,
			kind.most)
	}
	return nil
}

// checkNumber returns the fault of the bounds of a number that has both.
func checkNumber(p *cc.Param) error {
	least, err := parseNumber(p.Min)
	most, wrong := parseNumber(p.Max)
	switch {
	case err != nil || wrong != nil:
		return fmt.Errorf("the parameter %s with the Min %q and the Max %q: allowed are numbers", p.Name, p.Min, p.Max)
	case least > most:
		return reversed(p)
	}
	return nil
}

func reversed(p *cc.Param) error {
	return fmt.Errorf("the parameter %s with the Min %s above the Max %s", p.Name, p.Min, p.Max)
}
