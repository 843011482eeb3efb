package contract

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc"
)

// Every field of the contract is in the table, once, with its own properties.
func TestTableHasEveryField(t *testing.T) {
	check(t, Signals)
	check(t, Event)
	check(t, Decision)
	check(t, Arrival)
	check(t, Feedback)
}

func check[T any](t *testing.T, table []Field[T]) {
	t.Helper()
	var value T
	v := reflect.ValueOf(&value).Elem()
	var names, logs, scripts, snakes []string
	var numbers []int
	for i := range table {
		f := &table[i]
		field := v.FieldByName(f.Name)
		if !field.IsValid() {
			t.Errorf("%T has no field %s", value, f.Name)
			continue
		}
		at := f.At(&value)
		if reflect.ValueOf(at).Pointer() != field.Addr().Pointer() || reflect.TypeOf(at).Elem() != field.Type() {
			t.Errorf("%T: the entry of %s is at another field", value, f.Name)
		}
		if _, number := Int(at); number {
			for _, n := range []int64{1, 0} {
				SetInt(at, n)
				if got, _ := Int(at); got != n {
					t.Errorf("%T: %s is %d, was set to %d", value, f.Name, got, n)
				}
			}
		} else if k := field.Kind(); k != reflect.Array && k != reflect.Struct {
			t.Errorf("%T: %s is of a type that Int and SetInt do not know, %v", value, f.Name, field.Type())
		}
		if f.Signal != "" && !slices.ContainsFunc(Signals, func(s Field[cc.Signals]) bool { return s.Name == f.Signal }) {
			t.Errorf("%T: %s comes with %s, which is no signal", value, f.Name, f.Signal)
		}
		if f.Number < 1 || f.Least > f.Most {
			t.Errorf("%T: %s has number %d and is drawn from %d to %d", value, f.Name, f.Number, f.Least, f.Most)
		}
		names, numbers, snakes = append(names, f.Name), append(numbers, f.Number), append(snakes, f.SnakeName())
		logs, scripts = append(logs, f.Log), append(scripts, f.Script)
	}
	if got := distinct(names); got != v.NumField() {
		t.Errorf("%T has %d fields, the table %d", value, v.NumField(), got)
	}
	for what, list := range map[string][]string{"keys in a log": logs, "words of a script": scripts, "names": snakes} {
		list = slices.DeleteFunc(list, func(s string) bool { return s == "" })
		if distinct(list) != len(list) {
			t.Errorf("%T: two fields have the same of %s: %q", value, what, list)
		}
	}
	if distinct(numbers) != len(numbers) {
		t.Errorf("%T: two fields have the same number: %v", value, numbers)
	}
}

func distinct[S comparable](list []S) int {
	seen := map[S]bool{}
	for _, s := range list {
		seen[s] = true
	}
	return len(seen)
}

func TestSnakeName(t *testing.T) {
	for name, want := range map[string]string{"CE": "ce", "RTT": "rtt", "ECNEcho": "ecn_echo", "RTTInCNP": "rtt_in_cnp",
		"OneWayDelay": "one_way_delay", "CNPInterval": "cnp_interval", "Own": "own", "WakeAt": "wake_at"} {
		t.Run(name, func(t *testing.T) {
			if got := (&Field[cc.Event]{Name: name}).SnakeName(); got != want {
				t.Errorf("%s is %s, want %s", name, got, want)
			}
		})
	}
}

func TestAsks(t *testing.T) {
	s := cc.Signals{OwnAck: 4, INT: true}
	for name, want := range map[string]bool{"INT": true, "OwnAck": true, "OwnData": false, "CNP": false, "": false} {
		t.Run(fmt.Sprintf("%q", name), func(t *testing.T) {
			if got := Asks(&s, name); got != want {
				t.Errorf("asks for %s: %v", name, got)
			}
		})
	}
}
