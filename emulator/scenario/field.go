package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// The constructors of fields, one for each type of value.

// quantity is a type of value that is written with a unit.
type quantity[V ~int64] struct {
	what     string
	parse    func(string) (V, error)
	notation *unit.Notation
	// also names, at the end of a message about a wrong value, what else is allowed.
	also string
}

var (
	durations = quantity[unit.Duration]{"duration", unit.ParseDuration, unit.Durations, ""}
	rates     = quantity[unit.BitRate]{"rate", unit.ParseBitRate, unit.Rates, ""}
	lengths   = quantity[unit.Length]{"length", unit.ParseLength, unit.Lengths, ""}
	sizes     = quantity[unit.Bytes]{"size", unit.ParseBytes, unit.Sizes, ""}
)

// schema is a text with a unit, or 0.
func (q quantity[V]) schema(s *outline) schema {
	return s.define(q.what, func() schema {
		want := "must be a " + q.what + " with a unit, such as " + q.notation.Example()
		return byType("number",
			schema{"const": 0, "errorMessage": want},
			schema{
				"type":                "string",
				"pattern":             q.notation.Pattern(),
				"errorMessage":        want,
				"patternErrorMessage": want + "; units are " + strings.Join(q.notation.Units(), ", "),
				"examples":            []string{q.notation.Example()},
			})
	})
}

// parseBound reads a bound of a table.
func (q quantity[V]) parseBound(key, text string) V {
	v, err := q.parse(text)
	if err != nil {
		panic(fmt.Sprintf("bound of %s: %v", key, err))
	}
	return v
}

// boundedReader returns the reader of a quantity from lo to hi, both included and
// written as values.
func (q quantity[V]) boundedReader(key, lo, hi string) func(*reader, *node) (V, bool) {
	least, most := q.parseBound(key, lo), q.parseBound(key, hi)
	return func(r *reader, n *node) (V, bool) {
		v, ok := q.value(r, n, key, least, most)
		if ok && (v < least || v > most) {
			r.add(n.At, "%s is %s: allowed is %s to %s", key, n.Text, lo, hi)
			ok = false
		}
		return v, ok
	}
}

// value reads a quantity; least and most bound the guess at a unit that is
// not there.
func (q quantity[V]) value(r *reader, n *node, key string, least, most V) (value V, ok bool) {
	text, ok := r.scalar(n, key, "a "+q.what+" such as "+q.notation.Example())
	if !ok {
		return 0, false
	}
	value, err := q.parse(shorten(text))
	if err != nil {
		r.add(n.At, "%s: %s%s", key, unit.MeantWithin(err, int64(least), int64(most)), q.also)
		return 0, false
	}
	n.Meaning = strconv.FormatInt(int64(value), 10)
	return value, true
}

func quantityField[T any, V ~int64](kind quantity[V], key, def, lo, hi, doc string, at func(*T) *V) field[T] {
	value := kind.boundedReader(key, lo, hi)
	return field[T]{
		key:    key,
		def:    def,
		doc:    doc + " Range " + lo + " to " + hi + ".",
		schema: kind.schema,
		read: func(r *reader, n *node, t *T) {
			if v, ok := value(r, n); ok {
				*at(t) = v
			}
		},
	}
}

func durationField[T any](key, def, lo, hi, doc string, at func(*T) *unit.Duration) field[T] {
	return quantityField(durations, key, def, lo, hi, doc, at)
}

func rateField[T any](key, def, lo, hi, doc string, at func(*T) *unit.BitRate) field[T] {
	return quantityField(rates, key, def, lo, hi, doc, at)
}

func lengthField[T any](key, def, lo, hi, doc string, at func(*T) *unit.Length) field[T] {
	return quantityField(lengths, key, def, lo, hi, doc, at)
}

func sizeField[T any](key, def, lo, hi, doc string, at func(*T) *unit.Bytes) field[T] {
	return quantityField(sizes, key, def, lo, hi, doc, at)
}

// instantField reads a time since the start of the run.
func instantField[T any](key, def, lo, hi, doc string, at func(*T) *unit.Time) field[T] {
	value := durations.boundedReader(key, lo, hi)
	return field[T]{
		key:    key,
		def:    def,
		doc:    doc + " Range " + lo + " to " + hi + ".",
		schema: durations.schema,
		read: func(r *reader, n *node, t *T) {
			if v, ok := value(r, n); ok {
				*at(t) = unit.Time(v)
			}
		},
	}
}

// integer reads a whole number between lo and hi, both included.
func (r *reader) integer(n *node, key string, lo, hi int64) (int64, bool) {
	text, ok := r.scalar(n, key, "a whole number")
	if !ok {
		return 0, false
	}
	value, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n.Quoted {
		quote := ""
		if n.Quoted && err == nil {
			quote = " without quotes"
		}
		r.add(n.At, "%s: %q is not a whole number: write one from %d to %d%s", key, shorten(text), lo, hi, quote)
		return 0, false
	}
	if value < lo || value > hi {
		r.add(n.At, "%s is %d: allowed is %d to %d", key, value, lo, hi)
		return 0, false
	}
	n.Meaning = strconv.FormatInt(value, 10)
	return value, true
}

