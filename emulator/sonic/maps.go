package sonic

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/emulator/profile"
)

// mapTable is a table of maps from numbers to numbers, and the field of PORT_QOS_MAP that refers to it.
type mapTable struct {
	field, table string
	from, to     string
	// keys and values are the largest.
	keys, values int
}

var mapTables = []mapTable{
	{"dscp_to_tc_map", "DSCP_TO_TC_MAP", "DSCP", "traffic class", profile.MaxDSCP, 7},
	{"tc_to_queue_map", "TC_TO_QUEUE_MAP", "traffic class", "queue", 7, maxIndex},
	{"tc_to_pg_map", "TC_TO_PRIORITY_GROUP_MAP", "traffic class", "priority group", 7, 7},
	{"pfc_to_queue_map", "MAP_PFC_PRIORITY_TO_QUEUE", "PFC priority", "queue", 7, maxIndex},
	{"pfc_to_pg_map", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", "PFC priority", "priority group", 7, 7},
}

// numberMap is one map, by its keys, and the value of each in the file; -1 for a key that it does not
// have.
type numberMap struct {
	of []int
	at []*value
}

// get returns a map's value for a key, or otherwise if there is none.
func (m *numberMap) get(key, otherwise int) int {
	if m == nil || m.of[key] < 0 {
		return otherwise
	}
	return m.of[key]
}

// readMaps reads the maps of a table by their names.
func (d *device) readMaps(t mapTable) map[string]*numberMap {
	maps := map[string]*numberMap{}
	for _, m := range d.entries(t.table) {
		one := &numberMap{of: slices.Repeat([]int{-1}, t.keys+1), at: make([]*value, t.keys+1)}
		for _, pair := range m.value.members {
			if pair.value.Kind != document.Scalar {
				d.add(pair.value, "must be a text such as \"3\", not %s", kindNames[pair.value.Kind])
				continue
			}
			key := d.number(pair.value, pair.key, t.from, t.keys)
			to := d.number(pair.value, pair.value.Text, t.to, t.values)
			if key >= 0 && to >= 0 {
				one.of[key], one.at[key] = to, pair.value
			}
		}
		maps[m.key] = one
	}
	return maps
}

// globalEntry is the entry of PORT_QOS_MAP for all ports.
const globalEntry = "global"

// readQoS reads PORT_QOS_MAP.
func (d *device) readQoS() {
	for _, m := range d.entries("PORT_QOS_MAP") {
		ports, _ := d.portsOf(m.value)
		if m.key == globalEntry {
			ports = d.ports
		}
		for _, t := range mapTables {
			if v := d.field(m.value, t.field); v != nil {
				if name := d.reference(v, t.table); name != "" {
					for _, p := range ports {
						if m.key != globalEntry || p.maps[t.field].at == nil {
							p.maps[t.field] = use{name, v}
						}
					}
				}
			}
		}
		pfc, watched := d.classes(m.value, "pfc_enable"), d.classes(m.value, "pfcwd_sw_enable")
		for _, p := range ports {
			if pfc.at != nil {
				p.pfc = pfc
			}
			if watched.at != nil {
				p.watched = watched
			}
		}
	}
}

// classes reads a list of classes, "3,4".
func (d *device) classes(entry *value, name string) (set classSet) {
	v := d.field(entry, name)
	if v == nil {
		return set
	}
	set.at = v
	if v.Text == "" {
		return set
	}
	for text := range strings.SplitSeq(v.Text, ",") {
		if class := d.number(v, strings.TrimSpace(text), "priority", 7); class >= 0 {
			set.in[class] = true
		}
	}
	return set
}

// classText is a list of classes as SONiC has it, "3,4".
func classText(in [profile.Classes]bool) string {
	var list []string
	for class, is := range in {
		if is {
			list = append(list, strconv.Itoa(class))
		}
	}
	return strings.Join(list, ",")
}
