package sonic

import (
	"strings"

	"github.com/rocelab/rocelab/emulator/conversion"
	"github.com/rocelab/rocelab/emulator/document"
)

// pointer joins the steps of a JSON pointer.
func pointer(steps ...string) string {
	text := ""
	for _, step := range steps {
		text += "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(step)
	}
	return text
}

// taken, approximated and absent set the outcome for a single value. The first report holds.
func (v *value) taken(is string)              { v.say(conversion.Taken, is, "") }
func (v *value) approximated(is, note string) { v.say(conversion.Approximated, is, note) }
func (v *value) absent(note string)           { v.say(conversion.Absent, "", note) }

func (v *value) say(verdict conversion.Verdict, is, note string) {
	if v != nil && v.line == nil {
		v.line = &conversion.Line{
			Path:    v.path(),
			Verdict: verdict,
			Was:     v.Text,
			Is:      is,
			Note:    note,
		}
	}
}

// absentAll reports the same note for every single value, or list, in a value.
func absentAll(v *value, note string) {
	if v.Kind != document.Mapping {
		v.absent(note)
	}
	for _, m := range v.members {
		absentAll(m.value, note)
	}
}
