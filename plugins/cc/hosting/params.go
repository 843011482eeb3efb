package hosting

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Params are a cc.Params. The zero value has no parameters.
type Params struct {
	durations map[string]unit.Duration
	rates     map[string]unit.BitRate
	bytes     map[string]unit.Bytes
	numbers   map[string]float64
	choices   map[string]string
	switches  map[string]bool
	written   map[string]string
}

// Parse reads the given values against the description, fills in the
// defaults and checks the bounds. Its errors are *cc.ParamError, except about a
// description that CheckParams refuses.
func Parse(description cc.Description, given map[string]string) (Params, error) {
	params := Params{map[string]unit.Duration{}, map[string]unit.BitRate{}, map[string]unit.Bytes{}, map[string]float64{},
		map[string]string{}, map[string]bool{}, maps.Clone(given)}
	if err := CheckParams(&description); err != nil {
		return params, fmt.Errorf("algorithm %s declares %w", description.Name, err)
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.ContainsFunc(description.Params, func(param cc.Param) bool { return param.Name == name }) {
			has := "none"
			if list := names(description.Params); len(list) > 0 {
				has = strings.Join(list, ", ")
			}
			problem := fmt.Sprintf("%s has no such parameter; it has %s", description.Name, has)
			return params, &cc.ParamError{Param: name, Problem: problem}
		}
	}
	for _, param := range description.Params {
		text, ok := given[param.Name]
		if !ok {
			text = param.Default
		}
		if text == "" && !ok {
			continue
		}
		if err := params.set(param, text); err != nil {
			return params, &cc.ParamError{Param: param.Name, Problem: err.Error()}
		}
	}
	return params, nil
}

func names(params []cc.Param) (list []string) {
	for _, param := range params {
		list = append(list, param.Name)
	}
	return list
}

func (p *Params) set(param cc.Param, text string) error {
	var err error
	switch param.Kind {
	case cc.KindDuration:
		var v unit.Duration
		v, err = bounded(param, text, unit.ParseDuration)
		p.durations[param.Name] = v
	case cc.KindRate:
		var v unit.BitRate
		v, err = bounded(param, text, unit.ParseBitRate)
		p.rates[param.Name] = v
	case cc.KindBytes:
		var v unit.Bytes
		v, err = bounded(param, text, unit.ParseBytes)
		p.bytes[param.Name] = v
	case cc.KindNumber:
		var v float64
		v, err = bounded(param, text, parseNumber)
		p.numbers[param.Name] = v
	case cc.KindChoice:
		if len(param.Choices) > 0 && !slices.Contains(param.Choices, text) {
			return fmt.Errorf("%q is not one of %s", text, strings.Join(param.Choices, ", "))
		}
		p.choices[param.Name] = text
	case cc.KindSwitch:
		var v bool
		if v, err = strconv.ParseBool(text); err != nil {
			return fmt.Errorf("%q is neither true nor false", text)
		}
		p.switches[param.Name] = v
	}
	return err
}

func parseNumber(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || v != v || v-v != 0 {
		return 0, fmt.Errorf("%q is not a number", text)
	}
	return v, nil
}

func bounded[T int64 | float64 | unit.Duration | unit.BitRate | unit.Bytes](param cc.Param, text string,
	parse func(string) (T, error)) (T, error) {
	value, err := parse(text)
	if err != nil {
		least, most := T(0), T(math.MaxInt64)
		if v, err := parse(param.Min); err == nil {
			least = v
		}
		if v, err := parse(param.Max); err == nil {
			most = v
		}
		return value, unit.MeantWithin(err, unit.Whole[int64](float64(least)), unit.Whole[int64](float64(most)))
	}
	if param.Min != "" {
		if least, err := parse(param.Min); err != nil {
			return value, fmt.Errorf("bad lower bound %q in the description: %w", param.Min, err)
		} else if value < least {
			return value, fmt.Errorf("%s is below %s%s", text, param.Min, allowed(param))
		}
	}
	if param.Max != "" {
		if most, err := parse(param.Max); err != nil {
			return value, fmt.Errorf("bad upper bound %q in the description: %w", param.Max, err)
		} else if value > most {
			return value, fmt.Errorf("%s is above %s%s", text, param.Max, allowed(param))
		}
	}
	return value, nil
}

// allowed is the range of a parameter for messages, "" if it is open at one end.
func allowed(param cc.Param) string {
	if param.Min == "" || param.Max == "" {
		return ""
	}
	return fmt.Sprintf(": allowed is %s to %s", param.Min, param.Max)
}

// Duration, Rate, Bytes, Number, Choice and Switch implement cc.Params.
func (p Params) Duration(name string) unit.Duration { return p.durations[name] }
func (p Params) Rate(name string) unit.BitRate      { return p.rates[name] }
func (p Params) Bytes(name string) unit.Bytes       { return p.bytes[name] }
func (p Params) Number(name string) float64         { return p.numbers[name] }
func (p Params) Choice(name string) string          { return p.choices[name] }
func (p Params) Switch(name string) bool            { return p.switches[name] }

// Given implements cc.Params.
func (p Params) Given(name string) bool {
	_, ok := p.written[name]
	return ok
}

// Written returns the values that were given to the maker of params, as they were written: Parse
// makes the same Params of them, in another process too. It is nil for params that Parse did not
// make. The caller must not change the map.
func Written(params cc.Params) map[string]string {
	made, _ := params.(Params)
	return made.written
}

// Canonical returns the given values, each in one form for all ways to write it: quantities in their smallest unit,
// numbers in their fewest digits.
func (p Params) Canonical() map[string]string {
	values := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(p.written)) {
		text := p.written[name]
		if v, ok := p.durations[name]; ok {
			text = strconv.FormatInt(int64(v), 10) + "ps"
		} else if v, ok := p.rates[name]; ok {
			text = strconv.FormatInt(int64(v), 10) + "bps"
		} else if v, ok := p.bytes[name]; ok {
			text = strconv.FormatInt(int64(v), 10) + "B"
		} else if v, ok := p.numbers[name]; ok {
			text = strconv.FormatFloat(v, 'g', -1, 64)
		} else if v, ok := p.switches[name]; ok {
			text = strconv.FormatBool(v)
		}
		values[name] = text
	}
	return values
}
