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

// Needed is the information that must be loaded of a package to check it.
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
	switch at := node.(type) {
	case *ast.GoStmt:
		c.find(at, "starts a goroutine")
	case *ast.RangeStmt:
		if _, ok := c.TypesInfo.TypeOf(at.X).Underlying().(*types.Map); ok {
			c.find(at, "ranges over a map")
		}
	case *ast.BinaryExpr:
		if at.Op == token.ADD || at.Op == token.SUB {
			c.sum(at, at.X, at.Y)
		}
	case *ast.AssignStmt:
		if at.Tok == token.ADD_ASSIGN || at.Tok == token.SUB_ASSIGN {
			c.sum(at, at.Lhs[0], at.Rhs[0])
		}
		if at.Tok != token.DEFINE {
			for _, l := range at.Lhs {
				c.written(at, l)
			}
		}
	case *ast.IncDecStmt:
		c.written(at, at.X)
	case *ast.UnaryExpr:
		if at.Op == token.AND {
			c.written(at, at.X)
		}
	case *ast.CallExpr:
		if id, ok := ast.Unparen(at.Fun).(*ast.Ident); ok && (id.Name == "delete" || id.Name == "clear" ||
			id.Name == "copy") && len(at.Args) > 0 {
			c.written(at, at.Args[0])
		}
	case *ast.SelectorExpr:
		if f, ok := c.TypesInfo.Uses[at.Sel].(*types.Func); ok && f.Pkg() != nil && f.Pkg().Path() == "math" &&
			!slices.Contains(allowedMath, f.Name()) {
			c.find(at, "uses math."+f.Name())
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
		switch operand := ast.Unparen(expr).(type) {
		case *ast.IndexExpr:
			expr = operand.X
		case *ast.StarExpr:
			expr = operand.X
		case *ast.SliceExpr:
			expr = operand.X
		case *ast.SelectorExpr:
			if v, ok := c.TypesInfo.Uses[operand.Sel].(*types.Var); ok && !v.IsField() {
				c.global(node, v) // pkg.Var
				return
			}
			expr = operand.X
		case *ast.Ident:
			if v, ok := c.TypesInfo.Uses[operand].(*types.Var); ok {
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
