package scenario

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/document"
)

// object is the table of a mapping's keys: for reading it into a T, and for its JSON Schema.
type object[T any] struct {
	// what names the mapping in messages: "switch", "traffic entry".
	what, doc string
	fields    []field[T]
	// kind, if not "", is the key whose word decides which fields apply, and
	// kinds its words; guess gives the kind of a mapping that does not say.
	kind  string
	kinds []string
	guess func(n *node) string
	// written are the kinds that no key implies, so that a mapping of one must name it.
	written []string
	// keysOf lists the keys of a kind, for messages; nil for the order of fields.
	keysOf func(kind string) []string
	// check is called once all fields are read.
	check func(r *reader, n *node, t *T)
}

// field is one key of a mapping.
type field[T any] struct {
	key string
	// def is the default, as one would write it; "" if the doc has it.
	def, doc string
	// kinds are the kinds that have the key, all if empty; required is set if it cannot be left out (by those kinds).
	kinds    []string
	required bool
	// uses are, of a key that is not the same in all of its kinds, what it is in each; nil for any other.
	uses []use
	// unless, if there is one, selects mappings that can leave it out even so.
	unless *exception
	read   func(r *reader, n *node, t *T)
	// schema is the JSON Schema of the value.
	schema func(*outline) schema
	// whole, if there is one, is a further condition on the value of a mapping that is not an overlay.
	whole func() schema
}

// ofKinds restricts a field to kinds.
func (f field[T]) ofKinds(kinds ...string) field[T] {
	f.kinds = kinds
	return f
}

// use is the meaning of a key in a kind.
type use struct {
	kind, doc string
	required  bool
}

// addKind adds a kind that uses the field with key's doc.
func (f *field[T]) addKind(kind string, key *field[T]) {
	f.kinds = append(f.kinds, kind)
	f.uses = append(f.uses, use{kind, key.doc, key.required})
}

// joinDocs makes the field's doc of what its kinds say of it.
func (f *field[T]) joinDocs() {
	var docs []string
	for _, u := range f.uses {
		if !slices.Contains(docs, u.doc) {
			docs = append(docs, u.doc)
		}
	}
	if len(docs) < 2 {
		return
	}
	// Their common ending appears once.
	end := ""
	for at := strings.LastIndex(docs[0], " Range "); at >= 0 && end == ""; {
		end = docs[0][at:]
	}
	f.doc = ""
	for _, doc := range docs {
		var kinds []string
		for _, u := range f.uses {
			if u.doc == doc {
				kinds = append(kinds, u.kind)
			}
		}
		f.doc += "Of " + strings.Join(kinds, ", ") + ": " + strings.TrimSuffix(doc, end) + " "
	}
	f.doc = strings.TrimSuffix(f.doc, " ") + end
}

// useBy returns what the field is in a kind.
func (f *field[T]) useBy(kind string) use {
	for _, u := range f.uses {
		if u.kind == kind {
			return u
		}
	}
	return use{kind, f.doc, f.required}
}

// needed marks a field that cannot be left out.
func (f field[T]) needed() field[T] {
	f.required = true
	return f
}

// exception is a mapping that may lack what others may not: whether a node is one, and
// the JSON Schema that takes just those.
type exception struct {
	is     func(*node) bool
	schema schema
}

// spared lets mappings be without a field that is needed.
func (f field[T]) spared(is func(*node) bool, as schema) field[T] {
	f.unless = &exception{is, as}
	return f
}

// lacks reports whether a mapping of a kind has not the field and should.
func (f *field[T]) lacks(n *node, kind string) bool {
	return f.useBy(kind).required && f.applies(kind) && n.Child(f.key) == nil && (f.unless == nil || !f.unless.is(n))
}

func (f *field[T]) applies(kind string) bool {
	return len(f.kinds) == 0 || slices.Contains(f.kinds, kind)
}

// reader reads trees against tables and collects the problems. In the functions of keys, r is the reader, n the node
// that is read and t the target.
type reader struct {
	*problems
	options
	// base is set if n is the base of variants: its keys must be right each by itself, as in the schema, and together
	// only once a variant is laid over it.
	base bool
	// relative has the settings in bdp of the switch that is being read.
	relative relative
	// times are that switch's own times of failover.
	times failoverTimes
}

