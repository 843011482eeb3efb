package sonic

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/conversion"
	"github.com/rocelab/rocelab/emulator/plan"
)

// Onto writes the settings in which a switch of a plan differs from a configuration into the text of that
// configuration, whose name is for messages. It changes the differences between two exports: of the switch, and of the
// configuration as Import reads it. All else stays: settings without a counterpart, approximated ones, and differences
// between ports. The lines report the changes, and the settings that SONiC cannot have as they are.
//
// The error is a scenario.Errors for a text that is not a configuration, or names a port that only one of the two has.
func Onto(name string, text []byte, p *plan.Plan, number int) ([]byte, []conversion.Line, error) {
	imported, err := Import(name, text)
	if err != nil {
		return nil, nil, err
	}
	read, err := planOf(imported.plain)
	if err != nil {
		return nil, nil, err
	}
	memory, err := recall(imported.Scenario)
	if err != nil {
		return nil, nil, err
	}
	was, is := Export(read, 0, memory), Export(p, number, memory)
	if err := samePorts(name, was.Config, is.Config); err != nil {
		return nil, nil, err
	}
	root, _ := parse(&problems{}, name, text).Plain().(map[string]any) // Import has read it
	o := &overlay{root: root, lines: is.Lines}
	stays := map[string]bool{}
	for _, line := range imported.Lines {
		stays[line.Path] = line.Verdict == conversion.Absent
	}
	fresh := o.fresh(was.Config, is.Config)
	each(was.Config, is.Config, func(table, entry, field string) {
		before, had := was.Config[table][entry][field]
		after, has := is.Config[table][entry][field]
		switch {
		case had && named[table] && stays[pointer(table, entry, field)]:
		case has && (!had || after != before || fresh[place{table, entry}] || fresh[place{refersTo[field], after}]):
			o.change(table, entry, field, after)
		case had && !has && table == "PORT" && slices.Contains(dampingFields, field) && hasDamping(is.Config):
			// In a fabric a port that leads to a host has no dampening, even if the file sets it.
		case had && !has && !named[table]:
			o.remove(table, entry, field)
		}
	})
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "    ")
	if err := encoder.Encode(o.root); err != nil {
		return nil, nil, err
	}
	return b.Bytes(), o.lines, nil
}

// hasDamping reports whether a port of a configuration has damping.
func hasDamping(c Config) bool {
	for _, fields := range c["PORT"] {
		if fields[dampingFields[0]] != "" {
			return true
		}
	}
	return false
}

// each calls do with every field of two configurations, in the order of the alphabet.
func each(a, b Config, do func(table, entry, field string)) {
	for _, table := range keys(a, b) {
		for _, entry := range keys(a[table], b[table]) {
			for _, field := range keys(a[table][entry], b[table][entry]) {
				do(table, entry, field)
			}
		}
	}
}

// place is an entry of a table.
type place struct{ table, entry string }

// refersTo are the fields that hold the name of an entry of another table.
var refersTo = func() map[string]string {
	tables := map[string]string{
		"scheduler":    "SCHEDULER",
		"wred_profile": "WRED_PROFILE",
		"profile":      "BUFFER_PROFILE",
		"pool":         "BUFFER_POOL",
	}
	for _, t := range mapTables {
		tables[t.field] = t.table
	}
	return tables
}()

// fresh are the entries that the file does not have and that it gains whole, for the defaults of a switch take their
// place in it: entries with a field that differs, and entries that these refer to.
func (o *overlay) fresh(was, is Config) map[place]bool {
	fresh := map[place]bool{}
	for before := -1; len(fresh) > before; {
		before = len(fresh)
		each(is, nil, func(table, entry, field string) {
			value := is[table][entry][field]
			old, had := was[table][entry][field]
			comes := fresh[place{table, entry}] || !had || value != old || fresh[place{refersTo[field], value}]
			if comes && !o.has(table, entry) {
				fresh[place{table, entry}] = true
			}
			if to := refersTo[field]; comes && to != "" && is[to][value] != nil && !o.has(to, value) {
				fresh[place{to, value}] = true
			}
		})
	}
	return fresh
}

// has reports whether the file has an entry, be it with others in one place.
func (o *overlay) has(table, entry string) bool {
	entries, _ := o.root[table].(map[string]any)
	return holder(entries, entry) != ""
}

// keys returns the keys of two maps, in alphabetical order.
func keys[V any](a, b map[string]V) []string {
	all := maps.Clone(a)
	if all == nil {
		all = map[string]V{}
	}
	maps.Copy(all, b)
	return slices.Sorted(maps.Keys(all))
}

