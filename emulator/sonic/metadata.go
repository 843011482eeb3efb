package sonic

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
		if v := meta.child(field); v != nil && v.text != "" {
			d.add(v, "%q: the file is of one chip of a switch with several, some of whose ports lead to the others: rocelab "+
				"imports switches of one chip", shorten(v.text))
		}
	}
	if v := meta.child("switch_type"); v != nil && (v.text == "voq" || v.text == "chassis-packet" || v.text == "fabric") {
		d.add(v, "%q: a chassis with virtual output queues has another buffer than a switch of rocelab", v.text)
	}
	name := meta.child("hostname")
	if name != nil && name.kind == single && isName(name.text) && !isPort(name.text) {
		d.name = name.text
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
