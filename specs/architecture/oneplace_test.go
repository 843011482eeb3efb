package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Facts that have one place: a rule finds every place in the source of the programs, and all but the known ones are
// refused. mutants_test.go has second places of many shapes that must be seen.

// rule is one fact.
type rule struct {
	name string
	// ask names the replacement for another place.
	ask string
	// known are the places there may be, with the reason: a folder with a slash at its end, a file, or a file and the
	// name in it, "emulator/result/fairness.go Jain". A place that has gone must be struck off: the list only shrinks.
	known map[string]string
	// find returns what it sees in a file.
	find func(path string, file *ast.File) []sight
}

// sight is a place. Name is the function's, "" if the whole file is known.
type sight struct {
	at   token.Pos
	what string
	name string
}

// knownAs is the entry of known that a sight is, "" for none.
func (r *rule) knownAs(path string, s sight) string {
	folder := filepath.ToSlash(filepath.Dir(path)) + "/"
	for _, place := range []string{path + " " + s.name, path, folder} {
		if _, known := r.known[place]; known {
			return place
		}
	}
	return ""
}

// refused returns the unknown sights in a file, and strikes known ones off the list of unseen.
func (r *rule) refused(path string, file *ast.File, unseen map[string]string) (list []sight) {
	for _, s := range r.find(path, file) {
		if place := r.knownAs(path, s); place != "" {
			delete(unseen, place)
			continue
		}
		list = append(list, s)
	}
	return list
}

// rules are all of them.
var rules = slices.Concat(statisticRules, readerRules, formRules, documentRules, faultRules)

// ruleOf is the rule of a name.
func ruleOf(t *testing.T, name string) *rule {
	t.Helper()
	i := slices.IndexFunc(rules, func(r rule) bool { return r.name == name })
	if i < 0 {
		t.Fatalf("there is no rule %q", name)
	}
	return &rules[i]
}

// Each fact has its known places only.
func TestFactsHaveOnePlace(t *testing.T) {
	type product struct {
		path string
		file *ast.File
		at   func(token.Pos) int
	}
	var all []product
	products(t, func(path string, file *ast.File, at func(token.Pos) int) {
		all = append(all, product{path, file, at})
	})
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			unseen := maps.Clone(r.known)
			for _, p := range all {
				for _, s := range r.refused(p.path, p.file, unseen) {
					t.Errorf("%s:%d: %s: %s", p.path, p.at(s.at), s.what, r.ask)
				}
			}
			for place := range unseen {
				t.Errorf("%s has it no more: strike it off the list", place)
			}
		})
	}
}

// products calls each with every Go file other than tests, by its path in the repository.
func products(t *testing.T, each func(path string, file *ast.File, at func(token.Pos) int)) {
	t.Helper()
	for _, name := range sources(t) {
		path := filepath.ToSlash(strings.TrimPrefix(name, "../../"))
		if strings.HasSuffix(path, "_test.go") || strings.Contains(path, "testdata/") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		each(path, file, func(pos token.Pos) int { return set.Position(pos).Line })
	}
}

// importsOf finds imports of a path that fits.
func importsOf(fits func(path string) bool) func(string, *ast.File) []sight {
	return func(_ string, file *ast.File) (list []sight) {
		for _, of := range file.Imports {
			if path := strings.Trim(of.Path.Value, "`\""); fits(path) {
				list = append(list, sight{at: of.Pos(), what: "imports " + path})
			}
		}
		return list
	}
}

// nodes finds the nodes for which a function returns a text.
func nodes(what func(ast.Node) string) func(string, *ast.File) []sight {
	return func(_ string, file *ast.File) (list []sight) {
		ast.Inspect(file, func(n ast.Node) bool {
			if n != nil {
				if text := what(n); text != "" {
					list = append(list, sight{at: n.Pos(), what: text})
				}
			}
			return true
		})
		return list
	}
}

// called is the name that a call ends with, Open of os.Open and of folder.Open, and its arguments.
func called(n ast.Node) (name string, args []ast.Expr) {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return "", nil
	}
	of := call.Fun
	switch generic := of.(type) {
	case *ast.IndexExpr:
		of = generic.X
	case *ast.IndexListExpr:
		of = generic.X
	}
	switch of := of.(type) {
	case *ast.Ident:
		return of.Name, call.Args
	case *ast.SelectorExpr:
		return of.Sel.Name, call.Args
	}
	return "", call.Args
}

// literal is the text of a string, "" for another node.
func literal(n ast.Node) string {
	of, ok := n.(*ast.BasicLit)
	if !ok || of.Kind != token.STRING {
		return ""
	}
	if strings.HasPrefix(of.Value, "`") {
		return strings.Trim(of.Value, "`")
	}
	return strings.ReplaceAll(strings.Trim(of.Value, `"`), `\"`, `"`)
}
