package main

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/contract"
)

// renderProto returns control.proto with new versions of the messages that are made from the table.
func renderProto(text string) (string, error) {
	controller := "  // The controller's number in its process.\n  uint32 number = 1;\n"
	for name, body := range map[string]string{
		"Configured": controller + messageBody(contract.Signals),
		"Event":      messageBody(contract.Event),
		"Decision":   messageBody(contract.Decision),
		"Arrival":    messageBody(contract.Arrival),
		"Feedback":   messageBody(contract.Feedback),
	} {
		var err error
		if text, err = replaceBetween(text, "message "+name+" {\n", "}\n", body); err != nil {
			return "", err
		}
	}
	return text, nil
}

// messageBody is the fields of a message, by their numbers.
func messageBody[T any](table []contract.Field[T]) string {
	var out strings.Builder
	for _, f := range slices.SortedFunc(slices.Values(table), func(a, out contract.Field[T]) int {
		return cmp.Compare(a.Number, out.Number)
	}) {
		if f.Doc != "" {
			fmt.Fprintf(&out, "  // %s\n", f.Doc)
		}
		fmt.Fprintf(&out, "  %s %s = %d;\n", protoType(f), f.SnakeName(), f.Number)
	}
	return out.String()
}

// protoType is the type of a field in control.proto.
func protoType[T any](field contract.Field[T]) string {
	if field.Proto != "" {
		return field.Proto
	}
	switch at := field.At(new(T)).(type) {
	case *[cc.OwnBytes]byte:
		return "bytes"
	case *bool:
		return "bool"
	case *uint32, *cc.EventKind, *cc.LossCause:
		return "uint32"
	default:
		if _, number := contract.Int(at); number {
			return "int64"
		}
		return reflect.TypeOf(at).Elem().Name() // a message of that name
	}
}

// renderPython returns contract.py with a new version of the fields of Signals.
func renderPython(text string) (string, error) {
	var out strings.Builder
	for i := range contract.Signals {
		f := &contract.Signals[i]
		kind, zero := "int", "0"
		if _, flag := f.At(new(cc.Signals)).(*bool); flag {
			kind, zero = "bool", "False"
		}
		fmt.Fprintf(&out, "    %s: %s = %s\n", f.SnakeName(), kind, zero)
	}
	class := `    """The signals that an algorithm needs, as cc.Signals. Request few."""` + "\n\n"
	return replaceBetween(text, class, "\n", out.String())
}

// replaceBetween puts body between the first place of begin and the next line
// that is end.
func replaceBetween(text, begin, end, body string) (string, error) {
	before, rest, ok := strings.Cut(text, begin)
	if !ok {
		return "", fmt.Errorf("has no %q", begin)
	}
	_, after, ok := strings.Cut("\n"+rest, "\n"+end)
	if !ok {
		return "", fmt.Errorf("has no %q after %q", end, begin)
	}
	return before + begin + body + end + after, nil
}
