package reproduce

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/vm"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/spelling"
)

// value is how a figure of ours is read: an expression of github.com/expr-lang/expr. Besides what the language itself
// offers it may call
//
//	metric(NAME, RUN...)                a metric of summary.json
//	column(FILE, COLUMN, WHERE...)      the numbers in a column of the rows of a CSV file that have these cells, each as
//	                                    "queue=3", as a list
//	cell(FILE, COLUMN, WHERE...)        the one of them
//	rows(FILE, [COLUMN, ...], WHERE...) those rows with some columns, as a list of maps
//	series(FILE, COLUMN, FROM, UNTIL, WHERE...)
//	                                    the bins of a file of series between two times, in microseconds
//	span(FILE, COLUMN, WHERE...)        how long such a series is, in microseconds
//	above(LIMIT, FILE, COLUMN, WHERE...)
//	                                    the beginning of the first bin with more, in microseconds
//	mean(LIST), quantile(LIST, PERCENT), jain(LIST)
//	width(FILE)                         how wide the bins of a file of series are, in microseconds
//	figure(NAME), figure(NAME, COLUMN)  a figure that stands before this one, of the same seed
//	median(NAME), least(NAME), largest(NAME), values(NAME), medians(PATTERN), has(NAME)
//	                                    of figures that stand before this one, over all seeds, as in a criterion
//	ran(VARIANT), swept(KEY), full      whether a variant is run, the values of a swept key, whether it is the full form
//	headroom(RATE, RUN...)              the bytes of headroom of a lossless class at the ports of a rate, "400Gbps"
//	measure(NAME, ...), measures(NAME, ...)
//	                                    what is measured in Go: a number, a list
//	growth(FROM, TO, FILE, COLUMN, WHERE...)
//	                                    the cell in variant TO less that in FROM, which is its beginning
//	mean_after(FROM, TO, FILE, MEAN, COUNT, WHERE...)
//	                                    the mean over the part of TO after FROM: MEAN and COUNT are columns
//
// A RUN is "variant=NAME", "column=NAME" or "KEY=VALUE" of a swept key: the run of the same seed that differs in that.
// It may stand among the cells of WHERE, too.
type value struct {
	text    string
	program *vm.Program
}

// step is the function that predicates call first: see counting.
const step = "__step"

// vocabulary is what expressions may name besides the functions.
type vocabulary struct {
	measures Measures
	// names are variables with an example of each.
	names map[string]any
	// lets are numbers that are read of each run.
	lets []string
}

// ofRun are those that expressions of one run may name.
func (v vocabulary) ofRun() vocabulary {
	names := map[string]any{}
	for _, name := range v.lets {
		names[name] = 0.0
	}
	return v.with(names)
}

// with are further variables.
func (v vocabulary) with(names map[string]any) vocabulary {
	all := maps.Clone(v.names)
	if all == nil {
		all = map[string]any{}
	}
	maps.Copy(all, names)
	v.names = all
	return v
}

// number compiles an expression that is a number, anything one of any kind, truth one that is true or false.
func (v vocabulary) number(text string) (*value, *expressionError) {
	return v.compile(text, expr.AsFloat64())
}

func (v vocabulary) anything(text string) (*value, *expressionError) {
	return v.compile(text, expr.AsAny())
}

func (v vocabulary) truth(text string) (*value, *expressionError) {
	return v.compile(text, expr.AsBool())
}

func (v vocabulary) compile(text string, as expr.Option) (*value, *expressionError) {
	read := &reading{names: v.names, figures: &Figures{}}
	program, err := expr.Compile(text, append(timeless(), as, expr.MaxNodes(maxNodes), expr.Env(read.environment()),
		expr.Optimize(false), expr.Patch(counting{}))...)
	if err != nil {
		return nil, placed(err)
	}
	node := program.Node()
	checker := &naming{text: text, measures: v.measures}
	ast.Walk(&node, checker)
	if checker.wrong != nil {
		return nil, checker.wrong
	}
	return &value{text, program}, nil
}

// timeless takes away the functions that read the clock or the time zone of the host.
func timeless() []expr.Option {
	return []expr.Option{
		expr.DisableBuiltin("now"),
		expr.DisableBuiltin("date"),
		expr.DisableBuiltin("duration"),
		expr.DisableBuiltin("timezone"),
	}
}

// kind is what the value is, as far as that is known.
func (v *value) kind() reflect.Kind {
	if of := v.program.Node().Type(); of != nil {
		return of.Kind()
	}
	return reflect.Invalid
}

// run computes the value.
func (v *value) run(r *reading) (any, *expressionError) {
	machine := &vm.VM{MemoryBudget: maxMemory}
	result, err := machine.Run(v.program, r.environment())
	if err != nil {
		return nil, placed(err)
	}
	return result, nil
}

// counting has each predicate count its steps, so that predicates within predicates end.
type counting struct{}

// Visit puts a call of step before what a predicate computes.
func (counting) Visit(node *ast.Node) {
	predicate, is := (*node).(*ast.PredicateNode)
	if !is {
		return
	}
	if _, done := predicate.Node.(*ast.SequenceNode); done {
		return
	}
	call := &ast.CallNode{Callee: &ast.IdentifierNode{Value: step}}
	predicate.Node = &ast.SequenceNode{Nodes: []ast.Node{call, predicate.Node}}
}

// naming finds calls that name a metric or a measure that is not there.
type naming struct {
	text     string
	measures Measures
	wrong    *expressionError
}

