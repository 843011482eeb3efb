package scenario

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Resolved returns the scenario as a file that needs no overrides: the source
// with the overrides of WithOverrides written into it, and with its name where
// that came from the file's name. Parse of it gives the same plans, but for the
// lines that messages name. All that the overrides do not touch, comments and blank
// lines included, is as it was; a first line says which overrides there are.
// Without overrides, and with a name, it is the source.
func (s *Scenario) Resolved() []byte {
	r := &reader{problems: newProblems(), options: s.opts}
	root := parseTree(s.File, s.Source, r.problems)
	if root == nil || root.kind != mapping {
		return s.Source // Parse accepts no such source
	}
	wanted := resolvedTree(root, s.opts.overrides)
	if name := (&node{kind: scalar, text: s.Name}); wanted.child("name") == nil {
		if _, ok := r.name(name, "name"); ok {
			wanted.entries = append(wanted.entries, entry{key: "name", value: name})
		}
	}
	if same(root, wanted) {
		return s.Source
	}
	note := ""
	for _, path := range slices.Sorted(maps.Keys(s.opts.overrides)) {
		note += comment("--set " + path + "=" + s.opts.overrides[path])
	}
	text := edited(s.Source, root, wanted)
	if again := parseTree(s.File, text, newProblems()); again == nil || !same(again, wanted) {
		text = document(wanted) // a way to write that edited does not know
	}
	return append([]byte(note), text...)
}

// comment returns text as lines of a YAML comment, each with its "#". What YAML takes for the
// end of a line, a lone carriage return too, begins another line here; a control character is
// written as Go escapes it.
func comment(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n").Replace(text)
	out := ""
	for line := range strings.SplitSeq(text, "\n") {
		out += "# "
		for _, r := range line {
			if r != '\t' && unicode.IsControl(r) {
				out += strings.Trim(strconv.QuoteRune(r), "'")
			} else {
				out += string(r)
			}
		}
		out += "\n"
	}
	return out
}

// resolvedTree returns the tree that gives without overrides what root gives
// with them. They hold over what a variant says, so that a variant may need
// another overlay.
func resolvedTree(root *node, overrides map[string]string) *node {
	out, none := root.clone(), newProblems()
	applyOverrides(out, overrides, none)
	list := out.child("variants")
	if list == nil {
		return out
	}
	// Parameters for the algorithms of variants, where the base names none: they are
	// written with each.
	if a := out.child("algorithm"); a != nil && a.kind == mapping && a.child("name") == nil {
		out.entries = slices.DeleteFunc(out.entries, func(e entry) bool { return e.key == "algorithm" })
	}
	of := maps.Clone(overrides)
	maps.DeleteFunc(of, func(path, _ string) bool { return path == "variants" || strings.HasPrefix(path, "variants.") })
	for i, variant := range list.items {
		wanted := applyVariant(out, variant)
		applyOverrides(wanted, of, none)
		if !same(applyVariant(out, variant), wanted) {
			list.items[i] = overlayTo(out, wanted, variant.child("name"))
		}
	}
	return out
}

// overlayTo returns the least variant of a name that makes root wanted.
func overlayTo(root, wanted, name *node) *node {
	variant := &node{kind: mapping, entries: []entry{{key: "name", value: name}}}
	if a := wanted.child("algorithm"); a != nil && !same(root.child("algorithm"), a) {
		variant.entries = append(variant.entries, entry{key: "algorithm", value: a})
	}
	base := applyVariant(root, variant)
	for _, e := range wanted.entries {
		if was := base.child(e.key); !same(was, e.value) {
			variant.entries = append(variant.entries, entry{key: e.key, value: difference(was, e.value)})
		}
	}
	return variant
}

// difference returns what, laid over base, makes it wanted.
func difference(base, wanted *node) *node {
	if base == nil || base.kind != mapping || wanted.kind != mapping {
		return wanted
	}
	out := &node{kind: mapping}
	for _, e := range wanted.entries {
		if was := base.child(e.key); !same(was, e.value) {
			out.entries = append(out.entries, entry{key: e.key, value: difference(was, e.value)})
		}
	}
	return out
}

// same reports whether two trees say the same, in whatever order their
// mappings have their keys.
func same(a, b *node) bool {
	if a == nil || b == nil {
		return a == b
	}
	switch {
	case a.kind != b.kind || len(a.items) != len(b.items) || len(a.entries) != len(b.entries):
		return false
	case a.kind == scalar:
		return a.text == b.text && (a.quoted == b.quoted || !quotesMatter(a.text))
	}
	for i := range a.items {
		if !same(a.items[i], b.items[i]) {
			return false
		}
	}
	for _, e := range a.entries {
		if !same(e.value, b.child(e.key)) {
			return false
		}
	}
	return true
}
