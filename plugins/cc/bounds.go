package cc

import (
	"fmt"
	"slices"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// The largest values that a range may have. They are
// those of a scenario: the longest run, the fastest link, the largest flow. The sum of one of them
// and of an instant, or of the bytes that a flow sent, fits an int64 a thousand times over, so
// that a deadline made of a parameter never wraps.
const (
	MostDuration = 1000 * unit.Second
	MostRate     = 100 * unit.Tbps
	MostBytes    = 100000 * unit.GB
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

// CheckParams returns what is wrong with the parameters of a description, and nil for nothing: no
// name stands twice, nor a word in a choice; no Min is above its Max; a duration, a rate and a size
// have both, the Max not above MostDuration, MostRate or MostBytes. The error names the parameter
// and what to add.
func (d *Description) CheckParams() error {
	for i := range d.Params {
		param := &d.Params[i]
		if slices.ContainsFunc(d.Params[:i], func(other Param) bool { return other.Name == param.Name }) {
			return fmt.Errorf("the parameter %s twice", param.Name)
		}
		for j, word := range param.Choices {
			if slices.Contains(param.Choices[:j], word) {
				return fmt.Errorf("the parameter %s with the word %q twice", param.Name, word)
			}
		}
		var err error
		if kind, whole := quantities[param.Kind]; whole {
			err = param.checkQuantity(kind)
		} else if param.Kind == KindNumber && param.Min != "" && param.Max != "" {
			err = param.checkNumber()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkQuantity returns what is wrong with the bounds of a duration, a rate or a size.
func (p *Param) checkQuantity(kind quantity) error {
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
		return p.reversed()
	case bounds[1] > most:
		return fmt.Errorf("the parameter %s, %s, with the Max %s: allowed is at most %s", p.Name, kind.name, p.Max,
			kind.most)
	}
	return nil
}

// checkNumber returns what is wrong with the bounds of a number that has both.
func (p *Param) checkNumber() error {
	least, err := parseNumber(p.Min)
	most, wrong := parseNumber(p.Max)
	switch {
	case err != nil || wrong != nil:
		return fmt.Errorf("the parameter %s with the Min %q and the Max %q: allowed are numbers", p.Name, p.Min, p.Max)
	case least > most:
		return p.reversed()
	}
	return nil
}

func (p *Param) reversed() error {
	return fmt.Errorf("the parameter %s with the Min %s above the Max %s", p.Name, p.Min, p.Max)
}