func integerField[T any, V ~int | ~int64 | ~uint64 | ~uint16 | ~uint8](key, def string, lo, hi int64, doc string,
	at func(*T) *V) field[T] {
	return field[T]{
		key:    key,
		def:    def,
		doc:    fmt.Sprintf("%s Range %d to %d.", doc, lo, hi),
		schema: func(*outline) schema { return schema{"type": "integer", "minimum": lo, "maximum": hi} },
		read: func(r *reader, n *node, t *T) {
			if v, ok := r.integer(n, key, lo, hi); ok {
				*at(t) = V(v)
			}
		},
	}
}

// numberField reads a number between lo and hi, both included; open is set if lo itself is not allowed.
func numberField[T any](key, def string, lo, hi float64, open bool, doc string, at func(*T) *float64) field[T] {
	least, minimum := fmt.Sprintf("%g to %g", lo, hi), "minimum"
	if open {
		least, minimum = fmt.Sprintf("above %g, up to %g", lo, hi), "exclusiveMinimum"
	}
	return field[T]{
		key:    key,
		def:    def,
		doc:    doc + " Range " + least + ".",
		schema: func(*outline) schema { return schema{"type": "number", minimum: lo, "maximum": hi} },
		read: func(r *reader, n *node, t *T) {
			text, ok := r.scalar(n, key, "a number")
			if !ok {
				return
			}
			v, err := strconv.ParseFloat(text, 64)
			if err != nil || n.Quoted {
				r.add(n.At, "%s: %q is not a number: allowed is %s", key, shorten(text), least)
				return
			}
			if !(v >= lo && v <= hi) || open && v == lo {
				r.add(n.At, "%s is %s: allowed is %s", key, shorten(text), least)
				return
			}
			n.Meaning = strconv.FormatFloat(v, 'g', -1, 64)
			*at(t) = v
		},
	}
}

func switchField[T any](key, def, doc string, at func(*T) *bool) field[T] {
	return field[T]{
		key:    key,
		def:    def,
		doc:    doc,
		schema: func(*outline) schema { return schema{"type": "boolean"} },
		read: func(r *reader, n *node, t *T) {
			text, ok := r.scalar(n, key, "true or false")
			if !ok {
				return
			}
			if n.Quoted || text != "true" && text != "false" {
				r.add(n.At, "%s: %q is neither true nor false", key, shorten(text))
				return
			}
			*at(t) = text == "true"
		},
	}
}

// choiceField reads one of words; set gets its place among them.
func choiceField[T any](key, def string, words []string, doc string, set func(*T, int)) field[T] {
	return field[T]{
		key:    key,
		def:    def,
		doc:    doc,
		schema: func(*outline) schema { return schema{"enum": words} },
		read: func(r *reader, n *node, t *T) {
			text, ok := r.scalar(n, key, "one of "+strings.Join(words, ", "))
			if !ok {
				return
			}
			i := slices.Index(words, text)
			if i < 0 {
				r.add(n.At, "%s", unknown(key, text, words))
				return
			}
			set(t, i)
		},
	}
}

// namePattern is the form of a name: names become parts of file and stream names.
const namePattern = `^[A-Za-z0-9][A-Za-z0-9_.+-]*$`

// isName reports whether a text may be a name.
func isName(text string) bool {
	for i, c := range text {
		alnum := c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !alnum && (i == 0 || !strings.ContainsRune("_.+-", c)) {
			return false
		}
	}
	return text != "" && len(text) <= 64
}

// name reads a name of up to 64 letters, digits, dots, dashes, underscores and
// plus signs.
func (r *reader) name(n *node, key string) (string, bool) {
	text, ok := r.scalar(n, key, "a name")
	if !ok {
		return "", false
	}
	if !isName(text) {
		r.add(n.At,
			"%s: %q is not a name: allowed are up to 64 letters, digits and _ . + -, a letter or digit first",
			key, shorten(text))
		return "", false
	}
	return text, true
}

func nameField[T any](key, doc string, at func(*T) *string) field[T] {
	return field[T]{key: key, doc: doc, schema: nameSchema,
		read: func(r *reader, n *node, t *T) {
			if text, ok := r.name(n, key); ok {
				*at(t) = text
			}
		}}
}

// nameSchema lets a name be a number without a sign, as YAML reads "name: 1", or a word that means true or false there.
func nameSchema(s *outline) schema {
	return s.define("name", func() schema {
		return schema{
			"type":      []string{"string", "number", "boolean"},
			"pattern":   namePattern,
			"maxLength": 64,
			"minimum":   0,
		}
	})
}

// objectField reads a mapping within a mapping.
func objectField[T, U any](key, doc string, table *object[U], at func(*T) *U) field[T] {
	return field[T]{
		key:    key,
		doc:    doc,
		schema: table.schema,
		whole:  table.whole,
		read:   func(r *reader, n *node, t *T) { table.read(r, n, at(t)) },
	}
}

// nodeField keeps a value for later, when more is known; read reads it once now, for the problems that are visible
// already.
func nodeField[T any](key, doc string, schema func(*outline) schema, read func(*reader, *node),
	at func(*T) **node) field[T] {
	return field[T]{key: key, doc: doc, schema: schema,
		read: func(r *reader, n *node, t *T) {
			if read != nil {
				read(r, n)
			}
			*at(t) = n
		}}
}
