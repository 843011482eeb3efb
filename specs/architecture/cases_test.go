package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"
	"testing"
)

// A case that acts hides a step of a model in a condition: whether it happens depends on the cases before it. So the
// condition of a case calls nothing that acts: a function or method that assigns to a part of what it is given by a
// pointer, the receiver or a parameter, or that calls such a method of it. Names stand for functions, as types are not
// known here: of methods with one name in a package all must act, and those of other packages are looked for by
// their names in all.
func TestCasesDoNotAct(t *testing.T) {
	all := acting{}
	type product struct {
		path string
		file *ast.File
		at   func(token.Pos) int
	}
	var files []product
	products(t, func(name string, file *ast.File, at func(token.Pos) int) {
		if ast.IsGenerated(file) {
			return
		}
		files = append(files, product{name, file, at})
		all.declare(path.Dir(name), file)
	})
	all.settle()
	for _, p := range files {
		for _, s := range all.cases(path.Dir(p.path), p.file) {
			t.Errorf("%s:%d: the case calls %s, which acts: call it in a statement before", p.path, p.at(s.at), s.what)
		}
	}
}

// acting are the functions and methods of folders, by folder and name.
type acting map[string]map[string][]*action

// action is one of them: whether it acts, and which methods of what it is given it calls.
type action struct {
	acts  bool
	calls []string
}

// declare adds those of a file.
func (a acting) declare(folder string, file *ast.File) {
	if a[folder] == nil {
		a[folder] = map[string][]*action{}
	}
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Body != nil {
			a[folder][f.Name.Name] = append(a[folder][f.Name.Name], actionOf(f))
		}
	}
}

// actionOf looks at one.
func actionOf(f *ast.FuncDecl) *action {
	given := map[string]bool{}
	for _, list := range []*ast.FieldList{f.Recv, f.Type.Params} {
		if list == nil {
			continue
		}
		for _, field := range list.List {
			if _, pointer := field.Type.(*ast.StarExpr); pointer {
				for _, name := range field.Names {
					given[name.Name] = true
				}
			}
		}
	}
	does := &action{}
	part := func(e ast.Expr) {
		_, whole := e.(*ast.Ident)
		does.acts = does.acts || !whole && given[rootOf(e)]
	}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, to := range n.Lhs {
					part(to)
				}
			}
		case *ast.IncDecStmt:
			part(n.X)
		case *ast.CallExpr:
			if of, ok := n.Fun.(*ast.SelectorExpr); ok {
				if name, ok := of.X.(*ast.Ident); ok && given[name.Name] {
					does.calls = append(does.calls, of.Sel.Name)
				}
			}
		}
		return true
	})
	return does
}

// rootOf is the name that a part is of, "s" of s.queue[i].bytes; "" for another expression.
func rootOf(e ast.Expr) string {
	for {
		switch of := e.(type) {
		case *ast.Ident:
			return of.Name
		case *ast.SelectorExpr:
			e = of.X
		case *ast.IndexExpr:
			e = of.X
		case *ast.StarExpr:
			e = of.X
		case *ast.ParenExpr:
			e = of.X
		default:
			return ""
		}
	}
}

// settle marks what calls what acts, until no more follows.
func (a acting) settle() {
	for found := true; found; {
		found = false
		for folder, names := range a {
			for _, list := range names {
				for _, f := range list {
					if !f.acts && slices.ContainsFunc(f.calls, func(name string) bool { return act(a[folder][name]) }) {
						f.acts, found = true, true
					}
				}
			}
		}
	}
}

// act reports whether all of them act, and there is one.
func act(list []*action) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(f *action) bool { return !f.acts })
}

// named returns those of a name in all folders.
func (a acting) named(name string) (list []*action) {
	for _, names := range a {
		list = append(list, names[name]...)
	}
	return list
}

// cases returns the calls in cases of switches without a tag that act.
func (a acting) cases(folder string, file *ast.File) (list []sight) {
	imported := map[string]string{}
	for _, of := range file.Imports {
		name := strings.Trim(of.Path.Value, `"`)
		word := path.Base(name)
		if of.Name != nil {
			word = of.Name.Name
		}
		imported[word] = strings.TrimPrefix(name, "github.com/rocelab/rocelab/")
	}
	look := func(n ast.Node) bool {
		var found []*action
		var name string
		switch call := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			switch of := call.Fun.(type) {
			case *ast.Ident:
				name, found = of.Name, a[folder][of.Name]
			case *ast.SelectorExpr:
				name = of.Sel.Name
				word, _ := of.X.(*ast.Ident)
				if word != nil && imported[word.Name] != "" {
					found = a[imported[word.Name]][name]
				} else if found = a[folder][name]; found == nil {
					found = a.named(name)
				}
			}
		}
		if act(found) {
			list = append(list, sight{at: n.Pos(), what: name})
		}
		return true
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if of, ok := n.(*ast.SwitchStmt); ok && of.Tag == nil {
			for _, clause := range of.Body.List {
				for _, condition := range clause.(*ast.CaseClause).List {
					ast.Inspect(condition, look)
				}
			}
		}
		return true
	})
	return list
}

// Shapes that act, and shapes that do not.
func TestCasesThatActAreSeen(t *testing.T) {
	const declared = `package p
type T struct { n int; m map[string]int; inner *T }
func (t *T) writes() bool { t.n = 1; return true }
func (t *T) counts() bool { t.inner.m["a"]++; return true }
func (t *T) calls() bool { return t.writes() }
func (t *T) reads() bool { n := t.n; n++; return n > 1 }
func (t T) copies() bool { t.n = 1; return true }
func into(t *T) bool { t.n++; return true }
`
	for _, c := range []struct {
		condition string
		acts      bool
	}{
		{"t.writes()", true},
		{"ok && !t.inner.writes()", true},
		{"t.counts()", true},
		{"t.calls()", true},
		{"into(t)", true},
		{"t.reads()", false},
		{"t.copies()", false},
		{"strings.Trim(s) == s", false},
		{"any(func() bool { return t.writes() })", false},
	} {
		t.Run(c.condition, func(t *testing.T) {
			source := declared + "func f(t *T, ok bool, s string) { switch { case " + c.condition + ": } }\n"
			file, err := parser.ParseFile(token.NewFileSet(), "p.go", source, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			all := acting{}
			all.declare("p", file)
			all.settle()
			if got := len(all.cases("p", file)) > 0; got != c.acts {
				t.Errorf("acts: %t, want %t", got, c.acts)
			}
		})
	}
}
