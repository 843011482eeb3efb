package architecture

import (
	"go/ast"
	"go/token"
	"regexp"
	"strings"
)

// Texts become trees with positions in emulator/document, and thresholds are held to each other in emulator/profile:
// for scenarios, configurations of SONiC and switches.
var documentRules = []rule{
	{
		name: "YAML",
		ask:  "ask emulator/document",
		find: importsOf(func(path string) bool { return yamlModule.MatchString(path) }),
		known: map[string]string{
			"emulator/document/yaml.go":  "the tree of YAML",
			"emulator/document/node.go":  "what a node was made of",
			"emulator/scenario/edit.go":  "where a scenario's text is replaced",
			"docs/findings/pc4/score.go": "a table, without places",
		},
	},
	{
		name: "tokens of JSON",
		ask:  "ask emulator/document",
		find: nodes(func(n ast.Node) string {
			if name, args := called(n); name == "Token" && len(args) == 0 {
				return "reads tokens"
			}
			return ""
		}),
		known: map[string]string{
			"emulator/document/json.go": "the tree of JSON",
			"testbed/look/page/rows.go": "the order of keys of what a command prints",
			"testbed/look/pack/list.go": "that nothing follows the list of a pack",
		},
	},
	{
		name: "JSON of configurations",
		ask:  "ask emulator/document",
		find: configurations,
		known: map[string]string{
			"emulator/sonic/memory.go":        "a comment that import wrote, a map of texts",
			"emulator/scenario/schemakeys.go": "the schema that the package wrote itself",
		},
	},
	{
		name:  "kmin and kmax",
		ask:   "ask emulator/profile/range.go",
		find:  comparisonsOf("kmin", "kmax"),
		known: map[string]string{"emulator/profile/range.go": "its place"},
	},
	{
		name:  "guaranteed and buffer",
		ask:   "ask emulator/profile/dci.go",
		find:  comparisonsOf("guaranteed", "buffer"),
		known: map[string]string{"emulator/profile/dci.go": "its place"},
	},
}

// yamlModule is a module of YAML, whosever it is.
var yamlModule = regexp.MustCompile(`(?i)(^|[/.-])(go-)?yaml(\.?v\d+)?($|/)`)

// configurations finds what decodes JSON in the packages that read scenarios and configurations.
func configurations(path string, file *ast.File) []sight {
	if !strings.HasPrefix(path, "emulator/sonic/") && !strings.HasPrefix(path, "emulator/mlxconfig/") &&
		!strings.HasPrefix(path, "emulator/scenario/") {
		return nil
	}
	return nodes(func(n ast.Node) string {
		if name, _ := called(n); name == "NewDecoder" || name == "Unmarshal" {
			return "decodes by " + name
		}
		return ""
	})("", file)
}

// comparisonsOf finds comparisons of what begins with low and what begins with high.
func comparisonsOf(low, high string) func(string, *ast.File) []sight {
	begins := func(of ast.Expr, with string) bool { return strings.HasPrefix(strings.ToLower(lastName(of)), with) }
	return nodes(func(n ast.Node) string {
		compared, ok := n.(*ast.BinaryExpr)
		if !ok {
			return ""
		}
		switch compared.Op {
		case token.LSS, token.LEQ, token.GTR, token.GEQ:
		default:
			return ""
		}
		x, y := compared.X, compared.Y
		if begins(x, low) && begins(y, high) || begins(x, high) && begins(y, low) {
			return "compares " + low + " with " + high
		}
		return ""
	})
}

// lastName is the name that an expression ends with: c of a.b.c, of a.b.c(), of *c and of number(c).
func lastName(of ast.Expr) string {
	switch of := of.(type) {
	case *ast.Ident:
		return of.Name
	case *ast.SelectorExpr:
		return of.Sel.Name
	case *ast.StarExpr:
		return lastName(of.X)
	case *ast.ParenExpr:
		return lastName(of.X)
	case *ast.CallExpr:
		if len(of.Args) == 1 { // a conversion
			return lastName(of.Args[0])
		}
		return lastName(of.Fun)
	}
	return ""
}
