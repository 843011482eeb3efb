package schemata

import (
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/internal/patch"
)

// Comparison is a <, <=, > or >= of the source. Its mutant is that with the other edge: <= for <, > for >=.
type Comparison struct {
	// File is the file's path from the top of the module; Function is the name of the declaration around it, with the
	// receiver's type as in "queue.put", and that of the variable outside functions.
	File, Function string
	// Text is the comparison in gofmt's form on one line. Nth counts the comparisons of the same text in the function,
	// from 1.
	Text string
	Nth  int

	left, operator, right, end int // offsets
	call                       string
}

// calls are the functions of the package chosen, by the operator.
var calls = map[token.Token]string{
	token.LSS: "Less", token.LEQ: "LessEqual", token.GTR: "Greater", token.GEQ: "GreaterEqual",
}

// Comparisons returns the comparisons of the packages in folders of the module at root, without tests, by file and
// place. Bounds of loops are left out: in the condition of a for with three parts, a comparison of the variable that
// its first part declares.
func Comparisons(root string, folders ...string) ([]Comparison, error) {
	var all []Comparison
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
		if err != nil {
			return nil, err
		}
		for _, path := range files {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			s, err := parse(path)
			if err != nil {
				return nil, err
			}
			all = append(all, s.comparisons(folder+"/"+filepath.Base(path))...)
		}
	}
	return all, nil
}

func (s *source) comparisons(file string) (all []Comparison) {
	count := map[[2]string]int{}
	for _, d := range s.tree.Decls {
		bounds := map[ast.Expr]bool{}
		function := declared(d)
		ast.Inspect(d, func(n ast.Node) bool {
			if g, ok := n.(*ast.GenDecl); ok && g.Tok == token.CONST {
				return false
			}
			if v, ok := n.(*ast.ValueSpec); ok && !isFunction(d) {
				function = v.Names[0].Name
			}
			if loop, ok := n.(*ast.ForStmt); ok {
				bound(loop, bounds)
			}
			b, ok := n.(*ast.BinaryExpr)
			if !ok || calls[b.Op] == "" || bounds[b] {
				return true
			}
			c := Comparison{
				File:     file,
				Function: function,
				Text:     strings.Join(strings.Fields(s.text[s.at(b.Pos()):s.at(b.End())]), " "),
				left:     s.at(b.Pos()),
				operator: s.at(b.OpPos),
				right:    s.at(b.OpPos) + len(b.Op.String()),
				end:      s.at(b.End()),
				call:     calls[b.Op],
			}
			count[[2]string{function, c.Text}]++
			c.Nth = count[[2]string{function, c.Text}]
			all = append(all, c)
			return true
		})
	}
	return all
}

func isFunction(d ast.Decl) bool {
	_, ok := d.(*ast.FuncDecl)
	return ok
}

// declared is the name of a function, after its receiver's type.
func declared(d ast.Decl) string {
	f, ok := d.(*ast.FuncDecl)
	if !ok {
		return ""
	}
	if f.Recv == nil {
		return f.Name.Name
	}
	receiver := ""
	ast.Inspect(f.Recv.List[0].Type, func(n ast.Node) bool {
		if name, ok := n.(*ast.Ident); ok && receiver == "" {
			receiver = name.Name
		}
		return true
	})
	return receiver + "." + f.Name.Name
}

// bound adds what bounds the loop: comparisons with the variable that it counts.
func bound(loop *ast.ForStmt, bounds map[ast.Expr]bool) {
	init, ok := loop.Init.(*ast.AssignStmt)
	if !ok || loop.Cond == nil || loop.Post == nil {
		return
	}
	counted := func(e ast.Expr) bool {
		name, ok := e.(*ast.Ident)
		return ok && slices.ContainsFunc(init.Lhs, func(e ast.Expr) bool {
			variable, ok := e.(*ast.Ident)
			return ok && variable.Name == name.Name
		})
	}
	ast.Inspect(loop.Cond, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok && (counted(b.X) || counted(b.Y)) {
			bounds[b] = true
		}
		return true
	})
}

// BuildComparisons builds the test programs of packages with the mutants of all comparisons in, into the folder, in
// which Program finds them. With a path for met they add the number of each comparison with equal sides to that file.
func BuildComparisons(root, folder string, all []Comparison, packages ...string) error {
	byFile := map[string][]int{}
	for i := range all {
		byFile[all[i].File] = append(byFile[all[i].File], i)
	}
	texts := map[string]string{}
	for file, of := range byFile {
		s, err := parse(filepath.Join(root, file))
		if err != nil {
			return err
		}
		texts[file] = s.asCalls(all, of)
	}
	texts[chosenFile] = chosenSource
	list, err := patch.WriteOverlay(root, folder, texts)
	if err != nil {
		return err
	}
	return Programs(root, folder, list, packages...)
}

// asCalls is the text of the file with its comparisons as calls.
func (s *source) asCalls(all []Comparison, of []int) string {
	// Of several texts at one place, an inner comparison's end stands before an outer one's, and its begin behind.
	type insertion struct {
		at, skip int
		text     string
	}
	var list []insertion
	list = append(list, insertion{s.at(s.tree.Name.End()), 0, importChosen})
	for _, i := range of { // outer ones first
		c := &all[i]
		list = append(list, insertion{c.left, 0, fmt.Sprintf("mutantChosen.%s(%d, ", c.call, i+1)},
			insertion{c.operator, c.right - c.operator, ","})
	}
	for _, i := range slices.Backward(of) {
		list = append(list, insertion{all[i].end, 0, ")"})
	}
	slices.SortStableFunc(list, func(a, b insertion) int { return a.at - b.at })
	var out strings.Builder
	from := 0
	for _, in := range list {
		out.WriteString(s.text[from:in.at] + in.text)
		from = in.at + in.skip
	}
	out.WriteString(s.text[from:])
	return out.String()
}

// Met returns the numbers in the file to which a program added the comparisons with equal sides.
func Met(path string) (map[int]bool, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	met := map[int]bool{}
	for word := range strings.FieldsSeq(string(text)) {
		n := 0
		if _, err := fmt.Sscan(word, &n); err != nil {
			return nil, err
		}
		met[n] = true
	}
	return met, nil
}
