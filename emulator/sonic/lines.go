package sonic

import (
	"slices"

	"github.com/rocelab/rocelab/emulator/conversion"
	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/internal/spelling"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// notes explain why whole tables that are close to the read ones have no counterpart.
var notes = map[string]string{
	"PORT":                               "",
	"BUFFER_QUEUE":                       "rocelab admits frames by ingress port; queues have no limits of their own",
	"BREAKOUT_CFG":                       "the ports of PORT are those after the breakout",
	"PFC_WD":                             "a storm is found at its instant, without polls",
	"SCHEDULER":                          "a queue has no shaper",
	"DEVICE_METADATA":                    "",
	"BUFFER_PG":                          "",
	"BUFFER_POOL":                        "",
	"BUFFER_PROFILE":                     "",
	"CABLE_LENGTH":                       "no port of the scenario",
	"PORT_QOS_MAP":                       "",
	"QUEUE":                              "",
	"WRED_PROFILE":                       "",
	"DSCP_TO_TC_MAP":                     "",
	"TC_TO_QUEUE_MAP":                    "",
	"DEFAULT_LOSSLESS_BUFFER_PARAMETER":  "the profiles that the switch makes itself are not in the file",
	"TC_TO_PRIORITY_GROUP_MAP":           "",
	"MAP_PFC_PRIORITY_TO_QUEUE":          "",
	"PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": "",
	"BUFFER_PORT_INGRESS_PROFILE_LIST":   "an ingress has limits for each class, none for the port",
	"BUFFER_PORT_EGRESS_PROFILE_LIST":    "no port has a limit at its egress",
	groupTable:                           "a group of a scenario is that of all shortest paths",
	stateTable:                           "",
}

// lines returns the report on all keys, in the order of the file; tables that are not read have one line each.
func (d *device) lines() []conversion.Line {
	list := slices.Clone(d.stands)
	var read []string
	for table := range notes {
		read = append(read, table)
	}
	slices.Sort(read)
	for _, m := range d.root.members {
		note, known := notes[m.key]
		if !known {
			count := unit.CountOf(len(m.value.members), "entry", "entries")
			line := conversion.Line{Path: pointer(m.key), Verdict: conversion.Absent, Was: count}
			if near := spelling.Nearest(m.key, read); near != "" && d.root.child(near) == nil {
				line.Note = "did you mean " + near + "?"
			}
			list = append(list, line)
			continue
		}
		for _, entry := range m.value.members {
			for _, field := range entry.value.members {
				field.value.suggest(fields[m.key])
			}
		}
		list = appendLines(list, m.value, note)
	}
	return list
}

// fields are the fields that are read, for the tables whose entries have fields.
var fields = map[string][]string{
	"PORT":           append([]string{"speed", "admin_status"}, dampingFields...),
	groupTable:       {"bucket_size"},
	stateTable:       stateFields,
	"WRED_PROFILE":   wredNames(),
	"QUEUE":          {"wred_profile", "scheduler"},
	"SCHEDULER":      {"type", "weight"},
	"BUFFER_POOL":    {"type", "mode", "size", "xoff"},
	"BUFFER_PROFILE": {"pool", "size", "dynamic_th", "static_th", "xoff", "xon", "xon_offset"},
	"BUFFER_PG":      {"profile"},
	"PFC_WD":         {"action", "detection_time", "restoration_time"},
	"PORT_QOS_MAP": {"dscp_to_tc_map", "tc_to_queue_map", "tc_to_pg_map", "pfc_to_queue_map", "pfc_to_pg_map",
		"pfc_enable", "pfcwd_sw_enable"},
}

// wredNames are the fields of a WRED profile.
func wredNames() []string {
	list := []string{"ecn"}
	for _, colour := range colours {
		list = append(list, "wred_"+colour+"_enable")
		for _, field := range wredFields {
			list = append(list, colour+"_"+field)
		}
	}
	return list
}

// suggest suggests the probable field in place of one that is not read, if the entry does not have that field.
func (v *value) suggest(known []string) {
	near := spelling.Nearest(v.key, known)
	if near != "" && !slices.Contains(known, v.key) && v.parent.child(near) == nil {
		v.absent("did you mean " + near + "?")
	}
}

func appendLines(list []conversion.Line, v *value, note string) []conversion.Line {
	if v.Kind != document.Mapping {
		v.absent(note)
		return append(list, *v.line)
	}
	for _, m := range v.members {
		list = appendLines(list, m.value, note)
	}
	return list
}
