package unit

import (
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
)

// Notation is how the values of one quantity are written: a number and a unit,
// with or without a space between them, or a bare 0.
type Notation struct {
	// what names the quantity, example is a value.
	what, example string
	units         []spelling
	// usual are the units that a number without one most likely lacks.
	usual []guess
	form  *regexp.Regexp
}

// spelling is the names of a unit, the one that messages say first.
type spelling struct {
	size  int64
	names []string
}

// guess is a unit that a number below a bound is likely to lack.
type guess struct {
	name  string
	below int64
}

// The notations. In a place for a rate G is Gbps, in a place for a size GB:
// no place takes both.
var (
	Durations = notation("duration", "1us", []guess{{"us", 10_000}, {"ns", 1e18}},
		spelling{1, []string{"ps"}}, spelling{1e3, []string{"ns"}}, spelling{1e6, []string{"us", "µs", "μs"}},
		spelling{1e9, []string{"ms"}}, spelling{1e12, []string{"s"}})
	Lengths = notation("length", "120km", []guess{{"km", 10_000}, {"m", 1e18}},
		spelling{1, []string{"mm"}}, spelling{1e3, []string{"m"}}, spelling{1e6, []string{"km"}})
	Sizes = notation("size", "32MB", []guess{{"KB", 1000}, {"B", 1e18}, {"MB", 1000}, {"GB", 1000}},
		spelling{1, []string{"B"}},
		spelling{1e3, []string{"KB", "kB", "K", "k"}}, spelling{1e6, []string{"MB", "M"}},
		spelling{1e9, []string{"GB", "G"}}, spelling{1e12, []string{"TB", "T"}},
		spelling{1 << 10, []string{"KiB", "Ki"}}, spelling{1 << 20, []string{"MiB", "Mi"}},
		spelling{1 << 30, []string{"GiB", "Gi"}}, spelling{1 << 40, []string{"TiB", "Ti"}})
	Rates = notation("rate", "100Gbps", []guess{{"Gbps", 10_000}, {"Mbps", 1e6}, {"bps", 1e18}},
		spelling{1, []string{"bps", "b/s"}},
		spelling{1e3, []string{"Kbps", "kbps", "Kb/s", "kb/s", "K", "k"}}, spelling{1e6, []string{"Mbps", "Mb/s", "M"}},
		spelling{1e9, []string{"Gbps", "Gb/s", "G"}}, spelling{1e12, []string{"Tbps", "Tb/s", "T"}})
	BDPs = notation("number of bdp", "1.5bdp", []guess{{"bdp", 1000}}, spelling{1e6, []string{"bdp", "BDP"}})
)

const number = `\+?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?`

func notation(what, example string, usual []guess, units ...spelling) *Notation {
	n := &Notation{what: what, example: example, units: units, usual: usual}
	n.form = regexp.MustCompile(n.Pattern())
	return n
}

// Pattern returns the regular expression, of ECMA-262 as of Go, of all that has
// this notation. The parser reads by it; what else it refuses is out of range.
func (n *Notation) Pattern() string {
	var names []string
	for _, u := range n.units {
		names = append(names, u.names...)
	}
	return `^\s*(?:(` + number + `)\s*(` + strings.Join(names, "|") + `)|\+?0+\.?0*)\s*$`
}

// Units lists the units, each by its first name.
func (n *Notation) Units() []string {
	var names []string
	for _, u := range n.units {
		names = append(names, u.names[0])
	}
	return names
}

// Example returns a value as one would write it.
func (n *Notation) Example() string { return n.example }

