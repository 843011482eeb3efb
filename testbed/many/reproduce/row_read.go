package reproduce

import (
	"cmp"
	"context"
	"io/fs"
	"math"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/expr-lang/expr/types"

	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/internal/spelling"
)

// rowLanguage is what the file of a row may be.
var rowLanguage = &document.Language{
	Name:     "row",
	Needs:    "row",
	MaxBytes: 1 << 18,
	MaxDepth: 12,
	MaxKeys:  500,
}

// rowWords are the keys of a row.
var rowWords = []string{"row", "title", "paper", "source", "doubts", "reading", "scenario", "runs", "columns", "seeds",
	"red", "refusals", "quick", "full", "published", "let", "lists", "figures", "compute", "criteria"}

// rowReader reads the file of a row.
type rowReader struct {
	registryReader
	// folder has the files that the row names; file is its own for messages, and inFolder there.
	folder         fs.FS
	file, inFolder string
	measures       Measures
	// sets are columns that a paper names.
	sets map[string][]columnValue
	// named are lists of figures that groups name; within says in how many of them the reader is.
	named  *document.Node
	within int
	// read counts figures and groups, each list as often as it is named.
	read int
}

// columnValue is a column of a set: its keys have this value.
type columnValue struct {
	name, value string
	beside      bool
}

// whole reads the row of a file.
func (r *rowReader) whole(root *document.Node, paper *Paper) *Row {
	r.keys(root, rowWords...)
	r.needs(root, "row", "title")
	row := &Row{
		ID:      r.folderName(root, "row"),
		File:    r.file,
		Title:   r.text(root, "title"),
		Source:  r.text(root, "source"),
		Paper:   paper,
		Doubts:  r.texts(root, "doubts"),
		Reading: r.text(root, "reading"),
		Runs:    r.folderName(root, "runs"),
		Red:     r.text(root, "red"),
		Seeds:   r.seeds(root),
		Quick:   r.form(root.Child("quick")),
		Full:    r.form(root.Child("full")),
	}
	if root.Child("refusals") != nil {
		row.Refusals = r.word(root, "refusals", []string{"true", "false"}) == "true"
	}
	row.Columns = r.columns(root.Child("columns"))
	r.published(root, row)
	switch compute, scenario := root.Child("compute"), root.Child("scenario"); {
	case (compute == nil) == (scenario == nil):
		r.add(root.At, "it must have a scenario with figures, or compute")
	case compute != nil:
		row.Compute, row.inputs = r.compute(root)
	default:
		r.scenario(root, row)
		r.measured(root, row)
	}
	return row
}

