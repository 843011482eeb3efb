package architecture

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
)

// faultNames are the names of kinds of faults and of what faults do to links, except those that mean other things, too.
var faultNames = []string{"pfc-storm", "one-way", "switch-reboot", "drain", "flaps", "bleach", "slow-host"}

// A kind of fault is one value: nothing outside of its file chooses by its name.
var faultRules = []rule{{
	name: "kinds of faults by their names",
	ask:  "put it into the value of the kind, in its file of emulator/scenario, emulator/link or emulator/result",
	find: nodes(func(n ast.Node) string {
		var compared []ast.Expr
		switch n := n.(type) {
		case *ast.CaseClause:
			compared = n.List
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				compared = []ast.Expr{n.X, n.Y}
			}
		case *ast.IndexExpr:
			compared = []ast.Expr{n.Index}
		}
		for _, e := range compared {
			if text := literal(e); slices.Contains(faultNames, text) {
				return "chooses by " + strconv.Quote(text)
			}
			if of, ok := e.(*ast.SelectorExpr); ok && of.Sel.Name == "Bleach" {
				return "chooses by the harm Bleach"
			}
		}
		return ""
	}),
}}
