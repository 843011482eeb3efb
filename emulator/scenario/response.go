package scenario

import (
	"strings"

	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// byRate is the word for the longest response that the standard allows at a rate.
const byRate = "standard"

// responseField is the time until a port obeys a pause: a time, or the word for that of the standard.
func responseField[T any](at func(*T) *unit.Duration) field[T] {
	const lo, hi = "0s", "1s"
	value := durations.boundedReader("pause_response", lo, hi)
	return field[T]{
		key: "pause_response",
		def: byRate,
		doc: "Time from a pause until it is obeyed, or " + byRate + ", the longest that IEEE 802.3 allows at the rate of " +
			"the port. Frames begun before are sent; XON is obeyed at once. Range " + lo + " to " + hi + ".",
		schema: func(s *outline) schema {
			return s.define("response", func() schema {
				want := "must be a time with a unit, such as " + unit.Durations.Example() + ", or " + byRate
				return byType("number",
					schema{"const": 0, "errorMessage": want},
					schema{
						"type":                "string",
						"pattern":             "(?:" + unit.Durations.Pattern() + ")|^" + byRate + "$",
						"errorMessage":        want,
						"patternErrorMessage": want + "; units are " + strings.Join(unit.Durations.Units(), ", "),
						"examples":            []string{unit.Durations.Example(), byRate},
					})
			})
		},
		read: func(r *reader, n *node, t *T) {
			if n.Kind == document.Scalar && n.Text == byRate {
				*at(t) = profile.ByRate
			} else if v, ok := value(r, n); ok {
				*at(t) = v
			}
		},
	}
}
