package sonic

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/internal/spelling"
)

// entries returns the entries of a table, all of them objects; none for a table that the file does not
// have. Others are problems.
func (d *device) entries(table string) []member {
	t := d.root.child(table)
	if t == nil {
		return nil
	}
	if t.Kind != document.Mapping {
		d.add(t, "must be an object of entries, not %s", kindNames[t.Kind])
		return nil
	}
	return slices.DeleteFunc(slices.Clone(t.members), func(m member) bool {
		if m.value.Kind != document.Mapping {
			d.add(m.value, "must be an object of fields, not %s", kindNames[m.value.Kind])
		}
		return m.value.Kind != document.Mapping
	})
}

// field returns a single value of an entry that is read, nil if it is not there. Anything but a single
// value is a problem.
func (d *device) field(entry *value, name string) *value {
	v := entry.child(name)
	if v == nil {
		return nil
	}
	if v.Kind != document.Scalar {
		d.add(v, "must be a text such as %q, not %s", cmp.Or(examples[name], "1048576"), kindNames[v.Kind])
		return nil
	}
	return v
}

// examples are examples of allowed values of fields.
var examples = map[string]string{
	"speed":          "100000",
	"ecn":            "ecn_all",
	"pfc_enable":     "3,4",
	"type":           "DWRR",
	"action":         "drop",
	"profile":        "ingress_lossy_profile",
	"wred_profile":   "AZURE_LOSSLESS",
	"scheduler":      "scheduler.0",
	"admin_status":   "up",
	"dscp_to_tc_map": "AZURE",
	"wcmp_enabled":   "true",
	"tsa_enabled":    "false",

	"link_event_damping_algorithm": "aied",
}

// whole reads a whole number from a field; ok is false if it is missing or wrong.
func (d *device) whole(v *value, lo, hi int64, unit string) (n int64, ok bool) {
	if v == nil {
		return 0, false
	}
	if unit != "" {
		unit = " " + unit
	}
	n, err := strconv.ParseInt(v.Text, 10, 64)
	if err != nil || strings.HasPrefix(v.Text, "+") || n < lo || n > hi {
		d.add(v, "%q is not allowed: it must be a whole number from %d to %d%s", shorten(v.Text), lo, hi, unit)
		return 0, false
	}
	return n, true
}

// word reads a field with one of some words.
func (d *device) word(v *value, words ...string) string {
	if v == nil {
		return ""
	}
	for _, word := range words {
		if strings.EqualFold(v.Text, word) {
			return word
		}
	}
	d.add(v, "%q is not allowed: it must be one of %s", shorten(v.Text), strings.Join(words, ", "))
	return ""
}

// number reads a number that is a key or a value of a map; bits of DSCPs, classes and the like.
func (d *device) number(v *value, text, what string, most int) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > most || strings.HasPrefix(text, "+") {
		d.add(v, "%s %q is not allowed: it must be a whole number from 0 to %d", what, shorten(text), most)
		return -1
	}
	return n
}

// reference returns the name that a field refers to in a table: of the old form [WRED_PROFILE|AZURE_LOSSLESS], or the
// new one, just the name. It is a problem if the table has no such entry.
func (d *device) reference(v *value, table string) string {
	if v == nil {
		return ""
	}
	name := v.Text
	if inner, old := strings.CutPrefix(name, "["); old {
		var in string
		inner, closed := strings.CutSuffix(inner, "]")
		in, name, old = strings.Cut(inner, "|")
		if !closed || !old || in != table {
			d.add(v, "%q is not allowed: it must refer to an entry of %s, as NAME or as [%s|NAME]", shorten(v.Text), table,
				table)
			return ""
		}
	}
	if entry := d.root.child(table).child(name); name == "" || entry == nil {
		var names []string
		if t := d.root.child(table); t != nil {
			for _, m := range t.members {
				names = append(names, m.key)
			}
		}
		d.add(v, "%s has no entry %q%s", table, shorten(name), meant(name, names))
		return ""
	}
	return name
}

// meant asks whether a similar name was meant; "" if none is similar.
func meant(name string, names []string) string {
	if near := spelling.Nearest(name, names); near != "" {
		return fmt.Sprintf(": did you mean %s?", shorten(near))
	}
	return ""
}

// span reads an index of a port's queues or priority groups, "3" or "3-4".
func (d *device) span(v *value, text string) (from, to int, ok bool) {
	first, last, isRange := strings.Cut(text, "-")
	if !isRange {
		last = first
	}
	from, to = d.number(v, first, "index", maxIndex), d.number(v, last, "index", maxIndex)
	if from < 0 || to < 0 {
		return 0, 0, false
	}
	if from > to {
		d.add(v, "index %q begins above its end", text)
		return 0, 0, false
	}
	return from, to, true
}

// maxIndex bounds the indices of queues and priority groups of a port: chips have up to 20 queues.
const maxIndex = 63
