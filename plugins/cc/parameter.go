package cc

import (
	"fmt"
	"math"
	"strconv"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Duration begins a parameter that is a time, such as "1us". Its range is at most MostDuration.
//
// A parameter is declared by its name and default, its range or its words, its meaning and its
// source:
//
//	cc.Number("beta", "0.8").In(0, 10).Doc("multiplicative decrease constant").From("Algorithm 1")
//
// A parameter that lacks one of them, or has a bound of another kind, is not a Param and does not compile. The default
// is text, as a user writes it; with "" there is none: Params has zero if the value is not given, and Doc has the
// meaning of that.
func Duration(name, value string) Range[unit.Duration] {
	return Range[unit.Duration]{Param{Name: name, Kind: KindDuration, Default: value}}
}

// Rate begins a parameter that is a rate, such as "40Mbps". Its range is at most MostRate.
func Rate(name, value string) Range[unit.BitRate] {
	return Range[unit.BitRate]{Param{Name: name, Kind: KindRate, Default: value}}
}

// Bytes begins a parameter that is a size, such as "10MB". Its range is at most MostBytes.
func Bytes(name, value string) Range[unit.Bytes] {
	return Range[unit.Bytes]{Param{Name: name, Kind: KindBytes, Default: value}}
}

// Number begins a parameter without a unit, such as "0.8". A bound of math.Inf is none.
func Number(name, value string) Range[float64] {
	return Range[float64]{Param{Name: name, Kind: KindNumber, Default: value}}
}

// Choice begins a parameter that is one of several words.
func Choice(name, value string) Words {
	return Words{Param{Name: name, Kind: KindChoice, Default: value}}
}

// Word begins a parameter that is any text.
func Word(name, value string) Meaning {
	return Meaning{Param{Name: name, Kind: KindChoice, Default: value}}
}

// File begins a parameter that is the path of a file or the file's text: an algorithm that runs in
// a container is given the text in place of the path, so New takes either.
func File(name, value string) Meaning {
	return Meaning{Param{Name: name, Kind: KindChoice, Default: value, File: true}}
}

// Flag begins a parameter that is "true" or "false".
func Flag(name, value string) Meaning {
	return Meaning{Param{Name: name, Kind: KindSwitch, Default: value}}
}

// The largest values that a range may have. They follow a scenario's bounds: the longest run, the fastest link, the
// largest flow. The sum of one of them and of an instant, or of a flow's sent bytes, fits an int64 a thousand times
// over, so that a deadline made of a parameter never wraps.
const (
	MostDuration = 1000 * unit.Second
	MostRate     = 100 * unit.Tbps
	MostBytes    = 100000 * unit.GB
)

// Range is a parameter without its range.
type Range[T unit.Duration | unit.BitRate | unit.Bytes | float64] struct{ param Param }

// In sets the least and the largest value, both included.
func (r Range[T]) In(least, most T) Meaning {
	r.param.Min, r.param.Max = written(least), written(most)
	return Meaning(r)
}

// written is a bound as a user writes it.
func written[T unit.Duration | unit.BitRate | unit.Bytes | float64](bound T) string {
	if number, is := any(bound).(float64); is {
		if math.IsInf(number, 0) {
			return ""
		}
		return strconv.FormatFloat(number, 'f', -1, 64)
	}
	return fmt.Sprint(bound)
}

// Words is a parameter without its words.
type Words struct{ param Param }

// Of sets the words that are allowed, one at least.
func (w Words) Of(first string, more ...string) Meaning {
	w.param.Choices = append([]string{first}, more...)
	return Meaning(w)
}

// Meaning is a parameter without its documentation.
type Meaning struct{ param Param }

// Doc documents the parameter's effect, and gaps and contradictions of its source.
func (m Meaning) Doc(text string) Origin {
	m.param.Doc = text
	return Origin(m)
}

// Origin is a parameter without its source.
type Origin struct{ param Param }

// From cites the source, "Algorithm 1", and completes the parameter.
func (o Origin) From(source string) Param {
	o.param.Source = source
	return o.param
}