func samePorts(name string, was, is Config) error {
	for _, port := range keys(was["PORT"], is["PORT"]) {
		if is["PORT"][port] == nil {
			return fmt.Errorf("%s has a port %s that is up, and the switch of the scenario has none of that name: a scenario "+
				"that rocelab import made of the file has the same ports", name, port)
		}
		if was["PORT"][port] == nil {
			return fmt.Errorf("the switch of the scenario has a port %s, and %s none of that name that is up: a scenario that "+
				"rocelab import made of the file has the same ports", port, name)
		}
	}
	return nil
}

// named are the tables of profiles, to which entries refer by name. One that the switch does not use stays: a setting
// without a counterpart may refer to it.
var named = map[string]bool{"WRED_PROFILE": true, "SCHEDULER": true, "BUFFER_POOL": true, "BUFFER_PROFILE": true}

// overlay is a configuration that is being changed.
type overlay struct {
	root  map[string]any
	lines []conversion.Line
}

// change gives a field its value.
func (o *overlay) change(table, entry, field, value string) {
	entries, _ := o.root[table].(map[string]any)
	if entries == nil {
		entries = map[string]any{}
		o.root[table] = entries
	}
	apart(entries, entry)
	fields, _ := entries[entry].(map[string]any)
	if fields == nil {
		fields = map[string]any{}
		entries[entry] = fields
	}
	was := textOf(fields[field])
	if fields[field] == nil && len(fields) > 0 && table == "WRED_PROFILE" && ofOtherColour(field) {
		return // every packet is green
	}
	if _, isList := fields[field].([]any); isList {
		return // it is no value of the kind that is exported
	}
	value = likeReference(was, value)
	if was == value {
		return
	}
	fields[field] = value
	o.say(table, entry, field, was, value)
}

// ofOtherColour reports whether a field of a WRED profile is of yellow or red packets.
func ofOtherColour(field string) bool {
	return slices.ContainsFunc(colours, func(c string) bool {
		return c != "green" && (strings.HasPrefix(field, c+"_") || field == "wred_"+c+"_enable")
	})
}

// remove takes a field away, and an entry without any.
func (o *overlay) remove(table, entry, field string) {
	entries, _ := o.root[table].(map[string]any)
	apart(entries, entry)
	fields, _ := entries[entry].(map[string]any)
	was, there := fields[field]
	if !there {
		return
	}
	delete(fields, field)
	if len(fields) == 0 {
		delete(entries, entry)
	}
	o.say(table, entry, field, textOf(was), "")
}

func (o *overlay) say(table, entry, field, was, is string) {
	line := conversion.Line{
		Path:    pointer(table, entry, field),
		Verdict: conversion.Changed,
		Was:     was,
		Is:      is,
	}
	if is == "" {
		line.Note = "taken away"
	}
	o.lines = append(o.lines, line)
}

func textOf(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case json.RawMessage: // a number, true or false
		return string(v)
	}
	return fmt.Sprint(v)
}

// likeReference writes the name of an entry as a reference of the old form, if was is one.
func likeReference(was, name string) string {
	table, _, old := strings.Cut(was, "|")
	if old && strings.HasPrefix(table, "[") {
		return table + "|" + name + "]"
	}
	return name
}

// holder is the place that an entry has: its own, or one that it shares with other ports and queues, such
// as "Ethernet0,Ethernet4|3-4"; "" for none.
func holder(entries map[string]any, entry string) string {
	port, index, indexed := strings.Cut(entry, "|")
	switch {
	case entries[entry] != nil:
		return entry
	case !isPort(port):
		return ""
	}
	at, _ := strconv.Atoi(index)
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		names, span, spans := strings.Cut(key, "|")
		from, to, err := spanOf(span)
		if spans == indexed && err == nil && from <= at && at <= to && slices.Contains(strings.Split(names, ","), port) {
			return key
		}
	}
	return ""
}

// apart gives an entry that shares its place with others a place of its own, and the others too.
func apart(entries map[string]any, entry string) {
	key := holder(entries, entry)
	if key == "" || key == entry {
		return
	}
	fields, _ := entries[key].(map[string]any)
	delete(entries, key)
	names, span, indexed := strings.Cut(key, "|")
	from, to, _ := spanOf(span)
	for name := range strings.SplitSeq(names, ",") {
		for i := from; i <= to; i++ {
			one := name
			if indexed {
				one += "|" + strconv.Itoa(i)
			}
			if entries[one] == nil {
				entries[one] = maps.Clone(fields)
			}
		}
	}
}

// spanOf reads "3" or "3-4"; the empty text is one place.
func spanOf(text string) (from, to int, err error) {
	if text == "" {
		return 0, 0, nil
	}
	first, last, spans := strings.Cut(text, "-")
	from, err = strconv.Atoi(first)
	if to = from; spans {
		var wrong error
		to, wrong = strconv.Atoi(last)
		err = errors.Join(err, wrong)
	}
	return from, to, err
}
