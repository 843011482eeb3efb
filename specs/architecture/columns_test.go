package architecture

import (
	"go/ast"
	"go/token"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/result"
)

// Columns that readers of run folders name are columns that the writer has.

// columnReaders are the folders whose programs read the CSV files of runs.
var columnReaders = []string{"testbed/look/", "testbed/look/diff/", "testbed/many/reproduce/", "testbed/look/baseline/",
	"testbed/many/reproduce/measure/"}

// cellReaders are the methods that read a cell by the name of its column, by how many arguments they have.
var cellReaders = map[string]int{
	"Text": 1, "Number": 1, "OrZero": 1, "Time": 1, "Microseconds": 1, "Has": 1, "count": 1, "picoseconds": 1,
	"Damage": 2, "checked": 2,
}

// columnLists are names of lists of columns, as variables and as fields.
var columnLists = regexp.MustCompile(`(Keys|Columns|^keys|^columns|^by|^column)$`)

// columnName is the form of a column's name.
var columnName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// columnUse is a column that a reader names, and its file; "" if that is not beside it.
type columnUse struct {
	file, column string
	pos          token.Pos
}

// A column that a reader names is one that emulator/result writes into that file. Red if a column is renamed in the
// writer: it would read as "not measured", or 0.
func TestColumnsAreThoseThatAreWritten(t *testing.T) {
	sheets := result.SheetColumns()
	anywhere := map[string]bool{}
	for _, columns := range sheets {
		for _, c := range columns {
			anywhere[c.Name] = true
		}
	}
	constants := map[string]map[string]string{} // by folder and name
	products(t, func(name string, file *ast.File, _ func(token.Pos) int) {
		folder := path.Dir(name)
		if constants[folder] == nil {
			constants[folder] = map[string]string{}
		}
		constantsOf(file, constants[folder])
	})
	attributed, all := 0, 0
	products(t, func(name string, file *ast.File, at func(token.Pos) int) {
		if !slices.ContainsFunc(columnReaders, func(of string) bool { return strings.HasPrefix(name, of) }) {
			return
		}
		finder := &columnFinder{constants: constants[path.Dir(name)]}
		finder.walk(file, "")
		for _, use := range finder.found {
			all++
			if use.file == "" {
				if !anywhere[use.column] {
					t.Errorf("%s:%d: no file of a run has a column %s", name, at(use.pos), use.column)
				}
				continue
			}
			attributed++
			if !slices.ContainsFunc(sheets[use.file], func(c result.SheetColumn) bool { return c.Name == use.column }) {
				t.Errorf("%s:%d: %s has no column %s", name, at(use.pos), use.file, use.column)
			}
		}
	})
	if all < 150 || attributed < 100 {
		t.Errorf("%d columns were found, of %d the file: the test does not see them any more", all, attributed)
	}
}

// constantsOf adds the texts of a file's constants.
func constantsOf(file *ast.File, into map[string]string) {
	for _, d := range file.Decls {
		declared, ok := d.(*ast.GenDecl)
		if !ok || declared.Tok != token.CONST {
			continue
		}
		for _, spec := range declared.Specs {
			values := spec.(*ast.ValueSpec)
			for i, name := range values.Names {
				if i < len(values.Values) {
					if text, ok := textOf(values.Values[i], nil); ok {
						into[name.Name] = text
					}
				}
			}
		}
	}
}

// textOf is the text of an expression that is one, or the name of a constant.
func textOf(of ast.Expr, constants map[string]string) (string, bool) {
	switch of := of.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(of.Value)
		return text, err == nil && of.Kind == token.STRING
	case *ast.Ident:
		text, ok := constants[of.Name]
		return text, ok
	}
	return "", false
}

// columnFinder finds the columns that a file of Go names.
type columnFinder struct {
	constants map[string]string
	found     []columnUse
}

// walk searches below a node, in which rows belong to a file.
func (f *columnFinder) walk(node ast.Node, file string) {
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			if of := f.sheetOf(n.X); of != "" && of != file {
				f.walk(n.X, of)
				f.walk(n.Body, of)
				return false
			}
		case *ast.CallExpr:
			if of := f.sheetOf(n); of != "" && of != file {
				for _, argument := range n.Args {
					f.walk(argument, of)
				}
				f.walk(n.Fun, file)
				return false
			}
			if name, ok := n.Fun.(*ast.SelectorExpr); ok && cellReaders[name.Sel.Name] == len(n.Args) && len(n.Args) > 0 {
				of, column := file, n.Args[0]
				if name.Sel.Name == "checked" {
					of, _ = textOf(n.Args[0], f.constants)
					column = n.Args[1]
				}
				f.add(of, column)
			}
		case *ast.CompositeLit:
			for _, element := range n.Elts {
				pair, ok := element.(*ast.KeyValueExpr)
				if key, is := pairKey(pair, ok); is && key == "file" {
					if of, _ := textOf(pair.Value, f.constants); strings.HasSuffix(of, ".csv") && of != file {
						f.walk(n, of)
						return false
					}
				}
			}
		case *ast.KeyValueExpr:
			if key, ok := textOf(n.Key, nil); ok && strings.HasSuffix(key, ".csv") && file == "" {
				f.list(key, n.Value)
			}
			if key, ok := pairKey(n, true); ok && columnLists.MatchString(key) {
				f.list(file, n.Value)
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if i < len(n.Values) && columnLists.MatchString(name.Name) {
					f.list(file, n.Values[i])
				}
			}
		case *ast.Field:
			if n.Tag != nil {
				tag, _ := strconv.Unquote(n.Tag.Value)
				if column, _, _ := strings.Cut(reflect.StructTag(tag).Get("csv"), ","); column != "" {
					f.found = append(f.found, columnUse{file, column, n.Pos()})
				}
			}
		}
		return true
	})
}

// pairKey is the name of the field of a pair.
func pairKey(pair *ast.KeyValueExpr, ok bool) (string, bool) {
	if !ok || pair == nil {
		return "", false
	}
	name, ok := pair.Key.(*ast.Ident)
	if !ok {
		return "", false
	}
	return name.Name, true
}

// sheetOf is the file that a call reads, the only one of its arguments that is a text with such a name.
func (f *columnFinder) sheetOf(of ast.Expr) string {
	call, ok := of.(*ast.CallExpr)
	if !ok {
		return ""
	}
	for _, argument := range call.Args {
		if text, ok := textOf(argument, f.constants); ok && strings.HasSuffix(text, ".csv") {
			return text
		}
	}
	return ""
}

// list adds a text, or all texts of a list.
func (f *columnFinder) list(file string, of ast.Expr) {
	if list, ok := of.(*ast.CompositeLit); ok {
		for _, element := range list.Elts {
			f.add(file, element)
		}
		return
	}
	f.add(file, of)
}

// add adds a column.
func (f *columnFinder) add(file string, of ast.Expr) {
	if column, ok := textOf(of, f.constants); ok && columnName.MatchString(column) {
		f.found = append(f.found, columnUse{file, column, of.Pos()})
	}
}
