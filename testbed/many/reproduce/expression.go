package reproduce

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"
)

// expression is a criterion as a registry writes it: an expression of github.com/expr-lang/expr over the figures of a
// row, which is true or false. Besides what the language itself offers it may call
//
//	median(NAME), least(NAME), largest(NAME)   of a figure in the column that is judged
//	median(NAME, COLUMN), ...                  of a figure in another column
//	values(NAME), values(NAME, COLUMN)         its values, seed by seed
//	medians(PATTERN), medians(PATTERN, COLUMN) of all figures whose name has something, without a comma, in place of *
//	has(NAME), has(NAME, COLUMN)               whether there is such a figure, which may be one of the full form only
//	near(VALUE, NUMBER, SHARE)                 whether a value is within that share of a number
//
// and name column, the one that is judged.
type expression struct {
	// Text is the expression as it is written.
	Text string

	program *vm.Program
	sides   []side
	// names are the figures and the columns that it names outright; none if it asks with has what there is.
	names [][2]string
}

// namesIn are the figures that calls name by constants, with their columns, "" for the one that is judged.
func namesIn(node ast.Node) (names [][2]string) {
	finder := &figureNames{}
	ast.Walk(&node, finder)
	if finder.guarded {
		return nil
	}
	return finder.names
}

type figureNames struct {
	names   [][2]string
	guarded bool
}

// Visit notes a call that names a figure.
func (f *figureNames) Visit(node *ast.Node) {
	call, is := (*node).(*ast.CallNode)
	if !is || len(call.Arguments) == 0 {
		return
	}
	switch call.Callee.String() {
	case "has":
		f.guarded = true
	case "median", "least", "largest", "values", "medians":
		var name [2]string
		for i, argument := range call.Arguments[:min(len(call.Arguments), len(name))] {
			text, constant := argument.(*ast.StringNode)
			if !constant {
				return
			}
			name[i] = text.Value
		}
		f.names = append(f.names, name)
	}
}

// lacks are the figures that it names and that are not among figures, in none of the columns.
func (e *expression) lacks(figures Figures, columns []string) (list []string) {
	for _, name := range e.names {
		for _, column := range columns {
			in := figures.In(cmp.Or(name[1], column))
			in.missing = new([]string)
			there := in.Has(name[0])
			if strings.Contains(name[0], "*") {
				_, err := in.matching(name[0])
				there = err == nil
			}
			if asked := in.asked(name[0]); !there && !slices.Contains(list, asked) {
				list = append(list, asked)
			}
		}
	}
	return list
}

// side is a part of an expression that shows a measurement: a side of a comparison.
type side struct {
	program *vm.Program
	// figure is its name and column where the side is the median of one, for its range and unit.
	figure *[2]string
}

// maxNodes and maxMemory bound what an expression may be and take.
const (
	maxNodes  = 400
	maxMemory = 100_000
)

// expressionError is the fault of an expression, with its line and column, both from 1.
type expressionError struct {
	Line, Column int
	Message      string
}

// Error is the message with its place.
func (e *expressionError) Error() string {
	return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Message)
}

// newExpression compiles a criterion.
func newExpression(text string) (*expression, *expressionError) {
	e := &expression{Text: text}
	written, err := compile(text, expr.AsBool(), expr.Optimize(false)) // without the calls of counting
	if err != nil {
		return nil, placed(err)
	}
	if e.program, err = compile(text, expr.AsBool(), expr.Optimize(false), expr.Patch(counting{})); err != nil {
		return nil, placed(err)
	}
	e.names = namesIn(written.Node())
	seen := map[string]bool{}
	sides(written.Node(), scope{}, func(text string, figure *[2]string) {
		program, err := compile(text, expr.Optimize(false), expr.Patch(counting{}))
		if err == nil && !seen[text] {
			e.sides = append(e.sides, side{program, figure})
		}
		seen[text] = true
	})
	return e, nil
}

func compile(text string, more ...expr.Option) (*vm.Program, error) {
	options := append(timeless(), expr.Env(environment(Figures{})), expr.MaxNodes(maxNodes))
	return expr.Compile(text, append(options, more...)...)
}

// placed converts the position of the language's errors: its columns count from 0.
func placed(err error) *expressionError {
	var at *file.Error
	if errors.As(err, &at) {
		return &expressionError{at.Line, at.Column + 1, at.Message}
	}
	return &expressionError{1, 1, err.Error()}
}

// environment returns the names that expressions may use, over figures.
func environment(f Figures) map[string]any {
	in := func(column []string) Figures {
		if len(column) > 0 {
			return f.In(column[0])
		}
		return f
	}
	of := func(read func(Figure) float64) func(string, ...string) (float64, error) {
		return func(name string, column ...string) (float64, error) {
			figure, err := in(column).find(name)
			return read(figure), err
		}
	}
	steps := &reading{}
	return map[string]any{
		step:      steps.step,
		"column":  f.column,
		"median":  of(Figure.Median),
		"least":   of(Figure.Least),
		"largest": of(Figure.Largest),
		"values": func(name string, column ...string) ([]float64, error) {
			figure, err := in(column).find(name)
			return figure.Values, err
		},
		"medians": func(pattern string, column ...string) ([]float64, error) { return in(column).matching(pattern) },
		"has":     func(name string, column ...string) bool { return in(column).Has(name) },
		"near": func(value, number, share float64) bool {
			return math.Abs(value-number) <= share*math.Abs(number)
		},
	}
}