// read reads n, which must be a mapping, into t. Keys that n does not have
// leave t as it is.
func (o *object[T]) read(r *reader, n *node, t *T) {
	if n.Kind == document.Refused {
		return
	}
	if n.Kind != document.Mapping {
		r.add(n.At, "%s is %s: it must be a mapping with keys such as %s", o.what, document.KindNames[n.Kind], o.example())
		return
	}
	kind, ok := o.kindOf(r, n)
	if !ok {
		o.refuseUnknown(r, n)
		return
	}
	for _, pair := range n.Entries {
		if r.full() {
			return
		}
		key := o.field(pair.Key)
		switch {
		case key == nil:
			r.add(pair.At, "%s", unknown("key of "+o.what, pair.Key, o.keys(kind)))
		case !key.applies(kind):
			r.add(pair.At, "%s does not apply to %s: %s", pair.Key, withArticle(kind), instead(pair.Key, o.keys(kind)))
		case pair.Value.Kind == document.Empty:
			r.add(pair.At, "%s has no value: write one, or leave the key away", pair.Key)
		case pair.Value.Kind == document.Refused:
		default:
			key.read(r, pair.Value, t)
		}
	}
	for i := range o.fields {
		f := &o.fields[i]
		if f.lacks(n, kind) {
			r.add(n.At, "%s lacks %s: %s", o.what, f.key, firstSentence(f.useBy(kind).doc))
		}
	}
	if o.check != nil && !r.base {
		o.check(r, n, t)
	}
}

// refuseUnknown refuses the keys of n that are in no kind's list.
func (o *object[T]) refuseUnknown(r *reader, n *node) {
	for _, pair := range n.Entries {
		if o.field(pair.Key) == nil {
			r.add(pair.At, "%s", unknown("key of "+o.what, pair.Key, o.all()))
		}
	}
}

// all lists the keys of all kinds.
func (o *object[T]) all() (list []string) {
	for i := range o.fields {
		list = append(list, o.fields[i].key)
	}
	return list
}

// example is a key to name as one of many: one that cannot be left out, if any.
func (o *object[T]) example() string {
	i := slices.IndexFunc(o.fields, func(f field[T]) bool { return f.required })
	return o.fields[max(i, 0)].key
}

// kindOf returns the kind of n, "" where the object has no kinds.
func (o *object[T]) kindOf(r *reader, n *node) (string, bool) {
	if o.kind == "" {
		return "", true
	}
	key := n.Child(o.kind)
	if key == nil {
		if o.guess != nil {
			if kind := o.guess(n); kind != "" {
				return kind, true
			}
		}
		r.add(n.At, "%s lacks %s: allowed are %s", o.what, o.kind, strings.Join(o.kinds, ", "))
		return "", false
	}
	text, ok := r.scalar(key, o.kind, "one of "+strings.Join(o.kinds, ", "))
	if ok && !slices.Contains(o.kinds, text) {
		r.add(key.At, "%s", unknown(o.kind, text, o.kinds))
		ok = false
	}
	return text, ok
}

func (o *object[T]) field(key string) *field[T] {
	for i := range o.fields {
		if o.fields[i].key == key {
			return &o.fields[i]
		}
	}
	return nil
}

// keys lists the keys that a kind has.
func (o *object[T]) keys(kind string) []string {
	if o.keysOf != nil {
		return o.keysOf(kind)
	}
	var list []string
	for i := range o.fields {
		if o.fields[i].applies(kind) {
			list = append(list, o.fields[i].key)
		}
	}
	return list
}

// scalar returns the text of a single value.
func (r *reader) scalar(n *node, key, want string) (string, bool) {
	if n.Kind != document.Scalar {
		r.add(n.At, "%s is %s: it must be %s", key, document.KindNames[n.Kind], want)
		return "", false
	}
	return n.Text, true
}

func withArticle(word string) string {
	if strings.ContainsRune("aeiou", rune(word[0])) {
		return fmt.Sprintf("an %s", word)
	}
	return fmt.Sprintf("a %s", word)
}

func firstSentence(doc string) string {
	if i := strings.Index(doc, ". "); i >= 0 {
		doc = doc[:i]
	}
	doc = strings.TrimSuffix(doc, ".")
	return strings.ToLower(doc[:1]) + doc[1:]
}
