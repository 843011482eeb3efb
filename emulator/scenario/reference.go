package scenario

import (
	"math"
	"slices"
	"strconv"

	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/internal/spelling"
)

// Reference is a file of values that a publication prints for a scenario. It is written
// as a scenario is, and read with the limits of one.
type Reference struct {
	// Source is where the values are printed, Note what else a reader must know, "" for
	// nothing.
	Source, Note string
	// Values are metrics by the names of algorithms, or of entries as they are written.
	Values map[string]map[string]float64
}

// ParseReference reads the reference in src; name is the file's for messages. Metrics
// are those that it may name. An error is an Errors with all problems found.
func ParseReference(name string, src []byte, metrics []string) (*Reference, error) {
	r := &reader{problems: newProblems(), options: options{metrics: metrics}}
	out := &Reference{}
	if root := parseTree(name, src, r.problems); root != nil {
		referenceKeys.read(r, root, out)
	}
	if err := r.err(name); err != nil {
		return nil, err
	}
	return out, nil
}

var referenceKeys = &object[Reference]{
	what: "reference",
	fields: []field[Reference]{
		textField("source", "Where the values are printed.", func(t *Reference) *string { return &t.Source }).needed(),
		textField("note", "What else a reader must know.", func(t *Reference) *string { return &t.Note }),
		field[Reference]{key: "values", doc: "Algorithms, and under each its metrics.", read: readPrinted}.needed(),
	},
}

// textField reads words.
func textField[T any](key, doc string, at func(*T) *string) field[T] {
	return field[T]{
		key: key,
		doc: doc,
		schema: func(*outline) schema {
			return schema{"type": []string{"string", "number", "boolean"}, "minLength": 1}
		},
		read: func(r *reader, n *node, t *T) { *at(t), _ = r.scalar(n, key, "a text") },
	}
}

func readPrinted(r *reader, n *node, t *Reference) {
	if n.Kind != document.Mapping || len(n.Entries) == 0 {
		r.add(n.At, "values is %s: it must be a mapping of algorithms to their metrics", document.KindNames[n.Kind])
		return
	}
	for _, algorithm := range n.Entries {
		if algorithm.Value.Kind != document.Mapping {
			r.add(algorithm.At, "values of %s is %s: it must be a mapping of metrics to numbers", shorten(algorithm.Key),
				document.KindNames[algorithm.Value.Kind])
			continue
		}
		values := make(map[string]float64, len(algorithm.Value.Entries))
		for _, metric := range algorithm.Value.Entries {
			if r.full() {
				return
			}
			values[metric.Key] = r.printed(metric)
		}
		if t.Values == nil {
			t.Values = map[string]map[string]float64{}
		}
		t.Values[algorithm.Key] = values
	}
}

// printed reads a metric's value.
func (r *reader) printed(pair entry) float64 {
	if !slices.Contains(r.metrics, pair.Key) {
		r.add(pair.At, "there is no metric %q: %s", shorten(pair.Key),
			spelling.Hint(pair.Key, r.metrics, "`rocelab metrics` lists them"))
		return 0
	}
	text, ok := r.scalar(pair.Value, pair.Key, "a number")
	if !ok {
		return 0
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || pair.Value.Quoted || math.IsInf(value, 0) || math.IsNaN(value) {
		r.add(pair.Value.At, "%s: %q is not a number", pair.Key, shorten(text))
	}
	return value
}
