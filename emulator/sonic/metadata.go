package sonic

import "github.com/rocelab/rocelab/emulator/document"

// refuseOther refuses a configuration that is not of one switch with one chip.
func (d *device) refuseOther() {
	for _, m := range d.root.members {
		if m.value.child("DEVICE_METADATA") != nil || m.value.child("PORT") != nil {
			d.add(m.value, "a file of several chips, with a namespace for each at the top: rocelab imports switches of one chip")
			return
		}
	}
	meta := d.root.child("DEVICE_METADATA").child("localhost")
	for _, field := range []string{"asic_name", "sub_role"} {
		if v := meta.child(field); v != nil && v.Text != "" {
			d.add(v, "%q: the file is of one chip of a switch with several, and some of its ports lead to the "+
				"others: rocelab imports switches of one chip", shorten(v.Text))
		}
	}
	if v := meta.child("switch_type"); v != nil && (v.Text == "voq" || v.Text == "chassis-packet" || v.Text == "fabric") {
		d.add(v, "%q: a chassis with virtual output queues has another buffer than a switch of rocelab", v.Text)
	}
	name := meta.child("hostname")
	if name != nil && name.Kind == document.Scalar && isName(name.Text) && !isPort(name.Text) {
		d.name = name.Text
		name.taken("")
	}
}

// isName reports whether a text may be a name in a scenario.
func isName(text string) bool {
	for i, c := range text {
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' ||
			i > 0 && (c == '_' || c == '.' || c == '+' || c == '-')) {
			return false
		}
	}
	return text != "" && len(text) <= 64
}