// Visit looks at a call.
func (n *naming) Visit(node *ast.Node) {
	call, is := (*node).(*ast.CallNode)
	if !is || n.wrong != nil {
		return
	}
	name, is := call.Callee.(*ast.IdentifierNode)
	if !is || len(call.Arguments) == 0 {
		return
	}
	var err error
	argument, constant := call.Arguments[0].(*ast.StringNode)
	if at, reads := fileAt[name.Value]; reads {
		n.sheet(call.Arguments, at)
		return
	}
	switch {
	case name.Value != "metric" && name.Value != "measure" && name.Value != "measures":
		return
	case !constant:
		err = fmt.Errorf("%s wants a name in quotes", name.Value)
	case name.Value == "metric":
		if _, known := result.MetricOf(argument.Value); !known {
			err = fmt.Errorf("there is no metric %q (%s)", argument.Value, spelling.Hint(argument.Value, result.MetricNames(),
				"docs/results.md lists them"))
		}
	case name.Value == "measure":
		_, err = n.measures.find(argument.Value, ofValue)
	default:
		_, err = n.measures.find(argument.Value, ofList)
	}
	if err != nil {
		n.wrong = at(n.text, call.Arguments[0].Location().From, err.Error())
	}
}

// fileAt is which argument of a function is a file; columns of it are the next ones.
var fileAt = map[string]struct{ file, columns int }{
	"cell":       {0, 1},
	"column":     {0, 1},
	"rows":       {0, 1},
	"series":     {0, 1},
	"span":       {0, 1},
	"width":      {0, 0},
	"above":      {1, 1},
	"growth":     {2, 1},
	"mean_after": {2, 2},
}

// sheetColumns are the columns of the files of a run.
var sheetColumns = sync.OnceValue(result.SheetColumns)

// sheet finds a file that no run has, and a column that the file does not have.
func (n *naming) sheet(arguments []ast.Node, at struct{ file, columns int }) {
	if len(arguments) <= at.file {
		return
	}
	file, constant := arguments[at.file].(*ast.StringNode)
	if !constant {
		return
	}
	columns, known := sheetColumns()[file.Value]
	if !known { // that of a kind of node, or a word that was meant otherwise
		if meant := spelling.Nearest(file.Value, slices.Sorted(maps.Keys(sheetColumns()))); meant != "" {
			n.refuse(file, "there is no file %q of a run (did you mean %s?)", file.Value, meant)
		}
		return
	}
	var names []string
	for _, c := range columns {
		names = append(names, c.Name)
	}
	asked := arguments[at.file+1 : min(len(arguments), at.file+1+at.columns)]
	if len(asked) == 1 {
		if list, is := asked[0].(*ast.ArrayNode); is {
			asked = list.Nodes
		}
	}
	for _, one := range asked {
		if column, constant := one.(*ast.StringNode); constant && !slices.Contains(names, column.Value) {
			n.refuse(column, "%s has no column %q (%s)", file.Value, column.Value, spelling.Hint(column.Value, names,
				strings.Join(names, ", ")))
			return
		}
	}
}

func (n *naming) refuse(node ast.Node, format string, arguments ...any) {
	n.wrong = at(n.text, node.Location().From, fmt.Sprintf(format, arguments...))
}

// at is an error at a rune of an expression.
func at(text string, from int, message string) *expressionError {
	wrong := &expressionError{1, 1, message}
	for i, r := range []rune(text) {
		if i >= from {
			break
		}
		if wrong.Column++; r == '\n' {
			wrong.Line, wrong.Column = wrong.Line+1, 1
		}
	}
	return wrong
}

// template is a text with expressions in braces, such as "mean RTT, n={n}".
type template struct {
	text  string
	parts []part
}

// part is a text as it is, or an expression in its place.
type part struct {
	text  string
	value *value
}

// template compiles a template.
func (v vocabulary) template(text string) (*template, *expressionError) {
	t := &template{text: text}
	for at := 0; at < len(text); {
		open := strings.IndexByte(text[at:], '{')
		if open < 0 {
			t.parts = append(t.parts, part{text: text[at:]})
			break
		}
		if open > 0 {
			t.parts = append(t.parts, part{text: text[at : at+open]})
		}
		from := at + open + 1
		end := strings.IndexByte(text[from:], '}')
		if end < 0 {
			return nil, &expressionError{1, from, "a { without its }"}
		}
		value, wrong := v.anything(text[from : from+end])
		if wrong != nil {
			if wrong.Line == 1 {
				wrong.Column += len([]rune(text[:from]))
			}
			return nil, wrong
		}
		t.parts = append(t.parts, part{value: value})
		at = from + end + 1
	}
	return t, nil
}

// run is the text with the values in their places.
func (t *template) run(r *reading) (string, *expressionError) {
	var out strings.Builder
	for _, p := range t.parts {
		if p.value == nil {
			out.WriteString(p.text)
			continue
		}
		value, wrong := p.value.run(r)
		if wrong != nil {
			return "", wrong
		}
		switch value := value.(type) {
		case string:
			out.WriteString(value)
		case float64:
			out.WriteString(strconv.FormatFloat(value, 'f', -1, 64))
		case int:
			out.WriteString(strconv.Itoa(value))
		default:
			return "", &expressionError{1, 1, errors.New("it must be a text or a number: {" + p.value.text + "}").Error()}
		}
	}
	return out.String(), nil
}