// folderNames are names that stay in the folder that they are joined to.
var folderNames = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._ -]{0,63}$`)

// folderName is a text that names a folder or a file of the results.
func (r *rowReader) folderName(n *document.Node, key string) string {
	text := r.text(n, key)
	if text != "" && !folderNames.MatchString(text) {
		r.add(n.Where(key), "%s is %q: allowed are 1 to 64 letters, digits, spaces and . _ - that begin with a letter or a "+
			"digit", key, document.Shorten(text))
	}
	return text
}

// compute is what a row without runs computes by, and from.
func (r *rowReader) compute(root *document.Node) (func(context.Context, bool) ([]Figure, error), []any) {
	n := root.Child("compute")
	r.keys(n, "measure", "scenario", "set")
	m, err := r.measures.find(r.text(n, "measure"), ofCompute)
	if err != nil {
		r.add(n.Where("measure"), "%v", err)
		return nil, nil
	}
	var read Row
	if n.Child("scenario") != nil {
		r.scenario(n, &read)
	}
	in := &Computing{read.ScenarioFile, read.Scenario, r.settings(n)}
	return func(ctx context.Context, _ bool) ([]Figure, error) { return m.Compute(ctx, in) }, []any{m.Name, in}
}

// scenario reads the scenario: a file by its path, or the mapping itself.
func (r *rowReader) scenario(root *document.Node, row *Row) {
	n := root.Child("scenario")
	if n.Kind == document.Mapping {
		row.Scenario, row.ScenarioFile = r.inline(n), r.file
		return
	}
	file := path.Join(path.Dir(r.file), r.text(root, "scenario"))
	text, err := readFile(r.folder, path.Join(path.Dir(r.inFolder), r.text(root, "scenario")))
	if err != nil {
		r.add(n.At, "scenario %s: %v", r.text(root, "scenario"), err)
		return
	}
	row.Scenario, row.ScenarioFile = text, file
}

// inline are the lines of a mapping, with as many empty ones before them as there are in the file: lines and columns
// of messages are those of the file.
func (r *rowReader) inline(n *document.Node) []byte {
	if end, flow := n.FlowEnd(); flow {
		return r.flow(n.At, end)
	}
	first, indent := n.At.Line, n.At.Column-1
	for _, entry := range n.Entries {
		first, indent = min(first, entry.At.Line), min(indent, entry.At.Column-1)
	}
	var text strings.Builder
	text.WriteString(strings.Repeat("\n", first-1))
	for _, line := range r.lines[first-1:] {
		body := strings.TrimLeft(line, " ")
		if len(line)-len(body) < indent && strings.TrimSpace(body) != "" && body[0] != '#' {
			break
		}
		text.WriteString(line + "\n")
	}
	return []byte(text.String())
}

// flow is a mapping in braces, with spaces in place of what stands before it in its line.
func (r *rowReader) flow(from, to document.Position) []byte {
	lines := slices.Clone(r.lines[from.Line-1 : to.Line])
	last := len(lines) - 1
	lines[last] = string([]rune(lines[last])[:to.Column])
	lines[0] = strings.Repeat(" ", from.Column-1) + string([]rune(lines[0])[from.Column-1:])
	return []byte(strings.Repeat("\n", from.Line-1) + strings.Join(lines, "\n") + "\n")
}

// columns are the settings under which all runs are made.
func (r *rowReader) columns(n *document.Node) (list []Column) {
	if n == nil {
		return nil
	}
	r.keys(n, "keys", "values", "only")
	r.needs(n, "keys", "values")
	keys, only := r.texts(n, "keys"), r.texts(n, "only")
	var names []string
	for _, one := range r.columnValues(n) {
		names = append(names, one.name)
		if len(only) > 0 && !slices.Contains(only, one.name) {
			continue
		}
		column := Column{Name: one.name, Beside: one.beside, Set: map[string]string{}}
		for _, key := range keys {
			column.Set[key] = one.value
		}
		list = append(list, column)
	}
	for _, name := range only {
		if !slices.Contains(names, name) {
			r.add(n.Where("only"), "there is no column %q (%s)", name, spelling.Hint(name, names, strings.Join(names, ", ")))
		}
	}
	return list
}

func (r *rowReader) columnValues(n *document.Node) (list []columnValue) {
	values := n.Child("values")
	if values == nil {
		return nil
	}
	if values.Kind == document.Scalar {
		set, known := r.sets[values.Text]
		if !known {
			r.add(values.At, "columns is %q: allowed are a list, or a set of the paper", values.Text)
		}
		return set
	}
	return r.columnList(values)
}

func (r *rowReader) columnList(n *document.Node) (list []columnValue) {
	for _, item := range n.Items {
		r.keys(item, "name", "value", "beside")
		r.needs(item, "name", "value")
		list = append(list, columnValue{r.text(item, "name"), r.text(item, "value"), r.text(item, "beside") == "true"})
	}
	return list
}

// published is what was printed.
func (r *rowReader) published(root *document.Node, row *Row) {
	n := root.Child("published")
	if n == nil {
		return
	}
	if n.Kind != document.Sequence {
		r.add(n.At, "published is %s: it must be a list", document.KindNames[n.Kind])
	}
	for _, item := range n.Items {
		r.keys(item, "column", "figure", "value", "tolerance", "source")
		r.needs(item, "figure", "value")
		if r.number(item, "tolerance") < 0 {
			r.add(item.Where("tolerance"), "tolerance is %s: allowed are 0 and more", item.Child("tolerance").Text)
		}
		row.Published = append(row.Published, published{
			Column:    r.text(item, "column"),
			Figure:    r.text(item, "figure"),
			Value:     r.number(item, "value"),
			Tolerance: r.number(item, "tolerance"),
			Source:    r.text(item, "source"),
		})
	}
}

func (r *rowReader) number(n *document.Node, key string) float64 {
	child := n.Child(key)
	if child == nil {
		return 0
	}
	value, err := strconv.ParseFloat(child.Text, 64)
	if err != nil || math.IsNaN(value) || math.IsInf(value, 0) {
		r.add(child.At, "%s is %q: it must be a number", key, document.Shorten(child.Text))
	}
	return value
}

// measured reads what a row measures.
func (r *rowReader) measured(root *document.Node, row *Row) {
	n := root.Child("figures")
	if n == nil {
		r.add(root.At, "it lacks figures")
		return
	}
	words := vocabulary{measures: r.measures}
	whole := &group{at: n.At}
	whole.lets, words = r.lets(root.Child("let"), words)
	r.named = root.Child("lists")
	whole.items = r.members(n, words)
	row.Measure = func(results *Results) []Figure {
		results.measures = r.measures
		return whole.measure(results)
	}
	row.sketch = row.Measure
	if whole.opaque() {
		row.sketch = nil
	}
}

// opaque reports whether a group has figures that are only known once they are measured.
func (g *group) opaque() bool {
	return slices.ContainsFunc(g.items, func(m *member) bool {
		return m.measure != nil || m.group != nil && m.opaque()
	})
}

// figureWords are the keys of a figure, and of a group of them.
var (
	aroundWords = []string{"for", "with", "when", "runs", "column", "let"}
	figureWords = slices.Concat([]string{"name", "unit", "value", "constant"}, aroundWords)
	groupWords  = slices.Concat([]string{"figures"}, aroundWords)
)

func (r *rowReader) members(n *document.Node, words vocabulary) (list []*member) {
	if n.Kind == document.Scalar {
		return r.namedList(n, words)
	}
	if n.Kind != document.Sequence || len(n.Items) == 0 {
		r.add(n.At, "figures must be a list of figures")
		return nil
	}
	for _, item := range n.Items {
		if r.read++; r.read > maxFigures {
			if r.read == maxFigures+1 {
				r.add(item.At, "figures, with those of lists, are more than %d: allowed are up to that many", maxFigures)
			}
			return list
		}
		switch {
		case item.Child("measure") != nil:
			r.keys(item, "measure")
			m, err := r.measures.find(r.text(item, "measure"), ofFigures)
			if err != nil {
				r.add(item.Where("measure"), "%v", err)
			}
			list = append(list, &member{measure: m})
		case item.Child("figures") != nil:
			r.keys(item, groupWords...)
			g, inside := r.around(item, words)
			g.items = r.members(item.Child("figures"), inside)
			list = append(list, &member{group: g})
		default:
			r.keys(item, figureWords...)
			g, inside := r.around(item, words)
			f := &member{figure: r.figure(item, inside)}
			if g.plain() {
				list = append(list, f)
				continue
			}
			g.items = []*member{f}
			list = append(list, &member{group: g})
		}
	}
	return list
}

// maxWithin bounds how deeply lists of figures are nested, maxFigures how many figures and groups lists and loops make.
const (
	maxWithin  = 3
	maxFigures = 10_000
)

// namedList are the figures of a list by its name.
func (r *rowReader) namedList(n *document.Node, words vocabulary) []*member {
	list := r.named.Child(n.Text)
	if list == nil {
		var names []string
		if r.named != nil {
			for _, entry := range r.named.Entries {
				names = append(names, entry.Key)
			}
		}
		r.add(n.At, "there is no list of figures %q (%s)", document.Shorten(n.Text),
			spelling.Hint(n.Text, names, "lists has "+cmp.Or(strings.Join(names, ", "), "none")))
		return nil
	}
	if r.within++; r.within > maxWithin {
		r.add(n.At, "lists of figures are nested too deeply: allowed are %d levels", maxWithin)
	}
	defer func() { r.within-- }()
	if r.within > maxWithin {
		return nil
	}
	return r.members(list, words)
}

// plain reports whether a group says nothing around its items.
func (g *group) plain() bool {
	said := len(g.loops) + len(g.texts) + len(g.lets) + len(g.runs.keys)
	return said == 0 && g.when == nil && g.heading == nil && g.runs.column == nil && g.runs.variant == nil
}

func (r *rowReader) figure(n *document.Node, words vocabulary) *measured {
	r.needs(n, "name")
	f := &measured{unit: r.text(n, "unit"), name: r.template(n, "name", words)}
	if (n.Child("value") == nil) == (n.Child("constant") == nil) {
		r.add(n.At, "it must have a value, which is read from each run, or a constant")
	}
	f.value = r.expression(n, "value", words.ofRun().number)
	f.constant = r.expression(n, "constant", words.number)
	return f
}

// around reads what stands around figures.
func (r *rowReader) around(n *document.Node, words vocabulary) (*group, vocabulary) {
	g := &group{at: n.At}
	if loops := n.Child("for"); loops != nil {
		for _, entry := range loops.Entries {
			one := r.loop(entry)
			g.loops = append(g.loops, one)
			if one.name != "column" {
				words = words.with(map[string]any{one.name: one.example()})
			}
		}
		if len(loops.Entries) == 0 {
			r.add(loops.At, "for must have variables with their values, such as {n: [2, 4, 8]}")
		}
	}
	if with := n.Child("with"); with != nil {
		for _, entry := range with.Entries {
			of := r.expression(with, entry.Key, words.anything)
			g.texts = append(g.texts, let{entry.Key, of})
			words = words.with(map[string]any{entry.Key: of.example()})
		}
	}
	g.when = r.expression(n, "when", words.truth)
	if runs := n.Child("runs"); runs != nil {
		g.runs.keys = map[string]*located{}
		for _, entry := range runs.Entries {
			of := r.template(runs, entry.Key, words)
			switch entry.Key {
			case "column":
				g.runs.column = of
			case "variant":
				g.runs.variant = of
			default:
				g.runs.keys[entry.Key] = of
			}
		}
	}
	if n.Child("column") != nil {
		g.heading = r.template(n, "column", words)
	}
	g.lets, words = r.lets(n.Child("let"), words)
	return g, words
}

// loop is a variable and its values.
func (r *rowReader) loop(entry document.Entry) loop {
	l := loop{name: entry.Key}
	if entry.Value.Kind == document.Scalar {
		key, swept := strings.CutPrefix(entry.Value.Text, "values of ")
		l.of = key
		if !swept && entry.Value.Text != l.name+"s" || !swept && l.name != "column" && l.name != "variant" {
			r.add(entry.Value.At, "%s is %q: allowed are a list, \"values of KEY\", and of column and variant columns and "+
				"variants", l.name, document.Shorten(entry.Value.Text))
		}
		return l
	}
	if len(entry.Value.Items) == 0 {
		r.add(entry.Value.At, "%s must have a list of values", l.name)
	}
	for _, item := range entry.Value.Items {
		l.values = append(l.values, scalarOf(item))
	}
	for i, value := range l.values {
		if kindOf(value) != kindOf(l.values[0]) {
			r.add(entry.Value.Items[i].At, "the values of %s must be all numbers, all texts, or all mappings with the "+
				"same keys", l.name)
		}
	}
	return l
}

// scalarOf is a value of a loop: a number, a text, or texts and numbers by name.
func scalarOf(n *document.Node) any {
	if n.Kind == document.Mapping {
		all := map[string]any{}
		for _, entry := range n.Entries {
			all[entry.Key] = scalarOf(entry.Value)
		}
		return all
	}
	if number, err := strconv.ParseFloat(n.Text, 64); err == nil && !n.Quoted {
		return number
	}
	return n.Text
}

// kindOf is what a value of a loop is, in a word that two of one kind share.
func kindOf(value any) string {
	switch value := value.(type) {
	case float64:
		return "number"
	case map[string]any:
		var names []string
		for name, one := range value {
			names = append(names, name+" "+kindOf(one))
		}
		slices.Sort(names)
		return strings.Join(names, ", ")
	}
	return "text"
}

// example is a value as the loop has them.
func (l *loop) example() any {
	if len(l.values) == 0 {
		return ""
	}
	if one, is := l.values[0].(map[string]any); is {
		return kindsOf(one)
	}
	return l.values[0]
}

// kindsOf are the kinds of a mapping's values, so that a name that it lacks is refused.
func kindsOf(one map[string]any) types.Map {
	kinds := types.Map{}
	for name, value := range one {
		switch value := value.(type) {
		case float64:
			kinds[name] = types.Float64
		case map[string]any:
			kinds[name] = kindsOf(value)
		default:
			kinds[name] = types.String
		}
	}
	return kinds
}

// example is a value of the kind that an expression has.
func (l *located) example() any {
	if l == nil {
		return ""
	}
	switch kind := l.value.kind(); {
	case kind == reflect.Bool:
		return false
	case kind >= reflect.Int && kind <= reflect.Float64:
		return 0.0
	}
	return ""
}

// lets are values with names, each of which the next may name.
func (r *rowReader) lets(n *document.Node, words vocabulary) (list []let, more vocabulary) {
	if n == nil {
		return nil, words
	}
	for _, entry := range n.Entries {
		list = append(list, let{entry.Key, r.expression(n, entry.Key, words.ofRun().number)})
		words.lets = append(slices.Clip(words.lets), entry.Key)
	}
	return list, words
}

// expression is what a key has, nil if the key is not there or is wrong.
func (r *rowReader) expression(n *document.Node, key string,
	compile func(string) (*value, *expressionError)) *located {
	child := n.Child(key)
	if child == nil {
		return nil
	}
	place := r.inFile(child)
	value, wrong := compile(r.text(n, key))
	if wrong != nil {
		r.errors = append(r.errors, place(wrong))
		return nil
	}
	return &located{value: value, place: place}
}

func (r *rowReader) template(n *document.Node, key string, words vocabulary) *located {
	child := n.Child(key)
	if child == nil {
		return nil
	}
	place := r.inFile(child)
	text, wrong := words.template(r.text(n, key))
	if wrong != nil {
		r.errors = append(r.errors, place(wrong))
		return nil
	}
	return &located{template: text, place: place}
}
