package reproduce

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/rocelab/rocelab/emulator/document"
)

// group is what a row measures, as its file has it: figures one after the other, over the values of loops.
type group struct {
	at    document.Position
	loops []loop
	// when says whether the group is measured at all, nil for always.
	when *located
	// runs say which runs are read, as far as loops do not. Heading is the column under which figures are printed, nil for
	// that of the runs.
	runs    selection
	heading *located
	// texts are numbers and texts with names; lets are what is read of each run first, for the expressions of figures.
	texts []let
	lets  []let
	items []*member
}

// member is one of a group: a group in turn, one figure, or figures that are measured in Go.
type member struct {
	*group
	figure  *measured
	measure *Measure
}

// measured is a figure as a row's file has it. One of value, constant and both is set.
type measured struct {
	name *located
	unit string
	// value is of a run; constant is of none: of figures before it, or of loops.
	value, constant *located
}

// located is an expression or a template, and how a message names a place of it.
type located struct {
	value    *value
	template *template
	place    func(*expressionError) *document.Error
}

// let is a value with a name.
type let struct {
	name string
	of   *located
}

// selection says which runs are read. A zero field is left to what is around it.
type selection struct {
	column, variant *located
	keys            map[string]*located
}

// loop is a variable with its values. Of a variable that is called column or variant they are the row's.
type loop struct {
	name   string
	values []any
	// of is where values come from if there is no list: "columns", "variants", or the path of a swept key.
	of string
}

// sight is what is known at a place of the groups while a row is measured.
type sight struct {
	results *Results
	names   map[string]any
	runs    selection
	heading *located
	lets    []let
	// column and variant are those of loops, nil if there is no such loop.
	column, variant *string
	// first says that nothing was measured of this turn of the group yet.
	first bool
}

// measure reads all figures of a row.
func (g *group) measure(results *Results) []Figure {
	results.made = 0
	s := &sight{results: results, names: map[string]any{}}
	var list []Figure
	s.group(g, &list)
	return list
}

// fail notes what is wrong with an expression.
func (s *sight) fail(of *located, wrong *expressionError) {
	s.results.fail(of.place(wrong))
}

// with is a selection with what another says beyond it.
func (s selection) with(more selection) selection {
	keys := maps.Clone(s.keys)
	if keys == nil {
		keys = map[string]*located{}
	}
	maps.Copy(keys, more.keys)
	return selection{cmp.Or(more.column, s.column), cmp.Or(more.variant, s.variant), keys}
}

// reading is what expressions read that are not of one run.
func (s *sight) reading(list []Figure) *reading {
	return &reading{names: s.names, all: s.results, figures: &Figures{list: list, missing: new([]string)}}
}

// text is what a template comes to.
func (s *sight) text(of *located, list []Figure) string {
	text, wrong := of.template.run(s.reading(list))
	if wrong != nil {
		s.fail(of, wrong)
	}
	return text
}

// group measures a group over the values of its loops.
func (s *sight) group(g *group, list *[]Figure) {
	inside := *s
	inside.names = maps.Clone(s.names)
	inside.runs = s.runs.with(g.runs)
	inside.lets = slices.Concat(s.lets, g.lets)
	if g.heading != nil {
		inside.heading = g.heading
	}
	inside.turns(g, g.loops, list)
}

// turns goes through the values of the first loop, and of the others for each.
func (s *sight) turns(g *group, loops []loop, list *[]Figure) {
	if s.results.made++; len(loops) == 0 {
		s.results.made += len(g.items)
	}
	if s.results.made > maxFigures {
		s.results.fail(g.at.Error(fmt.Sprintf("loops make more than %d figures: allowed are up to that many", maxFigures)))
	}
	if s.results.err != nil {
		return
	}
	if len(loops) == 0 {
		s.once(g, list)
		return
	}
	for _, value := range loops[0].list(s.results) {
		turn := *s
		turn.names = maps.Clone(s.names)
		switch text, _ := value.(string); loops[0].name {
		case "column":
			turn.column = &text
		case "variant":
			turn.variant = &text
			turn.names["variant"] = text
		default:
			turn.names[loops[0].name] = value
		}
		turn.turns(g, loops[1:], list)
	}
}

