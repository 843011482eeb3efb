//go:build linux && !mem

package process

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/control"
	"github.com/rocelab/rocelab/plugins/cc/ring"
)

// fill gives every number, switch and byte within v a value of its own, as far
// as its type reaches.
func fill(v reflect.Value, next *int64) {
	*next++
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), next)
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), next)
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(-*next)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(*next))
	}
}

// leaves collects what v holds by the path of its name, in lower case.
func leaves(v reflect.Value, path string, into map[string]string) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			leaves(v.Field(i), path+"."+strings.ToLower(v.Type().Field(i).Name), into)
		}
	case reflect.Array:
		for i := range v.Len() {
			leaves(v.Index(i), fmt.Sprintf("%s[%d]", path, i), into)
		}
	case reflect.Pointer: // chance, which goes as its state
	case reflect.Bool:
		into[path] = fmt.Sprint(v.Bool())
	default:
		if v.CanInt() {
			into[path] = fmt.Sprint(v.Int())
		} else {
			into[path] = fmt.Sprint(v.Uint())
		}
	}
}

// leavesOf does the same for a message.
func leavesOf(m protoreflect.Message, path string, into map[string]string) {
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		path := path + "." + strings.ReplaceAll(string(f.Name()), "_", "")
		switch {
		case f.IsList():
			for i := range v.List().Len() {
				into[fmt.Sprintf("%s[%d]", path, i)] = fmt.Sprint(v.List().Get(i).Interface())
			}
		case f.Message() != nil:
			leavesOf(v.Message(), path, into)
		case f.Kind() == protoreflect.BytesKind:
			for i, b := range v.Bytes() {
				into[fmt.Sprintf("%s[%d]", path, i)] = fmt.Sprint(b)
			}
		default:
			into[path] = fmt.Sprint(v.Interface())
		}
		return true
	})
}

// Every field of the contract is carried, under its own name.
func TestMessagesCarryEveryField(t *testing.T) {
	var next int64
	event, decision, arrival, feedback, facts := cc.Event{}, cc.Decision{}, cc.Arrival{}, cc.Feedback{}, ring.Setup{}
	for _, v := range []any{&event, &decision, &arrival, &feedback, &facts.Facts, &facts.Chance} {
		fill(reflect.ValueOf(v).Elem(), &next)
	}
	event.INT.Hops, event.INT.Max = 6, 5 // the counts of records that are there
	for _, c := range []struct {
		value any
		as    protoreflect.ProtoMessage
	}{
		{event, eventMessage(&event)}, {decision, decisionMessage(&decision)}, {arrival, arrivalMessage(&arrival)},
		{feedback, feedbackMessage(&feedback)}, {facts.Facts, factsMessage(&facts)},
	} {
		want, got := map[string]string{}, map[string]string{}
		leaves(reflect.ValueOf(c.value), "", want)
		leavesOf(c.as.ProtoReflect(), "", got)
		if _, is := c.value.(cc.Facts); is {
			for i, s := range facts.Chance {
				want[fmt.Sprintf(".chance[%d]", i)] = fmt.Sprint(s)
			}
		}
		if len(want) < 3 || !maps.Equal(got, want) {
			t.Errorf("%T: message holds\n%v, want\n%v", c.value, sorted(got), sorted(want))
		}
	}
	s := ring.Slot{Verb: ring.VerbHandle}
	decided := &control.Answer{Answer: &control.Answer_Decision{Decision: decisionMessage(&decision)}}
	if err := takeAnswer(&s, decided); err != nil || *s.Decision() != decision {
		t.Errorf("%v, took %+v, want %+v", err, *s.Decision(), decision)
	}
	s = ring.Slot{Verb: ring.VerbData}
	fedBack := &control.Answer{Answer: &control.Answer_Feedback{Feedback: feedbackMessage(&feedback)}}
	if err := takeAnswer(&s, fedBack); err != nil || *s.Feedback() != feedback {
		t.Errorf("%v, took %+v, want %+v", err, *s.Feedback(), feedback)
	}
}

func sorted(m map[string]string) (list []string) {
	for _, k := range slices.Sorted(maps.Keys(m)) {
		list = append(list, k+"="+m[k])
	}
	return list
}

// An answer must be one to its message.
func TestNonsenseIsRefused(t *testing.T) {
	decision := &control.Answer{Answer: &control.Answer_Decision{Decision: &control.Decision{}}}
	made := &control.Answer{Answer: &control.Answer_Made{}}
	long := &control.Answer{Answer: &control.Answer_Decision{Decision: &control.Decision{Own: make([]byte, 33)}}}
	for _, c := range []struct {
		verb   ring.Verb
		answer *control.Answer
	}{
		{ring.VerbHandle, made}, {ring.VerbNext, &control.Answer{}}, {ring.VerbData, decision}, {ring.VerbGroup, decision},
		{ring.VerbSender, decision}, {ring.VerbReceiver, &control.Answer{}},
		{ring.VerbHandle, long},
	} {
		s := ring.Slot{Verb: c.verb}
		if err := takeAnswer(&s, c.answer); !errors.Is(err, errNonsense) {
			t.Errorf("verb %d took %v: %v", c.verb, c.answer, err)
		}
	}
}
