package control

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/contract"
	"github.com/rocelab/rocelab/plugins/cc/inband"
)

// Fields is the way of a struct of package cc into its message and back, by the
// table of package contract.
type Fields[T any] []field[T]

type field[T any] struct {
	at func(*T) any
	// index is the index of the message's field.
	index int
}

// The structs of the contract that have messages.
var (
	SignalFields   = fieldsOf(contract.Signals, &Configured{})
	EventFields    = fieldsOf(contract.Event, &Event{})
	DecisionFields = fieldsOf(contract.Decision, &Decision{})
	ArrivalFields  = fieldsOf(contract.Arrival, &Arrival{})
	FeedbackFields = fieldsOf(contract.Feedback, &Feedback{})
)

func fieldsOf[T any](table []contract.Field[T], message proto.Message) Fields[T] {
	list := make(Fields[T], len(table))
	for i := range table {
		f := &table[i]
		list[i] = field[T]{f.At, indexOf(reflect.TypeOf(message).Elem(), f.Number)}
		if list[i].index < 0 {
			panic(fmt.Sprintf("control.pb.go has no field %d, %s: run go -C plugins/cc generate ./contract",
				f.Number, f.SnakeName()))
		}
	}
	return list
}

// indexOf returns the index of the field with the given number in the struct of a
// message, whose tags say "varint,9,opt,...", -1 for none.
func indexOf(message reflect.Type, number int) int {
	for i := range message.NumField() {
		tag := strings.Split(message.Field(i).Tag.Get("protobuf"), ",")
		if len(tag) > 1 && tag[1] == strconv.Itoa(number) {
			return i
		}
	}
	return -1
}

// Put fills a message with the fields of a value that are not zero.
func (list Fields[T]) Put(value *T, to proto.Message) {
	message := reflect.ValueOf(to).Elem()
	for _, field := range list {
		switch at := field.at(value).(type) {
		case *[cc.OwnBytes]byte:
			if *at != ([cc.OwnBytes]byte{}) {
				message.Field(field.index).SetBytes(at[:])
			}
		case *inband.Stack:
			if at.Max != 0 {
				message.Field(field.index).Set(reflect.ValueOf(stackMessage(at)))
			}
		default:
			if n, _ := contract.Int(at); n != 0 {
				setNumber(message.Field(field.index), n)
			}
		}
	}
}

func setNumber(field reflect.Value, number int64) {
	switch field.Kind() {
	case reflect.Bool:
		field.SetBool(number != 0)
	case reflect.Uint32:
		field.SetUint(uint64(number))
	default:
		field.SetInt(number)
	}
}

// Take reads a message into value, in which a field that the message lacks is zero. It refuses an own
// extension that is too long.
func (list Fields[T]) Take(from proto.Message, value *T) error {
	message := reflect.ValueOf(from).Elem()
	for _, field := range list {
		switch at := field.at(value).(type) {
		case *[cc.OwnBytes]byte:
			own := message.Field(field.index).Bytes()
			if len(own) > len(at) {
				return fmt.Errorf("an own extension of %d B, allowed are %d", len(own), len(at))
			}
			clear(at[copy(at[:], own):])
		case *inband.Stack: // goes to programs only
		default:
			contract.SetInt(at, number(message.Field(field.index)))
		}
	}
	return nil
}

func number(field reflect.Value) int64 {
	switch field.Kind() {
	case reflect.Bool:
		if field.Bool() {
			return 1
		}
		return 0
	case reflect.Uint32:
		return int64(field.Uint())
	}
	return field.Int()
}

func stackMessage(stack *inband.Stack) *Stack {
	m := &Stack{Hops: uint32(stack.Hops), Max: uint32(stack.Max), Path: uint32(stack.Path)}
	for _, r := range stack.Records() {
		m.Record = append(m.Record, uint64(r))
	}
	return m
}

// Put returns made, filled from a value by the table of its struct.
func Put[T any, M proto.Message](list Fields[T], value *T, made M) M {
	list.Put(value, made)
	return made
}
