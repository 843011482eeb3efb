package mlxconfig

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/conversion"
)

// Exported is the result of exporting the settings of a scenario.
type Exported struct {
	// Text has a line for each setting, NAME_P1=value, as mlxconfig sets them.
	Text []byte
	// Lines say what has no such value, and what has no counterpart.
	Lines []conversion.Line
}

// Export makes the settings of a port, 1 or 2, from the values of all parameters of dcqcn and from the DSCP of CNPs. It
// reports given parameters that have no counterpart.
func Export(values, given map[string]string, dscp, port int) *Exported {
	e := &Exported{}
	b := &strings.Builder{}
	known := map[string]bool{}
	for i := range settings {
		s := &settings[i]
		known[s.param] = true
		text, ok := values[s.param]
		if !ok {
			continue
		}
		v, exact := s.read(text)
		if is := min(max(v, s.lo), s.hi); !exact || is != v {
			e.Lines = append(e.Lines, conversion.Line{
				Path:    "params." + s.param,
				Verdict: conversion.Approximated,
				Was:     text,
				Is:      s.write(is),
				Note:    fmt.Sprintf("%s is a whole number from %d to %d%s", s.name, s.lo, s.hi, spaced(s.unit)),
			})
			v = is
		}
		fmt.Fprintf(b, "%s_P%d=%d\n", s.name, port, v)
	}
	for _, one := range [][2]string{{maxRateName, "0"}, {dscpName, strconv.Itoa(dscp)}, {maskName, "255"},
		{algorithmName, "0"}} {
		fmt.Fprintf(b, "%s_P%d=%s\n", one[0], port, one[1])
	}
	e.Text = []byte(b.String())
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !known[name] {
			e.Lines = append(e.Lines, conversion.Line{Path: "params." + name, Verdict: conversion.Absent, Was: given[name]})
		}
	}
	return e
}

func spaced(unit string) string {
	if unit == "" {
		return ""
	}
	return " " + unit
}
