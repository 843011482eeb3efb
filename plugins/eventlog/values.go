package eventlog

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
)

// valueLine is a value of the algorithm's own in the header.
type valueLine struct {
	Name string `json:"name"`
	Unit string `json:"unit,omitempty"`
}

func linesOfValues(values []cc.Value) (lines []valueLine) {
	for _, v := range values {
		lines = append(lines, valueLine{v.Name, v.Unit})
	}
	return lines
}

func parseValues(lines []valueLine) (values []cc.Value, err error) {
	for _, l := range lines {
		values = append(values, cc.Value{Name: l.Name, Unit: l.Unit})
	}
	if err := hosting.CheckValues(&cc.Description{Values: values}); err != nil {
		return nil, fmt.Errorf("values: %w", err)
	}
	return values, nil
}

// Value is a value that a sender reported after a call; the zero Value means that there was none.
type Value struct {
	Known  bool
	Number float64
}

// readValues asks a sender for its values.
func readValues(sender cc.Sender, into []float64) (values [cc.MostValues]Value) {
	hosting.ReadValues(sender, into)
	for i, number := range into {
		if !math.IsNaN(number) && !math.IsInf(number, 0) {
			values[i] = Value{true, number}
		}
	}
	return values
}

// appendValues writes the values that changed, and nothing if none did.
func appendValues(out []byte, named []cc.Value, was, is *[cc.MostValues]Value) []byte {
	if *was == *is {
		return out
	}
	out = append(appendKey(out, "values"), '{')
	for i := range named {
		switch value := is[i]; {
		case value == was[i]:
		case value.Known:
			out = strconv.AppendFloat(appendKey(out, named[i].Name), value.Number, 'g', -1, 64)
		default:
			out = append(appendKey(out, named[i].Name), "null"...)
		}
	}
	return append(out, '}')
}

// takeValues reads the values of a line into those after the call before.
func takeValues(fields object, named []cc.Value, values *[cc.MostValues]Value) error {
	text := fields["values"]
	if text == nil {
		return nil
	}
	delete(fields, "values")
	var read map[string]*float64
	if err := json.Unmarshal(text, &read); err != nil {
		return fmt.Errorf("values: %w", err)
	}
	for i := range named {
		number, ok := read[named[i].Name]
		delete(read, named[i].Name)
		switch {
		case ok && number == nil:
			values[i] = Value{}
		case ok:
			values[i] = Value{true, *number}
		}
	}
	for name := range read {
		return fmt.Errorf("values: %q is not in the header", name)
	}
	return nil
}
