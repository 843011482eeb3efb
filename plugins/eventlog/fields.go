package eventlog

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/contract"
	"github.com/rocelab/rocelab/plugins/cc/inband"
)

// appendFields writes what is not zero in value as the inside of a JSON object, by the
// table of package contract. A comma comes first unless the object begins here.
func appendFields[T any](out []byte, table []contract.Field[T], value *T) []byte {
	for i := range table {
		field := &table[i]
		if field.Log == "" {
			continue
		}
		switch at := field.At(value).(type) {
		case *bool:
			if *at {
				out = append(appendKey(out, field.Log), "true"...)
			}
		case *[cc.OwnBytes]byte:
			if s := ownText(at); s != "" {
				out = append(append(append(appendKey(out, field.Log), '"'), s...), '"')
			}
		case *inband.Stack:
			if l := lineOfStack(at); l != nil {
				text, _ := json.Marshal(l) // numbers and words: it cannot fail
				out = append(appendKey(out, field.Log), text...)
			}
		default:
			if n, _ := contract.Int(at); n != 0 || field.Always {
				out = strconv.AppendInt(appendKey(out, field.Log), n, 10)
			}
		}
	}
	return out
}

// appendObject writes a value as a JSON object behind a key.
func appendObject[T any](out []byte, key string, table []contract.Field[T], value *T) []byte {
	return append(appendFields(append(appendKey(out, key), '{'), table, value), '}')
}

// appendKey writes a key and its colon, with a comma before it unless it is the first of its object.
func appendKey(out []byte, key string) []byte {
	if out[len(out)-1] != '{' {
		out = append(out, ',')
	}
	return append(append(append(out, '"'), key...), '"', ':')
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
func takeFields[T any](fields object, table []contract.Field[T], value *T) error {
	var errs []error
	for i := range table {
		field := &table[i]
		if field.Log == "" || fields[field.Log] == nil {
			continue
		}
		var err error
		switch at := field.At(value).(type) {
		case *[cc.OwnBytes]byte:
			var s string
			if err = fields.take(field.Log, &s); err == nil {
				*at, err = parseOwn(s)
			}
		case *inband.Stack:
			var l stackLine
			if err = fields.take(field.Log, &l); err == nil {
				*at, err = l.stack()
			}
		case *bool:
			err = fields.take(field.Log, at)
		default:
			err = fields.takeNumber(field.Log, at)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// takeObject reads the object behind a key; if the key is missing, it returns before.
func takeObject[T any](fields object, key string, table []contract.Field[T], before T) (value T, err error) {
	inner := object{}
	if fields[key] == nil {
		return before, nil
	}
	if err := fields.take(key, &inner); err != nil {
		return value, err
	}
	if err := takeFields(inner, table, &value); err != nil {
		return value, fmt.Errorf("%s: %w", key, err)
	}
	return value, inner.end()
}

// firstDifference names the first field that is not the same, as the log calls it, and
// returns both values.
func firstDifference[T any](table []contract.Field[T], was, is *T) (field, old, now string) {
	for i := range table {
		entry := &table[i]
		if old, now = fieldText(entry.At(was)), fieldText(entry.At(is)); old != now {
			return entry.Log, old, now
		}
	}
	return "", "", ""
}

func fieldText(at any) string {
	switch v := at.(type) {
	case *[cc.OwnBytes]byte:
		return strconv.Quote(ownText(v))
	case *inband.Stack:
		return fmt.Sprint(*v)
	}
	n, _ := contract.Int(at)
	return strconv.FormatInt(n, 10)
}