// find is Of with an error for a figure that is not there.
func (f Figures) find(name string) (Figure, error) {
	figure := f.Of(name)
	if figure.Name == "" {
		return figure, fmt.Errorf("there is no figure %q", f.asked(name))
	}
	return figure, nil
}

// matching are the medians of the figures whose name is a pattern, in their order.
func (f Figures) matching(pattern string) (list []float64, err error) {
	before, after, _ := strings.Cut(pattern, "*")
	for i := range f.list {
		one := &f.list[i]
		if one.Column != f.column && one.Column != "" {
			continue
		}
		rest, found := strings.CutPrefix(one.Name, before)
		middle, ends := strings.CutSuffix(rest, after)
		if found && ends && middle != "" && !strings.Contains(middle, ",") {
			list = append(list, one.Median())
		}
	}
	if list == nil {
		*f.missing = append(*f.missing, f.asked(pattern))
		err = fmt.Errorf("there is no figure %q", f.asked(pattern))
	}
	return list, err
}

// Judge reports whether figures fulfil the expression, with the measured values. The error is a missing figure, which
// is recorded as such, or a failed computation.
func (e *expression) Judge(f Figures) (holds bool, measured string, wrong *expressionError) {
	machine := &vm.VM{MemoryBudget: maxMemory}
	value, err := machine.Run(e.program, environment(f))
	if err != nil {
		return false, "", placed(err)
	}
	holds, _ = value.(bool)
	return holds, e.measured(machine, f), nil
}

// holds returns the function that judges figures for a criterion. It records faults as missing, with their place.
func (e *expression) holds(place func(*expressionError) string) func(Figures) (bool, string) {
	return func(f Figures) (bool, string) {
		known := len(*f.missing)
		holds, measured, wrong := e.Judge(f)
		if wrong != nil {
			*f.missing = append((*f.missing)[:known], place(wrong))
		}
		return holds, measured
	}
}

// measured describes the sides of comparisons. A comparison with a missing figure was not made.
func (e *expression) measured(machine *vm.VM, f Figures) string {
	var parts, missing []string
	f.missing = &missing
	for _, one := range e.sides {
		missing = nil
		text := ""
		if one.figure != nil {
			column := f
			if one.figure[1] != "" {
				column = f.In(one.figure[1])
			}
			text = column.Of(one.figure[0]).withUnit()
		} else if value, err := machine.Run(one.program, environment(f)); err == nil {
			text = shown(value)
		}
		if len(missing) == 0 && !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "; ")
}

// shown prints a value that was measured.
func shown(value any) string {
	switch v := reflect.ValueOf(value); {
	case !v.IsValid():
		return "-"
	case v.CanFloat():
		return number(v.Float())
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10)
	case v.Kind() == reflect.Slice:
		parts := make([]string, v.Len())
		for i := range parts {
			parts[i] = shown(v.Index(i).Interface())
		}
		return strings.Join(parts, " ")
	}
	return fmt.Sprint(value)
}

// scope is the surroundings of a node in an expression: the text before and after it that makes its variables, or the
// elements of a list, known. Plain is set if such a list has constants only.
type scope struct {
	before, after string
	plain         bool
}

// sides calls add for the sides of comparisons that measure something, as expressions of their own.
func sides(node ast.Node, in scope, add func(text string, figure *[2]string)) {
	take := func(n ast.Node) {
		if !measures(n, in.plain) {
			return
		}
		figure := figureOf(n)
		if in.after != "" {
			figure = nil
		}
		add(in.before+n.String()+in.after, figure)
	}
	switch n := node.(type) {
	case *ast.BinaryNode:
		switch n.Operator {
		case "and", "&&", "or", "||":
			sides(n.Left, in, add)
			sides(n.Right, in, add)
		case "<", "<=", ">", ">=", "==", "!=":
			take(n.Left)
			take(n.Right)
		}
	case *ast.UnaryNode:
		sides(n.Node, in, add)
	case *ast.VariableDeclaratorNode:
		in.before += "let " + n.Name + " = " + n.Value.String() + "; "
		sides(n.Expr, in, add)
	case *ast.CallNode:
		if n.Callee.String() == "near" && len(n.Arguments) == 3 {
			take(n.Arguments[0])
		}
	case *ast.BuiltinNode:
		if predicate, ok := n.Arguments[len(n.Arguments)-1].(*ast.PredicateNode); ok && in.after == "" &&
			(n.Name == "all" || n.Name == "any") {
			in.plain = !measures(n.Arguments[0], false)
			in.before += "map(" + n.Arguments[0].String() + ", "
			in.after = ")"
			sides(predicate.Node, in, add)
		}
	}
}

// figureOf returns the figure in a median node, nil for another node.
func figureOf(node ast.Node) *[2]string {
	call, ok := node.(*ast.CallNode)
	if !ok || len(call.Arguments) == 0 || call.Callee.String() != "median" {
		return nil
	}
	var names [2]string
	for i, argument := range call.Arguments {
		text, ok := argument.(*ast.StringNode)
		if !ok || i >= len(names) {
			return nil
		}
		names[i] = text.Value
	}
	return &names
}

// measures reports whether a node calls for a figure, or names what does; the elements of a plain list do not.
func measures(node ast.Node, plain bool) bool {
	finder := &measuring{plain: plain}
	ast.Walk(&node, finder)
	return finder.found
}

type measuring struct{ plain, found bool }

// Visit notes a node that measures.
func (m *measuring) Visit(node *ast.Node) {
	switch (*node).(type) {
	case *ast.CallNode, *ast.IdentifierNode:
		m.found = true
	case *ast.PointerNode:
		m.found = m.found || !m.plain
	}
}
