package scenario

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/rocelab/rocelab/emulator/document"
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
	if root == nil || root.Kind != document.Mapping {
		return s.Source // Parse accepts no such source
	}
	wanted := resolvedTree(root, s.opts.overrides)
	if name := (&node{Kind: document.Scalar, Text: s.Name}); wanted.Child("name") == nil {
		if _, ok := r.name(name, "name"); ok {
			wanted.Entries = append(wanted.Entries, entry{Key: "name", Value: name})
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
		text = textOf(wanted) // a way to write that edited does not know
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
	out, none := root.Clone(), newProblems()
	applyOverrides(out, overrides, none)
	list := out.Child("variants")
	if list == nil {
		return out
	}
	// Parameters for the algorithms of variants, where the base names none: they are
	// written with each.
	if a := out.Child("algorithm"); a != nil && a.Kind == document.Mapping && a.Child("name") == nil {
		out.Entries = slices.DeleteFunc(out.Entries, func(e entry) bool { return e.Key == "algorithm" })
	}
	of := maps.Clone(overrides)
	maps.DeleteFunc(of, func(path, _ string) bool { return path == "variants" || strings.HasPrefix(path, "variants.") })
	for i, variant := range list.Items {
		wanted := applyVariant(out, variant)
		applyOverrides(wanted, of, none)
		if !same(applyVariant(out, variant), wanted) {
			list.Items[i] = overlayTo(out, wanted, variant.Child("name"))
		}
	}
	return out
}

// overlayTo returns the least variant of a name that makes root wanted.
func overlayTo(root, wanted, name *node) *node {
	variant := &node{Kind: document.Mapping, Entries: []entry{{Key: "name", Value: name}}}
	if a := wanted.Child("algorithm"); a != nil && !same(root.Child("algorithm"), a) {
		variant.Entries = append(variant.Entries, entry{Key: "algorithm", Value: a})
	}
	base := applyVariant(root, variant)
	for _, e := range wanted.Entries {
		if was := base.Child(e.Key); !same(was, e.Value) {
			variant.Entries = append(variant.Entries, entry{Key: e.Key, Value: difference(was, e.Value)})
		}
	}
	return variant
}

// difference returns what, laid over base, makes it wanted.
func difference(base, wanted *node) *node {
	if base == nil || base.Kind != document.Mapping || wanted.Kind != document.Mapping {
		return wanted
	}
	out := &node{Kind: document.Mapping}
	for _, e := range wanted.Entries {
		if was := base.Child(e.Key); !same(was, e.Value) {
			out.Entries = append(out.Entries, entry{Key: e.Key, Value: difference(was, e.Value)})
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
	case a.Kind != b.Kind || len(a.Items) != len(b.Items) || len(a.Entries) != len(b.Entries):
		return false
	case a.Kind == document.Scalar:
		return a.Text == b.Text && (a.Quoted == b.Quoted || !quotesMatter(a.Text))
	}
	for i := range a.Items {
		if !same(a.Items[i], b.Items[i]) {
			return false
		}
	}
	for _, e := range a.Entries {
		if !same(e.Value, b.Child(e.Key)) {
			return false
		}
	}
	return true
}
