package source

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// What plugins/cc/doc.go lets an algorithm use, and what keeps it a plain
// state machine.
var (
	allowedMath = []string{"Abs", "Min", "Max", "Floor", "Ceil", "Trunc", "Sqrt", "Inf", "NaN", "IsNaN", "IsInf",
		"Float64bits", "Float64frombits"}
	forbidden = []string{"time", "math/rand", "math/rand/v2", "os", "sync", "sync/atomic", "net", "unsafe"}
)

// Needed is what must be loaded of a package to check it.
const Needed = packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes |
	packages.NeedTypesInfo | packages.NeedImports | packages.NeedModule

type checker struct {
	*packages.Package
	findings []string
}

// Check returns what in a package breaks the rules, each with its place. The
// package was loaded with Needed.
func Check(pkg *packages.Package) []string {
	c := &checker{Package: pkg}
	for _, f := range pkg.Syntax {
		for _, i := range f.Imports {
			if path := strings.Trim(i.Path.Value, `"`); slices.Contains(forbidden, path) || strings.HasPrefix(path, "net/") {
				c.find(i, "imports "+path)
			}
		}
		ast.Inspect(f, c.visit)
	}
	return c.findings
}

func (c *checker) find(node ast.Node, what string) {
	c.findings = append(c.findings, fmt.Sprintf("%s: %s", c.Fset.Position(node.Pos()), what))
}

func (c *checker) visit(node ast.Node) bool {
	switch n := node.(type) {
	case *ast.GoStmt:
		c.find(n, "starts a goroutine")
	case *ast.RangeStmt:
		if _, ok := c.TypesInfo.TypeOf(n.X).Underlying().(*types.Map); ok {
			c.find(n, "ranges over a map")
		}
	case *ast.BinaryExpr:
		if n.Op == token.ADD || n.Op == token.SUB {
			c.sum(n, n.X, n.Y)
		}
	case *ast.AssignStmt:
		if n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN {
			c.sum(n, n.Lhs[0], n.Rhs[0])
		}
		if n.Tok != token.DEFINE {
			for _, l := range n.Lhs {
				c.written(n, l)
			}
		}
	case *ast.IncDecStmt:
		c.written(n, n.X)
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			c.written(n, n.X)
		}
	case *ast.CallExpr:
		if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && (id.Name == "delete" || id.Name == "clear" ||
			id.Name == "copy") && len(n.Args) > 0 {
			c.written(n, n.Args[0])
		}
	case *ast.SelectorExpr:
		if f, ok := c.TypesInfo.Uses[n.Sel].(*types.Func); ok && f.Pkg() != nil && f.Pkg().Path() == "math" &&
			!slices.Contains(allowedMath, f.Name()) {
			c.find(n, "uses math."+f.Name())
		}
	}
	return true
}

// sum refuses float products as operands of a sum: the compiler may fuse them.
func (c *checker) sum(node ast.Node, operands ...ast.Expr) {
	for _, x := range operands {
		if c.fusible(x) {
			c.find(node, "product in a float sum without float64()")
			return
		}
	}
}

func (c *checker) fusible(expr ast.Expr) bool {
	tv := c.TypesInfo.Types[expr]
	if b, ok := tv.Type.Underlying().(*types.Basic); !ok || b.Info()&types.IsFloat == 0 || tv.Value != nil {
		return false
	}
	switch x := expr.(type) {
	case *ast.ParenExpr:
		return c.fusible(x.X)
	case *ast.UnaryExpr:
		return c.fusible(x.X)
	case *ast.BinaryExpr:
		return x.Op == token.MUL
	}
	return false
}

// written refuses changes of package-level variables, elements and fields of
// theirs included; taking their address counts, for who knows what follows.
func (c *checker) written(node ast.Node, expr ast.Expr) {
	for {
		switch y := ast.Unparen(expr).(type) {
		case *ast.IndexExpr:
			expr = y.X
		case *ast.StarExpr:
			expr = y.X
		case *ast.SliceExpr:
			expr = y.X
		case *ast.SelectorExpr:
			if v, ok := c.TypesInfo.Uses[y.Sel].(*types.Var); ok && !v.IsField() {
				c.global(node, v) // pkg.Var
				return
			}
			expr = y.X
		case *ast.Ident:
			if v, ok := c.TypesInfo.Uses[y].(*types.Var); ok {
				c.global(node, v)
			}
			return
		default:
			return
		}
	}
}

func (c *checker) global(node ast.Node, variable *types.Var) {
	if variable.Pkg() != nil && variable.Parent() == variable.Pkg().Scope() {
		c.find(node, "changes package variable "+variable.Name())
	}
}
