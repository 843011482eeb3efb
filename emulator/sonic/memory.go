package sonic

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rocelab/rocelab/emulator/conversion"
	"github.com/rocelab/rocelab/emulator/document"
)

// Memory is a scenario's record, in comments, of the configuration that it was made from.
type Memory struct {
	Names names
	// Was are fields of buffers that were approximated or have no counterpart, by table, entry and field.
	Was map[string]Was
}

// Was is a field of the configuration. It comes back with the others of its entry, unless the scenario has changed
// what one of them would be exported as.
type Was struct {
	// Exported is the value that an export would write, Value the original one; either is "" for a field that is not
	// there.
	Exported string `json:"exported"`
	Value    string `json:"was"`
}

// The comments begin so.
const (
	namesBegin = "# sonic-names"
	wasBegin   = "# sonic-was"
)

// recall returns the record in the comments of a scenario; an empty one if there is none. It fails if a comment is not
// in the form that an import writes.
func recall(source []byte) (Memory, error) { return RecallOf(source, "") }

// RecallOf is recall for one switch of a fabric: for the comments that name it, or that name none.
func RecallOf(source []byte, name string) (Memory, error) {
	m := Memory{}
	for line := range strings.Lines(string(source)) {
		for begin, into := range map[string]any{namesBegin: &m.Names, wasBegin: &m.Was} {
			text, is := strings.CutPrefix(line, begin+": ")
			if !is && name != "" {
				text, is = strings.CutPrefix(line, begin+" "+name+": ")
			}
			if !is {
				continue
			}
			if err := json.Unmarshal([]byte(text), into); err != nil {
				return Memory{}, fmt.Errorf("the comment that begins with %q is not as rocelab import writes it: %w",
					begin+":", err)
			}
		}
	}
	return m, nil
}

// comments returns the lines of a scenario that hold the memory, of a switch of a fabric with its name; "" for the
// only switch.
func (m *Memory) comments(name string) (text string) {
	add := func(begin string, of any) {
		if begin += ": "; name != "" {
			begin = strings.Replace(begin, ":", " "+name+":", 1)
		}
		line, err := json.Marshal(of)
		if err != nil {
			panic(err) // maps of texts always encode
		}
		text += begin + string(line) + "\n"
	}
	if len(m.Names) > 0 {
		add(namesBegin, m.Names)
	}
	if len(m.Was) > 0 {
		add(wasBegin, m.Was)
	}
	return text
}

// remember returns the fields of buffers that an export does not give back by itself.
func (d *device) remember(exported Config) map[string]Was {
	was := map[string]Was{}
	for _, table := range []string{"BUFFER_POOL", "BUFFER_PROFILE"} {
		for _, entry := range d.entries(table) {
			written, there := exported[table][entry.key]
			if !there || table == "BUFFER_PROFILE" && !wholeProfile(entry.value) {
				continue
			}
			for _, field := range entry.value.members {
				v := field.value
				// A field that nothing reads has no line yet, and does not come back.
				if v.Kind == document.Scalar && v.line != nil && v.line.Verdict != conversion.Taken &&
					written[field.key] != v.Text && !strings.HasPrefix(v.Text, "[") {
					was[fieldKey(table, entry.key, field.key)] = Was{written[field.key], v.Text}
				}
			}
			for field, value := range written {
				if entry.value.child(field) == nil {
					was[fieldKey(table, entry.key, field)] = Was{Exported: value}
				}
			}
		}
	}
	return was
}

// wholeProfile reports whether a profile has the form of SONiC's lossless ones, xoff and no static threshold, whose
// values belong together.
func wholeProfile(entry *value) bool {
	return entry.child("xoff") != nil && entry.child("static_th") == nil
}

// fieldKey joins a table, an entry and a field.
func fieldKey(table, entry, field string) string { return table + "|" + entry + "|" + field }

// giveBack puts the remembered values back in their places.
func (m *Memory) giveBack(config Config) {
	for _, table := range []string{"BUFFER_POOL", "BUFFER_PROFILE"} {
		for name, entry := range config[table] {
			wanted, same := map[string]string{}, true
			for key, was := range m.Was {
				if field, ofEntry := strings.CutPrefix(key, fieldKey(table, name, "")); ofEntry {
					wanted[field] = was.Value
					same = same && entry[field] == was.Exported
				}
			}
			for field, value := range wanted {
				switch {
				case same && value == "":
					delete(entry, field)
				case same:
					entry[field] = value
				}
			}
		}
	}
}
