package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/internal/spelling"
)

// The constructors of fields whose values are lists or tables.

// listField reads a list of mappings, each into a fresh value.
func listField[T, U any](key, doc string, table *object[U], fresh func(*node) U, at func(*T) *[]U) field[T] {
	return field[T]{
		key:   key,
		doc:   doc,
		whole: func() schema { return schema{"type": "array"} },
		schema: func(s *outline) schema {
			list := schema{"type": "array", "items": table.schema(s.asWhole()), "minItems": 1}
			if s.overlay {
				// A mapping over a list changes every item.
				return byType("object", table.schema(s), list)
			}
			return list
		},
		read: func(r *reader, n *node, t *T) {
			if n.Kind != document.Sequence {
				r.add(n.At, "%s is %s: it must be a list of %s", key, document.KindNames[n.Kind], plural(table.what))
				return
			}
			if len(n.Items) == 0 {
				r.add(n.At, "%s is empty: write at least one %s", key, table.what)
			}
			for _, item := range n.Items {
				if r.full() {
					return
				}
				r.refuseNoItem(n, item, table.what, table.all())
				u := fresh(item)
				table.read(r, item, &u)
				*at(t) = append(*at(t), u)
			}
		}}
}

// refuseNoItem refuses a value that --set, or a flag of a sweep, lays on an item by a name that the list n does not
// have: the path went on below a supposed key.
func (r *reader) refuseNoItem(n, item *node, what string, keys []string) {
	item.Entries = slices.DeleteFunc(item.Entries, func(pair entry) bool {
		if !strings.HasPrefix(pair.At.File, "--") || !strings.Contains(pair.At.File, "."+pair.Key+".") ||
			slices.Contains(keys, pair.Key) || spelling.Nearest(pair.Key, keys) != "" {
			return false
		}
		names := namesIn(n)
		for i := range n.Items {
			names = append(names, strconv.Itoa(i))
		}
		r.add(pair.At, "%s", unknown(what, pair.Key, names))
		return true
	})
}

func plural(word string) string {
	if stem, ok := strings.CutSuffix(word, "y"); ok {
		return stem + "ies"
	}
	return word + "s"
}

// classesField reads a list of traffic classes; they become the whole set.
func classesField[T any](key, def, doc string, at func(*T) *[8]bool) field[T] {
	return field[T]{
		key: key,
		def: def,
		doc: doc + " A list of classes, 0 to 7.",
		schema: func(*outline) schema {
			return schema{"type": "array",
				"items": schema{"type": "integer", "minimum": 0, "maximum": 7}}
		},
		read: func(r *reader, n *node, t *T) {
			if n.Kind != document.Sequence {
				r.add(n.At, "%s is %s: it must be a list of classes such as [3]", key, document.KindNames[n.Kind])
				return
			}
			var set [8]bool
			for _, item := range n.Items {
				if c, ok := r.integer(item, key, 0, 7); ok {
					set[c] = true
				}
			}
			*at(t) = set
		},
	}
}

// tableField reads a mapping of numbers to numbers; set gets each pair.
func tableField[T any](key, def, doc string, maxKey, lo, hi int64, set func(t *T, k, v int)) field[T] {
	return field[T]{
		key: key,
		def: def,
		doc: fmt.Sprintf("%s A mapping of 0 to %d to %d to %d.", doc, maxKey, lo, hi),
		schema: func(*outline) schema {
			return schema{"type": "object", "propertyNames": schema{"pattern": "^[0-9]+$"},
				"additionalProperties": schema{"type": "integer", "minimum": lo, "maximum": hi}}
		},
		read: func(r *reader, n *node, t *T) {
			if n.Kind != document.Mapping {
				r.add(n.At, "%s is %s: it must be a mapping of numbers to numbers, such as {%d: %d}",
					key, document.KindNames[n.Kind], maxKey, hi)
				return
			}
			for _, e := range n.Entries {
				k, ok1 := r.integer(&node{At: e.At, Kind: document.Scalar, Text: e.Key}, "key of "+key, 0, maxKey)
				v, ok2 := r.integer(e.Value, key, lo, hi)
				if ok1 && ok2 {
					set(t, int(k), int(v))
				}
			}
		},
	}
}
