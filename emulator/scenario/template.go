package scenario

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/emulator/plan"
)

// Template makes the runs of a sweep: the scenario is parsed once, and each run changes a
// clone of it. Its methods are for one goroutine at a time.
type Template struct {
	scenario *Scenario
	root     *node
	// overrides are the overrides on top of variants.
	overrides map[string]string
	// checked has the checked algorithms, with the error of each.
	checked map[string]error
}

// Run names one run of a template: a variant, "" for a scenario without, and settings, which
// hold over the scenario's own overrides; later ones over earlier ones.
type Run struct {
	Variant  string
	Settings []Setting
}

// Template returns the scenario as a template.
func (s *Scenario) Template() *Template {
	t := &Template{
		scenario:  s,
		root:      parseTree(s.File, s.Source, newProblems()),
		overrides: maps.Clone(s.opts.overrides),
		checked:   map[string]error{},
	}
	applyOverrides(t.root, t.overrides, newProblems())
	maps.DeleteFunc(t.overrides, func(path, _ string) bool {
		first, _, _ := strings.Cut(path, ".")
		return first == "variants" || first == "sweep"
	})
	return t
}

// Variants are the names of the scenario's variants, nil if it has none.
func (t *Template) Variants() (names []string) {
	if list := t.root.Child("variants"); list != nil {
		names = namesIn(list)
	}
	return names
}

// Form is a run in canonical form: two ways to write a run have one.
type Form struct {
	// Text has every key that was written, in alphabetical order, each value in its smallest unit: without comments,
	// names of scenario and variant, and the algorithms in Algorithms.
	Text []byte
	// Algorithms are the algorithms of the entries of traffic, in their order: name and parameters as written, named
	// sets and the scenario's algorithm resolved.
	Algorithms []*plan.Algorithm
}

// Form returns the canonical form of a run. It checks each key by itself and the parameters of algorithms, and does not
// make a plan: an error is an Errors with the problems.
func (t *Template) Form(run Run) (*Form, error) {
	r, tree := t.tree(run)
	if tree == nil {
		return nil, r.err(t.scenario.File)
	}
	written := newDraft(tree)
	rootKeys.read(r, tree, written)
	b := &builder{reader: r, draft: written}
	form := &Form{}
	for i := range written.traffic {
		form.Algorithms = append(form.Algorithms, b.resolveAlgorithm(&written.traffic[i]))
	}
	if err := r.err(t.scenario.File); err != nil {
		return nil, err
	}
	for _, key := range []string{"name", "algorithm", "algorithms"} {
		tree.Drop(key)
	}
	if list := tree.Child("traffic"); list != nil {
		for _, entry := range list.Items {
			entry.Drop("algorithm")
		}
	}
	text := &strings.Builder{}
	writeCanonical(tree, text, false)
	form.Text = []byte(text.String())
	return form, nil
}

// Plan returns the plan of a run. An error is an Errors with all problems found.
func (t *Template) Plan(run Run) (*plan.Plan, error) {
	r, tree := t.tree(run)
	var made *plan.Plan
	if tree != nil {
		name := run.Variant
		if name == "" {
			name = t.scenario.Name
		}
		made = build(r, tree, name)
	}
	if err := r.err(t.scenario.File); err != nil {
		return nil, err
	}
	return made, nil
}

// Source returns a run as a scenario of its own: no variants, no overrides.
func (t *Template) Source(run Run) []byte {
	_, tree := t.tree(run)
	if tree.Child("name") == nil && isName(t.scenario.Name) {
		name := &node{Kind: document.Scalar, Text: t.scenario.Name}
		named := &node{Kind: document.Mapping, Entries: []entry{{Key: "name", Value: name}}}
		tree.Entries = append(named.Entries, tree.Entries...)
	}
	return textOf(tree)
}

// tree returns the tree of a run, nil if there is no such variant.
func (t *Template) tree(run Run) (*reader, *node) {
	r := &reader{problems: newProblems(), options: t.scenario.opts}
	r.check = t.checkOnce
	variant := &node{Kind: document.Mapping}
	if list := t.root.Child("variants"); list != nil && run.Variant != "" {
		i := slices.Index(namesIn(list), run.Variant)
		if i < 0 {
			r.add(list.At, "%s", unknown("variant", run.Variant, namesIn(list)))
			return r, nil
		}
		variant = list.Items[i]
	}
	tree := applyVariant(t.root, variant)
	tree.Drop("sweep")
	applyOverrides(tree, t.overrides, r.problems)
	for _, setting := range run.Settings {
		setting.apply(tree, r.problems)
	}
	return r, tree
}

// checkOnce checks an algorithm, which of most runs of a sweep is the same one.
func (t *Template) checkOnce(name string, params map[string]string) error {
	if t.scenario.check == nil {
		return nil
	}
	key, err := json.Marshal([]any{name, params})
	if err != nil {
		panic(err) // texts always encode
	}
	wrong, known := t.checked[string(key)]
	if !known {
		wrong = t.scenario.check(name, params)
		t.checked[string(key)] = wrong
	}
	return wrong
}

// inOrder are mappings in which a later entry overrides an earlier one: patterns of names.
var inOrder = map[string]bool{"switches": true, "nics": true}

// writeCanonical writes a value so that all ways to write it are one; ordered is set if the order of its keys matters.
func writeCanonical(n *node, to *strings.Builder, ordered bool) {
	switch n.Kind {
	case document.Mapping:
		list := n.Entries
		if !ordered {
			list = slices.Clone(list)
			slices.SortFunc(list, func(a, b entry) int { return strings.Compare(a.Key, b.Key) })
		}
		to.WriteByte('{')
		for i, e := range list {
			if i > 0 {
				to.WriteByte(',')
			}
			to.WriteString(strconv.Quote(e.Key))
			to.WriteByte(':')
			writeCanonical(e.Value, to, inOrder[e.Key])
		}
		to.WriteByte('}')
	case document.Sequence:
		to.WriteByte('[')
		for i, item := range n.Items {
			if i > 0 {
				to.WriteByte(',')
			}
			writeCanonical(item, to, false)
		}
		to.WriteByte(']')
	case document.Scalar:
		if n.Meaning == "" {
			to.WriteString(strconv.Quote(n.Text))
			return
		}
		to.WriteString(n.Meaning)
	}
}
