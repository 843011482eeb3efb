package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// notRead are folders whose literals no user reads: mutants hold source text, and specs write for developers.
var notRead = regexp.MustCompile(`^(specs|.*/testdata)$`)

// assets are other files with texts: parts of pages that report and view write, and files copied into run folders.
// Lines that are comments are not shown.
var assets = []string{
	"emulator/result/*.md",
	"testbed/look/report/*.html",
	"testbed/look/report/asset/*.html",
	"testbed/look/report/asset/s*/*.js",
	"testbed/look/view/*.html",
	"testbed/look/view/*.js",
}

// texts returns the texts of the programs: string literals of Go files that are not tests, joined where "+" joins them,
// and the lines of the pages' assets.
func texts(t *testing.T) map[string][]passage {
	list := map[string][]passage{}
	err := filepath.WalkDir("../../", func(path string, entry fs.DirEntry, err error) error {
		name := strings.TrimPrefix(filepath.ToSlash(path), "../../")
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (notRead.MatchString(name) || strings.HasPrefix(name, ".")):
			return fs.SkipDir
		case strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go"):
			list[name], err = literals(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, pattern := range assets {
		for _, path := range files(t, pattern) {
			for n, line := range strings.Split(string(read(t, path)), "\n") {
				if !strings.HasPrefix(strings.TrimSpace(line), "//") {
					list[path] = append(list[path], passage{line: n + 1, text: line})
				}
			}
		}
	}
	return list
}

// literals are the string literals of a Go file that have several words.
func literals(path string) (list []passage, err error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	ast.Inspect(file, func(node ast.Node) bool {
		expression, is := node.(ast.Expr)
		if !is {
			return true
		}
		text, is := joined(expression)
		if !is {
			return true
		}
		if strings.Contains(text, " ") {
			list = append(list, passage{line: set.Position(expression.Pos()).Line, text: text})
		}
		return false
	})
	return list, nil
}

// joined is the text of a string literal, or of several that "+" joins, also to something else, which is left out.
func joined(expression ast.Expr) (text string, is bool) {
	switch e := expression.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		left, leftIs := joined(e.X)
		right, rightIs := joined(e.Y)
		return left + right, e.Op == token.ADD && (leftIs || rightIs)
	}
	return "", false
}
