package runfolder

import (
	"fmt"
	"math"
	"strconv"
)

// valueColumn is the column of series_values.csv with the values that algorithms report about themselves. Other numbers
// of a run folder never have an exponent.
const valueColumn = "value"

// ParseNumber reads a number as the files of a run folder have it: digits, with a minus before and decimals after a
// point if it has them, such as 12, -0.5 and 5.700.
func ParseNumber(text string) (float64, error) { return parseNumber(text, false) }

// ParseValue reads a value that an algorithm reports about itself, which may have an exponent, such as 1e-05.
func ParseValue(text string) (float64, error) { return parseNumber(text, true) }

func parseNumber(text string, exponent bool) (float64, error) {
	rest, _, ok := digitsOf(text)
	if exponent && ok && rest != "" {
		ok = isExponent(rest)
		rest = ""
	}
	if !ok || rest != "" {
		return math.NaN(), errNumber(text)
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN(), errNumber(text)
	}
	return value, nil
}

// ParseDecimal reads a number as a whole number of its last decimal, and counts the decimals: 5.700 is 5700 of 3. The
// result is exact; a number of more than 18 digits is an error.
func ParseDecimal(text string) (value int64, decimals int, err error) {
	rest, decimals, ok := digitsOf(text)
	if !ok || rest != "" {
		return 0, 0, errNumber(text)
	}
	for i := range len(text) {
		if c := text[i]; c >= '0' && c <= '9' {
			if value > math.MaxInt64/10-1 {
				return 0, 0, fmt.Errorf("%q is a number of too many digits", text)
			}
			value = 10*value + int64(c-'0')
		}
	}
	if text[0] == '-' {
		value = -value
	}
	return value, decimals, nil
}

// digitsOf returns the rest of a text after the number at its beginning, and the number of decimals.
func digitsOf(text string) (rest string, decimals int, ok bool) {
	if text != "" && text[0] == '-' {
		text = text[1:]
	}
	whole := countDigits(text)
	if rest = text[whole:]; whole > 0 && rest != "" && rest[0] == '.' {
		decimals = countDigits(rest[1:])
		return rest[1+decimals:], decimals, decimals > 0
	}
	return rest, 0, whole > 0
}

// isExponent reports whether a text is an exponent, such as e-05.
func isExponent(text string) bool {
	if len(text) < 2 || text[0] != 'e' {
		return false
	}
	if text = text[1:]; text[0] == '-' || text[0] == '+' {
		text = text[1:]
	}
	return text != "" && countDigits(text) == len(text)
}

func countDigits(text string) (count int) {
	for count < len(text) && text[count] >= '0' && text[count] <= '9' {
		count++
	}
	return count
}

func errNumber(text string) error { return fmt.Errorf("%q is not a number", text) }
