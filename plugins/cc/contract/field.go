package contract

import (
	"strings"
	"unicode"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Field is a field of the struct T of package cc.
type Field[T any] struct {
	// Name is the field's in Go; SnakeName is its name elsewhere.
	Name string
	// Number is the field's in the message of control.proto. It is never used
	// again for another field.
	Number int
	// Proto is the type there, if it is not the one that follows from the type in
	// Go: int64 for a number of 64 bits.
	Proto string
	// Doc is its comment in control.proto, beyond the name and the type; "" for none.
	Doc string
	// Log is the key in an event log, which ends with the unit; "" if the log writes the field in another way.
	Log string
	// Always writes the key also where the value is zero.
	Always bool
	// Script is the word in a script of package cctest, "" for none.
	Script string
	// Signal names the flag of cc.Signals without which a NIC does not fill the field; "" if it always does.
	Signal string
	// Least and Most bound the values that tests of algorithms draw for the field with its Signal; 0 and 0 if they draw
	// it in another way.
	Least, Most int64
	// FromNIC is set for a field of a receiver's feedback that the NIC fills before the algorithm sees it.
	FromNIC bool
	// Silent is set for a field of cc.Signals that adds nothing to an algorithm's events.
	Silent bool
	// At returns a pointer to the field.
	At func(*T) any
}

// SnakeName is the field's name in control.proto and in Python: one_way_delay.
func (f *Field[T]) SnakeName() string {
	var name strings.Builder
	letters := []rune(f.Name)
	for i, r := range letters {
		upper := unicode.IsUpper(r)
		// A word begins at an upper-case letter after a lower-case one, and at the
		// last of several if a lower-case one follows: ECNEcho is ecn_echo.
		begins := i > 0 && upper && (unicode.IsLower(letters[i-1]) ||
			unicode.IsUpper(letters[i-1]) && i+1 < len(letters) && unicode.IsLower(letters[i+1]))
		if begins {
			name.WriteByte('_')
		}
		name.WriteRune(unicode.ToLower(r))
	}
	return name.String()
}

// Int returns the number behind a pointer that Field.At returned, 1 for true. It
// is none of an own extension and of a telemetry stack.
func Int(at any) (number int64, ok bool) {
	switch p := at.(type) {
	case *int64:
		return *p, true
	case *unit.Time:
		return int64(*p), true
	case *unit.Duration:
		return int64(*p), true
	case *unit.BitRate:
		return int64(*p), true
	case *unit.Bytes:
		return int64(*p), true
	case *bool:
		if *p {
			return 1, true
		}
		return 0, true
	case *int:
		return int64(*p), true
	case *uint32:
		return int64(*p), true
	case *cc.EventKind:
		return int64(*p), true
	case *cc.LossCause:
		return int64(*p), true
	}
	return 0, false
}

// SetInt sets the value behind a pointer that Field.At returned, if Int reads a number there. Excess bits are cut off.
func SetInt(at any, number int64) {
	switch p := at.(type) {
	case *int64:
		*p = number
	case *unit.Time:
		*p = unit.Time(number)
	case *unit.Duration:
		*p = unit.Duration(number)
	case *unit.BitRate:
		*p = unit.BitRate(number)
	case *unit.Bytes:
		*p = unit.Bytes(number)
	case *bool:
		*p = number != 0
	case *int:
		*p = int(number)
	case *uint32:
		*p = uint32(number)
	case *cc.EventKind:
		*p = cc.EventKind(number)
	case *cc.LossCause:
		*p = cc.LossCause(number)
	}
}

// Asks reports whether the flag of the given name is set in signals. A number
// asks if it is not 0.
func Asks(signals *cc.Signals, flag string) bool {
	for i := range Signals {
		if f := &Signals[i]; f.Name == flag {
			n, _ := Int(f.At(signals))
			return n != 0
		}
	}
	return false
}
