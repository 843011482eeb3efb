package reproduce

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/internal/spelling"
)

// registryLanguage bounds a registry.
var registryLanguage = &document.Language{
	Name:     "registry",
	Needs:    "claims",
	MaxBytes: 1 << 20,
	MaxDepth: 8,
	MaxKeys:  500,
}

// ReadRegistry reads a registry of claims about rows. All that is wrong with it is in the error, a document.Errors,
// each at its line and column: an unknown key, a quote that another entry has, an expression that names nothing.
func ReadRegistry(file string, text []byte, rows []*Row) (*Registry, error) {
	r := &registryReader{lines: strings.Split(string(text), "\n"), quotes: map[string]string{}, names: map[string]bool{}}
	root := registryLanguage.ParseYAML(file, text, r.add)
	for _, row := range rows {
		r.rows = append(r.rows, row.ID)
		if !slices.Contains(r.sources, row.Paper.Name) {
			r.sources = append(r.sources, row.Paper.Name)
		}
	}
	registry := &Registry{}
	if root != nil {
		r.keys(root, "date", "rows", "claims", "apart")
		r.date = r.text(root, "date")
		r.sizes = root.Child("rows")
		registry.Claims = r.list(root.Child("claims"), true)
		registry.Apart = r.list(root.Child("apart"), false)
	}
	if len(r.errors) > 0 {
		return nil, r.errors
	}
	for _, entry := range registry.entries() {
		for i := range entry.Criteria {
			entry.Criteria[i].Entry = entry
		}
	}
	return registry, nil
}

type registryReader struct {
	errors  document.Errors
	lines   []string
	date    string
	sizes   *document.Node
	rows    []string
	sources []string
	// quotes has the entry of each quote, names the used names of criteria and entries.
	quotes map[string]string
	names  map[string]bool
}

func (r *registryReader) add(at document.Position, format string, args ...any) {
	r.errors = append(r.errors, at.Error(fmt.Sprintf(format, args...)))
}

// keys refuses keys that are not among the allowed ones.
func (r *registryReader) keys(n *document.Node, allowed ...string) {
	if n.Kind != document.Mapping {
		r.add(n.At, "it is %s: it must be a mapping of %s", document.KindNames[n.Kind], strings.Join(allowed, ", "))
	}
	for _, entry := range n.Entries {
		if !slices.Contains(allowed, entry.Key) {
			r.add(entry.At, "there is no key %q (%s)", entry.Key, spelling.Hint(entry.Key, allowed, strings.Join(allowed, ", ")))
		}
	}
}

func (r *registryReader) text(n *document.Node, key string) string {
	child := n.Child(key)
	if child == nil {
		return ""
	}
	if child.Kind != document.Scalar {
		r.add(child.At, "%s is %s: it must be a text", key, document.KindNames[child.Kind])
	}
	return child.Text
}

func (r *registryReader) word(n *document.Node, key string, allowed []string) string {
	text := r.text(n, key)
	if !slices.Contains(allowed, text) {
		r.add(n.Where(key), "%s is %q: allowed are %s", key, text, strings.Join(allowed, ", "))
	}
	return text
}

// needs asks for keys that an entry must have.
func (r *registryReader) needs(n *document.Node, keys ...string) {
	for _, key := range keys {
		if child := n.Child(key); child == nil || child.Text == "" && child.Kind == document.Scalar {
			r.add(n.At, "it lacks %s", key)
		}
	}
}

func (r *registryReader) taken(at document.Position, kind, name string) {
	if r.names[kind+name] {
		r.add(at, "another %s is called %q", kind, name)
	}
	r.names[kind+name] = true
}

func (r *registryReader) list(n *document.Node, claims bool) (list []*Entry) {
	if n == nil {
		return nil
	}
	for _, item := range n.Items {
		list = append(list, r.entry(item, claims))
	}
	return list
}

func (r *registryReader) entry(n *document.Node, claim bool) *Entry {
	e := &Entry{Date: r.date}
	if claim {
		r.keys(n, "id", "source", "place", "quote", "also", "number", "grade", "row", "criteria", "date", "untestable",
			"owed", "note")
		r.needs(n, "id", "source", "place", "quote", "grade")
		e.Source = r.word(n, "source", r.sources)
		e.Grade = claimGrade(r.word(n, "grade", claimGrades))
	} else {
		r.keys(n, "id", "kind", "row", "criteria", "date", "note")
		r.needs(n, "id", "kind", "row", "criteria")
		e.Kind = kind(r.word(n, "kind", kinds))
	}
	e.ID, e.Place, e.Number = r.text(n, "id"), r.text(n, "place"), r.text(n, "number")
	r.taken(n.Where("id"), "entry", e.ID)
	e.Untestable, e.Owed, e.Note = r.text(n, "untestable"), r.text(n, "owed"), r.text(n, "note")
	if date := r.text(n, "date"); date != "" {
		e.Date = date
	}
	if e.Date == "" {
		r.add(n.At, "it lacks date")
	}
	e.Quote = r.text(n, "quote")
	r.quoted(n.Where("quote"), e.ID, e.Quote)
	if also := n.Child("also"); also != nil {
		for _, item := range also.Items {
			e.Also = append(e.Also, item.Text)
			r.quoted(item.At, e.ID, item.Text)
		}
	}
	if e.Row = r.text(n, "row"); e.Row != "" {
		r.size(n, e)
	}
	if criteria := n.Child("criteria"); criteria != nil {
		for _, item := range criteria.Items {
			e.Criteria = append(e.Criteria, r.criterion(item, e))
		}
	}
	ways := 0
	for _, way := range []bool{len(e.Criteria) > 0, e.Untestable != "", e.Owed != ""} {
		if way {
			ways++
		}
	}
	if ways != 1 || len(e.Criteria) > 0 != (e.Row != "") {
		r.add(n.At, "it must have a row with criteria, or a reason why it is untestable, or a note that it is owed")
	}
	return e
}

