package architecture

import (
	"bufio"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	maxColumns = 120
	// maxFields is the maximum number of fields that a composite literal may name with several of them on one line.
	maxFields = 4
)

// sources returns the project's Go files, except generated ones.
func sources(t *testing.T) (files []string) {
	t.Helper()
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && d.Name() != "..":
			return filepath.SkipDir
		case strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, ".pb.go"):
			files = append(files, path)
		}
		return nil
	})
	if err != nil || len(files) < 500 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	return files
}

// Templates of Go become the Go of those who write algorithms.
func TestNoLineIsWide(t *testing.T) {
	templates, err := filepath.Glob("../../plugins/authoring/templates/*/*.go.tmpl")
	if err != nil || len(templates) == 0 {
		t.Fatal(templates, err)
	}
	for _, path := range append(sources(t), templates...) {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for n := 1; lines.Scan(); n++ {
			if columns := utf8.RuneCountInString(lines.Text()); columns > maxColumns {
				t.Errorf("%s:%d: %d columns, allowed are %d", path, n, columns, maxColumns)
			}
		}
		if err := lines.Err(); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		f.Close()
	}
}

func TestLongLiteralsHaveAFieldALine(t *testing.T) {
	for _, path := range sources(t) {
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, place := range packed(files, f) {
			t.Errorf("%s: a literal of more than %d fields has one a line", place, maxFields)
		}
	}
}

// packed returns the places of struct literals of more than maxFields named fields with two that begin on the same
// line.
func packed(files *token.FileSet, f *ast.File) (places []token.Position) {
	ast.Inspect(f, func(n ast.Node) bool {
		literal, ok := n.(*ast.CompositeLit)
		if !ok || len(literal.Elts) <= maxFields {
			return true
		}
		if slices.ContainsFunc(literal.Elts, isNoField) {
			return true
		}
		last := files.Position(literal.Lbrace).Line
		for _, e := range literal.Elts {
			line := files.Position(e.Pos()).Line
			if line == last {
				places = append(places, files.Position(literal.Pos()))
				return true
			}
			last = files.Position(e.End()).Line
		}
		return true
	})
	return places
}

// isNoField reports whether an element of a literal names no field: it has no key,
// or one of a map or an array.
func isNoField(e ast.Expr) bool {
	pair, ok := e.(*ast.KeyValueExpr)
	if !ok {
		return true
	}
	_, ok = pair.Key.(*ast.Ident)
	return !ok
}

func TestPackedLiteralsAreFound(t *testing.T) {
	const source = `package p
var (
	a = T{A: 1, B: 2, C: 3, D: 4}
	b = T{A: 1, B: 2, C: 3, D: 4, E: 5}
	c = T{
		A: 1, B: 2,
		C: 3,
		D: 4,
		E: 5,
	}
	d = T{
		A: 1,
		B: 2,
		C: 3,
		D: 4,
		E: 5,
	}
	e = map[int]int{1: 1, 2: 2, 3: 3, 4: 4, 5: 5}
)
`
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	var lines []int
	for _, place := range packed(files, f) {
		lines = append(lines, place.Line)
	}
	if len(lines) != 2 || lines[0] != 4 || lines[1] != 5 {
		t.Errorf("packed literals in lines %v, want 4 and 5", lines)
	}
}