// list are the values of a loop. Of variants that are listed it has those that were run.
func (l *loop) list(results *Results) (values []any) {
	var words []string
	switch l.of {
	case "":
		for _, value := range l.values {
			if text, _ := value.(string); l.name != "variant" || slices.Contains(results.Variants(), text) {
				values = append(values, value)
			}
		}
		return values
	case "columns":
		words = results.Columns()
	case "variants":
		words = results.Variants()
	default:
		words = results.Values(l.of)
	}
	for _, word := range words {
		values = append(values, word)
	}
	return values
}

// once measures a group in one turn of its loops.
func (s *sight) once(g *group, list *[]Figure) {
	for _, one := range g.texts {
		value, wrong := one.of.value.run(s.reading(*list))
		if wrong != nil {
			s.fail(one.of, wrong)
			return
		}
		if whole, is := value.(int); is {
			value = float64(whole)
		}
		s.names = maps.Clone(s.names)
		s.names[one.name] = value
	}
	if g.when != nil {
		holds, wrong := g.when.value.run(s.reading(*list))
		if wrong != nil {
			s.fail(g.when, wrong)
		}
		if holds != true {
			return
		}
	}
	s.first = true
	for _, one := range g.items {
		before := len(*list)
		switch {
		case one.measure != nil:
			*list = append(*list, one.measure.Figures(s.results)...)
		case one.figure != nil:
			s.figures(one.figure, list)
		default:
			s.group(one.group, list)
		}
		s.first = s.first && len(*list) == before
		if s.results.err != nil {
			return
		}
	}
}

// figures measures a figure: in all columns of a row if nothing says in which.
func (s *sight) figures(f *measured, list *[]Figure) {
	if f.constant != nil {
		s.constant(f, list)
		return
	}
	if s.column != nil || s.runs.column != nil {
		s.in(f, s.columnOf(*list), list)
		return
	}
	for _, column := range s.results.Columns() {
		s.in(f, column, list)
	}
}

func (s *sight) columnOf(list []Figure) string {
	if s.runs.column != nil {
		return s.text(s.runs.column, list)
	}
	return *s.column
}

// constant is a figure of no run.
func (s *sight) constant(f *measured, list *[]Figure) {
	figure := Figure{Name: s.text(f.name, *list), Unit: f.unit, Values: []float64{1}}
	if s.heading != nil {
		figure.Column = s.text(s.heading, *list)
	} else if s.column != nil {
		figure.Column = *s.column
	}
	if !s.results.planned {
		value, wrong := f.constant.value.run(s.reading(*list))
		if wrong != nil {
			s.fail(f.constant, wrong)
			return
		}
		figure.Values[0], _ = value.(float64)
	}
	*list = append(*list, figure)
}

// in measures a figure of the runs of one column.
func (s *sight) in(f *measured, column string, list *[]Figure) {
	variant := ""
	switch {
	case s.runs.variant != nil:
		variant = s.text(s.runs.variant, *list)
	case s.variant != nil:
		variant = *s.variant
	}
	var keys []string
	for _, path := range slices.Sorted(maps.Keys(s.runs.keys)) {
		keys = append(keys, path+"="+s.text(s.runs.keys[path], *list))
	}
	figure := Figure{Column: column, Name: s.text(f.name, *list), Unit: f.unit}
	if s.heading != nil {
		figure.Column = s.text(s.heading, *list)
	}
	if why := s.results.Refused(column, variant, keys...); why != "" {
		if figure.Refused = why; s.first {
			*list = append(*list, figure)
		}
		return
	}
	before := *list
	for i, run := range s.results.Of(column, variant, keys...) {
		if s.results.planned {
			figure.Values = append(figure.Values, 1)
			continue
		}
		value, ok := s.of(f, run, figure.Column, before, i)
		if !ok {
			return
		}
		figure.Values = append(figure.Values, value)
	}
	if s.results.err == nil {
		*list = append(*list, figure)
	}
}

// of is the figure of one run, the nth of its figure.
func (s *sight) of(f *measured, run *Run, column string, before []Figure, nth int) (number float64, ok bool) {
	read := s.reading(before)
	read.figures.column = column
	read.base, read.runs, read.nth = run, s.results.ofSeed(run.Seed), nth
	read.measures = s.results.measures
	for _, one := range s.lets {
		value, wrong := one.of.value.run(read)
		if wrong != nil {
			s.fail(one.of, wrong)
			return 0, false
		}
		read.names = maps.Clone(read.names)
		read.names[one.name] = value
	}
	value, wrong := f.value.value.run(read)
	if wrong != nil {
		s.fail(f.value, wrong)
		return 0, false
	}
	number, _ = value.(float64)
	return number, s.results.err == nil
}