// quoted notes a quote, without its white space, and refuses one that is there twice.
func (r *registryReader) quoted(at document.Position, id, quote string) {
	plain := strings.Join(strings.Fields(quote), "")
	if other, twice := r.quotes[plain]; twice && plain != "" {
		r.add(at, "entry %q has this quote, too: a sentence has one entry", other)
	}
	r.quotes[plain] = id
}

// size reads the registry's size of an entry's row.
func (r *registryReader) size(n *document.Node, e *Entry) {
	if !slices.Contains(r.rows, e.Row) {
		r.add(n.Where("row"), "there is no row %q (%s)", e.Row, spelling.Hint(e.Row, r.rows, "rocelab reproduce lists them"))
		return
	}
	row := r.sizes.Child(e.Row)
	if row == nil {
		r.add(n.Where("row"), "rows has no size of %s", e.Row)
		return
	}
	r.keys(row, "size", "seeds")
	e.Size = r.text(row, "size")
	seeds, err := strconv.Atoi(r.text(row, "seeds"))
	if e.Seeds = seeds; err != nil || seeds < 1 || seeds > 1000 || e.Size == "" {
		r.add(row.At, "it must have a size, and seeds from 1 to 1000")
	}
}

func (r *registryReader) criterion(n *document.Node, e *Entry) Criterion {
	r.keys(n, "name", "text", "holds", "grade", "form", "miss")
	r.needs(n, "name", "text", "holds")
	c := Criterion{Name: r.text(n, "name"), Text: r.text(n, "text"), Grade: Pass}
	r.taken(n.Where("name"), "criterion of "+e.Row, c.Name)
	if n.Child("grade") != nil {
		c.Grade = Grade(r.word(n, "grade", []string{string(Pass), string(Target)}))
	}
	if n.Child("form") != nil {
		c.FullOnly = r.word(n, "form", []string{"full"}) != ""
	}
	text := r.text(n, "holds")
	if text == "" {
		return c
	}
	place := r.inFile(n.Child("holds"))
	expression, err := newExpression(text)
	if err != nil {
		r.errors = append(r.errors, place(err))
		return c
	}
	c.Expression = text
	c.Holds = expression.holds(func(err *expressionError) string { return place(err).Error() })
	c.lacks = func(figures Figures, columns []string) (list []string) {
		for _, name := range expression.lacks(figures, columns) {
			list = append(list, place(&expressionError{1, 1, fmt.Sprintf("there is no figure %q", name)}).Error())
		}
		return list
	}
	if miss := n.Child("miss"); miss != nil {
		c.Miss = r.miss(miss)
	}
	return c
}

// miss reads the reason of a miss.
func (r *registryReader) miss(n *document.Node) *miss {
	r.keys(n, "why", "control", "cause", "in")
	r.needs(n, "why")
	miss := &miss{Why: r.text(n, "why"), Command: r.text(n, "control")}
	miss.Unknown = n.Child("cause") != nil && r.word(n, "cause", []string{"unknown"}) != ""
	if miss.Unknown == (miss.Command != "") {
		r.add(n.At, "it must have a control, a command that shows the cause, or say cause: unknown")
	}
	if n.Child("in") != nil {
		miss.In = r.word(n, "in", []string{"quick", "full"})
	}
	return miss
}

// inFile is where in the file a place of an expression is.
func (r *registryReader) inFile(n *document.Node) func(*expressionError) *document.Error {
	return func(wrong *expressionError) *document.Error {
		at := n.At
		if n.Block() {
			at.Line += wrong.Line
			line := r.lines[min(at.Line, len(r.lines))-1]
			at.Column = len(line) - len(strings.TrimLeft(line, " ")) + wrong.Column
		} else if at.Column += wrong.Column - 1; n.Quoted {
			at.Column++
		}
		message, _, _ := strings.Cut(wrong.Message, "\n")
		return at.Error(message)
	}
}