func (n *Notation) allowed() string {
	names := n.Units()
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

var (
	bareNumber    = regexp.MustCompile(`^\s*(` + number + `)\s*$`)
	numberAndName = regexp.MustCompile(`^\s*(-?)(` + number + `)\s*((?:[^0-9.+\-\s].*?)?)\s*$`)
)

// parse reads s exactly, in rational arithmetic, and rounds down to a whole
// base unit. A number that only lacks its unit is a *NoUnit.
func (n *Notation) parse(s string) (int64, error) {
	parts := n.form.FindStringSubmatch(s)
	switch {
	case parts == nil:
		return 0, n.refuse(s)
	case parts[1] == "":
		return 0, nil
	}
	if len(parts[1]) > 40 {
		return 0, fmt.Errorf("%q is not a %s: write a number and a unit, such as %s", s, n.what, n.example)
	}
	value, ok := new(big.Rat).SetString(parts[1])
	if !ok { // it has an exponent of a million or more
		return 0, fmt.Errorf("%q is larger than a %s can be, or smaller", s, n.what)
	}
	value.Mul(value, new(big.Rat).SetInt64(n.sizeOf(parts[2])))
	whole := new(big.Int).Quo(value.Num(), value.Denom())
	if !whole.IsInt64() {
		return 0, fmt.Errorf("%q is larger than a %s can be", s, n.what)
	}
	return whole.Int64(), nil
}

func (n *Notation) sizeOf(name string) int64 {
	i := slices.IndexFunc(n.units, func(u spelling) bool { return slices.Contains(u.names, name) })
	return n.units[i].size
}

// refuse returns the error of a text that does not follow the notation.
func (n *Notation) refuse(s string) error {
	if bare := bareNumber.FindStringSubmatch(s); bare != nil {
		return &NoUnit{bare[1], n, n.likely(bare[1], func(int64) bool { return true })}
	}
	parts := numberAndName.FindStringSubmatch(s)
	switch {
	case parts == nil:
		return fmt.Errorf("%q is not a %s: write a number and a unit, such as %s", s, n.what, n.example)
	case parts[1] == "-":
		return fmt.Errorf("%q is negative", s)
	case n.near(parts[3]) != "":
		return fmt.Errorf("%q is not a unit of %s: did you mean %s? allowed are %s",
			parts[3], n.what, parts[2]+n.near(parts[3]), n.allowed())
	}
	return fmt.Errorf("%q is not a unit of %s: allowed are %s", parts[3], n.what, n.allowed())
}

// near returns the unit that a name means in other letters: gbit/s for Gbps. A
// capital B is bytes, and no rate.
func (n *Notation) near(name string) string {
	if n == Rates && strings.Contains(name, "B") {
		return ""
	}
	name = strings.ToLower(strings.ReplaceAll(strings.ReplaceAll(name, "bit", "b"), "yte", ""))
	for _, u := range n.units {
		for _, known := range u.names {
			if known = strings.ToLower(known); name == known || n == Rates && name+"ps" == known {
				return u.names[0]
			}
		}
	}
	return ""
}

// likely returns the value that a number most likely means, among those that
// are fit.
func (n *Notation) likely(number string, fit func(int64) bool) string {
	value, _ := new(big.Rat).SetString(number)
	for _, u := range n.usual {
		if value == nil || value.Cmp(new(big.Rat).SetInt64(u.below)) >= 0 {
			continue
		}
		if v, err := n.parse(number + u.name); err == nil && fit(v) {
			return number + u.name
		}
	}
	return ""
}

// NoUnit is the error of a number that only lacks its unit.
type NoUnit struct {
	number   string
	notation *Notation
	meant    string
}

// Error names the value that was probably meant, and the units that are allowed.
func (e *NoUnit) Error() string {
	if e.meant == "" {
		return fmt.Sprintf("%s has no unit: allowed are %s", e.number, e.notation.allowed())
	}
	return fmt.Sprintf("%s has no unit: did you mean %s? allowed are %s", e.number, e.meant, e.notation.allowed())
}

// MeantWithin returns err or, if it is a NoUnit, one whose guess is from lo to hi, in base units.
func MeantWithin(err error, lo, hi int64) error {
	var bare *NoUnit
	if !errors.As(err, &bare) {
		return err
	}
	meant := bare.notation.likely(bare.number, func(v int64) bool { return lo <= v && v <= hi })
	return &NoUnit{bare.number, bare.notation, meant}
}

// Count is a number of things in words: of "run" it is "1 run" and "2 runs". What has another plural has CountOf.
func Count[T ~int | ~int64 | ~uint64](n T, what string) string { return CountOf(n, what, what+"s") }

// CountOf is a number of things, or of what happened to them, in words: "1 frame was", "2 frames were".
func CountOf[T ~int | ~int64 | ~uint64](n T, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
