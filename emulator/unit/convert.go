package unit

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"strings"
)

// mulDiv returns floor(a x b / c) with a 128-bit product; c must be positive
// and b not negative. A quotient that leaves an int64 saturates.
func mulDiv(a, b, c int64) int64 {
	if a < 0 {
		return -mulDivCeil(-a, b, c)
	}
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if hi >= uint64(c) {
		return math.MaxInt64
	}
	q, _ := bits.Div64(hi, lo, uint64(c))
	if q > math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(q)
}

// mulDivCeil returns ceil(a x b / c) for a and b not negative and c positive.
func mulDivCeil(a, b, c int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if hi >= uint64(c) {
		return math.MaxInt64
	}
	q, r := bits.Div64(hi, lo, uint64(c))
	if r != 0 {
		q++
	}
	if q > math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(q)
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// parse reads "<decimal number><unit>" exactly, in rational arithmetic, and
// rounds the product down to a whole base unit.
func parse(what, s string, units map[string]int64, allowed, example string) (int64, error) {
	text := strings.TrimSpace(s)
	end := 0
	for end < len(text) && strings.IndexByte("0123456789.+-eE", text[end]) >= 0 {
		if (text[end] == 'e' || text[end] == 'E') && (end+1 >= len(text) || strings.IndexByte("0123456789+-",
			text[end+1]) < 0) {
			break
		}
		end++
	}
	number, name := text[:end], strings.TrimSpace(text[end:])
	value, ok := new(big.Rat).SetString(number)
	if !ok || len(number) > 40 {
		return 0, fmt.Errorf("%q is not a %s: write a number and a unit such as %s", s, what, example)
	}
	size, ok := units[name]
	if !ok && !(name == "" && value.Sign() == 0) {
		if name == "" {
			return 0, fmt.Errorf("%q is a number without a unit: write %s with one of %s", s, example, allowed)
		}
		return 0, fmt.Errorf("%q is not a unit of %s: allowed are %s", name, what, allowed)
	}
	value.Mul(value, new(big.Rat).SetInt64(size))
	if value.Sign() < 0 {
		return 0, fmt.Errorf("%q is negative", s)
	}
	whole := new(big.Int).Quo(value.Num(), value.Denom())
	if !whole.IsInt64() {
		return 0, fmt.Errorf("%q is larger than a %s can be", s, what)
	}
	return whole.Int64(), nil
}
