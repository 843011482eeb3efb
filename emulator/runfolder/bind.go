package runfolder

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// tag is a field of a struct that a column is read into.
type tag struct {
	column string
	// optional is a column that the file may lack, time one of times, in a field of microseconds.
	optional, time bool
	field          int
}

// tagsOf reads the tags of a struct, such as csv:"column" and csv:"column,optional,time".
func tagsOf(of reflect.Type) (tags []tag) {
	for i := range of.NumField() {
		words := strings.Split(of.Field(i).Tag.Get("csv"), ",")
		if words[0] == "" {
			continue
		}
		t := tag{column: words[0], field: i}
		for _, word := range words[1:] {
			t.optional = t.optional || word == "optional"
			t.time = t.time || word == "time"
		}
		switch kind := of.Field(i).Type.Kind(); kind {
		case reflect.String, reflect.Float64, reflect.Int64, reflect.Uint64:
			tags = append(tags, t)
		default:
			panic(fmt.Sprintf("runfolder: field %s of %v is a %v: allowed are string, float64, int64, uint64, unit.Time, "+
				"unit.Duration", of.Field(i).Name, of, kind))
		}
	}
	if len(tags) == 0 {
		panic(fmt.Sprintf("runfolder: no field of %v has a tag csv:\"column\"", of))
	}
	return tags
}

var (
	timeType     = reflect.TypeFor[unit.Time]()
	durationType = reflect.TypeFor[unit.Duration]()
)

// bind reads the cells of a row into the fields of a struct.
func (r Row) bind(tags []tag, into reflect.Value) {
	for _, t := range tags {
		field := into.Field(t.field)
		switch text := r.Text(t.column); {
		case field.Type() == timeType || field.Type() == durationType:
			field.SetInt(int64(r.Time(t.column)))
		case field.Kind() == reflect.String:
			field.SetString(strings.Clone(text))
		case field.Kind() == reflect.Float64 && t.time:
			field.SetFloat(r.Microseconds(t.column))
		case field.Kind() == reflect.Float64:
			field.SetFloat(r.Number(t.column))
		case text == "":
			field.SetZero()
		case field.Kind() == reflect.Int64:
			value, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				r.note(t.column, fmt.Errorf("%q is not a whole number from %d to %d", text, math.MinInt64, math.MaxInt64))
			}
			field.SetInt(value)
		default:
			value, err := strconv.ParseUint(text, 10, 64)
			if err != nil {
				r.note(t.column, fmt.Errorf("%q is not a whole number from 0 to %d", text, uint64(math.MaxUint64)))
			}
			field.SetUint(value)
		}
	}
}

// required are the columns that a file must have.
func required(tags []tag) (columns []string) {
	for _, t := range tags {
		if !t.optional {
			columns = append(columns, t.column)
		}
	}
	return columns
}
