package architecture

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// count adds n to a number, of a file.
func (l large) count(name, at string, n int) {
	if n > 0 {
		l[name] = number{l[name].n + n, at}
	}
}

// tiersIn counts the comments of a file that name a tier.
func tiersIn(file *ast.File) (n int) {
	for _, group := range file.Comments {
		for _, line := range group.List {
			if strings.Contains(line.Text, "Tier: ") {
				n++
			}
		}
	}
	return n
}

// bareTables returns the loops of a file's tests over tables of literals that may fail and have no t.Run in them: with
// a subtest for each case one can be run by its name, and one that fails hides none of the others. A table is a
// literal in the loop, in the test or in the file. A loop in a closure is not seen.
func bareTables(file *ast.File) (list []*ast.RangeStmt) {
	global := map[string]ast.Expr{}
	for _, decl := range file.Decls {
		if of, ok := decl.(*ast.GenDecl); ok {
			for _, spec := range of.Specs {
				if of, ok := spec.(*ast.ValueSpec); ok && len(of.Names) == len(of.Values) {
					for i, name := range of.Names {
						global[name.Name] = of.Values[i]
					}
				}
			}
		}
	}
	for _, decl := range file.Decls {
		test, ok := decl.(*ast.FuncDecl)
		if !ok || test.Body == nil || test.Recv != nil || !strings.HasPrefix(test.Name.Name, "Test") {
			continue
		}
		params := test.Type.Params.List
		if len(params) != 1 || len(params[0].Names) != 1 {
			continue
		}
		local := map[string]ast.Expr{}
		ast.Inspect(test.Body, func(n ast.Node) bool {
			if of, ok := n.(*ast.AssignStmt); ok && of.Tok == token.DEFINE && len(of.Lhs) == len(of.Rhs) {
				for i, to := range of.Lhs {
					if name, ok := to.(*ast.Ident); ok {
						local[name.Name] = of.Rhs[i]
					}
				}
			}
			return true
		})
		ast.Inspect(test.Body, func(n ast.Node) bool {
			if _, closure := n.(*ast.FuncLit); closure {
				return false
			}
			loop, ok := n.(*ast.RangeStmt)
			if !ok {
				return true
			}
			table := loop.X
			if name, ok := table.(*ast.Ident); ok && local[name.Name] != nil {
				table = local[name.Name]
			} else if ok {
				table = global[name.Name]
			}
			if _, ok := table.(*ast.CompositeLit); ok && isBare(loop.Body, params[0].Names[0].Name) {
				list = append(list, loop)
			}
			return true
		})
	}
	return list
}

// isBare reports whether the body of a loop may fail the test t, and has no subtest.
func isBare(body *ast.BlockStmt, t string) bool {
	fails, runs := false, false
	is := func(e ast.Expr) bool {
		name, ok := e.(*ast.Ident)
		return ok && name.Name == t
	}
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if of, ok := call.Fun.(*ast.SelectorExpr); ok && is(of.X) {
			switch of.Sel.Name {
			case "Run":
				runs = true
			case "Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow":
				fails = true
			}
		}
		for _, arg := range call.Args {
			fails = fails || is(arg)
		}
		return true
	})
	return fails && !runs
}

func TestBareTablesAreSeen(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       int
	}{
		{"a literal", "for _, c := range []int{1} { t.Error(c) }", 1},
		{"of the test", "list := []int{1}; for _, c := range list { check(t, c) }", 1},
		{"of the file", "for name := range all { t.Fatal(name) }", 1},
		{"with subtests", "for _, c := range []int{1} { t.Run(fmt.Sprint(c), func(t *testing.T) { t.Error(c) }) }", 0},
		{"in a subtest", "t.Run(`x`, func(t *testing.T) { for _, c := range []int{1} { t.Error(c) } })", 0},
		{"no table", "for _, c := range f() { t.Error(c) }", 0},
		{"nothing fails", "for _, c := range []int{1} { sum += c }", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := "package p\nvar all = map[string]int{}\nfunc TestX(t *testing.T) {" + c.body + "}\n"
			file, err := parser.ParseFile(token.NewFileSet(), "p_test.go", source, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			if got := len(bareTables(file)); got != c.want {
				t.Errorf("%s are seen, want %d", fmt.Sprint(got), c.want)
			}
		})
	}
}
