package eventlog

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/rocelab/rocelab/emulator/telemetry"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/contract"
)

// appendFields writes what is not zero in v as the inside of a JSON object, by the
// table of package contract. A comma comes first unless the object begins here.
func appendFields[T any](b []byte, table []contract.Field[T], v *T) []byte {
	for i := range table {
		f := &table[i]
		if f.Log == "" {
			continue
		}
		switch at := f.At(v).(type) {
		case *bool:
			if *at {
				b = append(appendKey(b, f.Log), "true"...)
			}
		case *[cc.OwnBytes]byte:
			if s := own(at); s != "" {
				b = append(append(append(appendKey(b, f.Log), '"'), s...), '"')
			}
		case *telemetry.Stack:
			if l := lineOfStack(at); l != nil {
				text, _ := json.Marshal(l) // numbers and words: it cannot fail
				b = append(appendKey(b, f.Log), text...)
			}
		default:
			if n, _ := contract.Int(at); n != 0 || f.Always {
				b = strconv.AppendInt(appendKey(b, f.Log), n, 10)
			}
		}
	}
	return b
}

// appendObject writes v as a JSON object behind a key.
func appendObject[T any](b []byte, key string, table []contract.Field[T], v *T) []byte {
	return append(appendFields(append(appendKey(b, key), '{'), table, v), '}')
}

// appendKey writes a key and its colon, a comma before it where it is not the
// first of its object.
func appendKey(b []byte, key string) []byte {
	if b[len(b)-1] != '{' {
		b = append(b, ',')
	}
	return append(append(append(b, '"'), key...), '"', ':')
}

// object is a JSON object that is read key by key.
type object map[string]json.RawMessage

// take reads a key's value into to and takes the key away; without the key to
// stays as it is.
func (o object) take(key string, to any) error {
	value, ok := o[key]
	if !ok {
		return nil
	}
	delete(o, key)
	read := json.Unmarshal
	if value[0] == '{' {
		read = strict
	}
	if err := read(value, to); err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	return nil
}

// takeNumber is take for a pointer that contract.Int reads.
func (o object) takeNumber(key string, to any) error {
	value := o[key]
	delete(o, key)
	n, err := strconv.ParseInt(string(value), 10, 64)
	if err != nil {
		return fmt.Errorf("%s is %s, allowed is a whole number", key, value)
	}
	contract.SetInt(to, n)
	if got, _ := contract.Int(to); got != n {
		return fmt.Errorf("%s is %d, which is too large or too small", key, n)
	}
	return nil
}

// end refuses keys that nothing took.
func (o object) end() error {
	for _, key := range slices.Sorted(maps.Keys(o)) {
		return fmt.Errorf("unknown field %q", key)
	}
	return nil
}

// takeFields reads the fields of a T, by the table of package contract.
func takeFields[T any](o object, table []contract.Field[T], v *T) error {
	var errs []error
	for i := range table {
		f := &table[i]
		if f.Log == "" || o[f.Log] == nil {
			continue
		}
		var err error
		switch at := f.At(v).(type) {
		case *[cc.OwnBytes]byte:
			var s string
			if err = o.take(f.Log, &s); err == nil {
				*at, err = parseOwn(s)
			}
		case *telemetry.Stack:
			var l stackLine
			if err = o.take(f.Log, &l); err == nil {
				*at, err = l.stack()
			}
		case *bool:
			err = o.take(f.Log, at)
		default:
			err = o.takeNumber(f.Log, at)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// takeObject reads the object behind a key; where there is none, what stands.
func takeObject[T any](o object, key string, table []contract.Field[T], stands T) (v T, err error) {
	inner := object{}
	if o[key] == nil {
		return stands, nil
	}
	if err := o.take(key, &inner); err != nil {
		return v, err
	}
	if err := takeFields(inner, table, &v); err != nil {
		return v, fmt.Errorf("%s: %w", key, err)
	}
	return v, inner.end()
}

// differs names the first field that is not the same, as the log calls it, and
// returns both values.
func differs[T any](table []contract.Field[T], was, is *T) (field, old, now string) {
	for i := range table {
		f := &table[i]
		if old, now = text(f.At(was)), text(f.At(is)); old != now {
			return f.Log, old, now
		}
	}
	return "", "", ""
}

func text(at any) string {
	switch v := at.(type) {
	case *[cc.OwnBytes]byte:
		return strconv.Quote(own(v))
	case *telemetry.Stack:
		return fmt.Sprint(*v)
	}
	n, _ := contract.Int(at)
	return strconv.FormatInt(n, 10)
}
